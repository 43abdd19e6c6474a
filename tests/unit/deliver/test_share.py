"""Sharing: never more than there is, nobody starves, and nothing that fits is left out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.deliver.share import shared

MANY = settings(max_examples=300, deadline=None)
NEEDS = st.lists(st.lists(st.integers(1, 400), max_size=12), min_size=1, max_size=5)
ROOM = st.integers(0, 3000)


@st.composite
def sections(draw: st.DrawFn) -> tuple[list[list[int]], list[float], list[int]]:
    """Return the lines of sections, their shares of the room, and how many are wanted first."""
    needs = draw(NEEDS)
    weights = [draw(st.integers(1, 9)) for _ in needs]
    first = [draw(st.integers(0, len(lines))) for lines in needs]
    return needs, [weight / sum(weights) for weight in weights], first


def used(needs: list[list[int]], taken: list[int]) -> int:
    return sum(sum(lines[:count]) for lines, count in zip(needs, taken, strict=True))


@MANY
@given(given_to=sections(), room=ROOM)
def test_never_more_is_taken_than_there_is(
    given_to: tuple[list[list[int]], list[float], list[int]], room: int
) -> None:
    needs, shares, first = given_to

    taken = shared(needs, shares, room, first)

    assert used(needs, taken) <= room
    assert all(0 <= count <= len(lines) for count, lines in zip(taken, needs, strict=True))


@MANY
@given(given_to=sections(), room=ROOM)
def test_no_line_is_left_out_that_would_still_fit(
    given_to: tuple[list[list[int]], list[float], list[int]], room: int
) -> None:
    needs, shares, first = given_to

    taken = shared(needs, shares, room, first)

    left = room - used(needs, taken)
    nexts = [lines[count] for lines, count in zip(needs, taken, strict=True) if count < len(lines)]
    assert all(line > left for line in nexts)


@MANY
@given(given_to=sections(), room=ROOM)
def test_a_section_gets_what_fits_into_its_share_whatever_the_others_need(
    given_to: tuple[list[list[int]], list[float], list[int]], room: int
) -> None:
    needs, shares, _ = given_to

    taken = shared(needs, shares, room)

    for lines, share, count in zip(needs, shares, taken, strict=True):
        is_all = count == len(lines)
        assert is_all or sum(lines[: count + 1]) > int(room * share)


@MANY
@given(given_to=sections(), room=ROOM)
def test_what_is_wanted_first_comes_before_any_share(
    given_to: tuple[list[list[int]], list[float], list[int]], room: int
) -> None:
    needs, shares, first = given_to
    wanted = sum(sum(lines[:count]) for lines, count in zip(needs, first, strict=True))

    taken = shared(needs, shares, room, first)

    if wanted <= room:
        assert all(count >= least for count, least in zip(taken, first, strict=True))


@pytest.mark.parametrize(
    ("needs", "shares", "room", "first", "taken"),
    [
        ([], [], 10, [], []),
        ([[], []], [0.5, 0.5], 10, [], [0, 0]),
        ([[1] * 60, [1] * 60, [1] * 60], [0.5, 0.4, 0.1], 50, [], [25, 20, 5]),
        ([[1] * 60, [1] * 3, []], [0.5, 0.4, 0.1], 50, [], [47, 3, 0]),
        ([[1], [1], [1]], [0.5, 0.4, 0.1], 1, [], [1, 0, 0]),
        ([[1], [1], [1]], [0.5, 0.4, 0.1], 1, [0, 1, 0], [0, 1, 0]),
        ([[5, 9], [1]], [0.5, 0.5], 6, [], [1, 1]),
        ([[9, 1], [1]], [0.5, 0.5], 6, [], [0, 1]),
        ([[1] * 9, [1] * 9], [0.5, 0.5], 10, [0, 8], [2, 8]),
        ([[1] * 9, [1] * 9], [0.5, 0.5], 10, [None, 8], [5, 5]),
        ([[1] * 2, [1] * 9], [0.5, 0.5], 10, [None, 8], [2, 8]),
    ],
)
def test_the_room_is_shared_so(
    needs: list[list[int]],
    shares: list[float],
    room: int,
    first: list[int | None],
    taken: list[int],
) -> None:
    assert shared(needs, shares, room, first) == taken


@pytest.mark.parametrize(
    ("room", "taken"), [(1, [0, 1]), (2, [0, 2]), (3, [0, 3]), (8, [2, 6]), (12, [5, 7])]
)
def test_what_is_wanted_next_comes_after_what_is_wanted_first_and_starves_nobody(
    room: int, taken: list[int]
) -> None:
    assert shared([[1] * 9, [1] * 9], [0.5, 0.5], room, [0, 2], [0, 7]) == taken


@MANY
@given(given_to=sections(), room=ROOM)
def test_whatever_is_wanted_next_never_more_is_taken_and_nothing_that_fits_is_left_out(
    given_to: tuple[list[list[int]], list[float], list[int]], room: int
) -> None:
    needs, shares, then = given_to

    taken = shared(needs, shares, room, [0] * len(needs), then)

    left = room - used(needs, taken)
    nexts = [lines[count] for lines, count in zip(needs, taken, strict=True) if count < len(lines)]
    assert left >= 0
    assert all(line > left for line in nexts)
