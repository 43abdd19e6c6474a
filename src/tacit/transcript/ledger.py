"""The ledger: one group's transcript with all that keeps it: segments, mark, backups, quarantine.

Every commit is followed by the day's segment and the high-water mark, in this order, before a spool
file may go. Whoever opens a damaged or shortened transcript gets it back from these, and is told
what was lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.errors import StoreDamaged, StoreMoved
from tacit.paths import ERASING
from tacit.store.sqlite.opening import open_store
from tacit.transcript import backups, erasing, mark, recovery, segments
from tacit.transcript.files import day_of, moment_of, replace, size_of
from tacit.transcript.verify import verify, verify_next

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
CHECKED_AT_ONCE = 500  # events that one check reads where nothing has changed: some milliseconds


class Ledger:
    """One group's transcript, open."""

    def __init__(
        self, files: Files, engine: Engine, *, now_ns: int, auto: bool = True, keep: int = 7
    ) -> None:
        self.files = files
        self.engine = engine
        self.auto = auto and not engine.is_read_only
        self._keep = keep
        self.missing = 0
        self._is_mended = False
        self._checked = 0  # the last event that a check has read
        self._damage: str | None = None  # what a check has found and nobody has recovered
        self.store = self._opened(now_ns)
        if (files.directory / ERASING).exists() and not engine.is_read_only:
            self._finish_erasing(now_ns)

    def _opened(self, now_ns: int) -> SqliteStore:
        """Open the store; what is damaged or shorter than it was is recovered first."""
        if not self.engine.is_read_only:
            self.files.prepare()
        known = mark.read(self.files)
        reason = "damaged" if size_of(self.files.database) else "its files were gone"
        try:
            store = self._present(known, now_ns)
        except StoreDamaged as error:
            if not self.auto:
                what = str(error).partition(" Run `")[0]
                raise StoreDamaged(f"{what} Run `{self._way_out}`.") from error
            recovery.recover(self.files, self.engine, now_ns=now_ns, reason=reason)
            return self._open(now_ns)
        if known is None and self.auto and store.head().seq:  # lost or damaged: begun anew
            mark.write(self.files, store.head())
        self.missing = max(0, known.seq - store.head().seq) if known else 0
        if known and self.missing and self.auto:
            store = self._refilled(store, known, now_ns)
            self.missing = 0
        return store

    def _refilled(self, store: SqliteStore, known: Head, now_ns: int) -> SqliteStore:
        """Bring back what is missing at the end: from the segments, else from a backup and them."""
        has_backup = backups.newest_sound(self.files, self.engine) is not None
        try:
            if recovery.can_refill(store, self.files, known) or not has_backup:
                recovery.refill(store, self.files, known, now_ns=now_ns)
                return store
        except StoreDamaged:  # more is wrong than its end
            pass
        store.close()
        reason = f"{self.missing} events at the end were missing"
        recovery.recover(self.files, self.engine, now_ns=now_ns, reason=reason)
        return self._open(now_ns)

    def _present(self, known: Head | None, now_ns: int) -> SqliteStore:
        """Open the store; refuse to begin anew where there was one, and one that is not ours."""
        was_there = known or segments.listed(self.files) or backups.listed(self.files)
        if was_there and not size_of(self.files.database):
            raise StoreDamaged(f"{self._what_is_gone()} Run `{self._way_out}`.")
        store = self._open(now_ns)
        if known and store.chain_at(known.seq) not in {None, known.chain}:
            store.close()
            raise StoreDamaged(f"{self.files.database} is not ours. Run `{self._way_out}`.")
        return store

    def _what_is_gone(self) -> str:
        """Return a sentence about a missing transcript and the backups that there are of it."""
        kept = backups.listed(self.files)
        gone = f"The transcript of group {self.files.group} is gone ({self.files.database})"
        if not kept:
            return f"{gone}; there is no backup of it, but its segments are in {self.files.done}."
        noun = "1 backup exists" if len(kept) == 1 else f"{len(kept)} backups exist"
        return f"{gone}; {noun}, the newest from {moment_of(kept[0].made_ns)}."

    @property
    def _way_out(self) -> str:
        return f"tacit restore --group {self.files.group}"

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
        except StoreMoved:  # never written to what is no longer ours
            self._reopen(now_ns)
            return self.append(events, now_ns=now_ns)
        except StoreDamaged:
            if not self.auto or self._is_mended:
                raise
            self.mend(now_ns=now_ns)
            return self.append(events, now_ns=now_ns)
        self._is_mended = False
        fresh = {record.id for record in added}
        again = self.store.find([event.id for event in events if event.id not in fresh])
        places = {event.id: event.place for event in events if event.place}
        # those taken in before a crash may lack their line: written again, read once
        segments.append(self.files, [*again, *added], places, day_of(now_ns))
        mark.write(self.files, self.store.head())
        if self.done_size() > LARGEST_DONE:
            self.back_up(now_ns=now_ns, is_urgent=True)
        return added

    def _reopen(self, now_ns: int) -> None:
        moved, self.store = self.store, self._opened(now_ns)
        moved.close()

    def _append(self, events: Sequence[Event]) -> list[Record]:
        if self.missing:  # going on would make the loss look like nothing
            raise StoreDamaged(
                f"{self.missing} events at the end of {self.files.database} are missing. "
                f"Run `{self._way_out}`."
            )
        return self.store.append(events)

    def mend(self, *, now_ns: int) -> None:
        """Put a damaged transcript aside and make it again; whoever calls holds the lock."""
        if not self.auto:
            raise StoreDamaged(f"{self.files.database} is damaged. Run `{self._way_out}`.")
        self._is_mended = True
        self.store.close()
        try:
            recovery.recover(self.files, self.engine, now_ns=now_ns)
        except StoreDamaged:
            if size_of(self.files.database):  # left as it is, to be read as far as it can be
                self.store = self._open(now_ns)
            raise
        self.store = self._open(now_ns)

    def check(self, *, now_ns: int, is_suspect: bool = False) -> None:
        """Look for damage that no event has met, and recover from it; the caller holds the lock.

        Everything is read if it is suspect or if anything but a commit has changed the files, else
        the next few events. Damage that cannot be recovered is noted for `tacit status`.
        """
        is_suspect = self._is_changed(now_ns) or is_suspect
        if self._damage and not is_suspect:
            raise StoreDamaged(self._damage)
        finding = self._find_damage(is_suspect=is_suspect)
        self._damage = None
        if finding:
            self._recover_from(finding, now_ns)

    def _is_changed(self, now_ns: int) -> bool:
        """Return whether the files are not as we left them; those that were replaced are opened."""
        if self.store.connection.is_moved:
            self._reopen(now_ns)
            return True
        is_noted = self._damage is None and recovery.noted_damage(self.files) is not None
        try:
            return self.store.connection.take_alteration() or is_noted
        except StoreDamaged:
            return True

    def _find_damage(self, *, is_suspect: bool) -> str | None:
        """Return the first thing that is wrong, in a sentence; None if nothing is found."""
        if is_suspect:
            self.store.rest()  # so that the disk is read, and not what is in memory
            return next(iter(self.verify().findings), None)
        try:
            self._checked = verify_next(self.store, self._checked, CHECKED_AT_ONCE)
        except StoreDamaged as error:
            return str(error)
        return None

    def _recover_from(self, finding: str, now_ns: int) -> None:
        try:
            self.mend(now_ns=now_ns)
        except StoreDamaged as error:
            what = finding.partition(" Run `")[0]
            told = f"{self.files.database} is damaged: {what} Run `{self._way_out}`."
            self._damage = str(error) if self.auto else told
            recovery.note_damage(self.files, self._damage)
            raise StoreDamaged(self._damage) from error
        self._checked, self._is_mended = 0, False

    def verify(self, progress: Callable[[int, int], object] | None = None) -> Verified:
        """Read everything and say what is wrong."""
        found = verify(self.store, mark.read(self.files), progress)
        if found.is_sound:
            recovery.clear_damage(self.files)
        return found

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
        earlier = backups.newest_sound(self.files, self.engine)
        made = backups.make(self.store, self.files, self.engine, now_ns, progress)
        covered = made.seq if is_urgent else earlier.seq if earlier else 0
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
        erasing.finish(self.store, self.files, self.engine, now_ns)
        (self.files.directory / ERASING).unlink(missing_ok=True)

    @property
    def is_open(self) -> bool:
        """Return whether its store can be used: not after a recovery that failed."""
        return self.store.connection.is_open

    def done_size(self) -> int:
        """Return how many bytes the segments have."""
        return sum(file.stat().st_size for file in segments.listed(self.files))

    def close(self) -> None:
        """Let it go."""
        self.store.close()
