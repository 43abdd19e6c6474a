"""Raising: once, gone with the reason, and what was closed stays closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract.memories import to_do
from tacit.curate import decisions
from tacit.curate.decisions import About, Decision, Who
from tacit.workspace.rules import ORPHANED, STALE, Reason
from unit.transcript.events import NOON

if TYPE_CHECKING:
    from unit.workspace.desk import Desk

ONE, TWO = Reason("a", NOON, "One asks."), Reason("b", NOON, "Two asks.")


def close(desk: Desk, action: str, verb: str) -> None:
    """Let the owner close an action, as an event of the transcript."""
    decision = Decision(verb=verb, about=(About(id=action),))
    told = decisions.event(
        decision, Who(origin="owner"), None, now_ns=NOON + 5, random=lambda size: b"r" * size
    )
    desk.ledger.append([told], now_ns=NOON)


def test_a_reason_is_asked_about_once(desk: Desk) -> None:
    for _ in range(3):
        desk.raiser().settle(ORPHANED, [ONE, TWO])

    assert sorted(desk.asked()) == ["One asks.", "Two asks."]


def test_an_action_says_which_rule_raised_it_and_about_what(desk: Desk) -> None:
    desk.raiser(NOON + 7).settle(ORPHANED, [ONE])

    (action,) = desk.memory.actions.wanted()
    assert (action.event, action.quote, action.origin) == (ORPHANED.name, "a", "system")
    assert (action.priority, action.created_at) == (ORPHANED.priority, NOON + 7)


def test_it_goes_when_its_reason_does_and_others_stay(desk: Desk) -> None:
    desk.memory.actions.put(to_do("act-mine"))
    desk.raiser().settle(ORPHANED, [ONE, TWO])
    desk.raiser().settle(STALE, [Reason("a", NOON, "Stale asks.")])

    desk.raiser().settle(ORPHANED, [TWO])

    assert {"Two asks.", "Stale asks."} < set(desk.asked())
    assert len(desk.asked()) == 3


def test_other_words_for_the_same_reason_are_told_in_its_place(desk: Desk) -> None:
    desk.raiser(NOON).settle(ORPHANED, [ONE])

    desk.raiser(NOON + 9).settle(ORPHANED, [Reason("a", NOON, "Now two ask.")])

    (action,) = desk.memory.actions.wanted()
    assert (action.content, action.created_at) == ("Now two ask.", NOON)


@pytest.mark.parametrize(("verb", "status"), [("resolve", "acted_on"), ("dismiss", "dismissed")])
def test_what_was_closed_is_not_asked_again_even_by_a_memory_made_anew(
    desk: Desk, verb: str, status: str
) -> None:
    desk.raiser().settle(ORPHANED, [ONE])
    (action,) = desk.memory.actions.wanted()
    close(desk, action.id, verb)
    desk.memory.actions.remove(action.id)  # the memory was lost

    desk.raiser().settle(ORPHANED, [ONE])

    (again,) = desk.memory.actions.wanted()
    assert (again.id, again.status, again.closed_at) == (action.id, status, NOON + 5)


def test_a_closed_one_whose_reason_is_another_is_asked_again(desk: Desk) -> None:
    desk.raiser().settle(ORPHANED, [ONE])
    (action,) = desk.memory.actions.wanted()
    close(desk, action.id, "dismiss")
    desk.memory.actions.remove(action.id)

    desk.raiser().settle(ORPHANED, [Reason("a", NOON + 10**9, "It asks again.")])

    assert desk.asked() == ["It asks again."]


def test_what_is_closed_stays_when_its_reason_goes(desk: Desk) -> None:
    desk.raiser().settle(ORPHANED, [ONE])
    (action,) = desk.memory.actions.wanted()
    close(desk, action.id, "dismiss")
    desk.memory.actions.remove(action.id)
    desk.raiser().settle(ORPHANED, [ONE])

    desk.raiser().settle(ORPHANED, [])

    assert [each.status for each in desk.memory.actions.wanted()] == ["dismissed"]
