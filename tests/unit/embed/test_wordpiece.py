"""The tokeniser: equal to the reference, bounded in work, and never fooled by its own marks."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig import ROOT
from tacit.embed import wordpiece
from tacit.embed.wordpiece import FIRST, LAST, UNKNOWN, pieces, tokens

GOLDEN = ROOT / "tests" / "golden" / "wordpiece.jsonl.gz"
KNOWN = 30_522
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=400)


def golden() -> list[tuple[str, int, list[int]]]:
    text = gzip.decompress(GOLDEN.read_bytes()).decode()
    return [(text, most, ids) for text, most, ids in map(json.loads, text.split("\n"))]


def test_every_string_has_the_tokens_that_the_reference_gives_it() -> None:
    compared = golden()

    different = [ascii(text) for text, most, ids in compared if tokens(text, most) != ids]

    assert len(compared) > 2000
    assert different == []


def test_the_vocabulary_has_a_number_for_each_piece() -> None:
    heads, tails = wordpiece.vocabulary()

    assert len(heads) + len(tails) == KNOWN
    assert (heads["[PAD]"], heads["[UNK]"], heads["[CLS]"], heads["[SEP]"]) == (0, 100, 101, 102)


@given(ANYTHING, st.integers(min_value=-5, max_value=600))
def test_any_text_stays_between_its_marks_and_within_its_length(text: str, most: int) -> None:
    found = tokens(text, most)

    assert (found[0], found[-1]) == (FIRST, LAST)
    assert 2 <= len(found) <= max(most, wordpiece.LEAST)
    assert all(0 <= each < KNOWN for each in found)


@given(ANYTHING, st.integers(min_value=3, max_value=60))
def test_a_shorter_cut_is_the_beginning_of_a_longer_one(text: str, most: int) -> None:
    whole = tokens(text, 2000)

    cut = tokens(text, most)

    assert cut[:-1] == whole[:-1][: most - 1]


@pytest.mark.parametrize("mark", ["[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]"])
def test_a_mark_in_a_text_is_plain_text(mark: str) -> None:
    assert not set(tokens(mark, 16)[1:-1]) & {0, UNKNOWN, FIRST, LAST, 103}


def test_half_a_character_is_not_seen() -> None:
    assert tokens("a\ud800b", 16) == tokens("ab", 16)


@pytest.mark.parametrize("text", ["a", " ", "é", "\u0301", "字", "\0"])
def test_of_a_huge_text_only_the_beginning_is_looked_at(text: str) -> None:
    room = 100 * 128 + 400

    assert tokens(text * 10**6, 128) == tokens(text * room, 128)


def test_a_word_that_is_too_long_is_unknown_and_the_next_is_not() -> None:
    assert tokens("a" * 101 + " house", 16) == [FIRST, UNKNOWN, *pieces("house"), LAST]


def test_what_was_forgotten_is_found_again() -> None:
    before = tokens("We deploy on Fridays", 16)

    wordpiece.forget()

    assert tokens("We deploy on Fridays", 16) == before
