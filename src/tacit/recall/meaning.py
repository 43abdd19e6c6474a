"""What passages mean, found in the background: short pieces of work, each safe to be killed in.

The newest come first, memories before messages. What the same words were once found to mean is not
asked again. An embedder that cannot be had is told once; the passages wait until it can.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tacit.recall.indexing import said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.embed.port import Embedder
    from tacit.model.event import Record
    from tacit.store.index_port import Unread
    from tacit.store.sqlite.memory import SqliteMemory

BATCH = 16
_TOKENS = {"assistant": 64}  # of a reply the beginning says what it is about
_USUAL = 128


def understand(
    store: SqliteMemory,
    records: Callable[[Sequence[str]], Sequence[Record]],
    embedder: Embedder,
    until: float | None = None,
) -> int:
    """Find what passages mean, until then at most; return how many were understood."""
    done = 0
    while until is None or time.monotonic() < until:
        unread = store.index.unread(embedder.model, BATCH)
        if not unread:
            return done
        fresh = store.index.recognise(embedder.model, unread)
        done += len(unread) - len(fresh)
        fresh = list({each.digest: each for each in fresh}.values())
        for tokens in {_tokens(each) for each in fresh}:
            some = [each for each in fresh if _tokens(each) == tokens]
            texts = _texts(store, records, some)
            vectors = embedder.embed(texts, "document", tokens)
            store.index.understand(embedder.model, zip(some, vectors, strict=True))
        done += len(fresh)
    return done


def _tokens(passage: Unread) -> int:
    return _TOKENS.get(passage.role, _USUAL)


def _texts(
    store: SqliteMemory,
    records: Callable[[Sequence[str]], Sequence[Record]],
    passages: Sequence[Unread],
) -> list[str]:
    """Return what each passage says; nothing for one that has gone."""
    events = [each.subject for each in passages if each.layer == "message"]
    said_by = {record.id: record for record in records(events)} if events else {}
    return [_text(store, said_by.get(each.subject), each) for each in passages]


def _text(store: SqliteMemory, record: Record | None, passage: Unread) -> str:
    if passage.layer == "message":
        return said(record, passage.role) if record and record.body is not None else ""
    if passage.layer == "memory":
        memory = store.memories.get(passage.subject)
        return memory.content if memory else ""
    for summary in store.actions.summaries(passage.subject):
        told = (summary.request, summary.completed, summary.learned)
        return " ".join(each for each in told if each)
    return ""
