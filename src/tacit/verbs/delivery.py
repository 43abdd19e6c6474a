"""Verbs about what sessions are told: the brief, its files, and of what use it was."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tacit import paths, settings
from tacit.capture import compile as capture_conf
from tacit.capture import failures
from tacit.deliver import brief as briefs
from tacit.deliver import uses
from tacit.deliver.curated import keep, review
from tacit.deliver.curated.desk import Desk, Surroundings
from tacit.deliver.prepare import Limits, Preparer
from tacit.errors import NotFound, StoreError
from tacit.transcript import place, projects
from tacit.verbs.parts import Verbs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.deliver.brief import Brief
    from tacit.deliver.curated.review import FileStatus
    from tacit.settings import Settings
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.told_port import MemoryUse, Outcome, SurfaceUse
    from tacit.transcript.ingest import Answered
    from tacit.transcript.ledger import Ledger
    from tacit.verbs.parts import Answer

_LATE_NS = 60 * 1_000_000_000  # an answer that was not heard by then never was


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """What was told, what it cost, and of what use it was."""

    surfaces: list[SurfaceUse]
    memories: list[MemoryUse]
    outcomes: list[Outcome]


class DeliveryVerbs(Verbs):
    """What a session is told."""

    def brief(
        self,
        group: str,
        project: str | None = None,
        *,
        as_of: int | None = None,
        limits: Limits | None = None,
    ) -> Brief:
        """Return what a new session is told of a project; without one, what holds everywhere."""
        found = self._read(
            group,
            lambda ledger: self._memories.ask(
                group, lambda store: self._brief(group, store, ledger, project, as_of, limits)
            ),
        )
        return found or briefs.nothing(self._now_ns())

    def _brief(
        self,
        group: str,
        store: SqliteMemory,
        ledger: Ledger,
        project: str | None,
        as_of: int | None,
        limits: Limits | None,
    ) -> Brief:
        keys = projects.keys_of(ledger.store, project) if project else ()
        preparer = self._preparer(group, limits)
        return preparer.full(store, preparer.asked(ledger.store, keys, self._now_ns(), as_of))

    def prepare(self, group: str, *, seconds: float | None = None) -> int:
        """Make the briefs and the curated files again that have changed; return how many are due.

        For so long at most. What cannot be written costs a session its memory, and the log of the
        hook says so.
        """
        ledger = self._existing(group)
        if ledger is None:
            return 0
        until = None if seconds is None else time.monotonic() + seconds
        due = self._made(
            group,
            "brief",
            lambda store: self._preparer(group).prepare(store, ledger.store, self._now_ns(), until),
        )
        return due + self._made(
            group, "files", lambda store: keep.prepare(self._desk(group, store, ledger), until)
        )

    def _made(self, group: str, what: str, make: Callable[[SqliteMemory], int]) -> int:
        try:
            return self._memories.ask(group, make)
        except OSError as error:
            with suppress(OSError):  # on a full disk nothing can be said either
                failures.write(self._root, f"{what} {type(error).__name__} {error.strerror or ''}")
            return 1

    def files(self, group: str) -> list[FileStatus]:
        """Return how each of the six curated files stands; none if the group has nothing yet."""
        return self._at_desk(group, review.status) or []

    def hear(self, answered: Sequence[Answered]) -> list[StoreError]:
        """Write down which sessions were told what; return what stood in the way.

        Those of proofs are left out: their group may be gone by now.
        """
        troubles: list[StoreError] = []
        for each in answered:
            if paths.is_proof(each.group):
                continue
            try:
                self._memories.ask(each.group, partial(_hear, each))
            except StoreError as error:
                troubles.append(error)
        return troubles

    def find_uses(self, group: str, *, seconds: float | None = None) -> None:
        """See what of all that was told has been of use since the last time."""
        ledger = self._existing(group)
        until = None if seconds is None else time.monotonic() + seconds
        if ledger is not None:
            self._memories.ask(group, lambda store: uses.find(store, ledger.store, until))

    def uses(self, group: str, limit: int = 20) -> Uses:
        """Return what was told in a group, what it cost, and of what use it was."""
        before = self._now_ns() - _LATE_NS
        found = self._existing(group) and self._memories.ask(
            group,
            lambda store: Uses(
                surfaces=store.told.totals(before),
                memories=store.told.uses(limit),
                outcomes=store.told.outcomes(),
            ),
        )
        return found or Uses(surfaces=[], memories=[], outcomes=[])

    def keys_of(self, group: str, project: str) -> tuple[str, ...]:
        """Return the keys of a project and of what was joined to it."""
        found = self._read(group, lambda ledger: projects.keys_of(ledger.store, project))
        if found is None:
            raise NotFound(f"Group {group} has no project yet. See `tacit project list`.")
        return found

    def keys_at(self, group: str, directory: str) -> tuple[str, ...]:
        """Return the keys of the project of a directory; none if nothing is known of it."""
        return self._read(group, lambda ledger: keys_at(ledger.store, directory)) or ()

    def _preparer(self, group: str, limits: Limits | None = None) -> Preparer:
        return Preparer(
            self._root, self._home, group, self._parts.key, limits or self._limits_chosen()
        )

    def _desk(self, group: str, store: SqliteMemory, ledger: Ledger) -> Desk:
        """Return all that the curated files of a group are made with."""
        chosen = self._chosen()
        paused = [(each or ["/"])[0] for each in capture_conf.pauses(self._root)]
        surroundings = Surroundings(
            key=self._parts.key,
            clean=self._clean,
            private=(*chosen.exclude, *paused),
            threshold=chosen.surface_threshold,
        )
        return Desk(
            files=self._ledgers.files(group),
            surroundings=surroundings,
            store=store,
            transcript=ledger.store,
            now=self._now_ns(),
        )

    def _at_desk(self, group: str, ask: Callable[[Desk], Answer]) -> Answer | None:
        """Return what the desk of a group says; None if the group has nothing yet."""
        return self._read(
            group,
            lambda ledger: self._memories.ask(
                group, lambda store: ask(self._desk(group, store, ledger))
            ),
        )

    def _clean(self, text: str) -> str:
        """Return a text without secrets."""
        return self._parts.redactor().redact(text.encode("utf-8", "replace")).decode()

    def _limits_chosen(self) -> Limits:
        """Return the limits that the user has chosen."""
        chosen = self._chosen()
        return Limits(
            entries=chosen.brief_lines,
            sessions=chosen.brief_sessions,
            chars=chosen.max_brief_chars,
            holdout=chosen.holdout,
            agent=chosen.word("trust.agent_behavioral"),
        )

    def _chosen(self) -> Settings:
        return settings.load(self._home)


def _hear(answered: Answered, store: SqliteMemory) -> None:
    store.told.hear(answered.told, answered.session, answered.at)


def keys_at(store: Store, directory: str) -> tuple[str, ...]:
    """Return the keys of the project of a directory; none if nothing is known of it."""
    here = place.locate(directory).project if directory else ""
    rows = store.roots()
    head = next((row.joined or row.key for row in rows if row.key == here), None)
    return tuple(row.key for row in rows if head is not None and head in {row.key, row.joined})
