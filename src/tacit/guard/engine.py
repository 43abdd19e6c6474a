"""What the guard asks of a regex engine: types only, never loaded by the hook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Span = tuple[int, int]


class Found(Protocol):
    """What a match of either engine can say."""

    def span(self, group: int = 0, /) -> Span:
        """Return where the group stands, (-1, -1) if it took no part."""
        ...

    def start(self) -> int:
        """Return where the match begins."""
        ...

    def end(self) -> int:
        """Return where the match ends."""
        ...


class Pattern(Protocol):
    """What `re` and RE2 have in common."""

    @property
    def groups(self) -> int:
        """Return how many groups the pattern has."""
        ...

    def match(self, text: bytes, pos: int, /) -> Found | None:
        """Match exactly at *pos*."""
        ...

    def search(self, text: bytes, pos: int, endpos: int, /) -> Found | None:
        """Find the first match that lies between *pos* and *endpos*."""
        ...


Compile = Callable[[bytes], Pattern]
Judge = Callable[[bytes, bytes, Found], list[Span]]
