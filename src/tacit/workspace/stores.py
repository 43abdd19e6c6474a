"""What workspaces know of their cards and files, opened when first asked for, by group.

All of it can be made again: one that is damaged is put aside, and the transcript and the files say
anew what it held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tacit import paths
from tacit.errors import StoreDamaged, StoreMoved
from tacit.store.sqlite.workspace import open_workspace
from tacit.transcript.files import put_aside

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.store.sqlite.workspace import SqliteWorkspace
    from tacit.transcript.ledgers import Ledgers

Answer = TypeVar("Answer")


class WorkspaceStores:
    """What every workspace of one home knows of its cards and files."""

    def __init__(self, ledgers: Ledgers, now_ns: Callable[[], int]) -> None:
        self._ledgers = ledgers
        self._now_ns = now_ns
        self._open: dict[str, SqliteWorkspace] = {}

    def path(self, group: str) -> Path:
        """Return where it lies."""
        return self._ledgers.files(group).directory / paths.WORKSPACE

    def ask(self, group: str, question: Callable[[SqliteWorkspace], Answer]) -> Answer:
        """Ask; one that was moved is opened again, a damaged one made again."""
        try:
            return question(self._get(group))
        except StoreMoved:
            self.let_go(group)
        except StoreDamaged as error:
            if error.path != self.path(group):
                raise
            self.let_go(group)
            self._put_aside(group)
        return question(self._get(group))

    def _get(self, group: str) -> SqliteWorkspace:
        if group not in self._open:
            path, engine = self.path(group), self._ledgers.engine_of(group)
            try:
                self._open[group] = open_workspace(path, engine)
            except StoreDamaged:
                self._put_aside(group)
                self._open[group] = open_workspace(path, engine)
        return self._open[group]

    def let_go(self, group: str) -> None:
        """Close one; the next question opens it again."""
        if group in self._open:
            self._open.pop(group).close()

    def let_gone_go(self) -> None:
        """Close what is no longer there."""
        for group in [name for name in self._open if not self._ledgers.has(name)]:
            self.let_go(group)

    def _put_aside(self, group: str) -> None:
        put_aside(self.path(group), self._ledgers.files(group).quarantine, self._now_ns())

    def close(self) -> None:
        """Let them all go."""
        for group in list(self._open):
            self.let_go(group)
