"""`tacit doctor`: everything that can go wrong, each with what mends it; 1 if it needs somebody."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from tacit.capture import failures
from tacit.cli.main import tacit
from tacit.compose import open_app

if TYPE_CHECKING:
    from rig import Home
    from tacit.capture.spool import Spool
    from unit.cli.conftest import Program

MINUTE_NS = 60 * 1_000_000_000
DAY_NS = 24 * 60 * MINUTE_NS


def doctor() -> dict[str, tuple[str, str]]:
    """Return what people are told about each thing that needs them: the text and the remedy."""
    shown = CliRunner().invoke(tacit, ["doctor"], catch_exceptions=False).stdout
    lines = shown.splitlines()
    return {
        line[4:18].strip(): (line[18:], lines[number + 1].partition("→ ")[2])
        for number, line in enumerate(lines)
        if line.startswith("fix ")
    }


def for_programs() -> list[dict[str, Any]]:
    shown = CliRunner().invoke(tacit, ["doctor", "--json"], catch_exceptions=False).stdout
    found: list[dict[str, Any]] = json.loads(shown)
    return found


def backed_up(age_ns: int) -> None:
    """Let all that waits have been taken in and backed up so long ago."""
    app = open_app(now_ns=lambda: time.time_ns() - age_ns)
    app.drain()
    app.backup("main")
    app.close()


@pytest.fixture(autouse=True)
def elsewhere(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no settings of this project's own be looked at."""
    monkeypatch.chdir(home.project)


def test_a_new_home_needs_nobody_and_ends_with_0(program: Program) -> None:
    ended = program("doctor")

    signs = {line[:4] for line in ended.stdout.decode().splitlines()}
    assert (ended.returncode, ended.stderr, signs) == (0, b"", {"ok  ", "    "})


def test_a_client_without_us_needs_nobody_and_is_told_of_us(program: Program) -> None:
    ended = program("doctor")

    told = "ok  claude-code   not installed in Claude Code\n                  → tacit install\n"
    assert (ended.returncode, told in ended.stdout.decode()) == (0, True)


def test_what_is_wrong_on_a_client_s_side_is_told_and_ends_with_1(
    program: Program, home: Home
) -> None:
    program("install", "--yes")
    fine = program("doctor")
    launcher = home.scratch / "user" / ".claude" / "tacit-hook.py"
    launcher.unlink()

    ended = program("doctor", "--json")

    wrong = [check for check in json.loads(ended.stdout) if not check["is_fine"]]
    assert (fine.returncode, b"10 hooks and the memory's reader" in fine.stdout) == (0, True)
    told = {"name": "claude-code", "is_fine": False, "text": f"the launcher {launcher} is gone"}
    assert (ended.returncode, wrong) == (1, [told | {"fix": "tacit install"}])


def test_a_proof_runs_what_the_client_s_settings_have(program: Program, home: Home) -> None:
    program("install", "--yes")
    settings = home.scratch / "user" / ".claude" / "settings.json"
    text = settings.read_text(encoding="utf-8").replace(sys.executable, "/gone/python")
    settings.write_text(text, encoding="utf-8")

    ended = program("doctor", "--prove", "--json")

    (wrong,) = [step for step in json.loads(ended.stdout) if not step["is_fine"]]
    told = f"{settings} runs our hooks with /gone/python, which is gone"
    assert (ended.returncode, wrong["text"], wrong["fix"]) == (1, told, "tacit install")


def test_a_proof_without_a_client_says_that_none_is_set_up(program: Program) -> None:
    ended = program("doctor", "--prove")

    hook, advice = ended.stdout.decode().splitlines()[:2]
    assert (ended.returncode, "no client is set up" in hook) == (0, True)
    assert advice.endswith("→ tacit install")


def test_the_client_s_settings_of_the_current_directory_are_looked_at(home: Home) -> None:
    (home.project / ".claude").mkdir()
    file = home.project / ".claude" / "settings.local.json"
    file.write_text('{"disableAllHooks": true}', encoding="utf-8")

    found = doctor()

    assert found == {
        "claude-code": (
            f"no hook runs: {file} says disableAllHooks",
            f"remove disableAllHooks from {file}",
        )
    }


def test_an_embedder_that_cannot_be_had_is_told(home: Home) -> None:
    home.make()
    (home.path / "config.toml").touch(mode=0o600)
    wrong = '[embed]\nprovider = "local"\nmodel = "other"\n'
    (home.path / "config.toml").write_text(wrong, encoding="utf-8")

    told, remedy = doctor()["embedder"]

    assert told.startswith("search goes on by words: ")
    assert str(home.path / "config.toml") in remedy


