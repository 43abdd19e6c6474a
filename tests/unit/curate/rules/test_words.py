"""Words as the rules see them: the same whatever their case, their form and their signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopwatch import anew, grows_within
from tacit.curate.rules.words import STOP, stem, stems, words

ANY = st.text(st.characters(exclude_categories=()), max_size=80)
PLAIN = st.text(st.sampled_from("abcXYZ019 .,'-_"), max_size=60)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n\t.,;-—", []),
        ("Use Tabs", ["use", "tabs"]),
        ("use,tabs;here", ["use", "tabs", "here"]),
        ("Port 8080", ["port", "8080"]),
        ("snake_case", ["snake", "case"]),
        ("well-known", ["well", "known"]),
        ("don't", ["don't"]),
        ("don\u2019t", ["don't"]),
        ("'quoted'", ["quoted"]),
        ("rock'n'roll", ["rock'n'roll"]),
        ("Straße", ["strasse"]),
        ("ÜBER", ["über"]),
        ("żółć", ["żółć"]),
        ("why?", ["why", "?"]),
        ("note: stop!", ["note", ":", "stop", "!"]),
    ],
)
def test_a_text_is_cut_into_its_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("日", ["日"]),
        ("日本", ["日本"]),
        ("日本語", ["日本", "本語"]),
        ("タブを使う", ["タブ", "ブを", "を使", "使う"]),
        ("use タブ", ["use", "タブ"]),
    ],
)
def test_japanese_is_read_in_pairs(text: str, found: list[str]) -> None:
    assert words(text) == found


@given(PLAIN)
def test_case_makes_no_difference(text: str) -> None:
    assert words(text.upper()) == words(text.lower())


@given(ANY)
def test_no_word_is_empty_or_has_space_in_it(text: str) -> None:
    found = words(text)

    assert [each for each in found if each.split() != [each]] == []


@pytest.mark.parametrize("form", ["installs", "installed", "installing", "installation"])
def test_the_forms_of_a_word_have_one_stem(form: str) -> None:
    assert stem(form) == stem("install")


def test_a_short_word_is_its_own_stem() -> None:
    assert stem("tabs") == "tabs"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", set()),
        ("The port of the staging database", {"port", "stagin", "databa"}),
        ("Wir haben den Ordner", {"haben", "ordner"}),
        ("go to 7", {"7"}),
        ("is it so?!", set()),
        ("日", {"日"}),
        ("Deploy, deploys, deployed", {"deploy"}),
    ],
)
def test_stems_are_what_a_text_is_about(text: str, found: set[str]) -> None:
    assert stems(text) == found


@given(ANY)
def test_every_stem_is_that_of_a_word(text: str) -> None:
    assert stems(text) <= {stem(word) for word in words(text)}


@pytest.mark.parametrize("word", sorted(STOP))
def test_a_word_that_says_nothing_is_no_stem(word: str) -> None:
    assert stems(word) == set()


@pytest.mark.parametrize("unit", ["a", "a'", "'", "word ", "日", "?"])
def test_time_is_linear(unit: str) -> None:
    small, big = (unit * (size // len(unit)) for size in (20_000, 80_000))

    assert grows_within(9, anew(stems, small), anew(stems, big))
