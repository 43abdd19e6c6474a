"""The memories of one home, opened when first asked for, by group.

Everything in them is derived: one that is damaged is put aside and made again from the transcript.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tacit import paths
from tacit.errors import StoreDamaged, StoreMoved
from tacit.recall.analyse import tokens
from tacit.store.sqlite.memory import open_memory
from tacit.transcript.files import put_aside

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.transcript.ledgers import Ledgers

Answer = TypeVar("Answer")


class MemoryStores:
    """Every group's memory in one home."""

    def __init__(self, ledgers: Ledgers, now_ns: Callable[[], int]) -> None:
        self._ledgers = ledgers
        self._now_ns = now_ns
        self._open: dict[str, SqliteMemory] = {}
        self._aside: set[str] = set()
        self.catch_up: Callable[[str], object] | None = None  # makes it again from the transcript

    def path(self, group: str) -> Path:
        """Return where a group's memory lies."""
        return self._ledgers.files(group).directory / paths.MEMORY

    def get(self, group: str) -> SqliteMemory:
        """Return a group's memory."""
        if group in self._open and self._open[group].connection.is_outdated:
            self.let_go(group)
        if group not in self._open:
            self._open[group] = self._opened(group)
        return self._open[group]

    def ask(self, group: str, question: Callable[[SqliteMemory], Answer]) -> Answer:
        """Ask a group's memory; one that was moved is opened again, a damaged one made again."""
        try:
            return question(self._current(group))
        except StoreMoved:
            self.let_go(group)
        except StoreDamaged as error:
            if error.path != self.path(group):
                raise
            self.let_go(group)
            self._put_aside(group)
        return question(self._current(group))

    def _current(self, group: str) -> SqliteMemory:
        """Return a group's memory, caught up with its transcript if it was put aside before."""
        store = self.get(group)
        if group in self._aside and self.catch_up:
            self._aside.discard(group)
            self.catch_up(group)
        return store

    def let_go(self, group: str) -> None:
        """Close a group's memory; the next question opens it again."""
        if group in self._open:
            self._open.pop(group).close()

    def let_gone_go(self) -> None:
        """Close the memories of groups that were discarded, and those that were replaced."""
        for group in list(self._open):
            if not self._ledgers.has(group) or self._open[group].connection.is_moved:
                self.let_go(group)

    def _opened(self, group: str) -> SqliteMemory:
        path, engine = self.path(group), self._ledgers.engine_of(group)
        try:
            return open_memory(path, engine, tokens)
        except StoreDamaged:
            self._put_aside(group)
            return open_memory(path, engine, tokens)

    def _put_aside(self, group: str) -> None:
        put_aside(self.path(group), self._ledgers.files(group).quarantine, self._now_ns())
        self._aside.add(group)

    def rest(self) -> None:
        """Let go what open ones keep only to be fast."""
        for store in self._open.values():
            store.connection.rest()

    def close(self) -> None:
        """Let them all go."""
        for group in list(self._open):
            self.let_go(group)
