"""The ledger: one group's transcript with all that keeps it: segments, mark, backups, quarantine.

Every commit is followed by the day's segment and the high-water mark, in this order, before a spool
file may go. Whoever opens a damaged or shortened transcript gets it back from these, and is told
what was lost.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tacit.errors import StoreDamaged, StoreMoved
from tacit.paths import ERASING
from tacit.store.sqlite.opening import open_store
from tacit.transcript import backups, mark, recovery, segments
from tacit.transcript.files import replace
from tacit.transcript.segments import Tombstone
from tacit.transcript.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tacit.model.event import Event, Record
    from tacit.store.port import Head
    from tacit.store.sqlite.engine import Engine
    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.transcript.backups import Backup
    from tacit.transcript.files import Files
    from tacit.transcript.verify import Verified

LARGEST_DONE = 500 << 20


class Ledger:
    """One group's transcript, open."""

    def __init__(
        self, files: Files, engine: Engine, *, now_ns: int, auto: bool = True, keep: int = 7
    ) -> None:
        self.files = files
        self.engine = engine
        self.auto = auto
        self._keep = keep
        self.missing = 0
        files.prepare()
        self.store = self._opened(now_ns)
        if (files.directory / ERASING).exists():
            self._finish_erasing(now_ns)

    def _opened(self, now_ns: int) -> SqliteStore:
        """Open the store; what is damaged or shorter than it was is recovered first."""
        known = mark.read(self.files)
        try:
            store = self._present(known, now_ns)
        except StoreDamaged:
            if not self.auto:
                raise
            recovery.recover(self.files, self.engine, now_ns=now_ns)
            return self._open(now_ns)
        if known and store.head().seq < known.seq and self.auto:
            recovery.refill(store, self.files, known, now_ns=now_ns)
        self.missing = max(0, known.seq - store.head().seq) if known and not self.auto else 0
        return store

    def _present(self, known: Head | None, now_ns: int) -> SqliteStore:
        """Open the store, refusing to begin anew where there was one."""
        if known and not self.files.database.exists():
            raise StoreDamaged(f"{self.files.database} is gone. Run `tacit restore`.")
        return self._open(now_ns)

    def _open(self, now_ns: int) -> SqliteStore:
        return open_store(
            self.files.database,
            self.engine,
            lambda store: backups.make(store, self.files, self.engine, now_ns),
        )

    def append(self, events: Sequence[Event], *, now_ns: int) -> list[Record]:
        """Take events in, each once; when this returns, they stay. Returns the new records."""
        try:
            added = self._append(events)
        except StoreMoved:  # never written to what is no longer ours: opened anew, once
            moved, self.store = self.store, self._opened(now_ns)
            moved.close()
            added = self._append(events)
        except StoreDamaged:
            if not self.auto:
                raise
            self.mend(now_ns=now_ns)
            added = self.store.append(events)
        fresh = {record.id for record in added}
        again = self.store.find([event.id for event in events if event.id not in fresh])
        places = {event.id: event.place for event in events if event.place}
        # those taken in before a crash may lack their line: written again, read once
        segments.append(self.files, [*again, *added], places, _day(now_ns))
        mark.write(self.files, self.store.head())
        if self.done_size() > LARGEST_DONE:
            self.back_up(now_ns=now_ns, is_urgent=True)
        return added

    def _append(self, events: Sequence[Event]) -> list[Record]:
        if self.missing:  # going on would make the loss look like nothing
            raise StoreDamaged(
                f"{self.missing} events at the end of {self.files.database} are missing. "
                f"Run `tacit restore --group {self.files.group}`."
            )
        return self.store.append(events)

    def mend(self, *, now_ns: int) -> None:
        """Put a damaged transcript aside and make it again; whoever calls holds the lock."""
        if not self.auto:
            raise StoreDamaged(
                f"{self.files.database} is damaged. Run `tacit restore --group {self.files.group}`."
            )
        self.store.close()
        recovery.recover(self.files, self.engine, now_ns=now_ns)
        self.store = self._open(now_ns)

    def verify(self, progress: Callable[[int, int], object] | None = None) -> Verified:
        """Read everything and say what is wrong."""
        return verify(self.store, mark.read(self.files), progress)

    def back_up(
        self,
        *,
        now_ns: int,
        progress: Callable[[int, int], object] | None = None,
        is_urgent: bool = False,
    ) -> Backup:
        """Make a backup, then let old backups go, and the segments that the one before covers.

        If it is urgent because the segments have grown too large, those that this one covers go.
        """
        earlier = backups.listed(self.files)
        made = backups.make(self.store, self.files, self.engine, now_ns, progress)
        covered = made.seq if is_urgent else earlier[0].seq if earlier else 0
        segments.prune(self.files, min(covered, made.seq))
        backups.prune(self.files, self._keep)
        return made

    def erase(self, seqs: Collection[int], *, now_ns: int, reason: str) -> int:
        """Let bodies go, everywhere: database, segments, backups. Returns how many went."""
        replace(self.files.directory / ERASING, b"")
        went = self.store.bury(sorted(seqs), at=now_ns, reason=reason)
        self._finish_erasing(now_ns)
        return went

    def _finish_erasing(self, now_ns: int) -> None:
        """Take what is tombstoned out of everything that still holds it."""
        buried = self.store.buried()
        names = self.store.ids(buried)
        gone = {names[seq]: buried[seq] for seq in buried}
        told = {line.id for line in segments.read(self.files) if isinstance(line, Tombstone)}
        stones = [Tombstone(name, *gone[name]) for name in gone if name not in told]
        segments.append_tombstones(self.files, stones, _day(now_ns))
        segments.erase(self.files, gone.keys())
        for backup in backups.listed(self.files):
            recovery.erase_backup(backup.path, self.engine, gone)
        for place in self.files.quarantine.iterdir():
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        for left in self.files.half_made():
            left.unlink()
        self.store.compact()
        (self.files.directory / ERASING).unlink(missing_ok=True)

    def done_size(self) -> int:
        """Return how many bytes the segments have."""
        return sum(file.stat().st_size for file in segments.listed(self.files))

    def close(self) -> None:
        """Let it go."""
        self.store.close()


def _day(now_ns: int) -> str:
    return datetime.fromtimestamp(now_ns // 1_000_000_000, UTC).strftime("%Y-%m-%d")