@pytest.mark.usefixtures("home")
def test_programs_get_every_field() -> None:
    found = for_programs()

    assert {tuple(check) for check in found} == {("name", "is_fine", "text", "fix")}
    assert [check["name"] for check in found] == [
        "settings", "permissions", "engine", "disk", "spool", "bad", "daemon", "hook",
        "embedder", "claude-code", "model",
    ]  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["people", "programs"])
def test_what_needs_somebody_ends_with_1(
    options: tuple[str, ...], root: int, program: Program
) -> None:
    failures.write(root, "failed")

    ended = program("doctor", *options)

    assert (ended.returncode, ended.stderr) == (1, b"")


def test_programs_get_the_remedy(root: int) -> None:
    failures.write(root, "failed")

    found = [check for check in for_programs() if not check["is_fine"]]

    assert [(check["name"], check["fix"]) for check in found] == [
        ("hook", "look at logs/hook.log in the home")
    ]


def test_settings_that_cannot_be_read_are_told(home: Home) -> None:
    home.make()
    file = home.path / "config.toml"
    file.touch(mode=0o600)
    file.write_text("[capture", encoding="utf-8")

    found = doctor()

    told, remedy = found["settings"]
    assert (list(found), told.startswith("Cannot read"), remedy) == (
        ["settings"],
        True,
        f"edit {file}",
    )


def test_what_others_can_read_is_told(home: Home) -> None:
    home.make()
    (home.path / "config.toml").touch(mode=0o644)

    found = doctor()

    assert found == {
        "permissions": (
            "1 files can be read by others, 0 are not yours",
            f"chmod -R go-rwx {home.path}",
        )
    }


@pytest.mark.parametrize(
    ("age_ns", "is_told"), [(9 * MINUTE_NS, False), (11 * MINUTE_NS, True), (-DAY_NS, False)]
)
def test_what_has_waited_for_ten_minutes_is_told(
    *, age_ns: int, is_told: bool, spool: Spool
) -> None:
    received_ns = time.time_ns() - age_ns
    spool.publish(b"{}", event="Stop", received_ns=received_ns, client="claude-code")

    found = doctor()

    told = {"spool": ("1 events wait, the oldest for 11 min", found.get("spool", ("", ""))[1])}
    assert found == (told if is_told else {})


def test_events_that_were_not_understood_are_told_with_the_reason(home: Home) -> None:
    home.hook("Stop", b"no JSON at all")
    CliRunner().invoke(tacit, ["status"], catch_exceptions=False)

    found = doctor()

    told = "1 events could not be understood, the last: The payload is not JSON."
    assert found == {"bad": (told, f"look at {home.path}/spool/bad, then remove them")}


def test_failures_of_the_hook_are_told(home: Home) -> None:
    home.hook("Stop", b"")

    found = doctor()

    told, remedy = found["hook"]
    assert (told[:22], remedy) == ("1 failures, the last: ", "look at logs/hook.log in the home")


def test_a_group_that_was_never_backed_up_is_told(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    CliRunner().invoke(tacit, ["status"], catch_exceptions=False)

    found = doctor()

    assert found == {"group main": ("there is no backup", "tacit backup --group main")}


@pytest.mark.parametrize(
    ("age_ns", "is_told"), [(0, False), (DAY_NS - MINUTE_NS, False), (DAY_NS, True)]
)
def test_a_group_whose_last_backup_is_a_day_old_is_told(
    *, age_ns: int, is_told: bool, home: Home
) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    backed_up(age_ns)

    found = doctor()

    told = ("the last backup is older than a day", "tacit backup --group main")
    assert found == ({"group main": told} if is_told else {})


def test_a_damaged_group_is_told_with_the_command_for_that_group(home: Home) -> None:
    home.make()
    settings = f'[recovery]\nauto = false\n[groups]\nwork = ["{home.project}"]\n'
    (home.path / "config.toml").touch(mode=0o600)
    (home.path / "config.toml").write_text(settings, encoding="utf-8")
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    CliRunner().invoke(tacit, ["status"], catch_exceptions=False)
    (home.path / "groups" / "work" / "transcript.db").write_bytes(b"no database" * 1000)

    found = doctor()

    told, remedy = found["group work"]
    assert ("damaged" in told, remedy) == (True, "tacit restore --group work")


def test_a_recovery_is_told_though_it_needs_nobody(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    backed_up(0)
    (home.path / "groups" / "main" / "transcript.db").write_bytes(b"no database" * 1000)

    shown = CliRunner().invoke(tacit, ["doctor"], catch_exceptions=False).stdout

    assert "ok  group main    recovered from backup" in shown


def test_the_doctor_takes_nothing_in(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})

    doctor()

    assert len(home.entries) == 1


def test_piped_there_is_no_colour(root: int, program: Program) -> None:
    failures.write(root, "\x1b[31mred")

    ended = program("doctor")

    assert b"\x1b" not in ended.stdout
