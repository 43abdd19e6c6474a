"""Dates in a question: the time that it asks about, as far as it says one.

A soft prior: what was said in that time counts a little more, nothing is left out. A question that
names no time has none. Days are those of the machine's clock.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

_DAY = timedelta(days=1)
_NS = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero", "february feb februar février febrero",
            "march mar märz mars marzo", "april apr avril abril", "may mai mayo",
            "june jun juni juin junio", "july jul juli juillet julio",
            "august aug août agosto", "september sep sept septembre septiembre",
            "october oct oktober octobre octubre", "november nov novembre noviembre",
            "december dec dezember décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_UNITS = {"day": 1, "week": 7, "month": 30, "year": 365}
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
# more often a word or a name than a month, unless a day, a year or one of these stands beside it
_DOUBTFUL = frozenset(("may", "mar", "mars", "mai", "march", "jan"))
_BESIDE = "in|since|until|before|after|during|of|early|late|last|this|im|seit|en|de|depuis|desde"
_NAMED = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_MONTH = re.compile(
    rf"\b(?:({_BESIDE})\s+|(\d{{1,2}})(?:st|nd|rd|th|\.)?\s+)?({_NAMED})\b\.?(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?\b)?"
    r"(?:,?\s+(\d{4})\b)?"
)
_AGO = re.compile(rf"\b(\d{{1,3}}|{'|'.join(_NUMBERS)})\s+(day|week|month|year)s?\s+ago\b")
_LAST = re.compile(r"\b(last|this|past)\s+(week|month|year)\b")
_NEAR = re.compile(r"\b(today|yesterday|heute|gestern|aujourd['\u2019]hui|hoy|ayer)\b")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(rf"\b(?:last|past|this|on)\s+({'|'.join(_WEEKDAYS)})\b")
_WEEKEND = re.compile(r"\b(?:last|past|this|over the|on the|at the)\s+weekend\b")
_YESTERDAY = frozenset(("yesterday", "gestern", "ayer"))


class Span(NamedTuple):
    """A stretch of time, in nanoseconds."""

    since: int
    until: int


def asked(text: str, now_ns: int) -> Span | None:
    """Return the time that a question asks about; None if it names none."""
    now = (_EPOCH + timedelta(seconds=now_ns // _NS)).astimezone()
    text = text.casefold()  # the engine's own way takes letters for equal that are not
    for pattern, read in _READERS:
        for found in pattern.finditer(text):
            with suppress(ValueError, OverflowError):  # no such day: perhaps another is named
                since, until = read(found, now)
                return Span(_at(since), _at(until))
    return None


def nearness(at: int, span: Span) -> float:
    """Return 1 for what was said in that time, less for what was not long before or after."""
    if span.since <= at < span.until:
        return 1.0
    away = span.since - at if at < span.since else at - span.until
    return max(0.0, 1.0 - away / max(span.until - span.since, _at(_EPOCH + 3 * _DAY)))


def _at(moment: datetime) -> int:
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * _NS


def _iso(found: re.Match[str], now: datetime) -> tuple[datetime, datetime]:
    year, month, day = found.groups()
    if day:
        since = datetime(int(year), int(month), int(day), tzinfo=now.tzinfo)
        return since, since + _DAY
    return _whole_month(int(year), int(month), now)


def _month(found: re.Match[str], now: datetime) -> tuple[datetime, datetime]:
    beside, before, name, after, year = found.groups()
    month = _MONTHS[name]
    if name in _DOUBTFUL and not (beside or before or after or year):
        raise ValueError("More often a word than a month.")
    named = int(year) if year else now.year - (month > now.month)
    if day := before or after:
        since = datetime(named, month, int(day), tzinfo=now.tzinfo)
        return since, since + _DAY
    return _whole_month(named, month, now)


def _whole_month(year: int, month: int, now: datetime) -> tuple[datetime, datetime]:
    since = datetime(year, month, 1, tzinfo=now.tzinfo)
    return since, (since + 31 * _DAY).replace(day=1)


def _ago(found: re.Match[str], now: datetime) -> tuple[datetime, datetime]:
    said, unit = found.group(1), _UNITS[found.group(2)]
    middle = now - (int(said) if said.isdigit() else _NUMBERS[said]) * unit * _DAY
    return middle - unit * _DAY / 2, middle + unit * _DAY / 2


def _last(found: re.Match[str], now: datetime) -> tuple[datetime, datetime]:
    length = _UNITS[found.group(2)] * _DAY
    is_last = found.group(1) == "last"  # it reaches back beyond the days that it counts
    return now - length * (1.5 if is_last else 1), now + _DAY


def _near(found: re.Match[str], now: datetime) -> tuple[datetime, datetime]:
    since = _midnight(now) - _DAY if found.group(1) in _YESTERDAY else _midnight(now)
    return since, since + _DAY


def _weekday(found: re.Match[str], now: datetime) -> tuple[datetime, datetime]:
    """Return the last day of a name that has begun."""
    back = (now.weekday() - _WEEKDAYS.index(found.group(1))) % len(_WEEKDAYS)
    since = _midnight(now) - back * _DAY
    return since, since + _DAY


def _weekend(_found: re.Match[str], now: datetime) -> tuple[datetime, datetime]:
    back = (now.weekday() - _WEEKDAYS.index("saturday")) % len(_WEEKDAYS)
    since = _midnight(now) - back * _DAY
    return since, since + 2 * _DAY


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


_READERS = (
    (_ISO, _iso),
    (_AGO, _ago),
    (_LAST, _last),
    (_NEAR, _near),
    (_WEEKEND, _weekend),
    (_WEEKDAY, _weekday),
    (_MONTH, _month),
)
