"""Carrying decisions out: the owner's word counts; an agent's asks where it is not its own.

An agent never replaces, forgets or unpins what the user or the owner said, nor what is pinned: both
stay, and an action asks the owner.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.model.action import HIGH, Action
from tacit.model.memory import (
    USUAL_IMPORTANCE,
    Evidence,
    content_of,
    identity,
    importance_of,
    kind_of,
    tags_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.curate.decisions import About, Decided
    from tacit.curate.learn import Learner
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

EXTRACTOR = "decision-1"


class Decider:
    """Carries out what was decided, in one group's memory."""

    def __init__(self, store: SqliteMemory, learner: Learner) -> None:
        self._store = store
        self._learner = learner
        self.missed: list[Decided] = []  # decisions about what is no longer there
        self._verbs: dict[str, Callable[[Decided], object]] = {
            "remember": self._remember,
            "correct": self._correct,
            "forget": self._forget,
            "undo": self._undo,
            "pin": self._pin,
            "unpin": self._pin,
            "accept": self._accept,
            "reject": self._reject,
            "resolve": self._close_actions,
            "dismiss": self._close_actions,
        }

    def carry_out(self, decided: Decided) -> None:
        """Do what was decided; what is no longer there is passed over."""
        self._verbs[decided.decision.verb](decided)

    def meant(self, about: About) -> Memory | None:
        """Return the memory that is meant: by its id, else by what it stands on."""
        found = self._store.memories.get(about.id)
        if found is not None:
            return found
        for event in about.events:
            for evidence in self._store.evidence.found("event", event):
                name = self._store.evidence.memory_of(evidence)
                memory = self._store.memories.get(name) if name else None
                if memory is not None and memory.kind == about.kind:
                    return memory
        return None

    def _memories(self, decided: Decided) -> list[Memory]:
        found = [self.meant(each) for each in decided.decision.about]
        if None in found and not decided.decision.erased:
            self.missed.append(decided)
        return [each for each in found if each is not None]

    def _remember(self, decided: Decided) -> None:
        self._learner.learn(_evidence(decided))

    def _correct(self, decided: Decided) -> None:
        for named in self._memories(decided):
            old = self._standing(named)
            evidence = _evidence(decided, old)
            if self._learner.digest(evidence.content) == self._learner.digest(old.content):
                continue
            new = self._learner.learn(evidence)
            if new is None or new.id == old.id:
                continue
            if _may_touch(decided, old):
                self._learner.supersede(old, new, decided.at)
                if old.pinned:  # the owner wants the corrected one kept in sight
                    self._store.memories.change(new, pinned=True)
            else:
                self._store.memories.link(new.id, old.id, "contradicts")
                self._ask(decided, old, f"An agent says {new.content!r} instead")

    def _standing(self, memory: Memory) -> Memory:
        """Return what stands in a memory's place now."""
        seen = {memory.id}
        while memory.superseded_by and memory.superseded_by not in seen:
            seen.add(memory.superseded_by)
            memory = self._store.memories.get(memory.superseded_by) or memory
        return memory

    def _forget(self, decided: Decided) -> None:
        for event in decided.decision.erased:
            self._erase(event, decided.at)
        if decided.decision.session or decided.decision.whose:
            self._take_back(decided)
        for memory in self._memories(decided):
            if _may_touch(decided, memory):
                statement = self._learner.digest(memory.content).hex()
                self._store.evidence.refuse("statement", statement, decided.at)
                reason = f"forgotten by {decided.origin}"
                self._store.memories.change(memory, state="forgotten", reason=reason, pinned=False)
            else:
                self._ask(decided, memory, "An agent wants this forgotten")

    def _undo(self, decided: Decided) -> None:
        self._take_back(decided)

    def _take_back(self, decided: Decided) -> None:
        """Take back all that one session, or one origin, has taught until now."""
        wanted = decided.decision
        by, subject = ("session", wanted.session) if wanted.session else ("origin", wanted.whose)
        self._store.evidence.refuse(by, subject or "", decided.at)
        for evidence in self._store.evidence.found(by, subject or ""):
            self._learner.withdraw(evidence, reason=f"taken back by {decided.origin}")
        for action in (
            self._store.actions.found("session", subject or "") if by == "session" else []
        ):
            if action.status == "pending":
                self._close(action, decided, "dismissed")

    def _erase(self, event: str, at: int) -> None:
        """Remove all that was made of an event, and never make it again."""
        for evidence in self._store.evidence.found("event", event):
            name = self._store.evidence.memory_of(evidence)
            memory = self._store.memories.get(name) if name else None
            if memory is not None:
                statement = self._learner.digest(memory.content).hex()
                self._store.evidence.refuse("statement", statement, at)
                for action in self._store.actions.found("memory", memory.id):
                    self._store.actions.remove(action.id)  # it may repeat the words
            self._learner.withdraw(evidence)
        for action in self._store.actions.found("event", event):
            self._store.actions.remove(action.id)
        self._store.evidence.refuse("event", event, at)

    def _pin(self, decided: Decided) -> None:
        verb = decided.decision.verb
        for memory in self._memories(decided):
            if decided.origin == "owner":
                self._store.memories.change(memory, pinned=verb == "pin")
            else:
                self._ask(decided, memory, f"An agent wants to {verb} this")

    def _accept(self, decided: Decided) -> None:
        """Let what was held stand, on the word of the one who accepts it."""
        for memory in self._memories(decided):
            if memory.state == "quarantined" and decided.origin == "owner":
                accepted = self._store.memories.change(memory, state="active", reason=None)
                said = replace(decided, decision=replace(decided.decision, text=memory.content))
                self._store.evidence.add(_evidence(said, memory), memory.id)
                self._learner.refresh(accepted)

    def _reject(self, decided: Decided) -> None:
        for memory in self._memories(decided):
            if memory.state == "quarantined":
                statement = self._learner.digest(memory.content).hex()
                self._store.evidence.refuse("statement", statement, decided.at)
                reason = f"rejected by {decided.origin}"
                self._store.memories.change(memory, state="forgotten", reason=reason)

    def _close_actions(self, decided: Decided) -> None:
        status = "acted_on" if decided.decision.verb == "resolve" else "dismissed"
        for each in decided.decision.about:
            action = self._store.actions.get(each.id)
            if action is not None and action.status == "pending":
                self._close(action, decided, status)

    def _close(self, action: Action, decided: Decided, status: str) -> None:
        closed = replace(action, status=status, closed_at=decided.at, closed_by=decided.event)
        self._store.actions.put(closed)

    def _ask(self, decided: Decided, memory: Memory, what: str) -> None:
        """Queue an action that asks the owner what an agent may not do itself."""
        self._store.actions.put(
            Action(
                id=identity("act", decided.at, decided.event, memory.id),
                content=content_of(f"{what}: {memory.content[:500]}"),
                priority=HIGH,
                memory=memory.id,
                session=decided.session,
                event=decided.event,
                quote=decided.decision.text,
                origin=decided.origin,
                project=memory.project,
                created_at=decided.at,
            )
        )


def _may_touch(decided: Decided, memory: Memory) -> bool:
    """Say whether who decides may change a memory: an agent only what no person stands behind."""
    return decided.origin == "owner" or not (memory.is_trusted or memory.pinned)


def _evidence(decided: Decided, old: Memory | None = None) -> Evidence:
    """Return what was said in a decision as evidence; what is not given is as it was."""
    given = decided.decision
    kind = kind_of(given.kind or (old.kind if old else "fact"))
    return Evidence(
        id=identity("evi", decided.at, decided.event, "0", given.text, kind),
        event=decided.event,
        seq=decided.seq,
        start=0,
        quote=given.text,
        origin=decided.origin,
        via=given.surface,
        session=decided.session,
        turn=None,
        at=decided.at,
        kind=kind,
        content=content_of(given.text),
        tags=tags_of(given.tags or (old.tags if old else ())),
        importance=importance_of(given.importance or (old.importance if old else USUAL_IMPORTANCE)),
        project=old.project if old else given.project,
        topic=old.topic if old else "",
        extractor=EXTRACTOR,
    )
