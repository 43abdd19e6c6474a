"""What the guard asks of a regex engine: types only, never loaded by the hook."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

Span = tuple[int, int]
Found = tuple[Span, ...]  # the match and its groups; (-1, -1) for one that took no part


class Pattern(Protocol):
    """What `re` and RE2 have in common."""

    @property
    def groups(self) -> int:
        """Return how many groups the pattern has."""
        ...

    def match(self, text: bytes, pos: int, /) -> Found | None:
        """Match exactly at *pos*."""
        ...

    def end(self, text: bytes, pos: int, /) -> int:
        """Return where a match at *pos* ends, -1 if there is none: cheaper than its groups."""
        ...

    def search(self, text: bytes, pos: int, endpos: int, /) -> Found | None:
        """Find the first match that lies between *pos* and *endpos*."""
        ...

    def every(self, text: bytes, pos: int, endpos: int, /) -> list[Span]:
        """Return where each match stands, also one that begins inside another."""
        ...


Compile = Callable[[bytes], Pattern]
Judge = Callable[[bytes, bytes, Found], list[Span]]
Words = Callable[[bytes], set[bytes]]  # the words of a text that are asked for
Place = tuple[int, int, bytes]  # position, rank of the row, keyword
# (text, lower-cased text, its words, from, to) -> places
Places = Callable[[bytes, bytes, set[bytes], int, int], Iterable[Place]]
