"""The ledgers of one home, opened when first asked for, by group.

Those of workspaces as well: they lie elsewhere, and one that is gone is no group for as long.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.errors import NotFound, StoreBusy, StoreDamaged, StoreError, StoreRefused
from tacit.guard.names import is_name
from tacit.store.sqlite import engine
from tacit.transcript import backups, lock, recovery
from tacit.transcript.files import Files, groups, proofs
from tacit.transcript.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tacit.store.sqlite.engine import Engine
    from tacit.transcript.recovery import Recovered

_PATIENCE = 5.0


class Ledgers:
    """Every group's transcript in one home."""

    def __init__(
        self,
        home: Path,
        *,
        now_ns: Callable[[], int],
        auto: bool,
        keep: int,
        beat: Callable[[], object] | None = None,
        workspaces: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._home = home
        self._workspaces = workspaces
        self._beat = beat
        self._now_ns = now_ns
        self._auto = auto
        self._keep = keep
        self._open: dict[str, Ledger] = {}

    @property
    def engine(self) -> Engine:
        """Return what the databases in the home run on."""
        return replace(engine.look(self._home), beat=self._beat)

    def engine_of(self, group: str) -> Engine:
        """Return what a group's databases run on."""
        return replace(engine.look(self.files(group).directory), beat=self._beat)

    def names(self) -> list[str]:
        """Return the groups that have a transcript, or had one that can be recovered."""
        elsewhere = self._workspaces()
        begun = [name for name in elsewhere if self.files(name).is_begun]
        own = {*groups(self._home), *recovery.lost_groups(self._home)}
        return sorted(own - elsewhere.keys() | {*begun})

    def proofs(self) -> list[str]:
        """Return the groups of proofs that have a transcript."""
        return proofs(self._home)

    def has(self, group: str) -> bool:
        """Return whether a group has a transcript, or had one that can be recovered."""
        if not is_name(group):
            return False
        files = self.files(group)
        return files.is_begun or recovery.is_lost(files)

    def files(self, group: str) -> Files:
        """Return where a group's transcript lies."""
        place = self._workspaces().get(group)
        return Files(self._home, group, self._beat, Path(place) if place else None)

    def held(self, group: str) -> Ledger:
        """Return a group's transcript; for whoever holds the home's lock already."""
        self._let_unusable_go(group)
        if group in self._open and self._auto and not self._open[group].auto:
            self._open.pop(group).close()  # opened while others held the lock: now it can be mended
        if group not in self._open:
            self._open[group] = self._opened(group, auto=self._auto)
        return self._open[group]

    def get(self, group: str) -> Ledger:
        """Return a group's transcript; mending is left to others if they are at it."""
        self._let_unusable_go(group)
        if group not in self._open:
            with lock.held(self._home, seconds=_PATIENCE) as is_held:
                self._open[group] = self._opened(group, auto=self._auto and is_held)
        return self._open[group]

    def mended(self, group: str) -> Ledger:
        """Return a group's transcript, found damaged while it was read, made again."""
        with self.locked(group) as ledger:
            ledger.mend(now_ns=self._now_ns())
            return ledger

    def check(self, group: str, *, is_suspect: bool = False) -> None:
        """Look for damage that no event has met, unless others are taking events in."""
        with lock.held(self._home, seconds=_PATIENCE) as is_held:
            if is_held:
                self.held(group).check(now_ns=self._now_ns(), is_suspect=is_suspect)

    @contextmanager
    def locked(self, group: str, *, is_new: bool = False) -> Iterator[Ledger]:
        """Give a group's transcript to one who changes it beside the ingest; *is_new*: make it."""
        with lock.held(self._home, seconds=_PATIENCE) as is_held:
            if not is_held:
                raise self._unheld()
            if group not in self.names() and not is_new:  # a misspelled one must not be made
                raise NotFound(f"There is no group {group} yet. See `tacit status`.")
            yield self.held(group)

    def _unheld(self) -> StoreError:
        """Return why the home's lock could not be had."""
        if self.engine.is_read_only:
            return StoreRefused(
                f"{self._home} is read-only. Make its disk writable, then try again."
            )
        return StoreBusy("Another program is taking events in. Try again in a moment.")

    def restore(self, group: str, source: Path | None, *, exact: bool) -> Recovered:
        """Put a backup in the place of a group's transcript, be that damaged or not.

        Without a backup it is made again from what was taken in.
        """
        files = self.files(group)
        files.prepare()
        engine = self.engine_of(group)
        found = backups.check(source, engine) if source else None
        if found and not found.is_sound:
            raise StoreDamaged(f"{source} does not verify: {found.findings[0]} Choose another.")
        if group in self._open:
            self._open.pop(group).close()
        with lock.held(self._home, seconds=_PATIENCE) as is_held:
            if not is_held:
                raise self._unheld()
            return recovery.recover(
                files, engine, now_ns=self._now_ns(), source=source, replaying=not exact
            )

    def _opened(self, group: str, *, auto: bool) -> Ledger:
        files, engine = self.files(group), self.engine_of(group)
        return Ledger(files, engine, now_ns=self._now_ns(), auto=auto, keep=self._keep)

    def _let_unusable_go(self, group: str) -> None:
        """Forget a transcript that was closed, or opened while its disk was read-only."""
        if group in self._open and not self._open[group].is_open:
            del self._open[group]
        elif group in self._open and self._open[group].store.connection.is_outdated:
            self._open.pop(group).close()

    def let_gone_go(self) -> None:
        """Close groups that were discarded, and those whose files were deleted."""
        for group in list(self._open):
            if not self.has(group) or not self.files(group).is_begun:
                self.let_go(group)

    def let_go(self, group: str) -> None:
        """Close a group's transcript; whoever asks next opens it again."""
        if group in self._open:
            self._open.pop(group).close()

    def rest(self) -> None:
        """Let go what open ones keep only to be fast."""
        for ledger in self._open.values():
            ledger.store.rest()

    def close(self) -> None:
        """Let them all go."""
        for ledger in self._open.values():
            ledger.close()
        self._open.clear()
