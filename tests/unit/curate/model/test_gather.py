"""Gathering: which turns a batch shows, what stands before them, and what is known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.curate.model.batch import Due
from tacit.curate.model.gather import before, gathered, made_of, surrounded
from tacit.curate.reading import read
from unit.curate.model.scripted import answer, item

if TYPE_CHECKING:
    from tacit.curate.model.request import Batch
    from unit.curate.model.scripted import ReadingDesk

RULE = "From now on, invoices go out on the first Tuesday of the month."


def batch(desk: ReadingDesk, session: str = "s-1") -> Batch:
    """Return the batch of all that waits of a session."""
    desk.curate()
    waiting = desk.store.unasked.waiting(desk.clock())
    turns = tuple(each for each in waiting if each.session == session)
    due = Due(session=session, turns=turns, is_final=False)
    found = gathered(desk.transcript, desk.store, due, desk.how)
    return surrounded(desk.transcript, desk.store, found, desk.how) if found.turns else found


def shown(desk: ReadingDesk, session: str = "s-1") -> list[str]:
    return [turn.turn for turn, _ in batch(desk, session).turns]


def long(desk: ReadingDesk) -> str:
    """Let a long turn happen that teaches nothing."""
    turn = desk.prompt("ok")
    desk.use(turn, "line of output\n" * 100)
    desk.append("reply", {"last_assistant_message": "Done."}, turn=turn)
    return turn


def test_turns_that_the_gate_finds_empty_are_not_shown(desk: ReadingDesk) -> None:
    long(desk)
    worth = desk.talk(RULE)
    long(desk)

    assert shown(desk) == [worth]


def test_short_turns_are_shown_beside_others_whatever_the_gate_finds(desk: ReadingDesk) -> None:
    short = desk.talk("thanks!")
    long(desk)
    worth = desk.talk(RULE)
    other = desk.talk("ok")

    assert shown(desk) == [short, worth, other]


def test_a_turn_of_which_something_was_found_is_always_shown(desk: ReadingDesk) -> None:
    found = desk.talk("Remember that x is y.")

    assert shown(desk) == [found]
    assert [each.content for each in batch(desk).drafts[found]] == ["X is y"]


@pytest.mark.parametrize("gate", ["off", "model"])
def test_without_the_rules_for_a_gate_all_turns_are_shown(desk: ReadingDesk, gate: str) -> None:
    desk.how = replace(desk.how, gate=gate)
    names = [desk.talk("thanks!"), desk.talk("ok")]

    assert shown(desk) == names


def test_nothing_worth_reading_is_an_empty_batch(desk: ReadingDesk) -> None:
    desk.talk("thanks!")

    assert list(batch(desk).turns) == []


def test_what_was_erased_is_not_shown(desk: ReadingDesk) -> None:
    desk.talk(RULE)
    gone = desk.talk(RULE)
    desk.curate()
    desk.bury([each.id for each in desk.transcript.of_session("s-1", gone)])

    assert shown(desk) == ["t-1"]


@pytest.mark.parametrize(("turns", "expected"), [(0, 0), (1, 2), (3, 6), (50, 8)])
def test_so_many_turns_before_are_shown(desk: ReadingDesk, turns: int, expected: int) -> None:
    desk.how = replace(desk.how, context_turns=turns)
    for number in range(4):
        desk.talk(f"ok {number}")
    desk.curate()
    for each in desk.store.unasked.listed():
        desk.store.unasked.drop(each.session, each.turn, each.upto)
    desk.talk(RULE)

    found = batch(desk).context

    assert len(found) == expected
    assert [each.text for each in found][-1:] == ["Done."] * bool(expected)


def test_what_was_said_before_a_model_was_chosen_is_no_context_either(desk: ReadingDesk) -> None:
    desk.talk("The orchid blooms at midnight.")
    desk.choose("another", since=desk.transcript.head().seq)
    desk.talk("ok so far")
    desk.curate()
    for each in desk.store.unasked.listed():
        desk.store.unasked.drop(each.session, each.turn, each.upto)
    desk.talk(RULE)

    assert [each.text for each in batch(desk).context] == ["ok so far", "Done."]


def test_the_known_memories_are_those_that_the_turns_are_about(desk: ReadingDesk) -> None:
    desk.how = replace(desk.how, gate="off")
    desk.say("The harbour ferry leaves at noon", "The parrot speaks Dutch", session="s-0")
    desk.talk("When does the harbour ferry leave?")

    assert [each.content for each in batch(desk).known] == ["The harbour ferry leaves at noon"]


def test_no_more_than_two_dozen_are_offered(desk: ReadingDesk) -> None:
    desk.how = replace(desk.how, gate="off")
    for number in range(30):
        desk.say(f"The harbour ferry number {number} leaves at noon", session="s-0")
    desk.talk("When does the harbour ferry leave?")

    assert len(batch(desk).known) == 24


def test_what_the_turns_themselves_taught_is_a_draft_and_not_known(desk: ReadingDesk) -> None:
    turn = desk.say("The harbour ferry leaves at noon")

    found = batch(desk)

    assert (found.known, len(found.drafts[turn])) == ([], 1)


def test_what_another_model_has_said_of_a_turn_is_no_draft(desk: ReadingDesk) -> None:
    turn = desk.talk(RULE)
    desk.end()
    desk.read(answer(item("instruction", "Invoices go out on the first Tuesday", RULE)))
    desk.choose("another", again=True)

    found = batch(desk)

    rows = made_of(desk.store, "s-1", turn)
    assert [row.extractor for row in rows] == ["extract-1:scripted-1"]
    assert found.drafts == {turn: []}


def test_actions_of_the_project_are_offered_but_for_those_of_rules(desk: ReadingDesk) -> None:
    desk.how = replace(desk.how, gate="off")
    turn = desk.talk("x")
    desk.curate()
    text = read(desk.transcript.of_session("s-1", turn), desk.transcript.head().seq)
    assert text is not None

    assert batch(desk).actions == []


def test_what_stands_before_a_turn_is_told_in_order(desk: ReadingDesk) -> None:
    for number in range(3):
        desk.talk(f"Number {number}.")
    turn = read(desk.transcript.of_session("s-1", "t-3"), desk.transcript.head().seq)
    assert turn is not None

    found = before(desk.transcript, turn, 3)

    assert [each.text for each in found] == ["Done.", "Number 1.", "Done."]
