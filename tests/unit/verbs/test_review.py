"""The review: candidates wait for the owner, and so do pairs that may contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.errors import NotFound
from tacit.policy import Caller
from tacit.store.memory_port import Wanted
from tacit.verbs.decisions import Said
from unit.curate.saying import publish

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.capture.spool import Spool
    from tacit.model.memory import Memory
    from unit.curate.saying import Ticking

OWNER = Caller(is_terminal=True)
BAN = "Do not touch the seeds"
DAY_NS = 24 * 3600 * 10**9


def say(spool: Spool, clock: Ticking, session: str, text: str) -> None:
    """Let a user say something in a session, in the shop."""
    told = {"session_id": session, "cwd": "/srv/shop", "prompt_id": f"turn-of-{session}-{clock()}"}
    publish(spool, "UserPromptSubmit", clock(), told | {"prompt": text})
    publish(spool, "Stop", clock(), told | {"last_assistant_message": "Noted."})


@pytest.fixture
def candidate(app: App, spool: Spool, clock: Ticking) -> Memory:
    """Return a candidate: a restriction that may be for the task at hand."""
    say(spool, clock, "s-1", BAN)
    app.drain(seconds=None)
    (found,) = app.review("main").candidates
    return found


def active(app: App) -> list[str]:
    return [each.content for each in app.list("main", Wanted())]


def test_where_nothing_happened_nothing_waits(app: App) -> None:
    found = app.review("main")

    assert (found.candidates, found.doubts) == ([], [])


def test_a_candidate_is_not_active_and_waits(app: App, candidate: Memory) -> None:
    assert (candidate.content, candidate.state, active(app)) == (BAN, "candidate", [])


def test_what_is_said_again_in_another_session_is_active(
    app: App, spool: Spool, clock: Ticking, candidate: Memory
) -> None:
    say(spool, clock, "s-1", BAN)
    app.drain(seconds=None)
    before = active(app)

    say(spool, clock, "s-2", BAN)
    app.drain(seconds=None)

    now = app.memory("main", candidate.id)
    assert (before, now.state, now.sessions) == ([], "active", 2)
    assert app.review("main").candidates == []


def test_an_accepted_candidate_is_active_and_a_rejected_one_is_not_learned_again(
    app: App, spool: Spool, clock: Ticking, candidate: Memory
) -> None:
    accepted = app.accept("main", candidate.id, OWNER)
    say(spool, clock, "s-2", "Do not rename the routes")
    app.drain(seconds=None)
    (other,) = app.review("main").candidates

    app.reject("main", other.id, OWNER)

    assert (accepted.state, active(app)) == ("active", [BAN])
    assert app.review("main").candidates == []


def test_a_rebuild_makes_the_same_candidates(app: App, candidate: Memory) -> None:
    rebuilt = app.rebuild("main")

    assert rebuilt.is_same
    assert [each.id for each in app.review("main").candidates] == [candidate.id]


def test_a_candidate_that_nobody_says_again_is_archived_and_comes_back(
    app: App, spool: Spool, clock: Ticking, candidate: Memory
) -> None:
    clock.pass_(61 * DAY_NS)
    app.upkeep("main")
    archived = app.review("main", archived=True).candidates

    say(spool, clock, "s-2", BAN)
    app.drain(seconds=None)

    assert [each.id for each in archived] == [candidate.id]
    assert (app.review("main").candidates, active(app)) == ([], [BAN])


def test_one_session_teaches_four_candidates_at_most(
    app: App, spool: Spool, clock: Ticking
) -> None:
    for number, word in enumerate(("seeds", "routes", "styles", "fonts", "icons", "tests")):
        say(spool, clock, "s-1", f"Do not touch the {word} of page {number}")
    app.drain(seconds=None)

    assert len(app.review("main").candidates) == 4


@pytest.fixture
def doubt(app: App) -> tuple[Memory, Memory]:
    """Return two memories that may contradict each other, the newer one first."""
    old = app.remember("main", Said(text="The till is written in Go", kind="fact"), OWNER)
    new = app.remember("main", Said(text="The till is written in Rust", kind="fact"), OWNER)
    app._memories.get("main").memories.link(new.id, old.id, "contradicts")  # noqa: SLF001
    return new, old


def test_a_doubt_waits_and_is_no_action(app: App, doubt: tuple[Memory, Memory]) -> None:
    found = [(each.newer.id, each.older.id) for each in app.review("main").doubts]

    assert (found, app.actions("main")) == ([(doubt[0].id, doubt[1].id)], [])


def test_the_one_that_is_chosen_retires_the_other_and_split_restores_it(
    app: App, doubt: tuple[Memory, Memory]
) -> None:
    new, old = doubt

    kept = app.choose("main", old.id, new.id, OWNER)

    assert (kept.id, active(app)) == (old.id, [old.content])
    assert app.memory("main", new.id).superseded_by == old.id


def test_both_can_be_kept(app: App, doubt: tuple[Memory, Memory]) -> None:
    app.keep("main", doubt[0].id, doubt[1].id, OWNER)

    assert app.review("main").doubts == []
    assert len(active(app)) == 2


def test_what_is_not_active_cannot_be_chosen(app: App, candidate: Memory) -> None:
    other = app.remember("main", Said(text="The till sells tea"), OWNER)

    with pytest.raises(NotFound, match="tacit review"):
        app.choose("main", candidate.id, other.id, OWNER)


def test_candidates_are_found_and_marked(app: App, candidate: Memory) -> None:
    found = app.list("main", Wanted(states=("candidate",)))

    assert [each.id for each in found] == [candidate.id]
