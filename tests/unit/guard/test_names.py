"""Names: plain ASCII words and nothing else, so that they may become parts of paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard.names import LONGEST, is_name

_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"


@pytest.mark.parametrize(
    "text", ["a", "Z", "7", "_", "-", "claude-code", "user_prompt", "Stop", "a" * LONGEST]
)
def test_a_plain_word_is_a_name(text: str) -> None:
    assert is_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * (LONGEST + 1),
        ".",
        "..",
        "a.b",
        "a/b",
        "a\\b",
        "a b",
        " a",
        "a\n",
        "\x00",
        "a:b",
        "a=b",
        "~",
        "$HOME",
        "é",
        "名",
        "²",
        "Ⅷ",
        "a\u200d",
    ],
)
def test_anything_else_is_no_name(text: str) -> None:
    assert not is_name(text)


@given(st.text(max_size=LONGEST + 2))
def test_a_name_is_made_of_the_alphabet_alone(text: str) -> None:
    is_plain = 0 < len(text) <= LONGEST and set(text) <= set(_ALPHABET)

    assert is_name(text) == is_plain


@given(st.text(_ALPHABET, min_size=1, max_size=LONGEST))
def test_every_word_of_the_alphabet_is_a_name(text: str) -> None:
    assert is_name(text)
