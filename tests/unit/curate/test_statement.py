"""What a text says, as a digest: no matter how it is dressed, and telling nothing without a key."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacit.curate.statement import digest, words_of

KEY = b"k" * 32


def is_same(one: str, other: str) -> bool:
    return digest(KEY, one) == digest(KEY, other)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Use tabs.", ["use", "tabs"]),
        ("  Use\ttabs!  ", ["use", "tabs"]),
        ('"Use" (tabs), please:', ["use", "tabs", "please"]),
        ("The port is 8080/tcp", ["the", "port", "is", "8080/tcp"]),
        ("C++ and C# differ", ["c++", "and", "c#", "differ"]),
        ("Python 3.11.", ["python", "3.11"]),
        ("STRASSE straße", ["strasse", "strasse"]),
        ("日本語で書く。", ["日本語で書く"]),
        ("", []),
        ("... -- //", []),
    ],
)
def test_words_are_told_without_case_and_what_stands_around_them(
    text: str, words: list[str]
) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    "other", ["use tabs", "USE TABS!", "Use  tabs .", "«Use tabs»", "Use\ntabs...", "Use: tabs"]
)
def test_the_same_words_in_another_dress_say_the_same(other: str) -> None:
    assert is_same("Use tabs.", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs", "Use no tabs"),
        ("Use tabs not spaces", "Use spaces not tabs"),
        ("The port is 80", "The port is 8080"),
        ("Build with C", "Build with C++"),
        ("ab c", "a bc"),
    ],
)
def test_other_words_say_something_else(one: str, other: str) -> None:
    assert not is_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Retry while n < 3", "Retry while n > 3"),
        ("Stop if x = y", "Stop if x != y"),
        ("Join them with &&", "Join them with ||"),
        ("The offset is -5", "The offset is 5"),
        ("\N{PARTY POPPER}", "\N{FIRE}"),
    ],
)
def test_signs_that_turn_the_meaning_make_another_statement(one: str, other: str) -> None:
    assert not is_same(one, other)


def test_without_the_key_nobody_can_guess_what_a_digest_stands_for() -> None:
    found = {digest(key, "Use tabs") for key in (b"a" * 32, b"b" * 32, b"")}

    assert len(found) == 3


def test_a_key_may_be_longer_than_what_the_digest_can_use() -> None:
    assert digest(b"k" * 64, "Use tabs") == digest(b"k" * 64 + b"more", "Use tabs")


@settings(deadline=None)
@given(st.text())
@example("\ud800 lone")
def test_every_text_has_a_digest_that_case_and_space_do_not_change(text: str) -> None:
    assert digest(KEY, text) == digest(KEY, f"  {text.casefold()}\n")
