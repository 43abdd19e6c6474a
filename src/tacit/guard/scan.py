"""The scan: the same places as the gate finds, found by a regex engine in one pass.

For engines whose time does not depend on how many words they look for. The hook has none, so it
uses the gate's substring searches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.guard import gate
from tacit.guard.index import NEARBY, STARTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tacit.guard.engine import Compile, Pattern

_PREFIX = 2


class Scanner:
    """Finds every keyword of every row."""

    def __init__(self, compile_pattern: Compile) -> None:
        shaped = [(keyword, rank) for rows in STARTS.values() for rank, keyword, _ in rows]
        nearby = [(keyword, rank) for _, rows in NEARBY for rank, keyword in rows]
        self._shaped, self._shapes = _alternation(shaped, compile_pattern)
        self._nearby, self._names = _alternation(nearby, compile_pattern)
        self._runs = compile_pattern(rb"[0-9A-Za-z]{%d,}" % gate.LONG)

    def words(self, text: bytes) -> set[bytes]:
        """Return the long runs of letters and digits: the only words that are asked for here."""
        found = set()
        start = 0
        while run := self._runs.search(text, start, len(text)):
            start = run[0][1]
            found.add(text[run[0][0] : start])
        return found

    def places(
        self, text: bytes, low: bytes, _words: set[bytes], start: int, stop: int
    ) -> Iterator[tuple[int, int, bytes]]:
        """Yield (position, rank of the row, keyword) for all that deserves a closer look."""
        for position in _starts(self._shaped, text, start, stop):
            for keyword, rank in self._shapes[text[position : position + _PREFIX]]:
                if text.startswith(keyword, position) and not gate.is_glued(
                    text, position, keyword
                ):
                    yield position, rank, keyword
        is_near = gate.is_near
        for position in _starts(self._nearby, low, start, stop):
            for keyword, rank in self._names[low[position : position + _PREFIX]]:
                if low.startswith(keyword, position) and is_near(
                    text, low, position, rank, keyword
                ):
                    yield position, rank, keyword


def _alternation(
    rows: Iterable[tuple[bytes, int]], compile_pattern: Compile
) -> tuple[Pattern, dict[bytes, list[tuple[bytes, int]]]]:
    """Return a pattern for all keywords, and the rows by how their keyword begins."""
    from re import escape

    starting: dict[bytes, list[tuple[bytes, int]]] = {}
    for keyword, rank in sorted(set(rows)):
        starting.setdefault(keyword[:_PREFIX], []).append((keyword, rank))
    keywords = sorted({keyword for keyword, _ in rows})
    return compile_pattern(b"|".join(escape(keyword) for keyword in keywords)), starting


def _starts(pattern: Pattern, text: bytes, start: int, stop: int) -> Iterator[int]:
    """Yield where, between *start* and *stop*, some keyword begins."""
    end = min(len(text), stop + gate.BEYOND)
    search = pattern.search
    while found := search(text, start, end):
        position = found[0][0]
        if position >= stop:
            break
        yield position
        start = position + 1
