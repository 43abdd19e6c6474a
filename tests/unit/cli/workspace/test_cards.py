"""`tacit cards`: which card lies in which file, for people and for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program


def card(home: Home, does: str, card: str, **given: Any) -> None:
    """Let a tool do something with a card, in the project."""
    fields = {
        "tool_name": f"mcp__canvas__{does}_card",
        "tool_use_id": f"{does}-{card}",
        "tool_input": {"card_id": card} | given,
    }
    assert home.hook("PostToolUse", fields).code == 0


def test_without_cards_it_says_so(program: Program) -> None:
    program("init", ".")

    assert program("cards").stdout == b"No card was seen yet.\n"


def test_each_card_is_told_with_its_file(home: Home, program: Program) -> None:
    program("init", ".")
    card(home, "create", "c1", title="Plan", blocks="one")
    card(home, "create", "c2", title="Old", blocks="two")
    card(home, "close", "c2")

    lines = program("cards").stdout.decode().splitlines()
    told = json.loads(program("cards", "--json").stdout)

    assert [line.split()[0] for line in lines] == ["card", "c1", "c2"]
    assert [line.split()[-1] for line in lines[1:]] == [
        "projects/plan.md",
        "projects/archive/old.md",
    ]
    assert [(each["card"], each["state"], each["path"]) for each in told] == [
        ("c1", "open", "plan.md"),
        ("c2", "closed", "archive/old.md"),
    ]


def test_a_file_that_was_changed_by_hand_is_told(home: Home, program: Program) -> None:
    program("init", ".")
    card(home, "create", "c1", title="Plan", blocks="one")
    program("cards")
    (home.project / "projects" / "plan.md").write_text("mine", encoding="utf-8")
    card(home, "update", "c1", blocks="two")

    shown = program("cards").stdout.decode()

    assert "changed by hand" in shown


def test_a_file_that_cannot_be_written_is_told(home: Home, program: Program) -> None:
    program("init", ".")
    (home.project / "projects" / "archive").symlink_to(home.scratch)
    card(home, "create", "c1", title="Plan", blocks="one")
    card(home, "close", "c1")

    shown = program("cards").stdout.decode()

    assert "cannot be written: its folder is a link" in shown


def test_a_group_that_is_no_workspace_is_refused(program: Program) -> None:
    ended = program("cards")

    assert (ended.returncode, b"is no workspace" in ended.stderr) == (6, True)


@pytest.mark.parametrize("verb", ["cards", "boot", "files", "list", "search tea", "actions"])
def test_while_its_memory_is_away_every_verb_refuses_alike(
    home: Home, program: Program, verb: str
) -> None:
    program("init", ".")
    card(home, "create", "c1", title="Plan", blocks="one")
    program("cards")
    (home.project / ".os").rename(home.scratch / "away")

    ended = program(*verb.split())

    assert (ended.returncode, ended.stdout) == (27, b"")
    assert f"The workspace {home.project} is not there".encode() in ended.stderr
