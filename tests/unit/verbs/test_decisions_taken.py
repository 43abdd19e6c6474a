"""Decisions about what is there: pinned, accepted, taken back, closed; agents take nothing away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tacit.errors import MemoryRefused, NotAllowed, NotFound
from tacit.policy import Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import Said
from unit.curate.saying import SPACES, TABS, TEA, Ticking, talk
from unit.verbs.conftest import decided, hold, only, standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.model.memory import Memory

OWNER = Caller()
AGENT = Caller(profile="agent", session="s-agent", surface="mcp")


@pytest.fixture
def known(app: App, spool: Spool, clock: Ticking) -> Memory:
    """Return a memory that the user asked for."""
    talk(spool, clock, TABS)
    app.drain()
    return only(app, TABS)


def test_a_pin_is_returned_and_taken_out(app: App, known: Memory) -> None:
    found = [app.pin("main", known.id, OWNER), app.unpin("main", known.id[:-2], OWNER)]

    assert [each.pinned for each in found] == [True, False]


def test_a_retired_memory_is_not_pinned_and_its_successor_is_named(app: App, known: Memory) -> None:
    better = app.correct("main", known.id, Said(text="Use spaces in this project"), OWNER)

    with pytest.raises(MemoryRefused, match=f"Pin that one: `tacit pin {better.id}`"):
        app.pin("main", known.id, OWNER)

    assert not app.memory("main", known.id).pinned


def test_a_memory_that_is_held_is_accepted_before_it_is_pinned(
    app: App, known: Memory, home: Home
) -> None:
    hold(home, known)

    with pytest.raises(MemoryRefused, match=f"tacit quarantine accept {known.id}"):
        app.pin("main", known.id, OWNER)


@pytest.mark.parametrize(
    ("verb", "state", "origin"), [("accept", "active", "owner"), ("reject", "forgotten", "user")]
)
def test_what_is_held_is_accepted_or_rejected(
    verb: str, state: str, origin: str, app: App, known: Memory, home: Home
) -> None:
    hold(home, known)

    found = getattr(app, verb)("main", known.id, OWNER)

    assert (found.state, found.origin, found.id) == (state, origin, known.id)


def test_undo_takes_back_what_a_session_taught_and_says_what_that_was(
    app: App, spool: Spool, clock: Ticking, known: Memory
) -> None:
    talk(spool, clock, TEA, session_id="s2")
    app.drain()

    taken = app.undo("main", "s1", OWNER)

    assert ([each.id for each in taken], standing(app)) == ([known.id], [TEA])
    assert [each.content for each in app.diff("main", "s1").forgotten] == [TABS]


def test_what_another_session_taught_as_well_is_not_told_as_taken_back(
    app: App, spool: Spool, clock: Ticking, known: Memory
) -> None:
    talk(spool, clock, TABS, session_id="s2")
    app.drain()

    taken = app.undo("main", "s1", OWNER)

    assert (taken, standing(app), known.content) == ([], [TABS], TABS)


@pytest.mark.parametrize("verb", ["accept", "reject", "pin", "unpin"])
def test_what_is_forgotten_can_no_longer_be_decided_about(
    verb: str, app: App, known: Memory
) -> None:
    app.forget("main", Which(ids=(known.id,)), OWNER)

    with pytest.raises(NotFound, match=f"there is nothing to {verb}"):
        getattr(app, verb)("main", known.id, OWNER)


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_only_what_is_held_is_accepted_or_rejected(verb: str, app: App, known: Memory) -> None:
    with pytest.raises(NotFound, match=f"is active: there is nothing to {verb}"):
        getattr(app, verb)("main", known.id, OWNER)


def test_what_was_undone_is_not_taken_back_again(app: App, known: Memory) -> None:
    app.undo("main", "s1", OWNER)

    assert (app.undo("main", "s1", OWNER), app.memory("main", known.id).state) == ([], "forgotten")


def test_a_session_s_difference_is_told(
    app: App, spool: Spool, clock: Ticking, known: Memory
) -> None:
    talk(spool, clock, TEA, session_id="s2")
    app.drain()

    found = [app.diff("main", session) for session in ("s1", "s2")]

    assert [[each.content for each in one.added] for one in found] == [[known.content], [TEA]]


@pytest.mark.parametrize(("verb", "status"), [("resolve", "acted_on"), ("dismiss", "dismissed")])
def test_an_action_is_closed_by_the_beginning_of_its_name(
    verb: str, status: str, app: App, known: Memory
) -> None:
    app.pin("main", known.id, AGENT)
    (action,) = app.actions("main")

    found = getattr(app, verb)("main", action.id[:-2], OWNER)

    assert (found.id, found.status, app.actions("main")) == (action.id, status, [])


def test_an_action_that_is_not_there_cannot_be_closed(app: App, known: Memory) -> None:
    del known  # the group is there

    with pytest.raises(NotFound, match="There is no action 'act-nothing'"):
        app.resolve("main", "act-nothing", OWNER)


@pytest.mark.parametrize("verb", ["forget", "undo", "accept", "reject", "unpin"])
def test_an_agent_without_a_terminal_takes_nothing_away(
    verb: str, app: App, known: Memory, home: Home
) -> None:
    tries: dict[str, Callable[[], object]] = {
        "forget": lambda: app.forget("main", Which(ids=(known.id,)), AGENT),
        "undo": lambda: app.undo("main", "s1", AGENT),
    }
    if verb in {"accept", "reject"}:
        hold(home, known)
    before = app.memory("main", known.id)

    with pytest.raises(NotAllowed, match="needs the owner at a terminal"):
        (tries.get(verb) or partial(getattr(app, verb), "main", known.id, AGENT))()

    assert (decided(app), app.memory("main", known.id)) == ([], before)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_an_agent_erases_nothing(*, is_terminal: bool, app: App, known: Memory) -> None:
    agent = Caller(profile="agent", is_terminal=is_terminal)

    with pytest.raises(NotAllowed, match="Ask the user to run it"):
        app.forget("main", Which(ids=(known.id,)), agent, erase=True)

    assert (decided(app), standing(app)) == ([], [TABS])


@pytest.mark.parametrize("erase", [False, True], ids=["forgotten", "erased"])
def test_what_was_corrected_away_does_not_come_back_when_the_correction_is_forgotten(
    *, erase: bool, app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()
    new = app.correct("main", only(app, TABS).id, Said(text=SPACES), OWNER)

    found = app.forget("main", Which(ids=(new.id,)), OWNER, erase=erase)

    assert (found.replaced, standing(app), standing(app, "superseded")) == (1, [], [TABS])
    assert (app.rebuild("main").is_same, standing(app)) == (True, [])


def test_what_was_corrected_away_was_true_until_then_though_the_correction_is_erased(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()
    early = clock()
    new = app.correct("main", only(app, TABS).id, Said(text=SPACES), OWNER)
    late = clock()
    app.forget("main", Which(ids=(new.id,)), OWNER, erase=True)

    def true_at(when: int) -> list[str]:
        wanted = Wanted(states=("active", "superseded"), as_of=when)
        return [each.content for each in app.list("main", wanted)]

    before = [true_at(early), true_at(late)]
    app.rebuild("main")
    assert (before, [true_at(early), true_at(late)]) == ([[TABS], []], [[TABS], []])


def test_what_was_said_again_after_it_was_corrected_stays_when_the_correction_is_erased(
    app: App, spool: Spool, clock: Ticking
) -> None:
    talk(spool, clock, TABS)
    app.drain()
    new = app.correct("main", only(app, TABS).id, Said(text=TEA), OWNER)
    talk(spool, clock, TABS, session_id="s2")
    app.drain()

    app.forget("main", Which(ids=(new.id,)), OWNER, erase=True)

    assert (standing(app), app.rebuild("main").is_same, standing(app)) == ([TABS], True, [TABS])
