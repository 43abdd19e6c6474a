"""What the owner sees of memories: where one came from, what a session taught, who decided what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.decisions import decided
from tacit.curate.reading import words_of
from tacit.model.memory import STANDING
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from tacit.curate.decisions import About, Decided
    from tacit.model.memory import Evidence, Memory
    from tacit.store.memory_port import Link
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.told_port import Heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """One statement that a memory stands on, and the words around it."""

    evidence: Evidence
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Where a memory came from, and what became of it."""

    memory: Memory
    cited: list[Cited]
    chain: list[Memory]
    links: list[Link]
    decisions: list[Decided]
    accessed: int
    last_accessed: int | None
    told: list[Heard]  # every brief and surfacing that it entered, the latest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What one session changed: added, superseded, forgotten, held."""

    added: list[Memory]
    superseded: list[Memory]
    forgotten: list[Memory]
    quarantined: list[Memory]


_AROUND = 160
_ADDED = frozenset((*STANDING, "superseded", "archived"))


def why(store: SqliteMemory, transcript: Store, memory: Memory) -> Why:
    """Return where a memory came from."""
    rows = store.evidence.of_memory(memory.id)
    accessed, last = store.memories.used(memory.id)
    events = {row.event for row in rows}
    return Why(
        memory=memory,
        cited=[_cited(row, transcript) for row in rows],
        chain=chain(store, memory),
        links=store.memories.links(memory.id),
        decisions=[
            each
            for each in audit(transcript)
            if each.event in events
            or any(_is_about(one, memory, events) for one in each.decision.about)
        ],
        accessed=accessed,
        last_accessed=last,
        told=store.told.heard_of(memory.id),
    )


def chain(store: SqliteMemory, memory: Memory) -> list[Memory]:
    """Return what stood in a memory's place, the oldest first, to what stands there now."""
    return [*reversed(_before(store, memory)), memory, *_after(store, memory)]


def as_of(store: SqliteMemory, memory: Memory, when: int) -> Memory | None:
    """Return what stood in a memory's place at a time: itself, what followed, what was before."""
    for each in (memory, *_after(store, memory), *_before(store, memory)):
        is_over = each.valid_to is not None and each.valid_to <= when
        if each.valid_from <= when and not is_over and each.state in {"active", "superseded"}:
            return each
    return None


def _after(store: SqliteMemory, memory: Memory) -> list[Memory]:
    """Return what replaced a memory, and what replaced that, in order."""
    found: dict[str, Memory] = {}
    name = memory.superseded_by
    while name and name not in found and name != memory.id:
        following = store.memories.get(name)
        if following is None:
            break
        found[name] = following
        name = following.superseded_by
    return list(found.values())


def _before(store: SqliteMemory, memory: Memory) -> list[Memory]:
    """Return what a memory has replaced, and what that had, the newest first."""
    found: dict[str, Memory] = {}
    left = [memory]
    while left:
        for one in store.memories.superseded_by(left.pop().id):
            if one.id not in found and one.id != memory.id:
                found[one.id] = one
                left.append(one)
    return sorted(found.values(), key=lambda one: (one.valid_from, one.id), reverse=True)


def diff(store: SqliteMemory, session: str) -> Diff:
    """Return what one session changed."""
    taught = store.memories.wanted(Wanted(states=None, session=session))
    own = [each for each in taught if each.session == session]
    return Diff(
        added=[each for each in own if each.state in _ADDED],
        superseded=[old for each in own for old in store.memories.superseded_by(each.id)],
        forgotten=[each for each in own if each.state == "forgotten"],
        quarantined=[each for each in own if each.state == "quarantined"],
    )


def _is_about(about: About, memory: Memory, events: set[str]) -> bool:
    """Say whether a decision was about a memory, under whatever name it had then."""
    return about.id == memory.id or (about.kind == memory.kind and bool(events & {*about.events}))


def audit(transcript: Store, session: str | None = None) -> list[Decided]:
    """Return what was decided, in order: by whom, when, about what."""
    found = [decided(record) for record in transcript.decisions(session)]
    return [each for each in found if each is not None]


def _cited(row: Evidence, transcript: Store) -> Cited:
    """Return a statement with the words around it, as they stand in the transcript."""
    records = transcript.find([row.event])
    text = words_of(records[0]) if records else ""
    end = row.start + len(row.quote)
    if text[row.start : end] != row.quote:
        return Cited(evidence=row, before="", after="")
    return Cited(
        evidence=row,
        before=text[max(0, row.start - _AROUND) : row.start],
        after=text[end : end + _AROUND],
    )
