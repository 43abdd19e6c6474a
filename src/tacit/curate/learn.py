"""Learning: evidence comes and goes, and the memories that stand on it follow.

A memory is a function of its evidence: its words are those of the most trusted that said it first,
its weight grows with those who repeat it. Take the evidence back, and what it had replaced returns.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from tacit.model.memory import (
    MOST_IMPORTANCE,
    MOST_TAGS,
    Evidence,
    Memory,
    trust,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.sqlite.memory import SqliteMemory

_OFTEN = 3


class Learner:
    """Keeps one group's memories in step with their evidence."""

    def __init__(self, store: SqliteMemory, digest: Callable[[str], bytes]) -> None:
        self._store = store
        self.digest = digest

    def learn(self, evidence: Evidence, *, reason: str | None = None) -> Memory | None:
        """Take a statement in; with a *reason* it is held in quarantine. None if refused."""
        known = self._store.evidence.memory_of(evidence.id)
        if known is not None:
            return self._store.memories.get(known)
        if self.is_refused(evidence):
            return None
        state = "quarantined" if reason else "active"
        same = self._same(evidence, state)
        if same is None:
            memory = replace(_face(_name(evidence), [evidence]), state=state, reason=reason)
            self._store.memories.put(memory, self.digest(memory.content))
            self._store.evidence.add(evidence, memory.id)
            return memory
        self._store.evidence.add(evidence, same.id)
        return self.refresh(same)

    def is_refused(self, evidence: Evidence) -> bool:
        """Say whether the owner does not want this learned from what was said by then."""
        refused = self._store.evidence.is_refused
        statement = self.digest(evidence.content).hex()
        return (
            refused("statement", statement, evidence.at)
            or refused("session", evidence.session, evidence.at)
            or refused("origin", evidence.origin, evidence.at)
            or refused("origin", evidence.origin.partition(":")[0], evidence.at)
            or refused("event", evidence.event, evidence.at)
        )

    def refresh(self, memory: Memory) -> Memory:
        """Make a memory again from what it stands on now."""
        rows = self._store.evidence.of_memory(memory.id)
        name = _name(rows[0])
        if name != memory.id:
            self._store.memories.rename(memory.id, name)
        made = replace(
            _face(name, rows),
            state=memory.state,
            reason=memory.reason,
            pinned=memory.pinned,
            superseded_by=memory.superseded_by,
            valid_to=memory.valid_to,
        )
        self._store.memories.put(made, self.digest(made.content))
        return made

    def withdraw(self, evidence: str, *, reason: str | None = None) -> None:
        """Take a statement back; with a *reason* the memory is forgotten rather than removed."""
        name = self._store.evidence.memory_of(evidence)
        memory = self._store.memories.get(name) if name else None
        if memory is None:
            return
        if len(self._store.evidence.of_memory(memory.id)) > 1:
            self._store.evidence.remove(evidence)
            self.refresh(memory)
            return
        self._restore(memory)
        if reason is None:
            self._store.memories.remove(memory.id)
        else:
            self._store.memories.change(memory, state="forgotten", reason=reason, pinned=False)

    def supersede(self, old: Memory, new: Memory, at: int) -> None:
        """Let a newer memory stand in the place of an older one."""
        self._store.memories.change(
            old, state="superseded", superseded_by=new.id, valid_to=max(at, old.valid_from)
        )
        self._store.memories.link(new.id, old.id, "supersedes")

    def _restore(self, memory: Memory) -> None:
        """Bring back what a memory had replaced."""
        for old in self._store.memories.superseded_by(memory.id):
            if old.state == "superseded":
                self._store.memories.change(old, state="active", superseded_by=None, valid_to=None)

    def _same(self, evidence: Evidence, state: str) -> Memory | None:
        """Return the memory that says the same already, where this was said or everywhere."""
        for memory in self._store.memories.stating(self.digest(evidence.content)):
            if memory.state == state and memory.project in {None, evidence.project}:
                return memory
        return None


def _name(evidence: Evidence) -> str:
    """Return the id of the memory that begins with this evidence."""
    return "mem" + evidence.id.removeprefix("evi")


def _face(name: str, rows: list[Evidence]) -> Memory:
    """Return the memory that stands on these rows, the first said first."""
    lead = max(rows, key=lambda row: trust(row.origin))  # the first of the most trusted
    equals = [row for row in rows if trust(row.origin) >= trust(lead.origin)]
    is_often = len({row.turn for row in equals}) >= _OFTEN
    tags = dict.fromkeys(tag for row in [lead, *rows] for tag in row.tags)
    return Memory(
        id=name,
        kind=lead.kind,
        content=lead.content,
        importance=min(MOST_IMPORTANCE, max(row.importance for row in equals) + is_often),
        confidence=round(1 - prod(1 - row.confidence for row in equals), 6),
        tags=tuple(tags)[:MOST_TAGS],
        project=lead.project,
        origin=lead.origin,
        via=lead.via,
        session=lead.session,
        turn=lead.turn,
        quote=lead.quote,
        topic=lead.topic,
        extractor=lead.extractor,
        created_at=rows[0].at,
        valid_from=rows[0].at,
    )
