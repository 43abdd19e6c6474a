"""Dates: days named from where the speaker stands, made absolute beside the words.

A day that names a habit ("never on Friday") is no date, and gets none.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta

from tacit.curate.rules.tables import choice

_WEEKDAYS = (
    ("monday", "montag", "lundi", "lunes", "luned\u00ec", "segunda", "poniedzia\u0142ku"),
    ("tuesday", "dienstag", "mardi", "martes", "marted\u00ec", "ter\u00e7a", "wtorku"),
    (
        "wednesday",
        "mittwoch",
        "mercredi",
        "mi\u00e9rcoles",
        "mercoled\u00ec",
        "quarta",
        "\u015brody",
    ),
    ("thursday", "donnerstag", "jeudi", "jueves", "gioved\u00ec", "quinta", "czwartku"),
    ("friday", "freitag", "vendredi", "viernes", "venerd\u00ec", "sexta", "pi\u0105tku"),
    ("saturday", "samstag", "samedi", "s\u00e1bado", "sabato", "soboty"),
    ("sunday", "sonntag", "dimanche", "domingo", "domenica", "niedzieli"),
)
DAY_NAMES = {name: day for day, names in enumerate(_WEEKDAYS) for name in names}
_NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_NAMED = re.compile(
    rf"\b(?:(?P<second>{choice('after_tomorrow')})|(?P<tomorrow>{choice('tomorrow')})"
    rf"|(?P<which>{choice('by_day')})\s+(?P<day>{'|'.join(DAY_NAMES)})"
    rf"|in\s+(?P<count>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+(?P<unit>days?|weeks?|months?)"
    r"|(?:by|until|till|before)\s+the\s+(?P<nth>\d{1,2})(?:st|nd|rd|th)(?!\s+(?:of|[A-Z][a-z]))"
    r"|(?P<next>next\s+(?:week|month))|(?P<end>end of (?:the |this )?month))\b"
    r"|(?P<wide>\u660e\u5f8c\u65e5|\u660e\u65e5(?!\u9999))",
    re.IGNORECASE,
)
_HABIT = re.compile(rf"\b{choice('habitual')}\b", re.IGNORECASE)
_STOP = re.compile(r"[.!?;\n](?:\s|$)")
_ONCE = frozenset(("next", "this", "due", "n\u00e4chsten", "diesen", "este", "pr\u00f3ximo"))
_WEEK = 7
_LAST_DAY = 31


def resolved(text: str, at_ns: int) -> str:
    """Return a text with the date behind each day that is named from where the speaker stands."""
    today = datetime.fromtimestamp(at_ns / 1e9, UTC).astimezone().date()  # by this machine's clock

    def dated(found: re.Match[str]) -> str:
        day = None if _is_habit(text, found) else _day(found, today)
        return f"{found.group()} ({day.isoformat()})" if day else found.group()

    return _NAMED.sub(dated, text)


def _is_habit(text: str, found: re.Match[str]) -> bool:
    """Say whether the sentence tells of each such day, rather than of the next one."""
    which = found["which"]
    if not which or which.casefold() in _ONCE:
        return False
    start = max((stop.end() for stop in _STOP.finditer(text, 0, found.start())), default=0)
    stop = _STOP.search(text, found.end())
    return bool(_HABIT.search(text, start, stop.start() if stop else len(text)))


def _day(found: re.Match[str], today: date) -> date | None:
    """Return the day that is meant."""
    if found["tomorrow"] or found["second"] or found["wide"]:
        is_second = found["second"] or found["wide"] == "\u660e\u5f8c\u65e5"
        return today + timedelta(days=2 if is_second else 1)
    if found["count"]:
        return _counted(found["count"].casefold(), found["unit"].casefold(), today)
    if found["nth"]:
        return _nth(int(found["nth"]), today)
    if found["end"] or found["next"]:
        return _ahead((found["end"] or found["next"]).casefold(), today)
    named = DAY_NAMES.get(found["day"].casefold())
    if named is None:
        return None
    return today + timedelta(days=(named - today.weekday()) % _WEEK or _WEEK)


def _ahead(told: str, today: date) -> date:
    """Return the end of the month, or where the next month or week begins."""
    if told.endswith("week"):
        return today + timedelta(days=_WEEK - today.weekday())
    return _first(today, 1) - timedelta(days=told.startswith("end"))


def _counted(told: str, unit: str, today: date) -> date | None:
    """Return the day in so many days, weeks or months."""
    count = int(told) if told.isdecimal() else _NUMBERS.get(told)
    if count is None:
        return None
    if unit.startswith("month"):
        first = _first(today, count)
        return first.replace(day=min(today.day, monthrange(first.year, first.month)[1]))
    return today + timedelta(days=count * (_WEEK if unit.startswith("week") else 1))


def _nth(day: int, today: date) -> date | None:
    """Return the next such day of a month; None if there is none."""
    if not 1 <= day <= _LAST_DAY:
        return None
    months = (_first(today, ahead) for ahead in range(3))
    days = [each.replace(day=day) for each in months if day <= monthrange(each.year, each.month)[1]]
    return next(each for each in days if each >= today)


def _first(today: date, ahead: int) -> date:
    """Return the first day of the month so many months ahead."""
    months = today.year * 12 + today.month - 1 + ahead
    return date(months // 12, months % 12 + 1, 1)
