"""What the verbs work with, and how they read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tacit import paths
from tacit.errors import StoreDamaged
from tacit.leftovers import GRACE_NS, remove_leftovers
from tacit.transcript.files import open_memory_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.capture.spool import Spool
    from tacit.capture.workspaces import Workspaces
    from tacit.curate.extract import Extractor
    from tacit.curate.stores import MemoryStores
    from tacit.embed.port import Embedder
    from tacit.guard.redact import Redactor
    from tacit.llm.port import Model
    from tacit.transcript.ingest import Ingest
    from tacit.transcript.ledger import Ledger
    from tacit.transcript.ledgers import Ledgers
    from tacit.workspace.config import Canvases
    from tacit.workspace.stores import WorkspaceStores

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the verbs work with; `compose.py` picks them."""

    home: str
    root: int
    spool: Spool
    redactor: Callable[[], Redactor]
    ledgers: Ledgers
    ingest: Ingest
    memories: MemoryStores
    workspaces: Workspaces  # which groups are some, and where
    spaces: WorkspaceStores
    canvases: Canvases
    extractor: Extractor
    embedder: Embedder | None  # whoever has one knows what words mean
    llm: Model | None  # whoever has one lets it read turns
    model: Callable[[], tuple[str, str | None]]  # the one chosen, and why it cannot be had
    key: bytes
    now_ns: Callable[[], int]


class Verbs:
    """What all verbs share: the home, open."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._home = parts.home
        self._root = parts.root
        self._spool = parts.spool
        self._ledgers = parts.ledgers
        self._memories = parts.memories
        self._spaces = parts.spaces
        self._now_ns = parts.now_ns
        self._leftovers = 0  # half-written files removed so far

    @property
    def root(self) -> int:
        """Return the home's descriptor."""
        return self._root

    def groups(self) -> list[str]:
        """Return the user's groups; of one that has gone nothing is held any more."""
        self._spaces.let_gone_go()
        self._memories.let_gone_go()
        self._ledgers.let_gone_go()
        return self._ledgers.names()

    def _remove_leftovers(self) -> None:
        """Remove what killed hooks and programs of ours left half-written."""
        before_ns = self._now_ns() - GRACE_NS
        home = Path(self._home)
        spool = home / paths.SPOOL
        places = [home, home / paths.LOGS, spool, spool / paths.BAD]
        for group in self._ledgers.names():
            files = self._ledgers.files(group)
            places += [files.directory, files.done]
        self._leftovers += self._spool.sweep(before_ns)
        self._leftovers += sum(remove_leftovers(place, before_ns) for place in places)

    def rest(self) -> None:
        """Let go what is kept only to be fast: nothing is expected for a while.

        Of workspaces everything, so that their disks can be taken out, and of proofs.
        """
        self.groups()
        for group in (*self._parts.workspaces.all(), *self._ledgers.proofs()):
            self._close_group(group)
        self._memories.rest()
        self._ledgers.rest()

    def _close_group(self, group: str) -> None:
        """Close all that is open of a group."""
        self._spaces.let_go(group)
        self._memories.let_go(group)
        self._ledgers.let_go(group)

    def close(self) -> None:
        """Let the home go."""
        self._spaces.close()
        self._memories.close()
        self._ledgers.close()
        self._spool.close()
        os.close(self._root)

    def _read(self, group: str, ask: Callable[[Ledger], Answer]) -> Answer | None:
        """Return what a transcript says, None if there is none; a damaged one is mended first.

        A workspace that is away is refused: that is not the same as one without a word.
        """
        ledger = self._existing(group)
        if ledger is None:
            self._check_there(group)
            return None
        try:
            return ask(ledger)
        except StoreDamaged:
            return ask(self._ledgers.mended(group))

    def _check_there(self, group: str) -> None:
        """Refuse to go on with a workspace whose directory is not there."""
        workspace = self._ledgers.files(group).workspace
        if workspace is not None:
            os.close(open_memory_of(workspace))

    def _existing(self, group: str) -> Ledger | None:
        """Return a group's transcript if it has one: looking makes none."""
        return self._ledgers.get(group) if self._ledgers.has(group) else None
