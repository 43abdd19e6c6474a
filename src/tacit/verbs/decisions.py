"""Verbs that decide about memories. Each is an event in the transcript, then carried out."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import policy
from tacit.curate import decisions
from tacit.curate.decisions import KIND, About, Decision, Who
from tacit.errors import NotFound, StoreBusy
from tacit.model.memory import (
    USUAL_IMPORTANCE,
    content_of,
    importance_of,
    kind_of,
    tags_of,
)
from tacit.store.memory_port import Wanted
from tacit.transcript import bad, place
from tacit.verbs.memory import MemoryVerbs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.model.action import Action
    from tacit.model.memory import Memory
    from tacit.policy import Caller
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.sqlite.transcript import SqliteStore

_PATIENCE = 30.0
_MOST_EVENTS = 5000  # so many are named in one decision
_REACHABLE = ("active", "superseded", "quarantined", "archived")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is to be remembered, and how; what is empty is as usual."""

    text: str
    kind: str = ""
    tags: tuple[str, ...] = ()
    importance: int = 0
    project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Which memories are to be forgotten."""

    ids: tuple[str, ...] = ()
    session: str | None = None
    project: str | None = None
    origin: str | None = None
    matching: str | None = None
    before: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What is, or would be, forgotten: memories, and how many events are erased."""

    memories: list[Memory]
    events: int


