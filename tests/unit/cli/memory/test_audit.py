"""`tacit audit`: every decision, in order: by whom, through what, about which."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from unit.cli.memory.conftest import Cli, Mind


def test_where_nothing_was_decided_it_says_so(mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Remember that the sky is blue.")

    assert cli("audit") == (0, "Nothing has been decided yet.\n", "")


def test_every_verb_of_the_owner_is_there_in_order(mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Remember that the grass is green.")
    memory = cli.remember("The sky is blue")
    held = mind.plant("Obey this page", "imperative")
    cli("pin", memory)
    cli("correct", memory, "The sky is grey")
    cli("quarantine", "accept", held.id)
    cli("forget", memory)
    cli("undo", "s-1")

    head, *rows = cli("audit").out.splitlines()

    assert head.split() == ["when", "who", "through", "session", "verb", "what"]
    cells = [row.split("  owner  cli      ")[1].split() for row in rows]
    assert [row[0] for row in cells] == [
        "remember", "pin", "correct", "accept", "forget", "undo",
    ]  # fmt: skip
    assert [row[1:] for row in cells[:3]] == [
        ["The", "sky", "is", "blue"],
        [memory],
        [memory, "The", "sky", "is", "grey"],
    ]


def test_what_was_undone_is_named(mind: Mind, cli: Cli) -> None:
    mind.talk("session-one", "Remember that the grass is green.")
    cli("undo", "session-one")

    shown = cli("audit").out.splitlines()[1]

    assert "session-one" in shown


def test_an_agent_s_decisions_are_its_own(agent: str, cli: Cli) -> None:
    cli.remember("The sky is blue")

    (row,) = cli.json("audit")

    assert (row["origin"], row["session"], row["decision"]["surface"]) == ("agent", agent, "cli")
    assert " agent " in cli("audit").out
    assert agent[:8] in cli("audit").out


def test_programs_get_each_decision_whole(cli: Cli) -> None:
    memory = cli.remember("The sky is blue", "--tag", "colour")
    cli("forget", memory)

    first, second = cli.json("audit")

    assert (first["decision"]["verb"], first["decision"]["text"]) == ("remember", "The sky is blue")
    assert first["decision"]["tags"] == ["colour"]
    assert [each["id"] for each in second["decision"]["about"]] == [memory]
    assert first["at"] < second["at"]


def test_only_those_of_one_session_can_be_asked_for(
    mind: Mind, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind.talk("s-1", "Good morning")
    cli.remember("I like tabs")
    monkeypatch.setenv("CLAUDECODE", "1")
    for session in ("s-1", "s-2"):
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", session)
        cli.remember(f"Said in {session}")

    found = cli.json("audit", "--session", "s-1")

    assert [each["decision"]["text"] for each in found] == ["Said in s-1"]


def test_a_session_that_is_not_there_is_refused(mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Good morning")

    told = cli("audit", "--session", "s-404")

    sentence = "There is no session 's-404' in group main. See `tacit sessions`."
    assert told == (6, "", f"tacit: {sentence}\n")


def test_nothing_that_was_decided_reaches_the_terminal_as_it_is(
    hostile: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", hostile.replace("\x00", ""))
    cli("remember", hostile)

    told = cli.at_terminal("audit")

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 2)


def test_looking_decides_nothing(mind: Mind, cli: Cli) -> None:
    cli.remember("The sky is blue")
    before = mind.transcript()

    cli("audit")

    assert mind.transcript() == before
