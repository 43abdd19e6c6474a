"""Windows: what is sent of a long text is never more than may be, has both ends, and tells most."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.curate.model.windows import CUT, SHARED, SIZE, chosen, stretches

LONG = "".join(f"word {number} " for number in range(3000))


def nothing(_text: str) -> float:
    return 0.0


@given(st.integers(0, 20_000))
def test_stretches_leave_nothing_out(length: int) -> None:
    found = stretches("x" * length)

    assert (found[0][0], found[-1][1]) == (0, length)
    assert all(stop - start <= SIZE for start, stop in found)
    assert all(before[1] - after[0] >= SHARED for before, after in pairwise(found))


@given(st.integers(0, 9000), st.integers(len(CUT), 9000))
def test_no_more_is_chosen_than_may_be_sent(length: int, most: int) -> None:
    assert len(chosen("x" * length, most, nothing)) <= most


def test_a_text_that_has_room_stays_as_it_is() -> None:
    assert chosen("All of it.", 10, nothing) == "All of it."


@pytest.mark.parametrize("most", [100, SIZE, SIZE + 100, 2 * SIZE, 4 * SIZE, 7 * SIZE])
def test_the_beginning_and_the_end_are_always_there(most: int) -> None:
    text = chosen(LONG, most, nothing)

    assert text.startswith("word 0 word 1 ")
    assert text.endswith("word 2998 word 2999 ")
    assert CUT in text


def test_what_tells_most_is_chosen_in_between() -> None:
    told = LONG[:15_000] + " Remember the orchid. " + LONG[15_000:]

    text = chosen(told, 4 * SIZE, lambda part: float("orchid" in part))

    assert "Remember the orchid." in text
    numbers = [int(each) for each in re.findall(r"word (\d+) ", text)]
    assert numbers == sorted(numbers)


def test_what_two_stretches_share_is_sent_once() -> None:
    text = "".join(f"{number:05d} " for number in range(1400))

    found = chosen(text, 5 * SIZE, nothing).replace(CUT, "").split()

    assert len(found) == len(set(found))
