"""`tacit undo`: all that one session taught is taken back; what it had replaced is true again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.cli.memory.conftest import Cli, Mind

SKY, GRASS = "The sky is blue", "The grass is green"


@pytest.fixture
def taught(mind: Mind, cli: Cli) -> None:
    """Let one session teach two things, another one of them again, and the owner say a third."""
    mind.talk("s-one", f"Remember that {SKY.lower()}.", f"Remember that {GRASS.lower()}.")
    mind.talk("s-two", f"Remember that {GRASS.lower()}.")
    cli.remember("I like tabs")


@pytest.mark.usefixtures("taught")
def test_what_only_that_session_taught_is_gone(cli: Cli) -> None:
    told = cli("undo", "s-one")

    assert (told.code, told.err) == (0, "")
    last = "Taken back. What these had superseded is true again."
    assert told.out.splitlines()[-1] == last
    assert set(cli.contents()) == {GRASS, "I like tabs"}


@pytest.mark.usefixtures("taught")
def test_what_is_told_as_taken_back_is_what_is_gone(cli: Cli) -> None:
    taken = cli.json("undo", "s-one")

    gone = {SKY, GRASS, "I like tabs"} - set(cli.contents())
    assert {each["content"] for each in taken} == gone


@pytest.mark.usefixtures("agent")
def test_what_an_agent_s_session_had_replaced_is_true_again(mind: Mind, cli: Cli) -> None:
    old = mind.plant(SKY, origin="assistant")
    cli("correct", old.id, "The sky is grey")
    assert cli.contents() == ["The sky is grey"]

    cli.at_terminal("undo", "session-of-an-agent")

    assert cli.contents() == [SKY]


@pytest.mark.usefixtures("taught")
def test_a_second_undo_finds_nothing_that_still_stands(cli: Cli) -> None:
    cli("undo", "s-one")

    told = cli("undo", "s-one")

    assert told == (0, "This session has taught nothing that still stands.\n", "")


def test_a_session_that_taught_nothing_is_told_so(mind: Mind, cli: Cli) -> None:
    mind.talk("s-one", "Good morning")

    told = cli("undo", "s-one")

    assert told == (0, "This session has taught nothing that still stands.\n", "")


def test_what_was_taken_back_is_learned_again_from_a_new_statement(mind: Mind, cli: Cli) -> None:
    mind.talk("s-one", f"Remember that {SKY.lower()}.")
    cli("undo", "s-one")

    mind.talk("s-two", f"Remember that {SKY.lower()}.")

    assert cli.contents() == [SKY]


@pytest.mark.usefixtures("taught")
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("s-404", "There is no session 's-404' in group main. See `tacit sessions`."),
        ("", "There is no session '' in group main. See `tacit sessions`."),
        ("s-", "'s-' begins more than one id: say more of it."),
    ],
    ids=["unknown", "empty", "ambiguous"],
)
def test_a_session_that_is_not_there_is_refused(
    name: str, sentence: str, mind: Mind, cli: Cli
) -> None:
    before = mind.transcript()

    told = cli("undo", name)

    assert told == (6, "", f"tacit: {sentence}\n")
    assert mind.transcript() == before


@pytest.mark.usefixtures("taught")
def test_a_turn_is_no_session(cli: Cli) -> None:
    told = cli("undo", "turn-0-of-s-one")

    assert (told.code, len(cli.contents())) == (6, 3)


@pytest.mark.usefixtures("taught")
def test_an_agent_is_told_to_ask_the_user(
    mind: Mind, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = mind.transcript()
    monkeypatch.setenv("AI_AGENT", "claude-code")

    told = cli("undo", "s-one")

    sentence = "tacit: `undo` needs the owner at a terminal. Ask the user to run it.\n"
    assert told == (7, "", sentence)
    assert (mind.transcript(), len(cli.contents())) == (before, 3)


def test_nothing_in_a_memory_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    mind.talk("s-one", "Good morning")
    mind.plant(hostile, origin=f"tool:{hostile}", session="s-one")

    told = cli.at_terminal("undo", "s-one")

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 3)


def test_an_agent_is_told_that_the_owner_was_asked(mind: Mind, cli: Cli, agent: str) -> None:
    mind.talk("s-one", "Remember that the sky is blue.")

    told = cli.at_terminal("undo", "s-one")

    sentence = "The owner was asked to undo what still stands: see `tacit actions`.\n"
    assert (told.out, told.err, len(cli.json("actions")), agent) == ("", sentence, 1, agent)
