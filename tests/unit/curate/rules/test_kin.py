"""Kin: what is said again or takes the place of something known is told from what only looks so."""

from __future__ import annotations

import pytest

from stopwatch import cpu_seconds
from tacit.curate.rules.cues import cues
from tacit.curate.rules.kin import Statement, features, replacing, verdict
from tacit.curate.rules.scorer import Rarity, rarity

KNOWN = [
    Statement(text, "fact")
    for text in (
        "The weekly stock report is due on Mondays",
        "The shop uses tabs",
        "Our staging server runs in Dublin",
        "The accountant is called Ines",
        "Invoices are sent to customers as PDF",
        "The office closes at six",
    )
]
REPORT, INVOICES = 0, 4


def relation(text: str, kind: str = "fact") -> tuple[int, str] | None:
    """Return which of the known ones is meant, and how."""
    found = verdict(Statement(text, kind), KNOWN)
    return None if found is None else (found.at, found.relation)


def seen(new: str, old: str, kinds: tuple[str, str] = ("fact", "fact")) -> set[str]:
    """Return what is seen of a pair."""
    told = cues(new)
    pair = Statement(new, kinds[0]), Statement(old, kinds[1])
    return set(features(*pair, told))


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("As I said, the weekly stock report is due on Mondays", REPORT),
        ("Again: invoices are sent to customers as PDF", INVOICES),
        ("Invoices are sent to customers as PDF", INVOICES),
    ],
    ids=["as I said", "again", "word by word"],
)
def test_what_is_said_again_is_the_same(text: str, at: int) -> None:
    assert relation(text) == (at, "same")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("The weekly stock report is no longer due on Mondays, it moved to Thursdays", REPORT),
        ("Invoices are no longer sent to customers as PDF, we switched to XML", INVOICES),
    ],
)
def test_what_has_changed_replaces_what_was(text: str, at: int) -> None:
    assert relation(text) == (at, "replaced")


@pytest.mark.parametrize(
    "text", ["Lunch is at noon", "Ribbons are sold by the metre", "", "the of and", "日本語で書く"]
)
def test_what_shares_no_word_with_anything_is_kin_of_nothing(text: str) -> None:
    assert relation(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "The weekly stock report has a cover page",
        "Our staging server has two processors",
        "The accountant works from Porto",
    ],
)
def test_another_word_about_the_same_thing_is_not_the_same(text: str) -> None:
    found = relation(text)

    assert found is None or found[1] == "unclear"


def test_where_nothing_is_known_nothing_is_kin() -> None:
    assert verdict(KNOWN[0], []) is None


def test_the_chance_goes_with_the_verdict() -> None:
    found = verdict(
        Statement("As I said, the weekly stock report is due on Mondays", "fact"), KNOWN
    )

    assert found is not None
    assert 0.0 < found.chance < 1.0


def test_words_that_tell_of_no_change_replace_nothing() -> None:
    assert replacing(Statement("The weekly stock report is due on Mondays", ""), KNOWN) == 0.0


def test_words_that_tell_of_a_change_may_replace_what_they_are_about() -> None:
    about = replacing(Statement("The weekly stock report is no longer due on Mondays", ""), KNOWN)
    elsewhere = replacing(Statement("Lunch is no longer at noon", ""), KNOWN)

    assert about > elsewhere == 0.0


def test_where_nothing_is_known_nothing_can_be_replaced() -> None:
    assert replacing(Statement("The report is no longer due on Mondays", ""), []) == 0.0


def test_the_more_is_shared_the_more_is_seen() -> None:
    little = seen("The server has a fan", "Our staging server runs in Dublin")
    much = seen("The staging server runs in Dublin", "Our staging server runs in Dublin")

    assert {each for each in little if each.startswith(("cover", "count"))} < much


@pytest.mark.parametrize(
    ("new", "old", "value"),
    [
        ("Closed on Fridays", "Closed on Friday", "values=same"),
        ("Closed on Fridays", "Closed on Mondays", "values=other"),
        ("Open from 8 to 18", "Open from 8 to 20", "values=some"),
        ("Thirty days", "14 days", "values=other"),
    ],
)
def test_numbers_and_days_that_differ_are_seen(new: str, old: str, value: str) -> None:
    assert value in seen(new, old)


@pytest.mark.parametrize("new", ["The report comes late", "The report is due soon"])
def test_a_statement_without_numbers_differs_in_none(new: str) -> None:
    found = seen(new, "The report is due on Mondays")

    assert [each for each in found if each.startswith("values=")] == []


@pytest.mark.parametrize(
    ("kinds", "alike"),
    [
        (("fact", "fact"), {"kind=same"}),
        (("preference", "instruction"), {"kind=alike"}),
        (("fact", "decision"), {"kind=alike"}),
        (("fact", "instruction"), set()),
    ],
)
def test_kinds_that_are_alike_are_seen(kinds: tuple[str, str], alike: set[str]) -> None:
    found = seen("The shop uses tabs", "The shop uses spaces", kinds)

    assert {each for each in found if each.startswith("kind=")} == alike


def test_a_word_that_many_share_tells_less() -> None:
    told = Rarity(3, {"shop": 3, "ink": 1})

    assert told.of({"unheard"}) > told.of({"ink"}) > told.of({"shop"}) > 0


def test_a_word_of_every_day_tells_less_than_one_never_heard() -> None:
    assert rarity().of({"always"}) < rarity().of({"zanzib"})


def test_four_hundred_known_statements_are_compared_at_once() -> None:
    many = [Statement(f"Shelf {each} of the shop holds the report", "fact") for each in range(400)]
    told = Statement("The report of the shop moved to shelf 12", "fact")

    assert cpu_seconds(lambda: verdict(told, many), tries=1) < 2.0
