"""`tacit uninstall`: gone in one command; what is remembered stays unless it is purged."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tacit.capture import wake
from tacit.capture.state import open_home

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from unit.cli.conftest import Program

SETTINGS = b'{"model": "opus", "hooks": {}}'


@pytest.fixture
def user(home: Home) -> Path:
    user = home.scratch / "ann"
    (user / ".claude").mkdir(parents=True)
    (user / ".claude" / "settings.json").write_bytes(SETTINGS)
    return user


@pytest.fixture
def options(user: Path, home: Home) -> dict[str, Any]:
    kept = {name: value for name, value in os.environ.items() if name != "CLAUDE_CONFIG_DIR"}
    environment = kept | {"HOME": str(user), "TACIT_HOME": str(home.path)}
    return {"env": environment, "stdin": subprocess.DEVNULL}


@pytest.fixture
def installed(program: Program, options: dict[str, Any]) -> None:
    program("install", "--yes", **options)


def files(user: Path) -> dict[str, bytes]:
    found = [each for each in user.rglob("*") if each.is_file()]
    return {str(each.relative_to(user)): each.read_bytes() for each in found}


@pytest.mark.usefixtures("installed")
def test_the_settings_are_as_they_were_and_what_is_remembered_stays(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    home.hook("UserPromptSubmit", {"prompt": "Likes tea"})

    ran = program("uninstall", **options)

    assert (ran.returncode, files(user)) == (0, {".claude/settings.json": SETTINGS})
    assert len(json.loads(program("sessions", "--json", **options).stdout)) == 1
    assert b"--purge" in ran.stdout


@pytest.mark.usefixtures("installed")
def test_the_daemon_is_gone_and_no_hook_starts_it_again(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    program("daemon", "start", **options)

    ran = program("uninstall", **options)

    assert b"The daemon has stopped" in ran.stdout
    assert not wake.is_running(open_home(str(home.path)))
    assert (home.path / "daemon.stopped").exists()


@pytest.mark.usefixtures("installed")
def test_purging_needs_a_word_and_leaves_nothing(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    refused = program("uninstall", "--purge", **options)
    is_left = home.path.exists()

    ran = program("uninstall", "--purge", "--yes", **options)

    assert (refused.returncode, is_left) == (18, True)
    assert (ran.returncode, home.path.exists()) == (0, False)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("variable", ["CLAUDECODE", "AI_AGENT"])
def test_an_agent_without_a_terminal_cannot_purge(
    program: Program, options: dict[str, Any], user: Path, home: Home, variable: str
) -> None:
    before = files(user), files(home.path)
    options["env"][variable] = "1"

    ran = program("uninstall", "--purge", "--yes", **options)

    assert (ran.returncode, b"Ask the user to run it" in ran.stderr) == (7, True)
    assert (files(user), files(home.path)) == before


@pytest.mark.usefixtures("installed")
def test_an_agent_may_uninstall_what_keeps_the_memory(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    options["env"]["CLAUDECODE"] = "1"

    ran = program("uninstall", **options)

    assert (ran.returncode, home.path.exists()) == (0, True)


@pytest.mark.usefixtures("installed")
def test_purging_deletes_nothing_of_anybody_else(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    (home.path / "thesis.txt").write_text("mine", encoding="utf-8")
    (home.path / ".capture.conf.1.ab").write_text("half", encoding="utf-8")

    ran = program("uninstall", "--purge", "--yes", **options)

    assert ran.returncode == 0
    assert [each.name for each in home.path.iterdir()] == ["thesis.txt"]
    assert b"thesis.txt" in ran.stdout


@pytest.mark.usefixtures("installed")
def test_purging_takes_it_out_of_every_project_and_plugin(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    shop = home.scratch / "shop"
    shop.mkdir()
    program("install", "--scope", "project", "--yes", **options, cwd=shop)
    program("install", "--plugin", "mine", "--yes", **options)

    ran = program("uninstall", "--purge", "--yes", **options)

    assert (ran.returncode, home.path.exists()) == (0, False)
    assert files(user) == {".claude/settings.json": SETTINGS}
    assert [*shop.iterdir(), *home.project.iterdir()] == []
    assert f"  {shop}/.mcp.json: nothing of ours any more\n" in ran.stdout.decode()


@pytest.mark.usefixtures("installed")
def test_what_purging_cannot_take_out_is_named_and_records_no_more(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    program("install", "--scope", "project", "--yes", **options)
    settings = home.project / ".claude" / "settings.json"
    hook = json.loads(settings.read_bytes())["hooks"]["UserPromptSubmit"][0]["hooks"][0]
    text = settings.read_bytes()
    settings.write_bytes(text + b"// mine")

    ran = program("uninstall", "--purge", "--yes", **options)
    payload = home.payload("UserPromptSubmit", prompt="Likes tea")
    command = [hook["command"], *hook["args"]]
    recorded = subprocess.run(command, input=payload, env=options["env"], check=False).returncode
    left = {each.name for each in home.path.iterdir()}
    settings.write_bytes(text)
    again = program("uninstall", "--purge", "--yes", **options)

    assert (ran.returncode, again.returncode, recorded) == (18, 0, 0)
    assert f"`cd {home.project} && tacit uninstall --scope project`" in ran.stderr.decode()
    assert left == {"installed", "home.marker"}
    assert (home.path.exists(), settings.parent.exists()) == (False, False)
    assert files(user) == {".claude/settings.json": SETTINGS}


def test_what_was_never_installed_is_told(
    program: Program, options: dict[str, Any], user: Path
) -> None:
    program("status", **options)  # which makes a home, with nothing in it

    ran = program("uninstall", **options)

    assert (ran.returncode, ran.stdout) == (0, b"Tacit was not installed in Claude Code.\n")
    assert (user / ".claude" / "settings.json").read_bytes() == SETTINGS


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("rest", [("--scope", "project"), ("--plugin", "mine")])
def test_what_runs_elsewhere_keeps_its_launcher_and_its_daemon(
    program: Program, options: dict[str, Any], user: Path, home: Home, rest: tuple[str, ...]
) -> None:
    program("install", "--yes", *rest, **options)
    before = files(user)

    ran = program("uninstall", *rest, **options)

    assert (ran.returncode, files(user)) == (0, before)
    assert f"The daemon goes on: {user}/.claude/settings.json" in ran.stdout.decode()
    assert not (home.path / "daemon.stopped").exists()


def test_of_a_plugin_nothing_is_left_but_what_is_somebody_else_s(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    program("install", "--plugin", "bare", "--yes", **options)
    program("install", "--plugin", "filled", "--yes", **options)
    (home.project / "filled" / "notes.txt").write_text("mine", encoding="utf-8")

    for name in ("bare", "filled"):
        assert program("uninstall", "--plugin", name, **options).returncode == 0

    assert {str(each.relative_to(home.project)) for each in home.project.rglob("*")} == {
        "filled",
        "filled/notes.txt",
    }


def test_a_directory_that_is_no_plugin_of_ours_is_left_alone(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    (home.project / "README.md").write_text("mine", encoding="utf-8")

    ran = program("uninstall", "--plugin", ".", **options)

    assert (ran.returncode, b"holds something else" in ran.stderr) == (18, True)
    assert (home.project / "README.md").exists()


def test_purging_leaves_a_directory_alone_that_is_no_home(home: Home, program: Program) -> None:
    place = home.scratch / "mine"
    for name in ("groups", "backups", "logs"):
        (place / name).mkdir(parents=True)
        (place / name / "file").write_text("mine", encoding="utf-8")
    (place / "notes.txt").write_text("mine", encoding="utf-8")

    ended = program("uninstall", "--purge", "--yes", env=home.environment(TACIT_HOME=str(place)))

    assert ended.returncode == 4
    assert sorted(file.parent.name for file in place.rglob("file")) == ["backups", "groups", "logs"]


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("words", [("--purge", "--yes"), ("--purge",), ()], ids=" ".join)
@pytest.mark.parametrize("place", ["/", "{user}", "{project}"])
def test_what_is_no_home_is_refused_before_anything_is_said_or_changed(
    program: Program,
    options: dict[str, Any],
    user: Path,
    home: Home,
    words: tuple[str, ...],
    place: str,
) -> None:
    (home.project / "notes.txt").write_text("mine", encoding="utf-8")
    chosen = place.format(user=user, project=home.project)
    options["env"] |= {"TACIT_HOME": chosen}
    before = files(user)

    refused = program("uninstall", *words, **options)

    assert (refused.returncode, refused.stdout) == (4, b"")
    assert refused.stderr.startswith(f"tacit: {chosen} ".encode())
    assert files(user) == before
