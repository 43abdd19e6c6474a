"""The scan: the same places as the gate finds, found by a regex engine in one pass.

For engines whose time does not depend on how many words they look for. The hook has none, so it
uses the gate's substring searches. What a keyword's spelling and the byte behind it already decide
is decided once and remembered: keywords repeat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.guard import gate, judge, words
from tacit.guard.index import NAMED, NEARBY, STARTS, TOLD

if TYPE_CHECKING:
    from tacit.guard.engine import Compile, Pattern, Place
    from tacit.guard.gate import Check

    Rows = dict[bytes, list[tuple[bytes, int]]]
    Row = tuple[int, int, bytes, Check | None]  # length of the keyword, rank, keyword, check

_MOST_SPELLINGS, _LOWEST = 2048, 0x80


class Scanner:
    """Finds every keyword of every row."""

    def __init__(self, compile_pattern: Compile) -> None:
        shaped = {(keyword, rank) for rows in STARTS.values() for rank, keyword, _ in rows}
        nearby = {(keyword, rank) for _, rows in NEARBY for rank, keyword in rows}
        self._shaped, self._shapes = _alternation(shaped, compile_pattern)
        self._nearby, self._names = _alternation(nearby, compile_pattern)
        self._spellings: dict[bytes, list[Row]] = {}
        self._runs = compile_pattern(_RUN)

    def words(self, text: bytes) -> set[bytes]:
        """Return the long words that may be the base64 of plain text: all that are asked for."""
        found = set()
        start = 0
        while run := self._runs.search(text, start, len(text)):
            begin, start = run[0]
            found.add(text[begin + (not text[begin : begin + 1].isalnum()) : start])
        return found

    def places(
        self, text: bytes, low: bytes, _words: set[bytes], start: int, stop: int
    ) -> list[Place]:
        """Return (position, rank of the row, keyword) for all that deserves a closer look."""
        last = min(len(text), stop + gate.BEYOND)
        known = self._spellings
        found = [
            (begin, rank, keyword)
            for begin, end in self._shaped.every(text, start, last)
            for keyword, rank in self._shapes[text[begin:end]]
            if begin < stop and not gate.is_glued(text, begin, keyword)
        ]
        spans = self._nearby.every(low, start, last)
        while spans and spans[-1][0] >= stop:
            spans.pop()
        for begin, end in spans:
            spelling = text[begin : end + 1]
            rows = known.get(spelling)
            if rows is None:
                rows = self._rows(spelling, low[begin:end])
            for length, rank, keyword, check in rows:
                if not check or check(text, low, begin, begin + length):
                    found.append((begin, rank, keyword))
        found += gate.numbered(text, start, stop)
        return found

    def _rows(self, spelling: bytes, word: bytes) -> list[Row]:
        """Return, and keep, the rows of a word that is spelled so; the byte behind it included.

        The word itself may have been found with that byte, too.
        """
        if len(self._spellings) >= _MOST_SPELLINGS:
            self._spellings.clear()
        rows = self._spellings[spelling] = [
            (len(keyword), rank, keyword, _check(spelling, keyword, rank))
            for keyword, rank in self._names.get(word) or self._names[word[:-1]]
            if _may_follow(spelling, len(keyword), rank)
        ]
        return rows


def _may_follow(spelling: bytes, length: int, rank: int) -> bool:
    """Say whether the byte behind the keyword leaves a chance to its row."""
    if rank == NAMED:
        return not judge.is_beginning(spelling, length)
    behind = gate.BEHIND.get(rank)
    if rank == TOLD and spelling[length - 1] < _LOWEST:
        after = spelling[length : length + 1]
        return after in gate.SENTENCES or after == b'"' or after >= b"\xc2"
    return behind is None or spelling[length : length + 1].lower() in behind


def _check(spelling: bytes, keyword: bytes, rank: int) -> Check | None:
    """Return what else to ask at a place of the row. Names are weighed first, and asked late."""
    if rank != NAMED:
        return gate.CHECKS.get(rank)
    behind = spelling[len(keyword) : len(keyword) + 1]
    is_doubtful = keyword in words.WHOLE or behind in judge.NAME_BYTES
    if behind == b":":
        return _is_rated_outside_marks if is_doubtful else _is_outside_marks
    if keyword in words.WHOLE:
        return _is_rated
    return _is_rated_whole if is_doubtful else None


def _is_rated(text: bytes, _low: bytes, start: int, end: int) -> bool:
    """Say whether a name is believed at all."""
    return not judge.is_ending(text, start, end) and judge.rate_whole(text, start, end) > 0


def _is_rated_whole(text: bytes, _low: bytes, start: int, end: int) -> bool:
    """Say the same of a name that no word ends with."""
    return judge.rate_whole(text, start, end) > 0


def _is_outside_marks(text: bytes, _low: bytes, start: int, _end: int) -> bool:
    """Say whether a name is none in a mark of ours."""
    return not gate.is_in_mark(text, start)


def _is_rated_outside_marks(text: bytes, low: bytes, start: int, end: int) -> bool:
    """Say both."""
    return not gate.is_in_mark(text, start) and _is_rated(text, low, start, end)


def _alternation(rows: set[tuple[bytes, int]], compile_pattern: Compile) -> tuple[Pattern, Rows]:
    """Return a pattern that finds the longest keyword, and the rows of all that it begins with."""
    from re import escape

    keywords = sorted({keyword for keyword, _ in rows}, key=len, reverse=True)
    begun = {word: sorted(row for row in rows if word.startswith(row[0])) for word in keywords}
    patterns = (escape(keyword) + _behind(keyword, rows) for keyword in keywords)
    return compile_pattern(b"|".join(patterns)), begun


def _behind(keyword: bytes, rows: set[tuple[bytes, int]]) -> bytes:
    """Return a pattern for the byte behind a keyword, if all its rows want one of a few."""
    from re import escape

    ranks = {rank for word, rank in rows if word == keyword}
    if not ranks <= gate.BEHIND.keys():
        return b""
    wanted = sorted(char for rank in ranks for char in gate.BEHIND[rank])
    return b"[%b]" % b"".join(escape(char) for char in wanted)


# A whole word, with the byte before it, that may be the base64 of plain text: by the first of each
# four of its characters, as the gate tells it. The letter of an escape may be glued to it.
_RUN = rb"(?:^|[^0-9A-Za-z])[nrtbf]?(?:[%b][0-9A-Za-z]{3}){%d}[0-9A-Za-z]*" % (
    gate.PLAIN,
    gate.LONG // 4,
)
