"""Shell text: its simple commands and their words, whatever is left open or written wrongly."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopwatch import grows_within
from tacit.capture.excluded.pattern import UNKNOWN
from tacit.capture.excluded.shell import (
    BEGIN,
    END,
    QUOTED_STAR,
    clean,
    is_text,
    split_commands,
)

PLAIN = st.text("ab/.$*~=-", min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("", []),
        ("cat a b", [["cat", "a", "b"]]),
        ("cat a; ls|wc &&  x\ny", [["cat", "a"], ["ls"], ["wc"], ["x"], ["y"]]),
        ("cat <a >b", [["cat", "a", "b"]]),
        ("cat 'a b' \"c d\"", [["cat", "a b", "c d"]]),
        ("cat a'b'\"c\"d", [["cat", "abcd"]]),
        ("cat a\\ b \\'c \\\nd", [["cat", "a b", "'c", "d"]]),
        ('cat "a\\"b"', [["cat", 'a"b']]),
        ("cat '*' \"*\" \\* *", [["cat", *[QUOTED_STAR] * 3, "*"]]),
        ("cat $'\\x70rivate'", [["cat", "*rivate"]]),
        ('cat $"a"', [["cat", "a"]]),
        ("cat $(a b)/c", [[BEGIN], ["a", "b"], [END], ["cat", f"{UNKNOWN}/c"]]),
        ('cat "$(a "b c")/d"', [[BEGIN], ["a", "b c"], [END], ["cat", f"{UNKNOWN}/d"]]),
        ("cat `a`/b", [[BEGIN], ["a"], [END], ["cat", f"{UNKNOWN}/b"]]),
        ("cat a/@(b|c)/d", [[BEGIN], ["b"], ["c"], [END], ["cat", f"a/{UNKNOWN}/d"]]),
        ("(a; b) c", [[BEGIN], ["a"], ["b"], [END], [UNKNOWN, "c"]]),
        ("a) b", [["a"], ["b"]]),
        ("cat 'a b", [["cat", "a b"]]),
        ('cat "a b', [["cat", "a b"]]),
        ("cat $(a b", [[BEGIN], ["a", "b"], ["cat"]]),
        ("cat `a b", [[BEGIN], ["a", "b"], ["cat"]]),
        ("cat a\\", [["cat", "a"]]),
    ],
)
def test_a_text_becomes_simple_commands(text: str, commands: list[list[str]]) -> None:
    assert split_commands(text) == commands


@given(words=st.lists(PLAIN | st.text(" ab'\"\\;", min_size=1, max_size=6), min_size=1, max_size=5))
def test_words_that_are_quoted_come_back(words: list[str]) -> None:
    found = split_commands(shlex.join(words))

    assert [word.replace(QUOTED_STAR, "*") for word in found[0]] == words


@given(text=st.text("ab '\"\\`(){}|;&<>*\n", max_size=40))
def test_no_letter_is_lost_whatever_the_text(text: str) -> None:
    kept = "".join(word for command in split_commands(text) for word in command)

    assert (kept.count("a"), kept.count("b")) == (text.count("a"), text.count("b"))


def test_a_word_with_blanks_may_be_a_command() -> None:
    assert is_text("cat a")
    assert is_text("a;b")
    assert not is_text("a/b*.$x")


def test_marks_of_our_own_are_taken_out_of_a_text() -> None:
    assert clean(f"a{UNKNOWN}b{QUOTED_STAR}c\2d") == "a b c d"


@pytest.mark.parametrize("unit", ["a ", "'", '"', "\\", "`", "(", "$(", ")", "'\"", "a;", "$'\\x"])
def test_time_is_linear(unit: str) -> None:
    small, big = (unit * (size // len(unit)) for size in (50_000, 200_000))

    assert grows_within(9, lambda: split_commands(small), lambda: split_commands(big))
