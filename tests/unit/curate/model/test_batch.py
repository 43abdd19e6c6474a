"""Batches: when turns are due, which of them, and that one that cannot be read spoils no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.model.batch import MAX_TRIES, due
from tacit.store.unasked_port import Unasked
from tacit.transcript.turns import IDLE_NS
from unit.curate.saying import NOON

if TYPE_CHECKING:
    from tacit.curate.model.batch import Due
    from unit.curate.model.scripted import ReadingDesk


def turn(number: int, session: str = "s-1", **fields: Any) -> Unasked:
    usual: dict[str, Any] = {"at": NOON, "is_urgent": False}
    return Unasked(session=session, turn=f"t-{number}", upto=number, **usual | fields)


def all_due(desk: ReadingDesk, *waiting: Unasked, most: int = 3, now: int = NOON) -> list[Due]:
    return list(due(waiting, desk.transcript, most, now))


def numbers(found: list[Due]) -> list[list[int]]:
    return [[each.upto for each in one.turns] for one in found]


@pytest.mark.parametrize(
    ("waiting", "later", "expected"),
    [
        ([], 0, []),
        ([turn(1), turn(2)], 0, []),
        ([turn(1), turn(2), turn(3)], 0, [[1, 2, 3]]),
        ([turn(1), turn(2), turn(3), turn(4)], 0, [[1, 2, 3]]),
        ([turn(1), turn(2)], IDLE_NS - 1, []),
        ([turn(1), turn(2)], IDLE_NS, [[1, 2]]),
        ([turn(1, at=NOON - IDLE_NS), turn(2)], 0, []),
        ([turn(1), turn(2, is_urgent=True)], 0, [[1, 2]]),
        ([turn(1), turn(2, "s-2", is_urgent=True)], 0, [[2]]),
        ([turn(1, is_urgent=True), turn(2, "s-2", is_urgent=True)], 0, [[1], [2]]),
    ],
)
def test_turns_are_due_when_there_are_enough_or_one_cannot_wait(
    desk: ReadingDesk, waiting: list[Unasked], later: int, expected: list[list[int]]
) -> None:
    assert numbers(all_due(desk, *waiting, now=NOON + later)) == expected


def test_the_end_of_a_session_makes_its_turns_due(desk: ReadingDesk) -> None:
    desk.talk("It rains.")
    desk.end()
    desk.talk("It snows.", session="s-2")

    (found,) = all_due(desk, turn(1), turn(2, "s-2"))

    assert (found.session, found.is_final) == ("s-1", True)


def test_only_the_last_batch_of_a_session_is_its_end(desk: ReadingDesk) -> None:
    desk.end()

    first = all_due(desk, *(turn(number) for number in range(1, 6)))
    last = all_due(desk, turn(4), turn(5))

    assert [each.is_final for each in (*first, *last)] == [False, True]


def test_a_session_that_is_taken_up_again_has_not_ended(desk: ReadingDesk) -> None:
    desk.end()
    desk.talk("It rains again.")

    assert all_due(desk, turn(1)) == []


@pytest.mark.parametrize(
    ("tries", "size"), [(0, 25), (1, 12), (2, 6), (3, 3), (4, 1), (5, 1), (9, 1)]
)
def test_what_was_tried_is_tried_again_in_smaller_batches(
    desk: ReadingDesk, tries: int, size: int
) -> None:
    waiting = [turn(number, tries=tries) for number in range(30)]

    (found,) = all_due(desk, *waiting, most=25)

    assert len(found.turns) == size


@pytest.mark.parametrize("most", [*range(1, 70), 200, 1000])
def test_what_is_tried_for_the_last_time_is_tried_alone(desk: ReadingDesk, most: int) -> None:
    sizes = []
    for tries in range(MAX_TRIES):
        (found,) = all_due(desk, *(turn(number, tries=tries) for number in range(most)), most=most)
        sizes.append(len(found.turns))

    assert (sizes[0], sizes[-1]) == (most, 1)
    assert sizes == sorted(sizes, reverse=True)


def test_what_was_tried_makes_a_batch_small_wherever_it_stands(desk: ReadingDesk) -> None:
    waiting = [turn(1), turn(2), turn(3, tries=2), turn(4), turn(5), turn(6), turn(7), turn(8)]

    assert numbers(all_due(desk, *waiting, most=8)) == [[1, 2]]
    assert numbers(all_due(desk, *waiting[2:], most=6)) == [[3]]
