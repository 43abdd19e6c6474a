"""Dates: days named from where the speaker stands, made absolute beside the words."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_TOMORROW = (
    "tomorrow",
    "tmrw",
    "demain",
    "domani",
    "amanh\u00e3",
    "jutro",
)
_NAMED = re.compile(
    r"\b(?:(?P<tomorrow>" + "|".join(_TOMORROW) + r")"
    r"|(?P<which>by|on|until|till|before|next|this|due)\s+(?P<day>" + "|".join(_WEEKDAYS) + r")"
    r"|in\s+(?P<count>\d{1,2}|" + "|".join(_NUMBERS) + r")\s+(?P<unit>days?|weeks?)"
    r"|(?P<end>end of (?:the |this )?month))\b",
    re.IGNORECASE,
)
_DECEMBER = 12
_WEEK = 7


def resolved(text: str, at_ns: int) -> str:
    """Return a text with the date behind each day that is named from where the speaker stands."""
    today = datetime.fromtimestamp(at_ns / 1e9, UTC).date()

    def dated(found: re.Match[str]) -> str:
        day = _day(found, today)
        return f"{found.group()} ({day.isoformat()})" if day else found.group()

    return _NAMED.sub(dated, text)


def _day(found: re.Match[str], today: date) -> date | None:
    if found["tomorrow"]:
        return today + timedelta(days=1)
    if found["count"]:
        told = found["count"].casefold()
        count = int(told) if told.isdecimal() else _NUMBERS.get(told)
        if count is None:
            return None
        days = _WEEK if found["unit"].casefold().startswith("week") else 1
        return today + timedelta(days=count * days)
    if found["end"]:
        is_last = today.month == _DECEMBER
        following = today.replace(year=today.year + is_last, month=today.month % 12 + 1, day=1)
        return following - timedelta(days=1)
    named = found["day"].casefold()
    if named not in _WEEKDAYS:
        return None
    ahead = (_WEEKDAYS.index(named) - today.weekday()) % _WEEK or _WEEK
    return today + timedelta(days=ahead)
