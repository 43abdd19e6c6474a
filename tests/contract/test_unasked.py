"""The unasked: turns wait for a model as they are now, fail, are given up, and get their chance.

The clock is the caller's, and it may be set back: no turn waits for a time that never comes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract.conftest import NOON
from contract.memories import HOSTILE
from tacit.store.unasked_port import LONGEST_NS, Unasked

if TYPE_CHECKING:
    from tacit.store.memory_port import MemoryStore

HOUR = 3600 * 1_000_000_000


def turn(number: int = 1, session: str = "s-1", **fields: Any) -> Unasked:
    """Return the number-th turn as it first waits."""
    usual: dict[str, Any] = {"at": NOON + number, "is_urgent": False}
    return Unasked(session=session, turn=f"t-{number}", upto=number, **usual | fields)


def put(memory: MemoryStore, *turns: Unasked) -> tuple[Unasked, ...]:
    for each in turns:
        memory.unasked.put(each)
    return turns


@pytest.mark.parametrize(
    "made",
    [turn(), turn(is_urgent=True), turn(tries=3, due=7, reason="No.", is_dead=True)],
    ids=str,
)
def test_a_turn_comes_back_as_it_was_put(memory: MemoryStore, made: Unasked) -> None:
    put(memory, made)

    assert memory.unasked.listed() == [made]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_its_names_are_a_turn_comes_back(memory: MemoryStore, text: str) -> None:
    made = Unasked(session=text, turn=text, upto=1, at=1, is_urgent=False, reason=text)
    put(memory, made)

    assert memory.unasked.listed() == [made]
    memory.unasked.drop(text, text, 1)
    assert memory.unasked.listed() == []


def test_a_turn_that_waits_already_waits_as_it_is_now(memory: MemoryStore) -> None:
    put(memory, turn(tries=4, reason="No.", is_dead=True))

    put(memory, again := replace(turn(), upto=9))

    assert memory.unasked.listed() == [again]


def test_turns_wait_by_session_and_in_order(memory: MemoryStore) -> None:
    put(memory, turn(5, "s-2"), turn(4), turn(2, "s-2"), turn(1))

    waiting = [(each.session, each.upto) for each in memory.unasked.waiting(NOON)]

    assert waiting == [("s-1", 1), ("s-1", 4), ("s-2", 2), ("s-2", 5)]
    assert [each.upto for each in memory.unasked.listed()] == [1, 2, 4, 5]
    assert [each.upto for each in memory.unasked.listed(2)] == [1, 2]


def test_a_turn_of_which_more_has_come_waits_on(memory: MemoryStore) -> None:
    put(memory, replace(turn(), upto=7))

    memory.unasked.drop("s-1", "t-1", 6)
    memory.unasked.drop("s-2", "t-1", 7)
    memory.unasked.drop("s-1", "t-2", 7)

    assert len(memory.unasked.listed()) == 1
    memory.unasked.drop("s-1", "t-1", 7)
    assert memory.unasked.listed() == []


def test_what_failed_waits_until_it_is_due(memory: MemoryStore) -> None:
    first, second = put(memory, turn(1), turn(2))

    memory.unasked.fail([first], "No.", NOON + 10)

    assert memory.unasked.waiting(NOON + 9) == [second]
    assert memory.unasked.waiting(NOON + 10) == [
        replace(first, tries=1, reason="No.", due=NOON + 10),
        second,
    ]


def test_what_is_given_up_waits_for_somebody_to_say_so(memory: MemoryStore) -> None:
    first, second = put(memory, turn(1), turn(2))
    memory.unasked.fail([first], "No.", None)

    assert memory.unasked.waiting(NOON + LONGEST_NS) == [second]
    assert memory.unasked.listed()[0] == replace(first, tries=1, reason="No.", is_dead=True)

    tried = memory.unasked.retry(NOON)

    assert (tried, memory.unasked.retry(NOON)) == (1, 0)
    assert memory.unasked.waiting(NOON) == [replace(first, due=NOON), second]


def test_what_is_put_off_was_not_tried(memory: MemoryStore) -> None:
    (made,) = put(memory, turn(tries=2, reason="No."))

    memory.unasked.put_off([made], NOON + HOUR)

    assert memory.unasked.waiting(NOON + HOUR - 1) == []
    assert memory.unasked.waiting(NOON + HOUR) == [replace(made, due=NOON + HOUR)]


def test_no_turn_waits_for_a_time_that_a_wrong_clock_has_set(memory: MemoryStore) -> None:
    (made,) = put(memory, turn())
    memory.unasked.fail([made], "No.", NOON + 1000 * HOUR)

    assert len(memory.unasked.waiting(NOON)) == 1
    assert memory.unasked.waiting(NOON + 999 * HOUR) == []


def test_what_is_older_waits_no_more(memory: MemoryStore) -> None:
    _, dead, young = put(memory, turn(1), turn(2, is_dead=True), turn(3))

    gone = memory.unasked.forget_old(young.at)

    assert (gone, memory.unasked.listed()) == (2, [young])
    assert dead.is_dead


def test_what_was_begun_with_others_is_undone_with_them(memory: MemoryStore) -> None:
    def begin() -> None:
        with memory.transaction():
            put(memory, turn())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        begin()

    assert memory.unasked.listed() == []
