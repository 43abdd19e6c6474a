"""Erasing: what is tombstoned goes out of everything that still holds it.

A tombstone names an event, never a sequence number, so that it holds in every copy: segments,
backups, and a transcript that was made again. What cannot be cleaned is removed.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.store.sqlite.opening import open_existing
from tacit.transcript import backups, segments
from tacit.transcript.files import day_of
from tacit.transcript.segments import Tombstone

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tacit.store.sqlite.engine import Engine
    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.transcript.files import Files

Stones = dict[str, Tombstone]


def finish(store: SqliteStore, files: Files, engine: Engine, now_ns: int) -> None:
    """Take what the store says is gone out of segments, backups and all that was left over."""
    stones = in_store(store)
    told = in_segments(files)
    fresh = [stone for name, stone in stones.items() if name not in told]
    segments.append_tombstones(files, fresh, day_of(now_ns))
    segments.erase(files, stones.keys())
    for backup in backups.listed(files):
        _clean(backup.path, engine, stones)
    for place in files.quarantine.iterdir():
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    for left in files.half_made():
        left.unlink()
    store.compact()


def everywhere(files: Files, engine: Engine) -> Stones:
    """Return all that was ever erased, from whatever can still be read."""
    found = in_segments(files)
    for path in (files.database, *(each.path for each in backups.listed(files)[:1])):
        try:
            store = open_existing(path, engine, is_frozen=True)
        except TacitError:
            continue
        try:
            found = in_store(store) | found
        except TacitError:
            continue
        finally:
            store.close()
    return found


def in_store(store: SqliteStore) -> Stones:
    """Return what a store says is gone."""
    gone = store.buried()
    return {name: Tombstone(name, *gone[seq]) for seq, name in store.ids(gone).items()}


def in_segments(files: Files) -> Stones:
    """Return what the segments say is gone."""
    return {line.id: line for line in segments.read(files) if isinstance(line, Tombstone)}


def bury(store: SqliteStore, stones: Mapping[str, Tombstone]) -> None:
    """Let go, in a copy that may still hold it, what was erased."""
    with store.transaction():
        for stone in stones.values():
            seq = store.seq_of(stone.id)
            if seq is not None:
                store.bury([seq], at=stone.at, reason=stone.reason)


def _clean(path: Path, engine: Engine, stones: Stones) -> None:
    """Take bodies out of a backup; one that cannot be cleaned is removed."""
    try:
        store = open_existing(path, engine)
        try:
            bury(store, stones)
            store.compact()
        finally:
            store.close()
    except TacitError:
        path.unlink(missing_ok=True)
