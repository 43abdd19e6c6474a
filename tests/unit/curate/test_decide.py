"""Carrying decisions out: every verb for the owner, and what an agent may not do itself.

What came before and after in the transcript is in `test_work.py`; here each decision stands alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.decisions import About
from tacit.model.action import Action
from unit.curate.saying import NOON, SECOND_NS, SPACES, TABS, digest, evidence

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from unit.curate.saying import Room


def action(number: int, **changes: Any) -> Action:
    fields: dict[str, Any] = {
        "id": f"act-{number}",
        "content": "Fix the till",
        "session": "s-1",
        "turn": "t-1",
        "event": f"evt-{number}",
        "quote": "Fix the till",
        "origin": "user",
        "created_at": NOON,
    }
    return Action(**(fields | changes))


def relearned(room: Room, content: str, at: int) -> bool:
    """Say whether a statement would be learned from words said then."""
    return not room.learner.is_refused(evidence(at, content, session="s-other"))


@pytest.mark.parametrize("origin", ["owner", "agent"])
def test_what_is_to_be_remembered_is_a_memory_of_whoever_says_so(origin: str, room: Room) -> None:
    room.decide(
        3,
        "remember",
        text=TABS,
        kind="preference",
        tags=("style",),
        importance=5,
        project="prj-shop",
        surface="mcp",
        origin=origin,
        caller="s-2",
    )

    (memory,) = room.store.memories.stating(digest(TABS))
    assert (memory.content, memory.kind, memory.tags, memory.importance) == (
        TABS,
        "preference",
        ("style",),
        5,
    )
    assert (memory.origin, memory.via, memory.session, memory.turn) == (origin, "mcp", "s-2", None)
    assert (memory.project, memory.quote, memory.created_at) == (
        "prj-shop",
        TABS,
        NOON + 3 * SECOND_NS,
    )


def test_a_correction_takes_the_place_of_what_it_corrects(room: Room) -> None:
    old = room.learn(1, kind="preference", tags=("style",), importance=4, topic="indent")

    room.decide(2, "correct", old, text=SPACES)

    (new,) = room.store.memories.stating(digest(SPACES))
    assert (room.now(old).state, room.now(old).superseded_by) == ("superseded", new.id)
    assert (new.kind, new.tags, new.importance, new.topic, new.project) == (
        "preference",
        ("style",),
        4,
        "indent",
        "prj-shop",
    )


def test_a_correction_may_change_more_than_the_words(room: Room) -> None:
    room.decide(2, "correct", room.learn(1), text=SPACES, kind="tool", tags=("x",), importance=1)

    (new,) = room.store.memories.stating(digest(SPACES))
    assert (new.kind, new.tags, new.importance) == ("tool", ("x",), 1)


def test_a_correction_that_says_the_same_replaces_nothing(room: Room) -> None:
    old = room.learn(1)

    room.decide(2, "correct", old, text=f"{TABS.upper()}!")

    assert (room.now(old).state, len(room.standing("superseded"))) == ("active", 0)


def test_a_correction_to_what_is_known_already_leaves_one_of_the_two(room: Room) -> None:
    old, known = room.learn(1), room.learn(2, SPACES)

    room.decide(3, "correct", old, text=SPACES)

    assert (room.standing(), room.now(old).superseded_by) == ([SPACES], known.id)


def test_a_correction_of_what_was_superseded_goes_to_what_stands_now(room: Room) -> None:
    old = room.learn(1)
    room.decide(2, "correct", old, text=SPACES)

    room.decide(3, "correct", old, text="No indent")

    (last,) = room.store.memories.stating(digest("No indent"))
    (second,) = room.store.memories.stating(digest(SPACES))
    assert (room.standing(), second.superseded_by) == (["No indent"], last.id)


def test_a_correction_back_to_what_once_stood_lets_it_stand_again(room: Room) -> None:
    old = room.learn(1)
    room.decide(2, "correct", old, text=SPACES)

    room.decide(3, "correct", old, text=TABS)

    assert room.standing() == [TABS]


def test_a_correction_of_a_pinned_memory_is_pinned(room: Room) -> None:
    old = room.learn(1)
    room.decide(2, "pin", old)

    room.decide(3, "correct", old, text=SPACES)

    (new,) = room.store.memories.stating(digest(SPACES))
    assert new.pinned


def test_a_correction_never_brings_a_forgotten_memory_back_into_sight(room: Room) -> None:
    old = room.learn(1)
    room.decide(2, "correct", old, text=SPACES)
    (second,) = room.store.memories.stating(digest(SPACES))
    room.decide(3, "forget", second)

    room.decide(4, "correct", old, text="No indent")

    assert room.now(second).state == "forgotten"


def test_what_was_corrected_is_not_learned_again_from_what_was_said_before(room: Room) -> None:
    old = room.learn(1)
    room.decide(5, "correct", old, text=SPACES)

    room.learner.learn(evidence(4))

    assert room.standing() == [SPACES]


def test_a_correction_to_what_was_forgotten_once_is_a_new_word(room: Room) -> None:
    old = room.learn(1)
    room.decide(5, "forget", room.learn(2, SPACES))

    room.decide(9, "correct", old, text=SPACES)

    assert room.standing() == [SPACES]


def test_what_was_corrected_is_learned_again_from_what_is_said_after(room: Room) -> None:
    old = room.learn(1)
    room.decide(5, "correct", old, text=SPACES)

    room.learn(6)

    assert room.standing() == sorted([SPACES, TABS])


def test_what_is_forgotten_does_not_stand_and_says_why(room: Room) -> None:
    memory = room.learn(1)
    room.decide(2, "pin", memory)

    room.decide(3, "forget", memory)

    now = room.now(memory)
    assert (now.state, now.reason, now.pinned) == ("forgotten", "forgotten by owner", False)


def test_what_was_forgotten_is_learned_again_only_from_a_new_statement(room: Room) -> None:
    room.decide(3, "forget", room.learn(1))

    assert [relearned(room, TABS + "!", at) for at in (2, 3, 4)] == [False, False, True]


def test_all_that_a_session_taught_is_forgotten_and_what_it_replaced_returns(room: Room) -> None:
    old = room.learn(1)
    room.decide(2, "correct", old, text=SPACES, caller="s-2")

    room.decide(3, "forget", session="s-2")

    assert (room.standing(), room.standing("forgotten")) == ([TABS], [SPACES])


def test_what_another_session_taught_as_well_stands_on_that_after_an_undo(room: Room) -> None:
    room.learn(1)
    room.learn(2, session="s-2")

    room.decide(3, "undo", session="s-1")

    (memory,) = room.store.memories.stating(digest(TABS))
    assert (memory.state, memory.id, memory.session) == ("active", "mem-0002", "s-2")


def test_what_a_session_said_twice_is_forgotten_under_the_name_it_had(room: Room) -> None:
    memory = room.learn(1)
    room.learn(2)

    room.decide(3, "undo", session="s-1")

    rows = room.store.evidence.of_memory(memory.id)
    assert (room.now(memory).state, len(rows)) == ("forgotten", 2)


def test_what_a_session_taught_is_not_learned_again_from_its_old_words(room: Room) -> None:
    room.learn(1)

    room.decide(3, "undo", session="s-1")

    found = [room.learner.learn(evidence(at, SPACES)) is None for at in (2, 4)]
    assert (found, room.standing("forgotten")) == ([True, False], [TABS])


@pytest.mark.parametrize("verb", ["undo", "forget"])
def test_a_session_taken_back_takes_its_open_actions_with_it(verb: str, room: Room) -> None:
    for each in (action(1), action(2, status="acted_on"), action(3, session="s-2")):
        room.store.actions.put(each)

    room.decide(4, verb, session="s-1")

    found = {each.id: (each.status, each.closed_by) for each in room.store.actions.wanted()}
    assert found == {
        "act-1": ("dismissed", "evt-4"),
        "act-2": ("acted_on", None),
        "act-3": ("pending", None),
    }


@pytest.mark.parametrize("whose", ["tool:Bash", "tool"])
def test_all_that_is_of_one_origin_is_forgotten(whose: str, room: Room) -> None:
    room.learn(1, origin="tool:Bash")
    room.learn(2, SPACES)

    room.decide(3, "forget", whose=whose)

    again = room.learner.learn(evidence(2, "No indent", id="evi-x", origin="tool:Bash"))
    assert (room.standing(), again) == ([SPACES], None)


def test_what_is_erased_goes_without_a_trace_and_is_not_made_again(room: Room) -> None:
    memory = room.learn(1)
    room.store.actions.put(action(1))

    room.decide(3, "forget", erased=("evt-1",))

    refused = [room.learner.is_refused(evidence(1, "Other words")), not relearned(room, TABS, 2)]
    assert (room.store.memories.get(memory.id), room.store.actions.get("act-1")) == (None, None)
    assert refused == [True, True]


def test_a_memory_stands_on_what_is_left_when_some_of_its_words_are_erased(room: Room) -> None:
    room.learn(1)
    room.learn(2)

    room.decide(3, "forget", erased=("evt-1",))

    (memory,) = room.store.memories.stating(digest(TABS))
    assert (memory.id, memory.state) == ("mem-0002", "active")


def test_an_event_that_taught_nothing_can_be_erased(room: Room) -> None:
    room.learn(1)

    room.decide(3, "forget", erased=("evt-9",))

    assert (room.standing(), room.decider.missed) == ([TABS], [])


def test_a_pin_holds_until_it_is_taken_out(room: Room) -> None:
    memory = room.learn(1)

    found = []
    for number, verb in enumerate(("pin", "unpin"), 2):
        room.decide(number, verb, memory)
        found.append(room.now(memory).pinned)

    assert found == [True, False]


def held(room: Room, number: int = 1, **changes: Any) -> Memory:
    """Return a memory that is held."""
    return room.learn(number, reason="It gives orders.", origin="tool:Bash", **changes)


def test_what_is_accepted_stands_on_the_owner_s_word(room: Room) -> None:
    memory = held(room, tags=("style",), importance=4, kind="instruction")

    room.decide(3, "accept", memory)

    now = room.now(memory)
    assert (now.state, now.reason, now.origin) == ("active", None, "owner")
    assert (now.content, now.kind, now.tags, now.importance) == (TABS, "instruction", ("style",), 4)


def test_what_was_accepted_stays_so_when_more_is_said(room: Room) -> None:
    memory = held(room)
    room.decide(3, "accept", memory)

    again = room.learn(4, origin="tool:Bash")

    assert (again.id, again.state, again.origin) == (memory.id, "active", "owner")


def test_what_was_accepted_outlives_the_words_it_was_found_in(room: Room) -> None:
    room.decide(3, "accept", held(room))

    room.learner.withdraw(["evi-0001"])

    assert room.standing() == [TABS]


def test_to_accept_what_is_known_already_makes_no_second_of_it(room: Room) -> None:
    room.learn(2)

    room.decide(3, "accept", held(room))

    assert room.standing() == [TABS]


def test_what_is_rejected_is_gone_and_not_learned_again_from_old_words(room: Room) -> None:
    memory = held(room)

    room.decide(3, "reject", memory)

    now = room.now(memory)
    assert (now.state, now.reason) == ("forgotten", "rejected by owner")
    assert [relearned(room, TABS, at) for at in (3, 4)] == [False, True]


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_only_what_is_held_can_be_accepted_or_rejected(verb: str, room: Room) -> None:
    memory = room.learn(1)

    room.decide(3, verb, memory)

    assert room.now(memory) == memory


@pytest.mark.parametrize(("verb", "status"), [("resolve", "acted_on"), ("dismiss", "dismissed")])
def test_an_action_is_closed_once(verb: str, status: str, room: Room) -> None:
    room.store.actions.put(action(1))

    for number, each in enumerate((verb, "dismiss", "resolve"), 5):
        room.decide(number, each, About(id="act-1"))

    closed = room.store.actions.get("act-1")
    assert closed is not None
    assert (closed.status, closed.closed_at, closed.closed_by) == (
        status,
        NOON + 5 * SECOND_NS,
        "evt-5",
    )


@pytest.mark.parametrize(
    "verb", ["correct", "forget", "pin", "unpin", "accept", "reject", "resolve", "dismiss"]
)
def test_a_decision_about_what_is_not_there_changes_nothing(verb: str, room: Room) -> None:
    memory = room.learn(1)

    room.decide(2, verb, About(id="mem-9", kind="fact", events=("evt-9",)), text=SPACES)

    assert (room.now(memory), room.store.actions.wanted()) == (memory, [])


def test_decisions_that_miss_what_they_are_about_are_told(room: Room) -> None:
    room.decide(2, "pin", About(id="mem-9"))
    room.decide(3, "forget", About(id="mem-9"), erased=("evt-9",))  # it was to go anyway
    room.decide(4, "pin", room.learn(1))

    assert [each.event for each in room.decider.missed] == ["evt-2"]


def test_a_memory_is_found_by_its_words_when_its_name_is_gone(room: Room) -> None:
    memory = room.learn(1)

    found = [
        room.decider.meant(About(id="mem-gone", kind=kind, events=("evt-9", "evt-1")))
        for kind in ("fact", "preference")
    ]

    assert found == [memory, None]
