"""`tacit install`: a plan first, then hooks that work, and words about what comes next."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flow.daemons import Daemons

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home
    from unit.cli.conftest import Program

SETTINGS = '{\n  "model": "opus"\n}\n'


@pytest.fixture
def user(home: Home) -> Path:
    """Return the directory of a user who has the client."""
    user = home.scratch / "ann"
    (user / ".claude").mkdir(parents=True)
    (user / ".claude" / "settings.json").write_text(SETTINGS, encoding="utf-8")
    return user


@pytest.fixture
def options(user: Path, home: Home) -> dict[str, Any]:
    kept = {name: value for name, value in os.environ.items() if name != "CLAUDE_CONFIG_DIR"}
    environment = kept | {"HOME": str(user), "TACIT_HOME": str(home.path)}
    return {"env": environment, "stdin": subprocess.DEVNULL}


def settings(user: Path) -> str:
    return (user / ".claude" / "settings.json").read_text(encoding="utf-8")


def test_a_dry_run_shows_the_plan_and_writes_nothing(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    ran = program("install", "--dry-run", **options)

    assert (ran.returncode, settings(user)) == (0, SETTINGS)
    assert str(user / ".claude" / "settings.json") in ran.stdout.decode()
    assert not (user / ".claude" / "tacit-hook.py").exists()
    assert not home.path.exists()


def test_the_plan_says_that_imports_reach_into_workspaces(
    program: Program, options: dict[str, Any]
) -> None:
    ran = program("install", "--imports", "--dry-run", **options)

    told = "imports 6 curated files of the group main, in all sessions, also those of workspaces"
    assert told in ran.stdout.decode()


def test_nothing_is_done_without_anybody_who_agrees(
    program: Program, options: dict[str, Any], user: Path
) -> None:
    ran = program("install", **options)

    assert (ran.returncode, settings(user)) == (18, SETTINGS)
    assert b"--yes" in ran.stderr


def test_whoever_says_no_is_told_that_nothing_was_changed(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    before = everything(home)
    keyboard, terminal = pty.openpty()
    os.write(keyboard, b"n\n")

    ran = program("install", **options | {"stdin": terminal})
    os.close(keyboard)
    os.close(terminal)

    assert (ran.returncode, everything(home)) == (0, before)
    assert ran.stdout.endswith(b"Nothing was changed.\n")


def test_the_hooks_that_it_registers_record(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    ran = program("install", "--yes", **options)
    hook = json.loads(settings(user))["hooks"]["UserPromptSubmit"][0]["hooks"][0]
    payload = home.payload("UserPromptSubmit", prompt="Likes tea")
    with Daemons(home) as daemons:  # which the hook wakes
        command = [hook["command"], *hook["args"]]
        subprocess.run(command, input=payload, env=options["env"], check=True)
        daemons.until_alone()
        daemons.stop()

    assert ran.returncode == 0
    assert json.loads(program("sessions", "--json", **options).stdout)[0]["events"] == 1


def test_it_says_what_comes_next_and_how_to_look_at_it(
    program: Program, options: dict[str, Any]
) -> None:
    told = program("install", "--yes", **options).stdout.decode()

    verbs = ("list", "why", "brief", "doctor --prove", "uninstall")
    assert all(f"tacit {verb}" in told for verb in verbs)
    assert "your next session" in told


def test_without_the_client_it_says_that_nothing_is_recorded_until_it_is_there(
    program: Program, options: dict[str, Any], user: Path
) -> None:
    away = {"HOME": str(user / "away"), "PATH": "/nowhere"}

    there = program("install", "--dry-run", **options).stdout
    missing = program("install", "--dry-run", **options | {"env": options["env"] | away}).stdout

    told = b"Claude Code was not found here: nothing is recorded until it is."
    assert (told in there, told in missing) == (False, True)


def test_doing_it_again_says_that_all_is_in_its_place(
    program: Program, options: dict[str, Any], user: Path
) -> None:
    program("install", "--yes", **options)
    before = settings(user)

    ran = program("install", "--yes", **options)

    assert (ran.returncode, settings(user)) == (0, before)
    assert b"in its place already" in ran.stdout


def test_a_project_has_settings_of_its_own(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    program("install", "--scope", "project", "--yes", **options)

    own = home.project / ".claude" / "settings.json"
    assert "tacit-hook.py" in own.read_text(encoding="utf-8")
    assert settings(user) == SETTINGS


def test_settings_that_cannot_be_read_are_told_in_one_sentence(
    program: Program, options: dict[str, Any], user: Path
) -> None:
    (user / ".claude" / "settings.json").write_text("{ // mine", encoding="utf-8")

    ran = program("install", "--yes", **options)

    assert ran.returncode == 18
    assert (ran.stderr.count(b"\n"), b"Nothing was changed" in ran.stderr) == (1, True)


def everything(home: Home) -> dict[str, bytes]:
    """Return every file that the test has."""
    found = [each for each in home.scratch.rglob("*") if each.is_file()]
    return {str(each.relative_to(home.scratch)): each.read_bytes() for each in found}


@pytest.mark.parametrize("rest", [(), ("--scope", "project"), ("--plugin", "plugin")])
def test_a_dry_run_writes_nothing_anywhere(
    program: Program, options: dict[str, Any], home: Home, rest: tuple[str, ...]
) -> None:
    before = everything(home), {each.name for each in home.scratch.iterdir()}

    ran = program("install", "--dry-run", "--yes", *rest, **options)

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert before == (everything(home), {each.name for each in home.scratch.iterdir()})


def test_it_says_where_it_keeps_what_was_there(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    told = program("install", "--yes", **options).stdout.decode()

    kept = [json.loads(each.read_bytes()) for each in (home.path / "installed").iterdir()]
    assert f"kept in {home.path}/installed" in told
    assert SETTINGS in [each["before"] for each in kept]


def test_the_client_s_own_directory_is_honoured(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    chosen = home.scratch / "elsewhere"
    options["env"]["CLAUDE_CONFIG_DIR"] = str(chosen)

    program("install", "--yes", **options)

    assert {each.name for each in chosen.iterdir()} == {
        "settings.json",
        ".claude.json",
        "tacit-hook.py",
    }
    assert settings(user) == SETTINGS


def test_without_the_reader_neither_server_nor_rule_is_left(
    program: Program, options: dict[str, Any], user: Path
) -> None:
    program("install", "--yes", **options)
    before = settings(user), (user / ".claude.json").read_text(encoding="utf-8")

    program("install", "--yes", "--profile", "none", **options)

    after = settings(user), (user / ".claude.json").read_text(encoding="utf-8")
    assert ["mcp__tacit" in before[0], "tacit" in before[1]] == [True, True]
    assert ["mcp__tacit" in after[0], "tacit" in after[1]] == [False, False]
    assert "tacit-hook.py" in after[0]


def test_a_list_of_servers_that_cannot_be_read_leaves_everything_as_it_is(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    (user / ".claude.json").write_text("{ // mine", encoding="utf-8")
    before = everything(home)

    ran = program("install", "--yes", **options)

    assert (ran.returncode, everything(home)) == (18, before)
    assert (ran.stderr.count(b"\n"), b".claude.json" in ran.stderr) == (1, True)


def test_a_plugin_leaves_the_settings_alone_and_says_how_it_is_loaded(
    program: Program, options: dict[str, Any], user: Path, home: Home
) -> None:
    before = everything(home)

    ran = program("install", "--plugin", "my plugin", "--yes", **options)

    fresh = {name for name in everything(home) if name not in before}
    assert {name.partition("/")[0] for name in fresh} == {"project", "home"}
    assert (ran.returncode, settings(user)) == (0, SETTINGS)
    assert f"claude --plugin-dir '{home.project}/my plugin'" in ran.stdout.decode()
    assert b'"mcp__plugin_tacit_tacit"' in ran.stdout


def stamps(home: Home) -> dict[str, tuple[int, int]]:
    """Return of each file of the project what changes when it is written; reading changes none."""
    found = {str(each): each.stat() for each in home.project.rglob("*")}
    return {name: (each.st_ino, each.st_mtime_ns) for name, each in found.items()}


def test_a_plugin_that_is_there_already_is_left_alone(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    program("install", "--plugin", "mine", "--yes", **options)
    before = stamps(home)

    ran = program("install", "--plugin", "mine", "--yes", **options)

    assert b"in its place already" in ran.stdout
    assert stamps(home) == before


def test_a_directory_with_something_else_in_it_is_no_place_for_a_plugin(
    program: Program, options: dict[str, Any], home: Home
) -> None:
    (home.project / "notes.txt").write_text("mine", encoding="utf-8")

    ran = program("install", "--plugin", ".", "--yes", **options)

    assert (ran.returncode, b"holds something else" in ran.stderr) == (18, True)
    assert [each.name for each in home.project.iterdir()] == ["notes.txt"]


def test_a_plugin_has_no_scope(program: Program, options: dict[str, Any]) -> None:
    ran = program("install", "--plugin", "mine", "--scope", "project", **options)

    assert (ran.returncode, b"leave --scope out" in ran.stderr) == (2, True)


def beside_a_file(home: Home) -> Path:
    (home.scratch / "file").touch()
    return home.scratch / "file" / "home"


def root(_home: Home) -> Path:
    return Path("/")


def somebody_s(home: Home) -> Path:
    (home.project / "notes.txt").write_text("mine", encoding="utf-8")
    return home.project


@pytest.mark.parametrize("words", [("--yes",), ("--dry-run",)], ids=" ".join)
@pytest.mark.parametrize("place", [beside_a_file, root, somebody_s])
def test_what_cannot_be_a_home_is_refused_before_the_plan_is_shown(
    program: Program,
    options: dict[str, Any],
    home: Home,
    words: tuple[str, ...],
    place: Callable[[Home], Path],
) -> None:
    chosen = place(home)
    options["env"] |= {"TACIT_HOME": str(chosen)}
    before = everything(home)

    refused = program("install", *words, **options)

    assert (refused.returncode, refused.stdout, refused.stderr.count(b"\n")) == (4, b"", 1)
    assert str(chosen).encode() in refused.stderr
    assert everything(home) == before
