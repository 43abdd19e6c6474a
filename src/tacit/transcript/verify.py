"""Verification: whether the transcript is what was written.

Checks the chain and every digest, the counts between the tables, the high-water mark and SQLite's
own structure. Each finding is one sentence; none of them is repaired here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.errors import StoreDamaged
from tacit.model.event import GENESIS
from tacit.store.port import Head

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.model.event import Record
    from tacit.store.sqlite.transcript import SqliteStore

MOST_FINDINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What verification found."""

    head: Head
    events: int
    bodies: int
    erased: int
    lost: int
    findings: list[str]

    @property
    def is_sound(self) -> bool:
        """Say whether everything is as it was written."""
        return not self.findings


def verify(
    store: SqliteStore, mark: Head | None, progress: Callable[[int, int], object] | None = None
) -> Verified:
    """Read the whole transcript and say what is wrong with it."""
    try:
        findings = _structure(store)
        total = store.counts().events
        seen = _chain(store, total, findings, mark, progress)
        findings += _counts(store, seen.erased)
    except StoreDamaged as error:
        return Verified(
            head=Head(0, GENESIS), events=0, bodies=0, erased=0, lost=0, findings=[str(error)]
        )
    lost = max(0, mark.seq - store.head().seq) if mark else 0
    if lost:
        findings.append(f"{lost} events that were taken in are missing at the end.")
    return Verified(
        head=seen.head,
        events=seen.events,
        bodies=seen.bodies,
        erased=seen.erased,
        lost=lost,
        findings=findings[:MOST_FINDINGS],
    )


def verify_next(store: SqliteStore, after: int, limit: int) -> int:
    """Check the events behind a sequence number; return where to go on, 0 at the end."""
    last = after
    for record in store.behind(after, limit):
        if record.seq != last + 1:
            raise StoreDamaged(f"Events {last + 1} to {record.seq - 1} are missing.")
        last = record.seq
    return last if last == after + limit else 0


@dataclass(slots=True)
class _Seen:
    head: Head
    events: int = 0
    bodies: int = 0
    erased: int = 0


def _chain(
    store: SqliteStore,
    total: int,
    findings: list[str],
    mark: Head | None,
    progress: Callable[[int, int], object] | None,
) -> _Seen:
    """Follow the chain from its beginning."""
    seen = _Seen(Head(0, GENESIS))
    buried = store.buried()
    for record in store.records():
        if record.seq != seen.head.seq + 1:
            findings.append(f"Events {seen.head.seq + 1} to {record.seq - 1} are missing.")
        if not _is_sound(record, seen.head.chain):
            findings.append(f"Event {record.seq} is not what was written.")
        if (record.body is None) != (record.seq in buried):
            what = "has no body and no tombstone" if record.body is None else "was to be erased"
            findings.append(f"Event {record.seq} {what}.")
        if mark and record.seq == mark.seq and record.chain != mark.chain:
            findings.append(f"Event {record.seq} is not the one that the high-water mark names.")
        seen.head = Head(record.seq, record.chain)
        seen.events += 1
        seen.bodies += record.body is not None
        seen.erased += record.body is None
        if progress and record.seq % 1000 == 0:
            progress(record.seq, total)
        if len(findings) > MOST_FINDINGS:
            break
    return seen


def _is_sound(record: Record, previous: bytes) -> bool:
    try:
        return record.is_sound(previous)
    except (TypeError, ValueError):  # a flipped bit has changed the type of a column
        return False


def _structure(store: SqliteStore) -> list[str]:
    """Return what SQLite itself finds wrong."""
    return [f"SQLite: {line}." for line in store.integrity() if line != "ok"]


def _counts(store: SqliteStore, erased: int) -> list[str]:
    """Return where the tables disagree."""
    counts = store.counts()
    findings = []
    if counts.payloads + erased != counts.events:
        findings.append(f"{counts.events} events have {counts.payloads} bodies, {erased} erased.")
    if counts.tombstones != erased:
        findings.append(f"{counts.tombstones} tombstones stand for {erased} erased bodies.")
    return findings
