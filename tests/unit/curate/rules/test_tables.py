"""The word lists of the rules: every phrase is read as it stands, and found by its pattern."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from tacit.curate.rules.tables import choice, listed

NAMES = list(
    tomllib.loads(files("tacit.curate.rules").joinpath("tables.toml").read_text(encoding="utf-8"))
)


def test_the_phrases_of_a_list_come_in_order() -> None:
    found = listed("negations")

    assert found == ["no", "not", "non", "nicht", "nie", "não", "nein"]


def test_a_list_that_stands_on_several_lines_has_no_line_breaks_in_its_phrases() -> None:
    found = listed("leads")

    assert "by the way" in found
    assert [each for each in found if "\n" in each] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_list_has_an_empty_phrase(name: str) -> None:
    assert "" not in listed(name)


@pytest.mark.parametrize("name", NAMES)
def test_phrases_are_written_small_as_they_are_compared(name: str) -> None:
    found = listed(name)

    assert found == [each.lower() for each in found]


@pytest.mark.parametrize("name", NAMES)
def test_a_pattern_finds_each_phrase_of_its_list_whole(name: str) -> None:
    pattern = re.compile(choice(name))

    missed = [phrase for phrase in listed(name) if not pattern.fullmatch(phrase)]

    assert missed == []


@pytest.mark.parametrize("name", NAMES)
def test_of_two_phrases_the_longer_is_found_first(name: str) -> None:
    pattern = re.compile(choice(name))

    found = {phrase: pattern.match(phrase) for phrase in listed(name)}

    assert {phrase: match and match.group() for phrase, match in found.items()} == {
        phrase: phrase for phrase in listed(name)
    }


@pytest.mark.parametrize("text", ["by the way", "by  the way", "by\nthe\tway"])
def test_any_space_may_stand_between_the_words_of_a_phrase(text: str) -> None:
    assert re.fullmatch(choice("leads"), text)


@pytest.mark.parametrize("text", ["bytheway", "by the", "xx", ""])
def test_a_pattern_finds_nothing_but_its_phrases(text: str) -> None:
    assert not re.fullmatch(choice("leads"), text)


def test_signs_in_a_phrase_mean_themselves() -> None:
    pattern = re.compile(choice("addressed"))

    assert pattern.fullmatch("rm -rf")
    assert not pattern.fullmatch("rm rf")


def test_a_pattern_can_be_a_part_of_another() -> None:
    assert re.fullmatch(rf"<{choice('negations')}>", "<nicht>")


def test_there_is_no_list_but_those_of_the_file() -> None:
    with pytest.raises(KeyError):
        listed("no such list")
