"""Recovery: a damaged transcript is put aside, never deleted, and made again.

From the newest backup that verifies, then from the segments written since; where there never was a
backup the segments hold everything. What cannot be had back is counted and told.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tacit import paths
from tacit.errors import StoreDamaged
from tacit.guard.names import is_name
from tacit.paths import RECOVERED, SCRATCH
from tacit.store.sqlite.opening import open_existing, open_store
from tacit.transcript import backups, erasing, mark, projects, segments
from tacit.transcript.files import SUFFIXES, Files, day_of, moment_of, put_aside, replace
from tacit.transcript.segments import Kept

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.store.port import Head
    from tacit.store.sqlite.engine import Engine
    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.transcript.erasing import Stones


DAMAGED = "damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """What one recovery did."""

    at: int
    reason: str
    backup: str | None
    replayed: int
    lost: int
    quarantine: str | None
    lost_after: int | None = None  # nobody knows whether there were events after that time


def loss_text(recovered: Recovered) -> str:
    """Return in a few words what a recovery could not bring back."""
    if recovered.lost:
        return f"{recovered.lost} event{'s' if recovered.lost > 1 else ''} lost"
    if recovered.lost_after is not None:
        return f"events after {moment_of(recovered.lost_after)} are lost, if there were any"
    return "nothing lost"


def recover(
    files: Files,
    engine: Engine,
    *,
    now_ns: int,
    source: Path | None = None,
    replaying: bool = True,
    reason: str = "damaged",
) -> Recovered:
    """Put the transcript aside and make it again, from *source* or the newest sound backup."""
    is_chosen = source is not None
    if source is None:
        found = backups.newest_sound(files, engine)
        source = found.path if found else None
        if source is None and not is_complete(files):
            raise StoreDamaged(
                f"{files.database} is damaged or gone, and there is neither a backup that verifies "
                "nor all of its segments. It was left as it is; `tacit restore FILE` takes a "
                "backup of yours."
            )
    reached = _reached(files) if replaying else 0
    lost_after = _unknown_after(files, source) if replaying else None
    stones = erasing.everywhere(files, engine)
    made = _made(files, engine, source)
    try:
        start = made.head().seq
        replayed, _ = _replay(made, files) if replaying else (0, 0)
        erasing.bury(made, stones)
        head = made.head()
        _begin_anew(made, files, stones, min(start, _covered(files)), now_ns)
    finally:
        made.close()
    aside = put_aside(files.database, files.quarantine, now_ns)
    _scratch(files).rename(files.database)
    mark.write(files, head)
    if is_chosen:  # from now on the newest backup is one of this history
        _back_up(files, engine, now_ns)
    return _told(
        files,
        Recovered(
            at=now_ns,
            reason="restored" if is_chosen else reason,
            backup=source.name if source else None,
            replayed=replayed,
            lost=max(0, reached - head.seq),
            quarantine=aside,
            lost_after=lost_after,
        ),
    )


def _back_up(files: Files, engine: Engine, now_ns: int) -> None:
    store = open_existing(files.database, engine)
    try:
        backups.make(store, files, engine, now_ns)
    finally:
        store.close()


def refill(store: SqliteStore, files: Files, known: Head, *, now_ns: int) -> Recovered:
    """Bring back rows that a damaged log has lost, from the segments."""
    before = store.head().seq
    replayed, moved = _replay(store, files)
    stones = erasing.in_segments(files)
    erasing.bury(store, stones)
    if moved:
        _begin_anew(store, files, stones, min(before, _covered(files)), now_ns)
    head = store.head()
    mark.write(files, head)
    return _told(
        files,
        Recovered(
            at=now_ns,
            reason=f"{known.seq - before} events at the end were missing",
            backup=None,
            replayed=replayed,
            lost=max(0, known.seq - head.seq),
            quarantine=None,
        ),
    )


def last(files: Files) -> Recovered | None:
    """Return what the last recovery did."""
    try:
        return Recovered(**json.loads((files.directory / RECOVERED).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def note_damage(files: Files, sentence: str) -> None:
    """Write down what is wrong with a transcript, until it is recovered or found sound."""
    replace(files.directory / DAMAGED, sentence.encode("utf-8", "replace"))


def noted_damage(files: Files) -> str | None:
    """Return what was written down about damage that nobody has recovered."""
    try:
        return (files.directory / DAMAGED).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None


def clear_damage(files: Files) -> None:
    """Remove what was written down about damage."""
    (files.directory / DAMAGED).unlink(missing_ok=True)


def lost_groups(home: Path) -> list[str]:
    """Return the groups of a home whose files are gone while backups or segments exist."""
    places = (home / paths.BACKUPS, home / paths.SPOOL / paths.DONE)
    names = {each.name for place in places if place.is_dir() for each in place.iterdir()}
    return sorted(name for name in names if is_name(name) and is_lost(Files(home, name)))


def is_lost(files: Files) -> bool:
    """Return whether a group's own files are gone while backups or segments of it exist."""
    if files.is_begun or files.is_of_workspace or paths.is_proof(files.group):
        return False  # what a proof leaves when it is killed is removed by the next one
    return bool(backups.listed(files) or segments.listed(files))


