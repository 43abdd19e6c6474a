"""Verbs that read memories: list, show, why, diff, and what waits for whom."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.capture import state
from tacit.curate import rebuild, statement, views
from tacit.curate.attention import distinct
from tacit.curate.feed import Feed
from tacit.curate.work import Curator, Tools, Worked
from tacit.errors import NotFound, StoreError
from tacit.store.memory_port import Wanted
from tacit.transcript import lock
from tacit.transcript.ingest import Drained
from tacit.verbs.workspace import WorkspaceVerbs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.curate.decisions import Decided
    from tacit.curate.rebuild import Rebuilt
    from tacit.curate.views import Diff, Why
    from tacit.model.action import Action, Summary
    from tacit.model.memory import Memory
    from tacit.store.memory_port import JobRow
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.unasked_port import Unasked
    from tacit.transcript.ledger import Ledger
    from tacit.verbs.parts import Answer, Parts

    Progress = Callable[[int, int], object]

READING_SECONDS = 2.0
_LEAST = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What is to be done in a group: how much was not read yet, and what is not done."""

    unread: int
    turns: int
    counts: dict[str, int]
    jobs: list[JobRow]
    unasked: list[Unasked] = field(default_factory=list)  # turns that no model has read yet


class MemoryVerbs(WorkspaceVerbs):
    """What is remembered, where it came from, and what is still to be done."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._memories.catch_up = self.curate

    def drain(
        self,
        *,
        seconds: float | None = READING_SECONDS,
        progress: Progress | None = None,
        curating: bool = True,
    ) -> Drained:
        """Take in what waits in the spool and make memories of it, for so long at most.

        What killed programs left half-written is removed. In a home that cannot be written to,
        nothing is done: what waits is counted.
        """
        if not state.is_writable(self._root):
            return Drained(waiting=len(self._spool.waiting()))
        end = None if seconds is None else time.monotonic() + seconds
        if curating:  # not in every round of the daemon
            self._remove_leftovers()
        done = self._parts.ingest.drain(now_ns=self._now_ns, seconds=seconds, progress=progress)
        done.troubles += self.hear(done.answered)
        for group in self.groups() if curating else []:
            try:
                self._catch_up(group, end, done)
            except StoreError as error:
                done.troubles.append(error)
        for group in self._ledgers.proofs() if curating else []:
            self._catch_up_proof(group, end, done)
        return done

    def _catch_up(self, group: str, end: float | None, done: Drained) -> None:
        """Curate a group, then make what depends on its memories, until *end* at most."""
        left = None if end is None else max(_LEAST, end - time.monotonic())
        waiting = self.curate(group, seconds=left).waiting
        done.uncurated += waiting
        if not waiting:  # what is to be erased is, before anything is made of it
            self.mirror(group, seconds=left)
        self.prepare(group, seconds=left)
        self.find_uses(group, seconds=left)
        left = None if end is None else max(_LEAST, end - time.monotonic())
        done.uncurated += self._renew(group, seconds=left)

    def _catch_up_proof(self, group: str, end: float | None, done: Drained) -> None:
        """Curate the group of a proof, under the lock that guards its removal as well.

        What goes wrong in it is for the proof to report: it is no group of the user's.
        """
        with lock.held(Path(self._home), seconds=_LEAST) as is_held:
            if not is_held:
                done.uncurated += 1  # for the next time
            elif self._ledgers.has(group):
                with suppress(StoreError):
                    self._ledgers.held(group)
                    self._catch_up(group, end, done)

    def curate(
        self,
        group: str,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> Worked:
        """Make memories of what has happened in a group, for so long at most."""
        ledger = self._existing(group)
        if ledger is None:
            return Worked()

        def curated(store: SqliteMemory) -> Worked:
            rebuild.stamp(store)
            curator = Curator(ledger.store, store, self._tools(group))
            return curator.work(seconds=seconds, progress=progress)

        return self._memories.ask(group, curated)

    def _renew(self, group: str, *, seconds: float | None) -> int:
        """Make a group's memory again if older rules made it; return how much is left to do."""
        ledger = self._existing(group)
        if ledger is None:
            return 0

        def renewed(live: SqliteMemory) -> tuple[bool, int]:
            before = live.jobs.number(rebuild.RULES)
            left = rebuild.renew(ledger.store, live, ledger.engine, self._tools(group), seconds)
            return live.jobs.number(rebuild.RULES) != before, left

        is_new, left = self._memories.ask(group, renewed)
        if is_new:
            self.mirror(group, seconds=seconds)
            self.prepare(group, seconds=seconds)
        return left

    def list(self, group: str, wanted: Wanted) -> list[Memory]:
        """Return the memories that fit, the newest first."""
        return self._of_memory(group, lambda store: store.memories.wanted(wanted)) or []

    def memory(self, group: str, name: str, *, as_of: int | None = None) -> Memory:
        """Return one memory; with *as_of* what stood in its place then."""
        found = self._of_memory(group, lambda store: self._named(store, name, as_of))
        if found is None:
            raise NotFound(f"There is no memory {name!r} in group {group}. See `tacit list`.")
        return found

    def _named(self, store: SqliteMemory, name: str, as_of: int | None) -> Memory | None:
        memory = store.memories.named(name)
        if not store.connection.is_read_only:
            store.memories.use(memory.id, self._now_ns())
        if as_of is None:
            return memory
        found = views.as_of(store, memory, as_of)
        if found is None:
            raise NotFound(
                f"{memory.id} was not known then. `tacit why {memory.id}` tells its time."
            )
        return found

    def why(self, group: str, name: str) -> Why:
        """Return where a memory came from: its quotes in their turns, its chain, who decided."""
        memory = self.memory(group, name)
        ledger = self._ledgers.get(group)
        return self._memories.ask(group, lambda store: views.why(store, ledger.store, memory))

    def diff(self, group: str, name: str) -> Diff:
        """Return what one session has changed."""
        session = self.session_named(group, name)
        return self._memories.ask(group, lambda store: views.diff(store, session))

    def quarantine(self, group: str) -> Sequence[Memory]:
        """Return what is held until the owner accepts or rejects it."""
        return self.list(group, Wanted(states=("quarantined",)))

    def actions(self, group: str, status: str | None = "pending") -> Sequence[Action]:
        """Return what waits for attention, the most urgent first."""
        return distinct(self._of_memory(group, lambda store: store.actions.wanted(status)) or [])

    def summaries(self, group: str, project: str | None = None) -> Sequence[Summary]:
        """Return what sessions came to, the latest first."""
        keys = self.keys_of(group, project) if project else None
        found = self._of_memory(group, lambda store: store.actions.summaries(projects=keys))
        return found or []

    def queue(self, group: str) -> Queue:
        """Return what is still to be done."""
        found = self._read(group, lambda ledger: self._memories.ask(group, partial(_queue, ledger)))
        return found or Queue(unread=0, turns=0, counts={}, jobs=[])

    def retry(self, group: str, number: int | None = None) -> int:
        """Give what failed for good another chance; return how many."""
        now = self._now_ns()
        tried = self._of_memory(group, lambda store: store.jobs.retry(now, number)) or 0
        if number is None:
            tried += self._of_memory(group, lambda store: store.unasked.retry(now)) or 0
        return tried

    def audit(self, group: str, name: str | None = None) -> Sequence[Decided]:
        """Return what owner and agents have decided, in order."""
        session = self.session_named(group, name) if name else None
        return self._read(group, lambda ledger: views.audit(ledger.store, session)) or []

    def rebuild(self, group: str, progress: Progress | None = None) -> Rebuilt:
        """Make a group's memory again from its transcript; the owner's decisions stay."""
        ledger = self._existing(group)
        if ledger is None:
            raise NotFound(f"Group {group} has no transcript yet: there is nothing to rebuild.")
        rebuilt = self._memories.ask(
            group,
            lambda live: rebuild.rebuild(
                ledger.store, live, ledger.engine, self._tools(group), progress
            ),
        )
        self.mirror(group)
        self.prepare(group)
        return rebuilt

    def session_named(self, group: str, name: str) -> str:
        """Return the session whose id begins with *name*."""
        found = self._read(group, lambda ledger: ledger.store.named(name)) or (None, None)
        session, turn = found
        if session is None or turn is not None:
            raise NotFound(f"There is no session {name!r} in group {group}. See `tacit sessions`.")
        return session

    def _of_memory(self, group: str, ask: Callable[[SqliteMemory], Answer]) -> Answer | None:
        """Return what a group's memory says; None if the group has nothing yet."""
        if self._existing(group) is None:
            self._check_there(group)
            return None
        return self._memories.ask(group, ask)

    def _tools(self, group: str) -> Tools:
        return Tools(
            extractor=self._parts.extractor,
            digest=partial(statement.digest, self._parts.key),
            now_ns=self._now_ns,
            random=os.urandom,
            erase=lambda events: self._let_go(group, events),
        )

    def _let_go(self, group: str, events: Sequence[str]) -> None:
        """Let the bodies of events go from the transcript and all that keeps it."""
        with self._ledgers.locked(group) as ledger:
            buried = ledger.store.buried()
            seqs = {record.seq for record in ledger.store.find(events)} - buried.keys()
            if seqs:
                ledger.erase(seqs, now_ns=self._now_ns(), reason="asked by the owner")


def _queue(ledger: Ledger, store: SqliteMemory) -> Queue:
    return Queue(
        unread=Feed(ledger.store, store).waiting(),
        turns=store.jobs.turns(),
        counts=store.jobs.counted(),
        jobs=store.jobs.listed(),
        unasked=store.unasked.listed(),
    )
