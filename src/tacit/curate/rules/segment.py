"""Clauses: a message cut into what can be judged alone, each in its place.

Code blocks, quoted lines, logs and stack traces are left out: they are not the speaker's own
words. Sentences end at punctuation, line breaks and list marks; a long one is cut where a new
clause begins. Nothing is changed: every clause stands in the message exactly as it is given back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.rules.tables import choice
from tacit.mind import in_mind

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_NOT_SAID = re.compile(
    r"""\s*(?:
        [>|]
        | \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \d\d:\d\d:\d\d[.,]? | \[\d+\.\d+\]
        | \[\d\d?[-/ ]\w{3}[-/ ] | (?:[\w.]+\.)?[A-Z]\w*(?:Exception|Error)\b | (?:\w+=\S+\s+){2}
        | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b
        | Traceback\b | File\ "[^"]+",\ line | at\ [\w.$<>]+\( | \#\d+\s+0x | \$\ | \#\ ?!/
        | \+{3}\ | -{3}\ | @@\ | diff\ --git
        | (?:From|To|Subject|Date|Cc|Von|An|Betreff|De|Objet|Asunto|Da|Oggetto):\s
        | [{}\[\]();]+\s*$
    )""",
    re.VERBOSE,
)
_BULLET = re.compile(r"\s*(?:[-*\u2022\u2013]|\d{1,2}[.)])\s+")
_SHORTENED = re.compile(
    r"(?:\b(?:e\.g|i\.e|z\.B|d\.h|u\.a|bzw|ca|vs|etc|approx|no|nr|mr|mrs|ms|dr|prof|st|jr|sr|inc|"
    r"ltd|co|fig|p\.ej|resp|usw|inkl|max|min|art|abs|sig|sra|dott|np|tzn)|\b[A-Za-z])\.$",
    re.IGNORECASE,
)
_MONTH = re.compile(rf"\s+{choice('months')}\b", re.IGNORECASE)
_STOP = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]+[\"'\u201d\u00bb)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+|;(?=\s)|\s[\u2014\u2013]\s"
    r"|\s-\s(?=\w)|:(?=\s+\S+\s+\S+)"
)
_FULL_STOP = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]+[\"'\u201d\u00bb)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+|;(?=\s)"
)
_JOINT = re.compile(
    r",?\s(?=(?:and|but|so|because|also|oh|plus|und|aber|weil|denn|et|mais|donc|parce|y|pero|porque"
    r"|e|ma|perch\u00e9|mas|i|ale|bo)\s"
    r"(?:i|i'm|i'll|i've|we|we're|you|you're|he|she|she's|he's|it|it's|they|the|this|that|that's"
    r"|there|there's|my|our|your|please|never|always|don't|do|use|when|if|for|from|ich|wir|du|er|sie"
    r"|es|der|die|das|mein|unser|bitte|je|nous|vous|tu|il|elle|le|la|les|el|los|las|yo|nosotros|lo|io"
    r"|noi|o|os|as|eu|a|ja|my)\b)",
    re.IGNORECASE,
)
_MARKS = frozenset("\u2014\u2013-:;")
_LONG_LINE, _LEAST_LETTERS = 40, 0.6
_LONG = 110
_SHORT = 24
_FAR = 60
_LAST_DAY = 31
MOST = 16_000  # so much of a message is read


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a message, and where it stands."""

    start: int
    text: str

    @property
    def stop(self) -> int:
        """Return where it ends."""
        return self.start + len(self.text)


@in_mind(16)
def clauses(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a message, in order."""
    return tuple(
        clause
        for start, stop in own_lines(text[:MOST])
        for first, last in _sentences(text, start, stop)
        for clause in _cut(text, first, last)
    )


@in_mind(4)
def own_lines(text: str) -> tuple[tuple[int, int], ...]:
    """Return where the lines stand that are somebody's own words."""
    return tuple(_own_lines(text))


def _own_lines(text: str) -> Iterator[tuple[int, int]]:
    fenced = [(found.start(), found.end()) for found in _FENCE.finditer(text)]
    at = past = 0
    for line in text.splitlines(keepends=True):
        start, stop = at, at + len(line.rstrip("\r\n"))
        at += len(line)
        body = text[start:stop]
        if not body.strip() or _NOT_SAID.match(body) or _is_code(body):
            continue
        while past < len(fenced) and fenced[past][1] <= start:
            past += 1
        if past < len(fenced) and fenced[past][0] < stop:
            continue
        bullet = _BULLET.match(body)
        yield (start + bullet.end() if bullet else start), stop


def _is_code(line: str) -> bool:
    """Say whether a line is rather code or data than words."""
    if len(line) <= _LONG_LINE:
        return False
    letters = sum(map(str.isalpha, line)) + sum(map(str.isspace, line))
    return letters < _LEAST_LETTERS * len(line)


@in_mind(16)
def sentences(text: str) -> tuple[Clause, ...]:
    """Return the sentences of a message, in order; an item of a list is one by itself."""
    found = []
    for start, stop in own_lines(text[:MOST]):
        for first, last in _sentences(text, start, stop, _FULL_STOP):
            body = text[first:last].lstrip()
            if body:
                found.append(Clause(last - len(body), body.rstrip()))
    return tuple(found)


def _sentences(
    text: str, start: int, stop: int, stops: re.Pattern[str] = _STOP
) -> Iterator[tuple[int, int]]:
    first = start
    for found in stops.finditer(text, start, stop):
        sign = found.group().strip()
        head = text[first : found.end()].rstrip("\"'\u201d\u00bb)]")
        if sign[0] == "." and (_SHORTENED.search(head[-12:]) or _is_day(text, head, found.end())):
            continue
        if sign == ":" and found.start() - first > _FAR:
            continue
        yield first, found.start() if sign in _MARKS else found.end()
        first = found.end()
    yield first, stop


def _is_day(text: str, head: str, stop: int) -> bool:
    """Say whether a full stop only makes a number the day of the month that follows."""
    day = head[-3:-1].strip()
    is_day = day.isdecimal() and int(day) <= _LAST_DAY
    return is_day and bool(_MONTH.match(text, stop))


def _cut(text: str, start: int, stop: int) -> list[Clause]:
    """Cut a long sentence where a new clause begins."""
    body = text[start:stop]
    start += len(body) - len(body.lstrip())
    body = body.strip()
    if len(body) < 2:  # noqa: PLR2004  (a mark, no clause)
        return []
    pieces, first = [], 0
    for found in _JOINT.finditer(body) if len(body) > _LONG else ():
        if found.start() - first >= _SHORT and len(body) - found.end() >= _SHORT:
            pieces.append((first, found.start()))
            first = found.end()
    pieces.append((first, len(body)))
    cut = [Clause(start + a, body[a:b].rstrip(" ,")) for a, b in pieces]
    return [clause for clause in cut if clause.text]
