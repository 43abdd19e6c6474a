"""Learning: evidence comes and goes, and the memories that stand on it follow.

A memory is a function of its evidence: its words are those of the most trusted that said it first,
its weight grows with those who repeat it. Take the evidence back, and what it had replaced returns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from tacit.curate.statement import words_of
from tacit.model.memory import (
    BEHAVIOURAL,
    EDITED,
    MOST_IMPORTANCE,
    MOST_TAGS,
    STANDING,
    Evidence,
    Memory,
    trust,
)
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from tacit.curate.extract import Draft
    from tacit.store.sqlite.memory import SqliteMemory

RULES = "rules-"  # how the name of the embedded curator begins, whatever its version
MERGED = "merged"  # why a memory is superseded by one that says the same
_OFTEN = 3
_MOST_FACTS, _MOST_CANDIDATES = 5, 4  # new ones that the rules learn from one session


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """Which known memory a statement says again, replaces, or may contradict; empty: none."""

    same: str = ""
    replaces: str = ""
    also_replaces: tuple[str, ...] = ()
    contradicts: str = ""


NO_KIN = Kin()


def kin_of(draft: Draft) -> Kin:
    """Return which known memories a draft says again, replaces, or may contradict."""
    return Kin(
        same=draft.same_as,
        replaces=draft.replaces,
        also_replaces=draft.also_replaces,
        contradicts=draft.contradicts,
    )


class Learner:
    """Keeps one group's memories in step with their evidence."""

    def __init__(self, store: SqliteMemory, digest: Callable[[str], bytes]) -> None:
        self._store = store
        self.digest = digest

    def learn(
        self,
        evidence: Evidence,
        *,
        reason: str | None = None,
        is_decided: bool = False,
        kin: Kin = NO_KIN,
    ) -> Memory | None:
        """Take a statement in; with a *reason* it is held in quarantine. None if refused.

        What was decided comes in its order, so no refusal that stands was later.
        """
        known = self._store.evidence.memory_of(evidence.id)
        memory = self._store.memories.get(known) if known else None
        if memory is not None:
            if evidence in self._store.evidence.of_memory(memory.id):
                return memory
            if memory.state == "forgotten":
                return None
            self.withdraw([evidence.id])  # the same words, understood otherwise now
        if not is_decided and self.is_refused(evidence):
            return None
        same = self.same(evidence, is_held=bool(reason), is_decided=is_decided)
        if same is None and not reason:
            same = self._known(evidence, kin.same)
        if same is None:
            return self._learn_new(evidence, reason, kin)
        self._store.evidence.add(evidence, same.id)
        if same.state == "archived":  # said again: no longer put aside
            same = self._store.memories.change(same, state="candidate")
        return self.refresh(same)

    def _learn_new(self, evidence: Evidence, reason: str | None, kin: Kin) -> Memory | None:
        """Make a memory of a statement that is not known; None if its session taught enough."""
        if not reason and evidence.extractor.startswith(RULES):
            evidence = self._within_cap(evidence)
        state = "quarantined" if reason else _state([evidence])
        if state == "candidate" and self._taught(evidence.session, state) >= _MOST_CANDIDATES:
            return None
        memory = replace(_face(_name(evidence), [evidence]), state=state, reason=reason)
        self._store.memories.put(memory, self.digest(memory.content))
        self._store.evidence.add(evidence, memory.id)
        if not reason:
            self._relate(evidence, memory, kin)
        return memory

    def _within_cap(self, evidence: Evidence) -> Evidence:
        """Return a statement of the rules, uncertain where its session taught enough already.

        Rules, tastes and corrections that are said outright are not counted.
        """
        if not evidence.is_certain or evidence.kind in BEHAVIOURAL:
            return evidence
        is_enough = self._taught(evidence.session, "active") >= _MOST_FACTS
        return replace(evidence, is_certain=False) if is_enough else evidence

    def _taught(self, session: str, state: str) -> int:
        """Return how many memories a session has taught by rules that are in a state."""
        wanted = Wanted(states=(state,), session=session)
        return sum(
            each.session == session
            and each.extractor.startswith(RULES)
            and (state != "active" or not each.behavioral)
            for each in self._store.memories.wanted(wanted)
        )

    def _known(self, evidence: Evidence, name: str) -> Memory | None:
        """Return a memory that still stands, if this may touch it where it was said."""
        memory = self._store.memories.get(name) if name else None
        if memory is None or memory.state not in STANDING:
            return None
        is_here = memory.project in {None, evidence.project}
        return memory if is_here and trust(evidence.origin) >= trust(memory.origin) else None

    def _relate(self, evidence: Evidence, new: Memory, kin: Kin) -> None:
        """Let a new memory take the place of old ones; where that is not clear, link them.

        What a project says shadows what holds everywhere, and never retires it.
        """
        outdated = [self._known(evidence, name) for name in (kin.replaces, *kin.also_replaces)]
        for old in filter(None, outdated):
            is_newer = not old.pinned and evidence.at >= old.valid_from
            if not is_newer or new.state != "active":
                self._store.memories.link(new.id, old.id, "contradicts")
            elif old.project is None and new.project is not None:
                self._store.memories.link(new.id, old.id, "supersedes")
            else:
                self.supersede(old, new, evidence.at)
        other = self._known(evidence, kin.contradicts)
        if other is not None:
            self._store.memories.link(new.id, other.id, "contradicts")

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
        name = _name(min(rows, key=lambda row: (row.seq, row.id)))
        if name != memory.id:  # what it began with was taken back
            self._store.memories.rename(memory.id, name)
        said = [*rows, *self._merged(memory)]
        made = replace(
            _face(name, rows),
            state=_state(said) if memory.state in STANDING else memory.state,
            sessions=_sessions(said),
            reason=memory.reason,
            pinned=memory.pinned,
            superseded_by=memory.superseded_by,
            valid_to=memory.valid_to,
            is_accepted=memory.is_accepted,
        )
        self._store.memories.put(made, self.digest(made.content))
        return made

    def _merged(self, memory: Memory) -> list[Evidence]:
        """Return what the memories stand on that were merged with this one."""
        merged = [
            each
            for each in self._store.memories.superseded_by(memory.id)
            if each.state == "superseded" and each.reason == MERGED
        ]
        return [row for each in merged for row in self._store.evidence.of_memory(each.id)]

    def merge(self, kept: Memory, merged: Memory, at: int) -> None:
        """Let a memory stand for another that says the same: it was said so much more often."""
        self.supersede(merged, kept, at, reason=MERGED)
        self.refresh(kept)

    def as_said(self, memory: Memory) -> Memory:
        """Return a memory as important as it was said to be, however often that was.

        What takes its place inherits that: it does not hang on how many turns were read by then.
        """
        rows = self._store.evidence.of_memory(memory.id)
        return replace(
            memory, importance=max((row.importance for row in rows), default=memory.importance)
        )

    def withdraw(self, gone: Collection[str], *, reason: str | None = None) -> None:
        """Take statements back; with a *reason* memories are forgotten rather than removed."""
        names = dict.fromkeys(self._store.evidence.memory_of(each) for each in gone)
        for name in names:
            memory = self._store.memories.get(name) if name else None
            if memory is not None:
                self._withdraw(memory, gone, reason)

    def confirm(self, said: Collection[str]) -> None:
        """Let statements be certain that a model has confirmed: their candidates become active."""
        for name in dict.fromkeys(self._store.evidence.memory_of(each) for each in said):
            memory = self._store.memories.get(name) if name else None
            rows = self._store.evidence.of_memory(memory.id) if memory is not None else []
            for row in rows:
                if memory is not None and row.id in said and not row.is_certain:
                    self._store.evidence.remove(row.id)
                    self._store.evidence.add(replace(row, is_certain=True), memory.id)
            if memory is not None and memory.state == "candidate":
                self.refresh(memory)

    def _withdraw(self, memory: Memory, gone: Collection[str], reason: str | None) -> None:
        rows = [row.id for row in self._store.evidence.of_memory(memory.id)]
        taken = [row for row in rows if row in gone]
        if len(taken) < len(rows):
            for row in taken:
                self._store.evidence.remove(row)
            self.refresh(memory)
            return
        self._restore(memory)
        if reason is None:
            self._store.memories.remove(memory.id)
        elif memory.state != "forgotten":
            self._store.memories.change(
                memory, state="forgotten", reason=reason, pinned=False, superseded_by=None
            )

    def supersede(self, old: Memory, new: Memory, at: int, *, reason: str | None = None) -> None:
        """Let a newer memory stand in the place of an older one."""
        until = max(at, old.valid_from)
        self._store.memories.change(
            old, state="superseded", superseded_by=new.id, valid_to=until, reason=reason
        )
        self._store.memories.link(new.id, old.id, "supersedes")

    def _restore(self, memory: Memory) -> None:
        """Bring back what a memory had replaced; or let what replaced it stand for both."""
        after = self._store.memories.get(memory.superseded_by) if memory.superseded_by else None
        for old in self._store.memories.superseded_by(memory.id):
            if old.state != "superseded":
                continue
            if after is not None:
                self.supersede(old, after, memory.valid_to or after.valid_from)
            else:
                state = _state(self._store.evidence.of_memory(old.id))
                self._unite(
                    self._store.memories.change(old, state=state, superseded_by=None, valid_to=None)
                )

    def _unite(self, memory: Memory) -> None:
        """Let a memory that is true again be one with what has said the same meanwhile."""
        for other in self._store.memories.stating(self.digest(memory.content)):
            is_other = other.id != memory.id and other.state in STANDING
            if is_other and other.project in {None, memory.project}:
                rows = self._store.evidence.of_memory(memory.id)
                for action in self._store.actions.found("memory", memory.id):
                    self._store.actions.put(replace(action, memory=other.id))
                self._store.memories.remove(memory.id)
                for row in rows:
                    self._store.evidence.add(row, other.id)
                pinned = other.pinned or memory.pinned
                self.refresh(self._store.memories.change(other, pinned=pinned))
                return

    def same(
        self, evidence: Evidence, *, is_held: bool = False, is_decided: bool = False
    ) -> Memory | None:
        """Return the memory that says the same already, where this was said or everywhere.

        What was said before it was superseded belongs to the past; what was decided is new.
        """
        states = ("quarantined",) if is_held else (*STANDING, "archived")
        for memory in self._store.memories.stating(self.digest(evidence.content)):
            is_past = (
                not is_decided
                and memory.state == "superseded"
                and memory.valid_to is not None
                and evidence.at <= memory.valid_to
            )
            if (memory.state in states or is_past) and memory.project in {None, evidence.project}:
                return memory
        return None