class DecisionVerbs(MemoryVerbs):
    """What the owner wants remembered, corrected, forgotten, kept."""

    def remember(self, group: str, said: Said, caller: Caller) -> Memory:
        """Remember a statement; return the memory that it became."""
        decision = Decision(
            verb="remember",
            text=self._clean(content_of(said.text)),
            kind=kind_of(said.kind or "fact"),
            tags=tags_of(said.tags),
            importance=importance_of(said.importance or USUAL_IMPORTANCE),
            project=said.project,
            surface=caller.surface,
        )
        event = self._decide(group, decision, caller, is_new=True)
        return self._made_of(group, event)

    def correct(self, group: str, name: str, said: Said, caller: Caller) -> Memory:
        """Put a better statement in the place of a memory; return it."""
        old = self.memory(group, name)
        if old.state == "forgotten":
            raise NotFound(f"{old.id} is forgotten. Use `tacit remember` for what is true now.")
        decision = Decision(
            verb="correct",
            about=(self._about(group, old),),
            text=self._clean(content_of(said.text)),
            kind=kind_of(said.kind) if said.kind else "",
            tags=tags_of(said.tags),
            importance=importance_of(said.importance) if said.importance else 0,
            surface=caller.surface,
        )
        event = self._decide(group, decision, caller)
        return self._made_of(group, event, old)

    def pin(self, group: str, name: str, caller: Caller) -> Memory:
        """Keep a memory in sight: it comes first, and no agent can take it away."""
        return self._on_memory(group, "pin", name, caller)

    def unpin(self, group: str, name: str, caller: Caller) -> Memory:
        """Let a memory be one among others again."""
        return self._on_memory(group, "unpin", name, caller)

    def accept(self, group: str, name: str, caller: Caller) -> Memory:
        """Let a memory that was held stand, on the owner's word."""
        return self._on_memory(group, "accept", name, caller)

    def reject(self, group: str, name: str, caller: Caller) -> Memory:
        """Let a memory that was held go."""
        return self._on_memory(group, "reject", name, caller)

    def undo(self, group: str, name: str, caller: Caller) -> list[Memory]:
        """Take back all that one session has taught; return what that was."""
        session = self.session_named(group, name)
        taught = self._memories.ask(group, lambda store: _taught(store, "session", session))
        self._decide(group, Decision(verb="undo", session=session), caller)
        return taught

    def resolve(self, group: str, name: str, caller: Caller) -> Action:
        """Say that an action is done."""
        return self._on_action(group, "resolve", name, caller)

    def dismiss(self, group: str, name: str, caller: Caller) -> Action:
        """Say that an action is not wanted."""
        return self._on_action(group, "dismiss", name, caller)

    def forget(
        self, group: str, which: Which, caller: Caller, *, erase: bool = False, dry: bool = False
    ) -> Forgotten:
        """Forget memories; with *erase* the words they came from go as well, everywhere."""
        if erase:
            self.drain(seconds=None)  # what waits may hold it as well
        ledger = self._existing(group)
        if ledger is None:
            raise NotFound(f"Group {group} remembers nothing yet. See `tacit status`.")
        session = self.session_named(group, which.session) if which.session else None
        memories = self._memories.ask(group, lambda store: self._meant(store, group, which))
        events = self._events(ledger.store, group, which, memories) if erase else []
        if not dry and (memories or events):
            base = Decision(
                verb="forget",
                about=tuple(self._about(group, each) for each in memories),
                session=session,
                whose=which.origin,
                surface=caller.surface,
            )
            self._forget(group, base, events, caller)
            if erase and which.matching:
                bad.erase(Path(self._home), which.matching.encode("utf-8", "surrogatepass"))
        return Forgotten(memories=memories, events=len(events))

    def _forget(self, group: str, base: Decision, events: list[str], caller: Caller) -> None:
        """Decide it, in as many events as it takes."""
        parts = [events[at : at + _MOST_EVENTS] for at in range(0, len(events), _MOST_EVENTS)]
        for part in parts or [[]]:
            fields = {name: getattr(base, name) for name in Decision.__slots__}
            self._decide(group, Decision(**fields | {"erased": tuple(part)}), caller)

    def _meant(self, store: SqliteMemory, group: str, which: Which) -> list[Memory]:
        """Return the memories that are meant, each once."""
        found = [store.memories.named(name) for name in which.ids]
        if which.session:
            found += _taught(store, "session", self.session_named(group, which.session))
        if which.origin:
            found += _taught(store, "origin", which.origin)
        if which.project:
            keys = self.keys_of(group, which.project)
            found += store.memories.wanted(Wanted(states=_REACHABLE, projects=keys))
        if which.matching:
            found += store.memories.wanted(Wanted(states=_REACHABLE, text=which.matching))
        if which.before is not None:
            found += store.memories.wanted(Wanted(states=_REACHABLE, before=which.before))
        return list({each.id: each for each in found}.values())

    def _events(
        self, transcript: SqliteStore, group: str, which: Which, memories: list[Memory]
    ) -> list[str]:
        """Return the events whose bodies are to go, in order."""
        store = self._memories.get(group)
        names = [row.event for each in memories for row in store.evidence.of_memory(each.id)]
        seqs = {record.seq for record in transcript.find(list(dict.fromkeys(names)))}
        if which.session:
            session = self.session_named(group, which.session)
            seqs |= {record.seq for record in transcript.of_session(session)}
        if which.matching:
            seqs |= set(transcript.matching(which.matching))
        if which.project:
            seqs |= set(transcript.of_projects(self.keys_of(group, which.project)))
        if which.before is not None:
            seqs |= set(transcript.before(which.before))
        seqs -= transcript.buried().keys()
        return [name for _, name in sorted(transcript.ids(seqs).items())]

    def _on_memory(self, group: str, verb: str, name: str, caller: Caller) -> Memory:
        memory = self.memory(group, name)
        self._decide(group, Decision(verb=verb, about=(self._about(group, memory),)), caller)
        return self.memory(group, memory.id)

    def _on_action(self, group: str, verb: str, name: str, caller: Caller) -> Action:
        action = self._of_memory(group, lambda store: store.actions.named(name))
        if action is None:
            raise NotFound(f"There is no action {name!r} in group {group}. See `tacit actions`.")
        self._decide(group, Decision(verb=verb, about=(About(id=action.id),)), caller)
        return self._memories.ask(group, lambda store: store.actions.named(action.id))

    def _about(self, group: str, memory: Memory) -> About:
        rows = self._memories.ask(group, lambda store: store.evidence.of_memory(memory.id))
        return decisions.about(memory, tuple(dict.fromkeys(row.event for row in rows)))

    def _decide(
        self, group: str, decision: Decision, caller: Caller, *, is_new: bool = False
    ) -> str:
        """Write a decision down and carry it out; return its event."""
        lately = self._lately(group, caller)
        policy.check(caller, decision.verb, decided_lately=lately)
        who = Who(origin=caller.origin, session=caller.session, via=caller.surface)
        here = place.locate(os.getcwd())  # noqa: PTH109  (a string is wanted)
        now = self._now_ns()
        with self._ledgers.locked(group, is_new=is_new) as ledger:
            event = decisions.event(decision, who, here, now_ns=now, random=os.urandom)
            ledger.append([event], now_ns=now)
        self._wait_for(group, lambda store: store.jobs.state_of(KIND, "", event.id) == "done")
        return event.id

    def _wait_for(self, group: str, is_so: Callable[[SqliteMemory], bool]) -> None:
        """Curate until something is so; another program may be at it as well."""
        end = time.monotonic() + _PATIENCE
        while True:
            self.curate(group)
            if self._memories.ask(group, is_so):
                return
            if time.monotonic() > end:
                raise StoreBusy(
                    "It is written down, and takes effect once what came before is done. "
                    "See `tacit queue`."
                )
            time.sleep(0.02)

    def _lately(self, group: str, caller: Caller) -> int:
        """Return how much an agent has decided within an hour."""
        if caller.profile == policy.OWNER:
            return 0
        since = self._now_ns() - policy.HOUR_NS
        return sum(each.at > since and each.origin == "agent" for each in self.audit(group))

    def _made_of(self, group: str, event: str, old: Memory | None = None) -> Memory:
        """Return the memory that a decision made; the old one if it said the same."""
        found = self._memories.ask(group, lambda store: _of_event(store, event))
        if found or old:
            return found[0] if found else self.memory(group, old.id if old else "")
        raise NotFound("It was not taken in. See `tacit queue`.")

    def _clean(self, text: str) -> str:
        """Return a text without secrets."""
        return self._parts.redactor().redact(text.encode("utf-8", "replace")).decode()


def _taught(store: SqliteMemory, by: str, subject: str) -> list[Memory]:
    """Return what still stands of what one session, or one origin, has taught."""
    names = dict.fromkeys(
        store.evidence.memory_of(row) for row in store.evidence.found(by, subject)
    )
    found = [store.memories.get(name) for name in names if name]
    return [each for each in found if each is not None and each.state in _REACHABLE]


def _of_event(store: SqliteMemory, event: str) -> Sequence[Memory]:
    names = [store.evidence.memory_of(row) for row in store.evidence.found("event", event)]
    found = [store.memories.get(name) for name in names if name]
    return [each for each in found if each is not None]
