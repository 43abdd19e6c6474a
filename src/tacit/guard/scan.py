"""The scan: the same places as the gate finds, found by a regex engine in one pass.

For engines whose time does not depend on how many words they look for. The hook has none, so it
uses the gate's substring searches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.guard import gate, judge
from tacit.guard.index import NAMED, NEARBY, STARTS

if TYPE_CHECKING:
    from tacit.guard.engine import Compile, Pattern, Place

    Rows = dict[bytes, list[tuple[bytes, int]]]


class Scanner:
    """Finds every keyword of every row."""

    def __init__(self, compile_pattern: Compile) -> None:
        shaped = {(keyword, rank) for rows in STARTS.values() for rank, keyword, _ in rows}
        nearby = {(keyword, rank) for _, rows in NEARBY for rank, keyword in rows}
        self._shaped, self._shapes = _alternation(shaped, compile_pattern)
        self._nearby, named = _alternation(nearby, compile_pattern)
        self._names = {
            word: [(len(keyword), rank, keyword, _CHECKS.get(rank)) for keyword, rank in rows]
            for word, rows in named.items()
        }
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
        names = self._names
        found = [
            (begin, rank, keyword)
            for begin, end in self._shaped.every(text, start, last)
            for keyword, rank in self._shapes[text[begin:end]]
            if begin < stop and not gate.is_glued(text, begin, keyword)
        ]
        for begin, end in self._nearby.every(low, start, last):
            if begin >= stop:
                break
            for length, rank, keyword, check in names[low[begin:end]]:
                if not check or check(text, low, begin, begin + length):
                    found.append((begin, rank, keyword))
        return found


def _may_name(text: bytes, low: bytes, start: int, end: int) -> bool:
    """Say the same as the gate, sooner where the word is but a part of another one."""
    if judge.is_part(text, start, end):
        return False
    return gate.may_name(text, low, start, end, judge.rate_whole)


def _alternation(rows: set[tuple[bytes, int]], compile_pattern: Compile) -> tuple[Pattern, Rows]:
    """Return a pattern that finds the longest keyword, and the rows of all that it begins with."""
    from re import escape

    keywords = sorted({keyword for keyword, _ in rows}, key=len, reverse=True)
    begun = {word: sorted(row for row in rows if word.startswith(row[0])) for word in keywords}
    return compile_pattern(b"|".join(escape(keyword) for keyword in keywords)), begun


# A whole word, with the byte before it, that may be the base64 of plain text: by the first of each
# four of its characters, as the gate tells it. The letter of an escape may be glued to it.
_RUN = rb"(?:^|[^0-9A-Za-z])[nrtbf]?(?:[%b][0-9A-Za-z]{3}){%d}[0-9A-Za-z]*" % (
    gate.PLAIN,
    gate.LONG // 4,
)
_CHECKS = {**gate.CHECKS, NAMED: _may_name}
