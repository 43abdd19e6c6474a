"""Verbs that decide about memories. Each is an event in the transcript, then carried out."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import policy
from tacit.curate import decisions, explicit, views
from tacit.curate.decisions import KIND, About, Decision, Who
from tacit.errors import MemoryRefused, NotFound, StoreBusy
from tacit.model.memory import (
    USUAL_IMPORTANCE,
    content_of,
    importance_of,
    kind_of,
    tags_of,
)
from tacit.store.memory_port import Wanted
from tacit.transcript import bad, place
from tacit.verbs import chosen
from tacit.verbs.chosen import REACHABLE, Which
from tacit.verbs.memory import MemoryVerbs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.model.action import Action
    from tacit.model.memory import Memory
    from tacit.policy import Caller
    from tacit.store.sqlite.memory import SqliteMemory

_PATIENCE = 30.0
_MOST_EVENTS = 5000  # so many are named in one decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is to be remembered, and how; what is empty is as usual."""

    text: str
    kind: str = ""
    tags: tuple[str, ...] = ()
    importance: int | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What is, or would be, forgotten: memories, and how many events are erased.

    What these had replaced stays so; about what is not an agent's to forget the owner was asked.
    """

    memories: list[Memory]
    events: int
    replaced: int = 0
    asked: int = 0


class DecisionVerbs(MemoryVerbs):
    """What the owner wants remembered, corrected, forgotten, kept."""

    def remember(self, group: str, said: Said, caller: Caller) -> Memory:
        """Remember a statement; return the memory that it became."""
        decision = Decision(
            verb="remember",
            text=content_of(self._clean(said.text)),
            kind=kind_of(said.kind or explicit.kind_of_statement(said.text)),
            tags=tags_of([self._clean(tag) for tag in said.tags]),
            importance=importance_of(
                USUAL_IMPORTANCE if said.importance is None else said.importance
            ),
            project=said.project,
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
            text=content_of(self._clean(said.text)),
            kind=kind_of(said.kind or old.kind),
            tags=tags_of([self._clean(tag) for tag in said.tags or old.tags]),
            importance=importance_of(
                old.importance if said.importance is None else said.importance
            ),
            project=old.project,
            pinned=old.pinned,
        )
        before = (old.content, old.kind, old.tags, old.importance)
        said_now = (decision.text, decision.kind, decision.tags, decision.importance)
        if said_now == before and old.state == "active":  # nothing to write down
            return old
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
        """Take back all that one session has taught; return what no longer stands."""
        session = self.session_named(group, name)
        taught = self._memories.ask(group, lambda store: _taught(store, "session", session))
        self._decide(group, Decision(verb="undo", session=session), caller)
        return self._memories.ask(group, lambda store: _gone(store, taught))

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
        if not dry:
            policy.check(caller, "forget")
            policy.check_erasing(caller, is_meant=erase)
        if erase:
            self.drain(seconds=None)  # what waits may hold it as well
        if erase and which.matching and not dry:  # first: nothing remembers that it is to be done
            bad.erase(Path(self._home), which.matching.encode("utf-8", "surrogatepass"))
        ledger = self._existing(group)
        if ledger is None:
            raise NotFound(f"Group {group} remembers nothing yet. See `tacit status`.")
        if which.session:
            which = replace(which, session=self.session_named(group, which.session))
        keys = self.keys_of(group, which.project) if which.project else ()
        memories = self._memories.ask(group, lambda store: chosen.memories(store, which, keys))
        events: list[str] = []
        if erase:
            store = self._memories.get(group)
            events = chosen.events(ledger.store, store, which, keys, memories)
            memories = chosen.with_derived(store, memories, events)
        replaced = self._memories.ask(
            group, lambda store: chosen.replaced(store, which, memories, events)
        )
        meant = len(memories)
        if not dry:
            self._forget(group, which, (memories, events, replaced), caller)
            memories = self._memories.ask(group, lambda store: _gone(store, memories))
        return Forgotten(
            memories=memories,
            events=len(events),
            replaced=len(replaced),
            asked=meant - len(memories) if caller.origin == policy.AGENT else 0,
        )

    def _forget(
        self,
        group: str,
        which: Which,
        found: tuple[list[Memory], list[str], list[Memory]],
        caller: Caller,
    ) -> None:
        """Decide it, in as many events as it takes."""
        memories, events, replaced = found
        if not memories and not events:
            return
        digest = self._tools(group).digest
        base = Decision(
            verb="forget",
            about=tuple(self._about(group, each) for each in memories),
            session=which.session if which.is_of_session else None,
            whose=which.origin if which.is_of_origin else None,
            replaced=tuple(self._former(group, each) for each in replaced) if events else (),
            statements=tuple(digest(each.content).hex() for each in memories),
        )
        parts = [events[at : at + _MOST_EVENTS] for at in range(0, len(events), _MOST_EVENTS)]
        for part in parts or [[]]:
            self._decide(group, replace(base, erased=tuple(part)), caller)

    def _on_memory(self, group: str, verb: str, name: str, caller: Caller) -> Memory:
        policy.check(caller, verb)
        memory = self.memory(group, name)
        is_held = memory.state in {"quarantined", "candidate", "archived"}
        if memory.state == "forgotten" or (verb in {"accept", "reject"} and not is_held):
            raise NotFound(
                f"{memory.id} is {memory.state}: there is nothing to {verb}. "
                "See `tacit list` and `tacit review`."
            )
        if verb == "pin" and memory.state != "active":
            raise MemoryRefused(_why_not_pinned(memory))
        self._decide(group, Decision(verb=verb, about=(self._about(group, memory),)), caller)
        found = self._of_memory(group, lambda store: store.memories.get(memory.id))
        return found or memory

    def _on_action(self, group: str, verb: str, name: str, caller: Caller) -> Action:
        policy.check_closing(caller, is_allowed=self._chosen().resolve_actions)
        action = self._of_memory(group, lambda store: store.actions.named(name))
        if action is None:
            raise NotFound(f"There is no action {name!r} in group {group}. See `tacit actions`.")
        if action.status != "pending":
            raise NotFound(f"{action.id} is {action.status} already: there is nothing to {verb}.")
        self._decide(group, Decision(verb=verb, about=(About(id=action.id),)), caller)
        return self._memories.ask(group, lambda store: store.actions.named(action.id))

    def _about(self, group: str, memory: Memory) -> About:
        """Return a memory as a decision names it."""

        def asked(store: SqliteMemory) -> About:
            earlier = [each for each in views.chain(store, memory) if each.superseded_by]
            before = [
                row.event
                for each in earlier
                if each.id != memory.id and each.valid_from <= memory.valid_from
                for row in store.evidence.of_memory(each.id)
            ]
            rows = store.evidence.of_memory(memory.id)
            return About(
                id=memory.id,
                kind=memory.kind,
                events=tuple(dict.fromkeys(row.event for row in rows)),
                before=tuple(dict.fromkeys(before)),
            )

        return self._memories.ask(group, asked)

    def _former(self, group: str, memory: Memory) -> About:
        """Return a memory that holds no longer, as a decision names it."""
        says = self._tools(group).digest(memory.content).hex()
        return replace(self._about(group, memory), says=says, until=memory.valid_to or 0)

    def _decide(
        self, group: str, decision: Decision, caller: Caller, *, is_new: bool = False
    ) -> str:
        """Write a decision down and carry it out; return its event."""
        lately = self._lately(group, caller)
        policy.check(caller, decision.verb, decided_lately=lately)
        who = Who(origin=caller.origin, session=caller.session, via=caller.surface)
        is_somewhere = caller.profile != policy.SYSTEM
        here = place.locate(os.getcwd()) if is_somewhere else None  # noqa: PTH109  (a string)
        now = self._now_ns()
        with self._ledgers.locked(group, is_new=is_new) as ledger:
            told = replace(decision, surface=caller.surface)
            event = decisions.event(told, who, here, now_ns=now, random=os.urandom)
            ledger.append([event], now_ns=now)
        self._wait_for(group, lambda store: store.jobs.state_of(KIND, "", event.id) == "done")
        return event.id

    def _wait_for(self, group: str, is_so: Callable[[SqliteMemory], bool]) -> None:
        """Curate until something is so; another program may be at it as well."""
        end = time.monotonic() + _PATIENCE
        while True:
            self.curate(group)
            if self._memories.ask(group, is_so):
                self.prepare(group)
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


def _taught(store: SqliteMemory, by: str, subject: str) -> list[Memory]:
    """Return what still stands of what one session, or one origin, has taught."""
    names = dict.fromkeys(
        store.evidence.memory_of(row) for row in store.evidence.found(by, subject)
    )
    found = [store.memories.get(name) for name in names if name]
    return [each for each in found if each is not None and each.state in REACHABLE]


def _gone(store: SqliteMemory, memories: list[Memory]) -> list[Memory]:
    """Return those of the memories that no longer stand."""
    return [each for each in memories if not _stands(store, each)]


def _stands(store: SqliteMemory, memory: Memory) -> bool:
    """Say whether a memory still stands, be it under another name."""
    now = store.memories.get(memory.id)
    if now is not None:
        return now.state in REACHABLE
    same = store.memories.wanted(Wanted(states=REACHABLE, text=memory.content))
    return any(each.content == memory.content for each in same)


def _of_event(store: SqliteMemory, event: str) -> Sequence[Memory]:
    names = [store.evidence.memory_of(row) for row in store.evidence.found("event", event)]
    found = [store.memories.get(name) for name in names if name]
    return [each for each in found if each is not None]


def _why_not_pinned(memory: Memory) -> str:
    """Return why pinning would keep nothing in sight, and what to do instead."""
    if memory.superseded_by:
        return (
            f"{memory.id} was replaced by {memory.superseded_by} and is not active. "
            f"Pin that one: `tacit pin {memory.superseded_by}`."
        )
    if memory.state == "quarantined":
        return f"{memory.id} is held in quarantine. First `tacit quarantine accept {memory.id}`."
    return f"{memory.id} is {memory.state}, not active. Say it again with `tacit remember`."
