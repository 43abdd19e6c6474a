"""Dates: each form in which a question names a time, and what only looks like one."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit.recall.dates import Span, asked, nearness
from unit.recall.finding import ANY_TEXT, DAY_NS

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
NOW_NS = int(NOW.timestamp()) * 1_000_000_000
SPANS = st.tuples(st.integers(0, 2 * NOW_NS), st.integers(1, 400 * DAY_NS)).map(
    lambda each: Span(each[0], each[0] + each[1])
)


def days(text: str) -> tuple[str, str] | None:
    """Return the first day that a question asks about, and the first one behind."""
    span = asked(text, NOW_NS)
    return span and (_day(span.since), _day(span.until))


def _day(at: int) -> str:
    return f"{datetime.fromtimestamp(at // 1_000_000_000, UTC).astimezone():%Y-%m-%d}"


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("what broke on 2024-03-05?", "2024-03-05", "2024-03-06"),
        ("decisions of 2024-03", "2024-03-01", "2024-04-01"),
        ("2024-12 review", "2024-12-01", "2025-01-01"),
        ("on March 5", "2026-03-05", "2026-03-06"),
        ("on 5 March 2024", "2024-03-05", "2024-03-06"),
        ("March 5th, 2024", "2024-03-05", "2024-03-06"),
        ("am 5. März", "2026-03-05", "2026-03-06"),
        ("le 3 août 2025", "2025-08-03", "2025-08-04"),
        ("el 3 enero 2025", "2025-01-03", "2025-01-04"),
        ("in FEBRUARY 2024", "2024-02-01", "2024-03-01"),
        ("since june", "2026-06-01", "2026-07-01"),
        ("last december", "2025-12-01", "2026-01-01"),
        ("Sept. 2025", "2025-09-01", "2025-10-01"),
        ("what happened today", "2026-06-15", "2026-06-16"),
        ("the bug of yesterday", "2026-06-14", "2026-06-15"),
        ("was war gestern", "2026-06-14", "2026-06-15"),
        ("aujourd'hui", "2026-06-15", "2026-06-16"),
        ("Aujourd\u2019hui", "2026-06-15", "2026-06-16"),
        ("what did we ship last tuesday", "2026-06-09", "2026-06-10"),
        ("on Monday", "2026-06-15", "2026-06-16"),
        ("which bike did I mend the past weekend", "2026-06-13", "2026-06-15"),
    ],
)
def test_a_named_day_or_month_is_asked_about(text: str, since: str, until: str) -> None:
    assert days(text) == (since, until)


def test_a_day_is_one_of_the_machine_s_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        span = asked("what broke yesterday", NOW_NS)
    time.tzset()

    begun = datetime(2026, 6, 13, 15, tzinfo=UTC)  # midnight there
    assert span == Span(int(begun.timestamp()) * 10**9, int(begun.timestamp()) * 10**9 + DAY_NS)


@pytest.mark.parametrize(
    ("text", "ago", "length"),
    [
        ("three days ago", 3, 1),
        ("a week ago", 7, 7),
        ("2 weeks ago", 14, 7),
        ("10 months ago", 300, 30),
        ("one year ago", 365, 365),
    ],
)
def test_a_time_ago_has_that_day_in_its_middle(text: str, ago: int, length: int) -> None:
    span = asked(text, NOW_NS)

    middle = NOW_NS - ago * DAY_NS
    assert span == Span(middle - length * DAY_NS // 2, middle + length * DAY_NS // 2)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("last week", 9, 12),
        ("this week", 6, 8),
        ("past month", 29, 31),
        ("last year", 500, 560),
    ],
)
def test_a_last_time_reaches_back_from_now(text: str, inside: int, outside: int) -> None:
    span = asked(text, NOW_NS)

    assert span is not None
    assert span.since <= NOW_NS - inside * DAY_NS
    assert span.since > NOW_NS - outside * DAY_NS
    assert span.until > NOW_NS


@pytest.mark.parametrize(
    "text",
    [
        "2024-13-01", "2024-02-30", "0000-01-01", "9999-12-31", "feb 30", "June 31",
        "12345-01-02", "20240305", "1.2.3-04", "10-12", "in 2024",
        "a tuesday person", "", "?",
    ],
)  # fmt: skip
def test_what_is_no_such_time_is_none(text: str) -> None:
    assert asked(text, NOW_NS) is None


@pytest.mark.parametrize(
    "text",
    [
        "may I ask", "it may fail", "march forward with it", "the march of progress",
        "what did Jan say", "the mars rover", "mai tai", "port 8080 may be taken",
    ],
)  # fmt: skip
def test_a_word_that_is_rarely_a_month_is_none_by_itself(text: str) -> None:
    assert days(text) is None


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("in may", "2026-05-01"),
        ("last March", "2026-03-01"),
        ("since Jan", "2026-01-01"),
        ("en mars", "2026-03-01"),
        ("im Mai", "2026-05-01"),
        ("May 2024", "2024-05-01"),
        ("5 may", "2026-05-05"),
        ("mar 5", "2026-03-05"),
    ],
)
def test_with_something_beside_it_it_is_a_month(text: str, since: str) -> None:
    found = days(text)

    assert found is not None
    assert found[0] == since


def test_what_is_no_date_does_not_hide_one() -> None:
    assert days("may I see what happened in April?") == ("2026-04-01", "2026-05-01")
    assert days("2024-02-30 or 2024-02-28") == ("2024-02-28", "2024-02-29")
    assert days("not on feb 30, but yesterday") == ("2026-06-14", "2026-06-15")


def test_a_month_without_a_year_is_the_last_one_there_was() -> None:
    assert days("in june") == ("2026-06-01", "2026-07-01")
    assert days("in july") == ("2025-07-01", "2025-08-01")


@example("aprıl", NOW_NS)
@example("ſıx days ago", NOW_NS)
@example("٢٠٢٤-٠١-٠١", NOW_NS)
@example("999 years ago", 0)
@example("9999-12", NOW_NS)
@given(
    ANY_TEXT | st.from_regex(r"(?i)(\d{1,4}|six|a) ?(march|may|days|years)( ago| \d{1,4})?"),
    st.integers(0, 2 * NOW_NS),
)
def test_any_text_names_a_time_or_none(text: str, now_ns: int) -> None:
    span = asked(text, now_ns)

    assert span is None or span.since < span.until


def test_what_was_said_in_that_time_is_nearest() -> None:
    span = Span(NOW_NS, NOW_NS + 10 * DAY_NS)

    assert nearness(NOW_NS, span) == nearness(span.until - 1, span) == 1.0
    assert nearness(span.until + 5 * DAY_NS, span) == pytest.approx(0.5)
    assert nearness(NOW_NS - 5 * DAY_NS, span) == pytest.approx(0.5)
    assert nearness(NOW_NS - 11 * DAY_NS, span) == 0.0


def test_a_single_day_has_three_days_around_it() -> None:
    span = Span(NOW_NS, NOW_NS + DAY_NS)

    assert nearness(span.until + DAY_NS * 3 // 2, span) == 0.5


@given(SPANS, st.integers(0, 800 * DAY_NS), st.integers(0, 800 * DAY_NS))
def test_farther_is_never_nearer(span: Span, one: int, other: int) -> None:
    near, far = sorted((one, other))

    assert 0 <= nearness(span.until + far, span) <= nearness(span.until + near, span) <= 1
    assert 0 <= nearness(span.since - far, span) <= nearness(span.since - near, span) <= 1
