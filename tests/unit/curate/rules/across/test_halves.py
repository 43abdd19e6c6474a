"""Two statements in one sentence are two, and one that only looks like two stays one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopwatch import grows_within
from tacit.curate.rules.across.halves import halves

WORDS = "the our and , always never server is runs it if Tom . a".split()


def told(text: str, kind: str = "fact") -> list[str]:
    """Return what the statements of a sentence say."""
    return [text[first:last] for first, last in halves(text, kind)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "The ferry is called Heron and the harbour office closes at five",
            ["The ferry is called Heron", "the harbour office closes at five"],
        ),
        (
            "Our kiln runs on gas, and the wheel needs a new belt.",
            ["Our kiln runs on gas", "the wheel needs a new belt."],
        ),
        ("Ada owns the bakery and Bo owns the mill.", ["Ada owns the bakery", "Bo owns the mill."]),
        (
            "We ship on Tuesdays and we stay ashore in winter",
            ["We ship on Tuesdays", "we stay ashore in winter"],
        ),
        (
            "The red boat is Ada's and the blue boat is Bo's and the green one is rented",
            ["The red boat is Ada's and the blue boat is Bo's and the green one is rented"],
        ),
        (
            "The red boat is old and the blue boat is new and the pier is closed",
            ["The red boat is old", "the blue boat is new", "the pier is closed"],
        ),
        (
            "Die Fähre heißt Heron und der Hafen liegt im Norden",
            ["Die Fähre heißt Heron", "der Hafen liegt im Norden"],
        ),
        (
            "Le four est au gaz et le tour tourne à gauche",
            ["Le four est au gaz", "le tour tourne à gauche"],
        ),
        (
            "El horno está en el sótano y la tienda vive del té",
            ["El horno está en el sótano", "la tienda vive del té"],
        ),
    ],
)
def test_statements_that_need_not_each_other_are_apart(text: str, parts: list[str]) -> None:
    assert told(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "The ferry and the barge are painted every spring",
        "The ferry is slow and it needs a new engine",
        "If the tide is low and the wind is strong the ferry stays ashore",
        "The road between the mill and the harbour is closed",
        "The list that names boats and owners is kept by Ada",
        "The ferry is red but the barge is blue",
        "The kiln is hot because the gas and the air are mixed well",
        "Ada owns the bakery and Bo and Cy own the mill",
        "The ferry is red and the barge too",
        "The ferry is red and still has the old name",
        "We sail on Tuesdays and stay ashore in winter",
        "Tea and cake are served at four",
        "The sign says `the ferry is red and the barge is blue`",
        "The kiln is hot. The wheel is new and the belt is old",
        "Si el horno está frío y la tienda está cerrada, espera",
        "In winter the kiln is cold and the shop is closed",
        "I doubt the kiln is on and the shop is closed",
        "Ada claims the kiln is on and the shop is closed",
        "Angeblich ist der Ofen an und der Laden ist zu",
        "Im Winter ist der Ofen kalt und der Laden ist zu",
        "The form has a start date and an end date",
        "We have tea on Mondays and kiln reviews on Thursdays",
        "I have a dog and the dog is old",
        "The kiln has two doors and runs on gas",
    ],
)
def test_one_statement_is_never_split(text: str) -> None:
    assert told(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Always wrap the cups twice and never stack wet plates high",
            ["Always wrap the cups twice", "never stack wet plates high"],
        ),
        (
            "Use brown paper for parcels, and never tape over the address",
            ["Use brown paper for parcels", "never tape over the address"],
        ),
    ],
)
def test_orders_that_need_not_each_other_are_apart(text: str, parts: list[str]) -> None:
    assert told(text, "instruction") == parts


@pytest.mark.parametrize(
    "text",
    [
        "Use brown paper, never white",
        "Never leave parcels outside, always ring the bell first",
        "Always use brown paper and never use white paper",
        "Always wrap the cups and stack the plates",
        "Never stack the plates when wet and always dry them first",
        "Make sure the kiln is off and the door is shut",
        "Put cups on the shelf and never in the sink",
        "Keep the kiln warm and always in good order",
        "Use the small kiln and never the big one there",
    ],
)
def test_one_order_is_never_split(text: str) -> None:
    assert told(text, "instruction") == [text]


def test_a_correction_is_never_split() -> None:
    text = "The ferry is called Heron and the barge is called Egret"

    assert told(text, "correction") == [text]


@given(
    st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join),
    st.sampled_from(["fact", "instruction"]),
)
def test_parts_stand_in_order_and_apart(text: str, kind: str) -> None:
    found = halves(text, kind)

    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(one[1] < two[0] for one, two in pairwise(found))


@pytest.mark.parametrize("part", ["the a ", "and ", "the boat is a and ", ", never a b c ", "is "])
def test_a_long_sentence_takes_no_long_time(part: str) -> None:
    small, big = ((part * 100)[:size] for size in (70, 280))

    assert grows_within(9, lambda: halves(small, "fact"), lambda: halves(big, "fact"), tries=20)
