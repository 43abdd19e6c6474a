"""Rest: a daemon that nothing has come to for a while lets go what it keeps only to be fast.

Texts taken apart, compiled patterns, pages of the databases. What Python and SQLite free, the
allocator keeps for itself: it is told to give that back to the system.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

from tacit.heap import give_back
from tacit.mind import forget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Way = Callable[[], object]


class Rest:
    """Knows when it is time to let go, and does it."""

    def __init__(
        self, ways: Iterable[Way], after: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._ways = tuple(ways)
        self._after = after
        self._now = now
        self._at = now() + after
        self._is_due = True

    @property
    def is_time(self) -> bool:
        """Say whether nothing has come for a while."""
        return self._now() >= self._at

    def put_off(self) -> None:
        """Take note that something came: there may be more."""
        self._is_due = True
        self._at = self._now() + self._after

    def renew(self) -> None:
        """Take note that something small was done: no reason to wait, but to let go again."""
        self._is_due = True

    def look(self) -> bool:
        """Let go in all ways if it is time; say whether it was."""
        if not self._is_due or not self.is_time:
            return False
        self._is_due = False
        for way in self._ways:
            way()
        return True


def be_small() -> None:
    """Forget what is kept in mind, and give what is free back to the system."""
    forget()
    gc.collect()
    give_back()
