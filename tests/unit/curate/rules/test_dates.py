"""Days named from where the speaker stands: the date stands behind them, the words stay."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit.curate.rules.dates import resolved

DATED = re.compile(r" \(\d{4}-\d\d-\d\d\)")
PARTS = (
    "tomorrow morgen mañana by on next this due end of the month in a two 3 99 days week weeks "
    "friday Sunday demain , . x"
).split()
SPOKEN = st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join)
HOSTILE = st.text(st.characters(exclude_categories=(), exclude_characters="()"), max_size=60)
INSTANTS = st.integers(-(2**63), 2**63 - 1)


def at(day: str, clock: str = "12:00") -> int:
    moment = datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=UTC)
    return int(moment.timestamp()) * 1_000_000_000


MONDAY = at("2026-09-21")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We ship tomorrow.", "We ship tomorrow (2026-09-22)."),
        ("we ship TMRW", "we ship TMRW (2026-09-22)"),
        ("It is due by Friday.", "It is due by Friday (2026-09-25)."),
        ("on sunday at ten", "on sunday (2026-09-27) at ten"),
        ("until Wednesday", "until Wednesday (2026-09-23)"),
        ("till thursday", "till thursday (2026-09-24)"),
        ("before Saturday", "before Saturday (2026-09-26)"),
        ("next tuesday", "next tuesday (2026-09-22)"),
        ("this Friday", "this Friday (2026-09-25)"),
        ("due friday", "due friday (2026-09-25)"),
        ("in 3 days", "in 3 days (2026-09-24)"),
        ("in 1 day", "in 1 day (2026-09-22)"),
        ("in 12 weeks", "in 12 weeks (2026-12-14)"),
        ("in a week", "in a week (2026-09-28)"),
        ("In Two Weeks", "In Two Weeks (2026-10-05)"),
        ("in ten days", "in ten days (2026-10-01)"),
        ("in three months", "in three months (2026-12-21)"),
        ("in 5 months", "in 5 months (2027-02-21)"),
        ("next week", "next week (2026-09-28)"),
        ("next month", "next month (2026-10-01)"),
        ("by the 25th", "by the 25th (2026-09-25)"),
        ("before the 15th, please", "before the 15th (2026-10-15), please"),
        ("the day after tomorrow", "the day after tomorrow (2026-09-23)"),
        ("Never mind. Ship on Friday.", "Never mind. Ship on Friday (2026-09-25)."),
        ("by end of month", "by end of month (2026-09-30)"),
        ("at the end of the month", "at the end of the month (2026-09-30)"),
        ("end of this month", "end of this month (2026-09-30)"),
    ],
)
def test_the_date_stands_behind_a_day(text: str, told: str) -> None:
    assert resolved(text, MONDAY) == told


@pytest.mark.parametrize(
    "text",
    [
        "On livre demain",
        "Consegniamo domani",
        "Entregamos amanhã",
        "Wysyłamy jutro",
    ],
)
def test_tomorrow_is_known_in_other_languages(text: str) -> None:
    assert resolved(text, MONDAY) == f"{text} (2026-09-22)"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The report leaves on Mondays.",
        "Friday is quiet",
        "tomorrowland",
        "in 3 dayparts",
        "in 100 days",
        "in days",
        "within reason",
        "bendomani",
        "end of the months",
        "明日香さんが出荷します",
        "by the 99th",
        "by the 15th of March",
        "Invoices are due on the 5th",
        "We never deploy on Friday.",
        "Always close the till on sunday",
        "Wir liefern nie am Freitag",
    ],
)
def test_a_text_without_such_a_day_stays_as_it_is(text: str) -> None:
    assert resolved(text, MONDAY) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Bis Freitag fertig", "Bis Freitag (2026-09-25) fertig"),
        ("Wir liefern übermorgen", "Wir liefern übermorgen (2026-09-23)"),
        ("Entregamos el viernes", "Entregamos el viernes (2026-09-25)"),
        ("On livre avant vendredi", "On livre avant vendredi (2026-09-25)"),
        ("On livre après-demain", "On livre après-demain (2026-09-23)"),
        ("Consegniamo entro venerdì", "Consegniamo entro venerdì (2026-09-25)"),
        ("明日出荷します", "明日 (2026-09-22)出荷します"),
    ],
)
def test_other_days_are_known_in_other_languages(text: str, told: str) -> None:
    assert resolved(text, MONDAY) == told


@pytest.mark.parametrize(
    "text",
    [
        "Guten Morgen",
        "Jeden Morgen läuft die Sicherung",
        "Wir liefern morgen",
        "El informe sale por la mañana",
        "Entregamos mañana",
    ],
)
def test_a_word_that_also_means_morning_gets_no_date(text: str) -> None:
    assert resolved(text, MONDAY) == text


@pytest.mark.parametrize(
    ("day", "text", "date"),
    [
        ("2026-09-30", "tomorrow", "2026-10-01"),
        ("2026-12-31", "tomorrow", "2027-01-01"),
        ("2028-02-28", "tomorrow", "2028-02-29"),
        ("2026-12-28", "in a week", "2027-01-04"),
        ("2026-12-30", "by friday", "2027-01-01"),
        ("2026-12-01", "end of month", "2026-12-31"),
        ("2026-12-31", "end of month", "2026-12-31"),
        ("2026-01-31", "end of month", "2026-01-31"),
        ("2027-02-01", "end of month", "2027-02-28"),
        ("2028-02-01", "end of month", "2028-02-29"),
        ("2026-11-30", "end of month", "2026-11-30"),
        ("2026-11-30", "in three months", "2027-02-28"),
        ("2026-12-05", "next month", "2027-01-01"),
        ("2027-01-31", "by the 30th", "2027-03-30"),
        ("2026-09-15", "by the 15th", "2026-09-15"),
    ],
)
def test_months_and_years_end_as_in_the_calendar(day: str, text: str, date: str) -> None:
    assert resolved(text, at(day)) == f"{text} ({date})"


def test_a_weekday_named_on_that_day_is_that_of_the_next_week() -> None:
    assert resolved("by Monday", MONDAY) == "by Monday (2026-09-28)"


@pytest.mark.parametrize(("clock", "date"), [("00:00", "2026-09-22"), ("23:59", "2026-09-22")])
def test_a_day_lasts_from_midnight_to_midnight(clock: str, date: str) -> None:
    assert resolved("tomorrow", at("2026-09-21", clock)) == f"tomorrow ({date})"


@pytest.mark.usefixtures("tokyo")
@pytest.mark.parametrize(("clock", "date"), [("14:59", "2026-09-22"), ("15:00", "2026-09-23")])
def test_a_day_begins_at_the_speaker_s_own_midnight(clock: str, date: str) -> None:
    assert resolved("tomorrow", at("2026-09-21", clock)) == f"tomorrow ({date})"


def test_each_day_of_a_text_gets_its_date() -> None:
    told = resolved("Draft tomorrow, print by friday", MONDAY)

    assert told == "Draft tomorrow (2026-09-22), print by friday (2026-09-25)"


@example("by fr\u0131day", MONDAY)
@example("by FR\u0130DAY", MONDAY)
@example("in f\u0131ve days", MONDAY)
@example("in s\u0131x weeks", MONDAY)
@example("next \u017funday", MONDAY)
@example("in 2 wee\u212as", MONDAY)
@example("in \u0663 days", MONDAY)
@given(SPOKEN | HOSTILE, INSTANTS)
def test_whatever_is_said_and_whenever_its_words_stay(text: str, instant: int) -> None:
    told = resolved(text, instant)

    assert DATED.sub("", told) == text
