"""Edges: a phrase of a list is found as itself, and not as a part of another word."""

from __future__ import annotations

import re

import pytest

from tacit.curate.rules.across.edges import apart

FOUND = re.compile(apart("whys", "alternatives"), re.IGNORECASE)


@pytest.mark.parametrize(
    "text", ["why", "Tell me why!", "tea or milk", "warum?", "なぜ青か", "茶それとも水"]
)
def test_a_phrase_is_found_where_it_stands_by_itself(text: str) -> None:
    assert FOUND.search(text)


@pytest.mark.parametrize("text", ["whyever", "anywhy", "order", "colour", "a torch", ""])
def test_a_phrase_is_not_found_in_a_longer_word(text: str) -> None:
    assert not FOUND.search(text)
