"""Verbs that find: search, and what it needs in the background."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from tacit.recall import gauge
from tacit.recall.meaning import understand
from tacit.recall.question import Answer, Meaning, Question
from tacit.recall.search import search
from tacit.verbs.memory import MemoryVerbs

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.recall.search import Records
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.transcript.ledger import Ledger

Found = TypeVar("Found")


class RecallVerbs(MemoryVerbs):
    """What was said and learned, found again."""

    def search(self, group: str, question: Question, *, meaning: Meaning | None = None) -> Answer:
        """Return what fits a question, the best first; by words alone unless it has a meaning."""
        now_ns = self._now_ns()
        found = self.ask(
            group, lambda store, find: search(question, store, find, lambda: meaning, now_ns)
        )
        return found or Answer(hits=[], by=(), note="Nothing is recorded yet.")

    def ask(self, group: str, question: Callable[[SqliteMemory, Records], Found]) -> Found | None:
        """Return what a group's memory and its events say; None if it has none yet."""

        def asked(ledger: Ledger) -> Found:
            return self._memories.ask(group, lambda store: question(store, ledger.store.find))

        return self._read(group, asked)

    def meaning(self, question: str) -> Meaning | None:
        """Return what a question means; None if there is no embedder."""
        embedder = self._parts.embedder
        if embedder is None or not question.strip():
            return None
        (vector,) = embedder.embed([question], "query")
        return Meaning(model=embedder.model, vector=vector)

    def understand(self, group: str, *, seconds: float | None = None) -> int:
        """Find what passages mean, for so long at most; return how many were understood."""
        embedder, ledger = self._parts.embedder, self._existing(group)
        if embedder is None or ledger is None:
            return 0
        until = None if seconds is None else time.monotonic() + seconds

        def work(store: SqliteMemory) -> int:
            done = understand(store, ledger.store.find, embedder, until)
            if done:
                gauge.see_to(store, embedder)
            return done

        return self._memories.ask(group, work)