def _state(rows: Collection[Evidence]) -> str:
    """Return whether statements are certain together, or make a candidate.

    One that was said outright is; so is what the user says again in another session.
    """
    is_certain = any(row.is_certain for row in rows) or _sessions(rows) > 1
    return "active" if is_certain else "candidate"


def _sessions(rows: Collection[Evidence]) -> int:
    """Return in how many sessions the user said something; at least one."""
    said = {row.session for row in rows if trust(row.origin) >= trust("user")}
    return max(1, len(said))


def _name(evidence: Evidence) -> str:
    """Return the id of the memory that begins with this evidence."""
    return "mem" + evidence.id.removeprefix("evi")


def _fullest(first: Evidence, rows: list[Evidence]) -> Evidence:
    """Return the first that says all that was said first, and more; or the first itself."""
    said = set(words_of(first.content))
    return next((row for row in rows if said < set(words_of(row.content))), first)


def _kind(lead: Evidence, times: int) -> str:
    """Return what a memory is: what is corrected again and again is a pattern."""
    return "pattern" if times >= _OFTEN and lead.kind == "correction" else lead.kind


def _face(name: str, rows: list[Evidence]) -> Memory:
    """Return the memory that stands on these rows, the first said first."""
    first = max(rows, key=lambda row: trust(row.origin))  # the first of the most trusted
    equals = [row for row in rows if trust(row.origin) >= trust(first.origin)]
    lead = _fullest(first, equals)
    trusted = [row for row in rows if trust(row.origin) >= min(trust(lead.origin), trust("user"))]
    edited = [row for row in equals if row.extractor == EDITED][-1:]  # its last word counts alone
    times = len({row.turn for row in equals})
    importance = min(MOST_IMPORTANCE, max(row.importance for row in equals) + times - 1)
    tags = tuple(dict.fromkeys(tag for row in [lead, *rows] for tag in row.tags))[:MOST_TAGS]
    return Memory(
        id=name,
        kind=edited[0].kind if edited else _kind(lead, times),
        content=edited[0].content if edited else lead.content,
        importance=edited[0].importance if edited else importance,
        confidence=round(1 - prod(1 - row.confidence for row in equals), 6),
        tags=edited[0].tags if edited else tags,
        project=None if any(row.project is None for row in trusted) else lead.project,
        origin=lead.origin,
        via=lead.via,
        session=lead.session,
        turn=lead.turn,
        quote=lead.quote,
        topic=lead.topic,
        extractor=lead.extractor,
        created_at=min(row.at for row in rows),
        valid_from=min(row.at for row in rows),
        is_supported=any(row.is_supported for row in rows),
        sessions=_sessions(rows),
    )
