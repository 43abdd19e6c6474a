"""What the verbs work with, and how they read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tacit.errors import StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.capture.spool import Spool
    from tacit.curate.extract import Extractor
    from tacit.curate.stores import MemoryStores
    from tacit.embed.port import Embedder
    from tacit.guard.redact import Redactor
    from tacit.transcript.ingest import Ingest
    from tacit.transcript.ledger import Ledger
    from tacit.transcript.ledgers import Ledgers

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
    extractor: Extractor
    embedder: Embedder | None  # whoever has one knows what words mean
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
        self._now_ns = parts.now_ns

    @property
    def root(self) -> int:
        """Return the home's descriptor."""
        return self._root

    def close(self) -> None:
        """Let the home go."""
        self._memories.close()
        self._ledgers.close()
        self._spool.close()
        os.close(self._root)

    def _read(self, group: str, ask: Callable[[Ledger], Answer]) -> Answer | None:
        """Return what a transcript says, None if there is none; a damaged one is mended first."""
        ledger = self._existing(group)
        if ledger is None:
            return None
        try:
            return ask(ledger)
        except StoreDamaged:
            return ask(self._ledgers.mended(group))

    def _existing(self, group: str) -> Ledger | None:
        """Return a group's transcript if it has one: looking makes none."""
        return self._ledgers.get(group) if group in self._ledgers.names() else None
