"""`tacit` alone: how things stand in any home, and always what comes next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.capture import failures
from tacit.install.command import write_launcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rig import Home
    from unit.cli.conftest import Program

FACT = "Remember that the till sells tea."
NOT_YET = "Tacit is not installed in Claude Code yet: nothing is recorded."
AGES = ("now", "s ago", "min ago")


def installed(home: Home) -> None:
    """Let the client's settings name our launcher."""
    settings = home.scratch / "user" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"hooks": ["tacit-hook.py"]}', encoding="utf-8")


def session(home: Home, *prompts: str, name: str = "s-1") -> None:
    """Let a session happen, a turn for each prompt."""
    for number, prompt in enumerate(prompts):
        turn = {"session_id": name, "prompt_id": f"{name}-{number}"}
        home.hook("UserPromptSubmit", turn | {"prompt": prompt})
        home.hook("Stop", turn | {"last_assistant_message": "Yes."})


def told(program: Program) -> list[str]:
    """Return what it prints, line by line; it ends well and complains of nothing."""
    ended = program()
    assert (ended.returncode, ended.stderr) == (0, b"")
    return ended.stdout.decode().splitlines()


def commands(lines: Sequence[str]) -> list[str]:
    """Return the commands that are named as next steps."""
    after = lines[lines.index("") + 1 :]
    return [line.strip().partition("  ")[0] for line in after]


def test_with_an_empty_home_it_says_how_to_begin_and_makes_none(
    home: Home, program: Program
) -> None:
    lines = told(program)

    assert lines[0] == NOT_YET
    assert commands(lines) == ["tacit install", "tacit demo", "tacit --help"]
    assert not home.path.exists()


def test_a_home_with_nothing_in_it_is_told_the_same(home: Home, program: Program) -> None:
    program("status")

    lines = told(program)

    assert home.path.exists()
    assert (lines[0], commands(lines)[0]) == (NOT_YET, "tacit install")


def test_once_installed_it_says_that_it_records_and_how_to_see_that(
    home: Home, program: Program
) -> None:
    installed(home)

    lines = told(program)

    assert lines[0] == "Tacit records in Claude Code. Work as always, then look again."
    assert commands(lines) == ["tacit doctor --prove", "tacit uninstall", "tacit --help"]


def test_after_sessions_it_tells_them_and_the_newest_memories(home: Home, program: Program) -> None:
    installed(home)
    session(home, *(f"Remember that till {number} sells tea." for number in "1234"))
    session(home, "Good morning", name="s-2")

    lines = told(program)

    assert lines[0].startswith("Tacit records in Claude Code. 2 sessions so far, the last ")
    assert lines[1] == "4 memories, the newest:"
    assert [line.rpartition(" (")[0] for line in lines[2:5]] == [
        f"  [fact] Till {number} sells tea" for number in "432"
    ]
    assert commands(lines) == ["tacit list", "tacit search TEXT", "tacit brief", "tacit --help"]


def test_one_memory_is_one_memory(home: Home, program: Program) -> None:
    installed(home)
    session(home, FACT)

    lines = told(program)

    assert lines[1] == "1 memory:"
    assert lines[2].startswith("  [fact] The till sells tea (")
    assert lines[2].endswith(tuple(f"{age})" for age in AGES))


def test_sessions_that_taught_nothing_are_told_as_such(home: Home, program: Program) -> None:
    installed(home)
    session(home, "Good morning")

    lines = told(program)

    assert lines[1] == "Nothing of it is remembered yet; `tacit sessions` shows what happened."


def test_once_uninstalled_it_says_that_nothing_new_is_recorded(
    home: Home, program: Program
) -> None:
    session(home, FACT)

    lines = told(program)

    gone = "Tacit is not installed in Claude Code: nothing new is recorded. 1 session so far, "
    assert lines[0].startswith(gone)
    assert commands(lines)[:2] == ["tacit install", "tacit list"]


def test_hooks_that_record_in_another_home_are_told(home: Home, program: Program) -> None:
    session(home, FACT)
    installed(home)
    write_launcher(home.scratch / "user" / ".claude" / "tacit-hook.py", home.scratch / "other")

    lines = told(program)

    begin = "Nothing new is recorded in this home: hooks record in "
    assert lines[0].startswith(f"{begin}{home.scratch}/other. 1 session so far, ")


@pytest.mark.parametrize("options", [(), ("--project",)], ids=["everywhere", "here"])
def test_a_pause_is_told(options: tuple[str, ...], home: Home, program: Program) -> None:
    installed(home)
    program("pause", *options)

    lines = told(program)

    assert lines[0] == "Nothing is recorded here: see `tacit status`."


def test_a_pause_elsewhere_is_not_told_here(home: Home, program: Program) -> None:
    installed(home)
    program("pause", "--project", str(home.scratch / "elsewhere"))

    lines = told(program)

    assert lines[0].startswith("Tacit records in Claude Code.")


def test_what_needs_the_owner_is_told_with_the_command_that_shows_it(
    home: Home, program: Program
) -> None:
    installed(home)
    session(home, FACT, "Remind me to rotate the access logs next week.")
    home.hook("Stop", b"")

    lines = told(program)

    needs = [line for line in lines if line.startswith("Needs you: ")]
    assert needs == [
        "Needs you: 1 pending action (`tacit actions`), something went wrong (`tacit doctor`)."
    ]


def test_what_went_wrong_and_is_over_needs_nobody(home: Home, program: Program) -> None:
    installed(home)
    home.hook("Stop", b"")
    session(home, "Good morning")

    lines = told(program)

    assert [line for line in lines if line.startswith("Needs you")] == []


def test_a_loss_that_is_not_over_needs_the_owner(home: Home, program: Program) -> None:
    installed(home)
    session(home, "Good morning")
    failures.count_loss(home.make(), "ENOSPC")

    lines = told(program)

    assert "Needs you: something went wrong (`tacit doctor`)." in lines


def test_another_group_is_named(home: Home, program: Program) -> None:
    installed(home)
    home.make()
    (home.path / "config.toml").write_text(
        f"[groups]\nwork = [{json.dumps(str(home.project))}]\n", encoding="utf-8"
    )
    session(home, FACT)

    lines = told(program)

    assert "1 session of group work so far" in lines[0]


def test_words_of_others_cannot_fool_the_terminal(home: Home, program: Program) -> None:
    installed(home)
    program("remember", "calm\x1b[2J\u202e down\r\nNeeds you: everything")

    lines = told(program)

    assert [line for line in lines if not line.isprintable()] == []
    assert [line for line in lines if line.startswith("Needs you")] == []
