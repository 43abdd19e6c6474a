"""Cues: every phrase of the tables is found where it is said, and nowhere else."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.curate.rules.cues import cues

CUES: dict[str, dict[str, Any]] = tomllib.loads(
    files("tacit.curate.rules").joinpath("cues.toml").read_text(encoding="utf-8")
)
JAPANESE = [name for name, told in CUES.items() if "inside" in told]
HOSTILE = st.text(st.characters(exclude_categories=()), max_size=80)
# words of the tables in any order, so that phrases begin and are not ended
SPOKEN = st.lists(
    st.sampled_from(sorted({word for told in CUES.values() for word in told["phrases"]})),
    max_size=8,
).map(" ".join)


def found(text: str) -> frozenset[str]:
    return cues(text)


def sentence(name: str, phrase: str) -> str:
    """Return a sentence in which a phrase stands where its class is looked for."""
    return f"{phrase} zebra" if CUES[name].get("at_start") else f"zebra {phrase} zebra"


@pytest.mark.parametrize("name", CUES)
def test_the_example_of_a_class_is_of_that_class(name: str) -> None:
    example = CUES[name]["example"]

    assert name in found(example)


@pytest.mark.parametrize("name", CUES)
def test_every_phrase_is_found_in_a_sentence_made_of_it(name: str) -> None:
    phrases = [phrase.removesuffix("*") for phrase in CUES[name]["phrases"]]

    missed = [phrase for phrase in phrases if name not in found(sentence(name, phrase))]

    assert missed == []


@pytest.mark.parametrize("name", CUES)
def test_every_phrase_is_found_in_capitals(name: str) -> None:
    phrases = [phrase.removesuffix("*") for phrase in CUES[name]["phrases"]]

    missed = [phrase for phrase in phrases if name not in found(sentence(name, phrase.upper()))]

    assert missed == []


@pytest.mark.parametrize("name", CUES)
def test_a_star_stands_for_the_rest_of_a_word(name: str) -> None:
    stars = [phrase for phrase in CUES[name]["phrases"] if phrase.endswith("*")]

    longer = [sentence(name, phrase.replace("*", "qqq")) for phrase in stars]

    assert [each for each in longer if name not in found(each)] == []


@pytest.mark.parametrize("name", CUES)
def test_a_star_only_ends_a_phrase_of_one_word_of_two_letters_or_more(name: str) -> None:
    stars = [phrase for phrase in CUES[name]["phrases"] if "*" in phrase]

    assert [each for each in stars if not each[:-1].isalpha() and "'" not in each] == []
    assert [each for each in stars if not each.endswith("*") or len(each) < 3] == []


@pytest.mark.parametrize("name", JAPANESE)
def test_japanese_is_found_wherever_it_stands(name: str) -> None:
    parts = CUES[name]["inside"]

    missed = [part for part in parts if name not in found(f"猫{part}猫")]

    assert missed == []


@pytest.mark.parametrize("name", CUES)
def test_a_class_is_told_by_what_is_known_of_classes_alone(name: str) -> None:
    told = CUES[name]

    assert told.keys() <= {"example", "phrases", "inside", "at_start"}
    assert {"example", "phrases"} <= told.keys()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("neverland", "standing"),
        ("the nevers", "standing"),
        ("from right now on", "standing"),
        ("from now", "standing"),
        ("unpreferred", "taste"),
        ("mustard", "duty"),
    ],
)
def test_a_phrase_is_not_found_in_other_words(text: str, name: str) -> None:
    assert name not in found(text)


def test_a_phrase_is_found_over_a_comma_and_a_line_break() -> None:
    assert "standing" in found("From now,\non")


def test_a_typed_and_a_curly_apostrophe_are_one() -> None:
    assert found("We don\u2019t push") == found("We don't push")


@pytest.mark.parametrize(
    "text", ["Add a lamp", "ok, add a lamp", "And now please add a lamp", "bitte add a lamp"]
)
def test_an_order_is_found_at_the_start_or_behind_what_fills_it(text: str) -> None:
    assert "task" in found(text)


@pytest.mark.parametrize("text", ["The lamps add light", "Lamps: add", "zebra add"])
def test_an_order_is_not_found_further_on(text: str) -> None:
    assert "task" not in found(text)


@pytest.mark.parametrize("text", ["Never push", "ok, never push", "Yes and please never push"])
def test_a_cue_that_comes_first_is_told_so(text: str) -> None:
    assert "standing-first" in found(text)


def test_a_cue_that_comes_later_is_not_told_as_the_first() -> None:
    told = found("Lamps never burn")

    assert "standing" in told
    assert "standing-first" not in told


def test_nothing_but_fillers_is_no_fault() -> None:
    assert "task" not in found("and so ok")


@pytest.mark.parametrize("text", ["", "  ", "...", "zebra"])
def test_a_text_without_any_has_none(text: str) -> None:
    assert found(text) == set()


@given(HOSTILE | SPOKEN)
def test_only_classes_of_the_tables_are_told(text: str) -> None:
    told = {name.removesuffix("-first") for name in found(text)}

    assert told <= CUES.keys()
