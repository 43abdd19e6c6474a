"""Merge and split, carried out: two become one on Tacit's word, and two again on the owner's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.curate.decisions import About, Decision, Who, decided, event
from unit.curate.saying import NOON, SPACES, TABS, TEA

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from unit.curate.saying import Desk, Room


def two(room: Room) -> tuple[Memory, Memory]:
    return room.learn(1, TABS), room.learn(2, SPACES)


def merge(room: Room, *about: Memory | About) -> None:
    room.decide(9, "merge", *about, origin="system")


def test_the_first_stands_for_both_from_then_on(room: Room) -> None:
    kept, merged = two(room)

    merge(room, kept, merged)

    now = room.now(merged)
    assert (now.state, now.superseded_by, now.valid_to) == (
        "superseded",
        kept.id,
        NOON + 9_000_000_000,
    )
    assert (room.now(kept), room.standing()) == (kept, [TABS])


@pytest.mark.parametrize("state", ["quarantined", "forgotten", "superseded", "archived"])
@pytest.mark.parametrize("at", [0, 1])
def test_of_what_does_not_stand_nothing_is_merged(state: str, at: int, room: Room) -> None:
    both = two(room)
    room.store.memories.change(both[at], state=state)
    before = [room.now(each) for each in both]

    merge(room, *both)

    assert [room.now(each) for each in both] == before


def test_what_the_owner_has_pinned_meanwhile_stays(room: Room) -> None:
    kept, merged = two(room)
    room.decide(3, "pin", merged)

    merge(room, kept, merged)

    assert room.now(merged).state == "active"


def test_a_memory_is_not_merged_with_itself(room: Room) -> None:
    (memory, _) = two(room)

    merge(room, memory, memory)

    assert room.now(memory) == memory


@pytest.mark.parametrize("count", [0, 1, 3])
def test_only_two_are_merged(count: int, room: Room) -> None:
    three = [*two(room), room.learn(3, TEA)]

    merge(room, *three[:count])

    assert room.standing() == sorted([TABS, SPACES, TEA])


def test_of_what_is_no_longer_there_nothing_is_merged_and_it_is_told(room: Room) -> None:
    kept, _ = two(room)

    merge(room, kept, About(id="mem-404", kind="fact"))

    assert room.standing() == sorted([TABS, SPACES])
    assert [each.decision.verb for each in room.decider.missed] == ["merge"]


def test_what_was_split_stands_by_itself(room: Room) -> None:
    kept, merged = two(room)
    merge(room, kept, merged)

    room.decide(10, "split", merged)

    assert (room.now(merged), room.now(kept)) == (merged, kept)


@pytest.mark.parametrize("state", ["quarantined", "forgotten", "archived", "active"])
def test_nothing_but_what_was_superseded_is_split(state: str, room: Room) -> None:
    memory = room.store.memories.change(room.learn(1), state=state)

    room.decide(2, "split", memory)

    assert room.now(memory) == memory


def test_an_agent_that_wants_to_split_has_the_owner_asked(room: Room) -> None:
    kept, merged = two(room)
    merge(room, kept, merged)

    room.decide(10, "split", merged, origin="agent", caller="s-9")

    (action,) = room.store.actions.wanted("pending")
    assert (room.now(merged).state, action.memory) == ("superseded", merged.id)


@pytest.mark.parametrize("origin", ["owner", "agent", "user", "tool:Bash"])
def test_a_merge_is_believed_from_the_system_alone(origin: str, desk: Desk) -> None:
    made = event(
        Decision(verb="merge"),
        Who(origin=origin),
        None,
        now_ns=NOON,
        random=lambda size: b"r" * size,
    )

    (record,) = desk.transcript.append([made])

    assert decided(record) is None


@pytest.mark.parametrize("verb", ["split", "forget", "remember", "accept"])
def test_nothing_else_is_believed_from_the_system(verb: str, desk: Desk) -> None:
    made = event(
        Decision(verb=verb),
        Who(origin="system"),
        None,
        now_ns=NOON,
        random=lambda size: b"r" * size,
    )

    (record,) = desk.transcript.append([made])

    assert decided(record) is None


def test_what_is_decided_nowhere_tells_of_no_place() -> None:
    made = event(
        Decision(verb="merge"),
        Who(origin="system"),
        None,
        now_ns=NOON,
        random=lambda size: b"r" * size,
    )

    assert (made.project, made.place) == ("", None)
