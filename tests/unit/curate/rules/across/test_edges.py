"""Edges: a phrase of a list is found as itself, and not as a part of another word."""

from __future__ import annotations

import re

import pytest

from tacit.curate.rules.across.edges import Shape, apart

FOUND = re.compile(apart("whys", "alternatives"), re.IGNORECASE)


@pytest.mark.parametrize(
    "text", ["why", "Tell me why!", "tea or milk", "warum?", "なぜ青か", "茶それとも水"]
)
def test_a_phrase_is_found_where_it_stands_by_itself(text: str) -> None:
    assert FOUND.search(text)


@pytest.mark.parametrize("text", ["whyever", "anywhy", "order", "colour", "a torch", ""])
def test_a_phrase_is_not_found_in_a_longer_word(text: str) -> None:
    assert not FOUND.search(text)


def test_a_shape_is_compiled_by_the_first_question_and_not_before() -> None:
    broken = Shape("(")

    with pytest.raises(re.error):
        broken.match("")


def test_a_shape_finds_as_its_pattern_does_whatever_the_case() -> None:
    shape = Shape(r"\bor\b")

    assert shape.match("OR else") is not None
    assert shape.search("tea or coffee", 5) is None
    assert shape.search("tea or coffee", 0, 5) is None
    assert (shape.parted("tea Or coffee or milk"), shape.parted("tea")) == (
        ["tea ", " coffee or milk"],
        ["tea"],
    )
