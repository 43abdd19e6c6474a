"""The work: what the daemon does over and over, each piece short and safe to be killed in."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tacit.daemon.tending import Tending
from tacit.errors import SchemaNewer, StoreDamaged, TacitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.app import App
    from tacit.daemon.pulse import Pulse
    from tacit.daemon.rest import Rest
    from tacit.errors import StoreError
    from tacit.log import Log
    from tacit.transcript.recovery import Recovered

    Service = Callable[[], object]

SLICE = 1.0  # so long at most is drained before others have a look
CHORES_EVERY = 60.0
CURATE_EVERY = 2.0  # while nothing comes: turns end by being idle, and jobs come due
CALM = 0.5  # so long after something came: a client that waits for an answer comes first
HURRY = 5.0  # however much comes
CURATE_SELDOM = 10.0  # when nothing has come for a while


class Work:
    """One round after the other."""

    def __init__(
        self, app: App, pulse: Pulse, log: Log, services: tuple[Service, ...], rest: Rest
    ) -> None:
        self._app = app
        self._pulse = pulse
        self._log = log
        self._services = services
        self._rest = rest
        self._tending = Tending(app, log)
        self._chores_at = 0.0
        self._curate_at = 0.0
        self._came_at: float | None = None  # when the first came that is not curated
        self._has_kept_up = False
        self._behind = 0
        self._told: set[str] = set()  # the troubles that were logged and are not over
        self._damaged: dict[str, str] = {}  # groups that a check has found damaged, and how
        self._recovered: dict[str, Recovered | None] | None = None  # the last ones that were told

    def round(self) -> int:
        """Do what there is to do; return how many events came, or are still to be curated."""
        if self._recovered is None:
            self._recovered = self._recoveries()
        taken = self._drain()
        for service in self._services:
            service()
        if time.monotonic() >= self._chores_at:
            self._chores_at = time.monotonic() + CHORES_EVERY
            self._chores()
            self._rest.renew()
        self._tending.look()
        self._rest.look()
        return taken

    @property
    def is_at_rest(self) -> bool:
        """Say whether nothing has come for a while, so that it is enough to look now and then."""
        return self._rest.is_time

    def _drain(self) -> int:
        """Take in what waits, for a moment; return how much there was, curating counts as well."""
        is_time = time.monotonic() >= self._curate_at
        done = self._app.drain(seconds=SLICE, curating=is_time)
        if is_time:
            self._tell_recoveries()
        if is_time and not done.uncurated:
            self._came_at = None
            every = CURATE_SELDOM if self.is_at_rest else CURATE_EVERY
            self._curate_at = time.monotonic() + every
        if done.taken:
            now = time.monotonic()
            self._came_at = self._came_at or now
            self._curate_at = min(now + CALM, self._came_at + HURRY)
        if done.taken or done.uncurated != self._behind:  # what waits for a later try may wait long
            self._rest.put_off()
        self._behind = done.uncurated
        if done.taken or done.bad:
            self._pulse.taken += done.taken
            self._log.line(
                "drained", taken=done.taken, known=done.known, bad=done.bad, waiting=done.waiting
            )
        self._tell(done.troubles, is_whole=is_time)
        return done.taken + done.known + done.bad + done.uncurated

    def _tell(self, troubles: list[StoreError], *, is_whole: bool) -> None:
        """Log what holds a group up, once; a newer schema ends everything.

        Only a round that looks at every group, a whole one, tells that a trouble is over.
        """
        for trouble in troubles:
            if isinstance(trouble, SchemaNewer):
                raise trouble
        names = {type(trouble).__name__ for trouble in troubles}
        if not names <= self._told:
            self._pulse.fail(min(names))
            self._log.line("held up", error=" ".join(sorted(names)))
        self._told = names if is_whole else self._told | names

    def _chores(self) -> None:
        """Look after what needs it now and then: damage, settings, old memories, backups."""
        if left := self._app.discard_proofs():
            self._log.line("removed what killed proofs left", proofs=len(left))
        for name in self._app.groups():
            self._check(name)
        for group in self._app.status().groups:
            if group.events:
                self._look_after(group.name)
        self._has_kept_up = True

    def _check(self, group: str, *, is_suspect: bool = False) -> None:
        """Look for damage in a transcript though no event comes; say once what is wrong."""
        try:
            self._app.check_transcript(group, is_suspect=is_suspect)
        except SchemaNewer:
            raise
        except TacitError as error:
            if self._damaged.get(group) != str(error):
                self._pulse.fail(type(error).__name__)
                self._log.line("check failed", group=group, error=type(error).__name__)
            self._damaged[group] = str(error)
            return
        self._damaged.pop(group, None)

    def _recoveries(self) -> dict[str, Recovered | None]:
        return {group: self._app.last_recovery(group) for group in self._app.groups()}

    def _tell_recoveries(self) -> None:
        """Log the transcripts that were recovered since this was last called, by any program."""
        before, self._recovered = self._recovered or {}, self._recoveries()
        for group, last in self._recovered.items():
            if last and last != before.get(group):
                self._log.line(
                    "recovered",
                    group=group,
                    reason=last.reason,
                    backup=last.backup,
                    replayed=last.replayed,
                    lost=last.lost,
                    **({} if last.lost_after is None else {"lost_after": last.lost_after}),
                )

    def _look_after(self, group: str) -> None:
        try:
            kept = None if self._has_kept_up else self._app.upkeep(group)
            made = self._app.backup(group) if self._app.is_backup_due(group) else None
            merged = self._app.merge(group) if self._app.is_merge_due(group) else []
        except SchemaNewer:
            raise
        except TacitError as error:
            self._pulse.fail(type(error).__name__)
            self._log.line("chores failed", group=group, error=type(error).__name__)
            if isinstance(error, StoreDamaged) and group not in self._damaged:
                self._check(group, is_suspect=True)
            return
        if kept and (kept.purged or kept.archived):
            self._log.line("upkeep", group=group, purged=kept.purged, archived=kept.archived)
        if merged:
            self._log.line("merged", group=group, memories=len(merged))
        if made:
            self._log.line("backup", group=group, events=made.seq, size=made.size)