def _reached(files: Files) -> int:
    """Return the last sequence number: the mark's, else what the newest copies say."""
    known = mark.read(files) or mark.read_copy(files)
    if known:
        return known.seq
    seqs = [line.record.seq for line in segments.read(files) if isinstance(line, Kept)]
    return max([*seqs, *(each.seq for each in backups.listed(files)[:1])], default=0)


def _unknown_after(files: Files, source: Path | None) -> int | None:
    """Return when a backup was made after which there may have been events; None if all is known.

    Without a mark and its copy only segments tell what came later, and they may be gone.
    """
    is_known = mark.read(files) or mark.read_copy(files) or segments.listed(files)
    return None if is_known or source is None else backups.time_of(source)


def _made(files: Files, engine: Engine, source: Path | None) -> SqliteStore:
    """Return a new store beside the damaged one, filled from a backup."""
    scratch = _scratch(files)
    for suffix in SUFFIXES:
        scratch.with_name(scratch.name + suffix).unlink(missing_ok=True)
    if source:
        backup = open_existing(source, engine)
        try:
            backup.connection.copy_to(scratch)
        finally:
            backup.close()
    return open_store(scratch, engine, lambda _store: None)


def _replay(store: SqliteStore, files: Files) -> tuple[int, int]:
    """Append what the segments have behind the head; return how many came back, and moved."""
    start = store.head().seq
    kept: dict[int, Kept] = {}
    for line in segments.read(files):
        if isinstance(line, Kept) and line.record.seq > start:
            kept[line.record.seq] = line
    records = [kept[seq].record for seq in sorted(kept)]
    fitted = store.restore(records)
    moved = store.reseat([record for record in records if record.seq > start + fitted])
    store.locate([each.place for each in kept.values() if each.place])
    projects.replay(store, records)
    return fitted + moved, moved


def _covered(files: Files) -> int:
    """Return up to where a backup holds everything, even if the newest one should be lost."""
    return next((each.seq for each in backups.listed(files)[1:]), 0)


def _begin_anew(store: SqliteStore, files: Files, stones: Stones, start: int, now_ns: int) -> None:
    """Write the segments anew: rows behind *start* as they stand now, and all tombstones."""
    places = {
        line.record.id: line.place
        for line in segments.read(files)
        if isinstance(line, Kept) and line.place
    }
    stones = stones | erasing.in_store(store)
    segments.rewrite(files, store.records(start), places, list(stones.values()), day_of(now_ns))


def can_refill(store: SqliteStore, files: Files, known: Head) -> bool:
    """Say whether the segments hold all that is missing, and it follows what is there."""
    head = store.head()
    kept = {
        line.record.seq: line.record
        for line in segments.read(files)
        if isinstance(line, Kept) and line.record.seq > head.seq
    }
    follows = head.seq + 1 in kept and kept[head.seq + 1].is_sound(head.chain)
    return follows and all(seq in kept for seq in range(head.seq + 1, known.seq + 1))


def is_complete(files: Files) -> bool:
    """Return whether the segments go back to the first event, or nothing was ever taken in."""
    first = min(
        (line.record.seq for line in segments.read(files) if isinstance(line, Kept)), default=0
    )
    return first == 1 or (first == 0 and _reached(files) == 0)


def _scratch(files: Files) -> Path:
    return files.database.with_name(SCRATCH)


def _told(files: Files, recovered: Recovered) -> Recovered:
    replace(files.directory / RECOVERED, json.dumps(asdict(recovered)).encode())
    clear_damage(files)
    return recovered
