"""The ledgers of one home, opened when first asked for, by group.

Those of workspaces as well: they lie elsewhere, and one that is gone is no group for as long.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.errors import NotFound, StoreBusy, StoreDamaged
from tacit.guard.names import is_name
from tacit.store.sqlite import engine
from tacit.transcript import backups, lock, recovery
from tacit.transcript.files import Files, groups
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
        """Return the groups that have a transcript."""
        elsewhere = self._workspaces()
        begun = [name for name in elsewhere if self.files(name).is_begun]
        return sorted({*groups(self._home)} - elsewhere.keys() | {*begun})

    def has(self, group: str) -> bool:
        """Say whether a group has a transcript, without looking at the others."""
        return is_name(group) and self.files(group).is_begun

    def files(self, group: str) -> Files:
        """Return where a group's transcript lies."""
        place = self._workspaces().get(group)
        return Files(self._home, group, self._beat, Path(place) if place else None)

    def held(self, group: str) -> Ledger:
        """Return a group's transcript; for whoever holds the home's lock already."""
        if group in self._open and self._auto and not self._open[group].auto:
            self._open.pop(group).close()  # opened while others held the lock: now it can be mended
        if group not in self._open:
            self._open[group] = self._opened(group, auto=self._auto)
        return self._open[group]

    def get(self, group: str) -> Ledger:
        """Return a group's transcript; mending is left to others if they are at it."""
        if group not in self._open:
            with lock.held(self._home, seconds=_PATIENCE) as is_held:
                self._open[group] = self._opened(group, auto=self._auto and is_held)
        return self._open[group]

    def mended(self, group: str) -> Ledger:
        """Return a group's transcript, found damaged while it was read, made again."""
        with self.locked(group) as ledger:
            ledger.mend(now_ns=self._now_ns())
            return ledger

    @contextmanager
    def locked(self, group: str, *, is_new: bool = False) -> Iterator[Ledger]:
        """Give a group's transcript to one who changes it beside the ingest; *is_new*: make it."""
        with lock.held(self._home, seconds=_PATIENCE) as is_held:
            if not is_held:
                raise StoreBusy("Another program is taking events in. Try again in a moment.")
            if group not in self.names() and not is_new:  # a misspelled one must not be made
                raise NotFound(f"There is no group {group} yet. See `tacit status`.")
            yield self.held(group)

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
                raise StoreBusy("Another program is taking events in. Try again in a moment.")
            return recovery.recover(
                files, engine, now_ns=self._now_ns(), source=source, replaying=not exact
            )

    def _opened(self, group: str, *, auto: bool) -> Ledger:
        files, engine = self.files(group), self.engine_of(group)
        return Ledger(files, engine, now_ns=self._now_ns(), auto=auto, keep=self._keep)

    def let_gone_go(self) -> None:
        """Close what is no longer there: a group that was discarded."""
        for group in self._open.keys() - set(self.names()):
            self._open.pop(group).close()

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
