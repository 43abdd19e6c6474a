"""Phrasing: what a memory says is one line of the very words, and nothing around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stopwatch import grows_within
from tacit.curate.rules.phrase import LONGEST, phrase

MONDAY = 1_790_000_000 * 1_000_000_000  # 2026-09-21
PARTS = "ok, no So please thanks lol note: use tabs everywhere not a - . ! the port".split()
SPOKEN = st.lists(st.sampled_from(PARTS), min_size=1, max_size=15).map(" ".join)
HOSTILE = st.text(st.characters(exclude_categories=()), max_size=300)


def test_a_statement_begins_with_a_capital() -> None:
    assert phrase("the shop uses tabs", MONDAY) == "The shop uses tabs"


def test_a_statement_stands_on_one_line() -> None:
    assert phrase("  The shop\n\tuses   tabs \r\n", MONDAY) == "The shop uses tabs"


@pytest.mark.parametrize(
    "lead",
    [
        "and ",
        "Oh, ",
        "btw ",
        "By the way, ",
        "ok so ",
        "Yes, and please ",
        "FYI: ",
        "note that ",
        "Remember: ",
        "one thing - ",
        "thanks! ",
        "Übrigens, ",
        "au fait, ",
        "por cierto: ",
        "comunque, ",
        "aliás ",
    ],
)
def test_what_leads_to_a_statement_is_no_part_of_it(lead: str) -> None:
    assert phrase(f"{lead}the shop uses tabs", MONDAY) == "The shop uses tabs"


@pytest.mark.parametrize(
    "tail", [" please", ", please.", ", thanks!", " ok?", " — bitte", ", merci", " pls thx", " lol"]
)
def test_what_trails_a_statement_is_no_part_of_it(tail: str) -> None:
    assert phrase(f"the shop uses tabs{tail}", MONDAY) == "The shop uses tabs"


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("no emojis in the notes", "No emojis in the notes"),
        ("ok, no emojis in the notes", "No emojis in the notes"),
        ("So please no emojis in the notes", "No emojis in the notes"),
        ("não mexa no arquivo antigo", "Não mexa no arquivo antigo"),
        ("nie ruszaj starych plików", "Nie ruszaj starych plików"),
    ],
)
def test_a_no_that_belongs_to_what_follows_stays(quote: str, told: str) -> None:
    assert phrase(quote, MONDAY) == told


@pytest.mark.parametrize("lead", ["No, ", "no. ", "No! ", "no - ", "Nein, "])
def test_a_no_that_answers_is_no_part_of_a_statement(lead: str) -> None:
    assert phrase(f"{lead}the shop uses tabs", MONDAY) == "The shop uses tabs"


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("note.md lives in the docs folder", "Note.md lives in the docs folder"),
        ("first.py must stay importable", "First.py must stay importable"),
        ("e.g. tabs are fine in makefiles", "E.g. tabs are fine in makefiles"),
    ],
)
def test_a_name_that_begins_like_a_lead_stays_whole(quote: str, told: str) -> None:
    assert phrase(quote, MONDAY) == told


@pytest.mark.parametrize("quote", ["Okay then", "so", "thanks, ok", "Note that", "nobody leaves"])
def test_words_that_would_leave_hardly_any_stay_as_they_are(quote: str) -> None:
    assert phrase(quote, MONDAY) == quote[0].upper() + quote[1:]


def test_words_that_leave_most_go_even_if_few_stay() -> None:
    assert phrase("ok, tabs rule", MONDAY) == "Tabs rule"


@pytest.mark.parametrize("quote", ["soap is sold out", "android is next year", "noted lines stay"])
def test_a_word_that_only_begins_like_a_lead_stays(quote: str) -> None:
    assert phrase(quote, MONDAY) == quote[0].upper() + quote[1:]


def test_a_statement_in_japanese_stays_as_it_is() -> None:
    assert phrase("今後は日本語で書いてください。", MONDAY) == "今後は日本語で書いてください。"


def test_where_something_private_was_is_not_told() -> None:
    assert phrase("[private] The shop opens [private] at nine", MONDAY) == "The shop opens at nine"


def test_a_day_gets_its_date() -> None:
    assert phrase("the tender closes tomorrow", MONDAY) == "The tender closes tomorrow (2026-09-22)"


def test_a_date_that_would_make_a_statement_too_long_is_left_out() -> None:
    quote = "Tomorrow " + "x" * (LONGEST - 9)

    assert phrase(quote, MONDAY) == quote


def test_a_statement_as_long_as_may_be_stays_whole() -> None:
    quote = ("lamps " * LONGEST)[: LONGEST - 1] + "x"

    assert phrase(quote, MONDAY) == quote.capitalize()


def test_a_longer_one_is_cut_between_words_and_says_so() -> None:
    told = phrase("lamps " * LONGEST, MONDAY)

    assert told.endswith("lamps\u2026")
    assert LONGEST - 10 < len(told) <= LONGEST


@given(SPOKEN | HOSTILE, st.integers(-(2**63), 2**63 - 1))
def test_a_statement_is_one_line_and_not_too_long(quote: str, instant: int) -> None:
    told = phrase(quote, instant)

    assert told == " ".join(told.split())
    assert len(told) <= LONGEST + len("\u2026")


@given(SPOKEN)
def test_a_statement_says_nothing_but_the_very_words(quote: str) -> None:
    told = phrase(quote, MONDAY)

    assert told
    assert told[1:] in quote


@pytest.mark.parametrize("unit", ["lamp ", "and ", "no ", "lol ", "-", "tomorrow "])
def test_time_is_linear(unit: str) -> None:
    small, big = (unit * (size // len(unit)) + "x" for size in (500, 2000))

    assert grows_within(9, lambda: phrase(small, MONDAY), lambda: phrase(big, MONDAY))


@pytest.mark.parametrize(("much", "parts"), [(120, 1), (160, 2)])
def test_a_statement_that_says_too_much_ends_where_it_says_enough(much: int, parts: int) -> None:
    told = [
        "The till was closed twice on one evening because the clock of the shop went back",
        "and so the second count began at nothing at all",
        "which nobody had seen coming until the cashier counted by hand",
    ]

    assert phrase(", ".join(told), MONDAY, much) == ", ".join(told[:parts])
