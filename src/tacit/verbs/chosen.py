"""Which memories, and which events, are meant when something is to be forgotten.

Several conditions narrow: what is chosen fits all of them. Decisions that hold nobody's words are
never erased: what was decided stays decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.decisions import KIND, decided
from tacit.curate.model import calls
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model.event import Record
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.sqlite.transcript import SqliteStore

REACHABLE = ("active", "candidate", "superseded", "quarantined", "archived")


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """What is to be forgotten."""

    ids: tuple[str, ...] = ()
    session: str | None = None
    project: str | None = None
    origin: str | None = None
    matching: str | None = None
    before: int | None = None

    @property
    def is_of_session(self) -> bool:
        """Say whether all that one session has taught is meant, and nothing else."""
        return self.session is not None and self == Which(session=self.session)

    @property
    def is_of_origin(self) -> bool:
        """Say whether all that is of one origin is meant, and nothing else."""
        return self.origin is not None and self == Which(origin=self.origin)


def memories(store: SqliteMemory, which: Which, keys: tuple[str, ...]) -> list[Memory]:
    """Return the memories that fit all that was said, the newest first."""
    sets = [_stating(store, by, subject) for by, subject in _evidenced(which)]
    if which.ids:
        sets.append({store.memories.named(name).id for name in which.ids})
    found = store.memories.wanted(
        Wanted(
            states=None if which.ids else REACHABLE,  # what was named is meant, forgotten or not
            projects=keys if which.project else None,
            text=which.matching,
            before=which.before,
        )
    )
    return [each for each in found if all(each.id in names for names in sets)]


def events(
    transcript: SqliteStore,
    store: SqliteMemory,
    which: Which,
    keys: tuple[str, ...],
    found: Sequence[Memory],
) -> list[str]:
    """Return the events whose bodies are to go, in order."""
    sets = []
    if which.session:
        sets.append({record.seq for record in transcript.of_session(which.session)})
    if which.origin:
        sets.append(set(transcript.of_origin(which.origin)))
    if which.project:
        sets.append(set(transcript.of_projects(keys)))
    if which.matching:
        sets.append(set(transcript.matching(which.matching)))
    if which.before is not None:
        sets.append(set(transcript.before(which.before)))
    chosen = set.intersection(*sets) if sets and not which.ids else set()
    names = [row.event for each in found for row in store.evidence.of_memory(each.id)]
    chosen |= {record.seq for record in transcript.find(list(dict.fromkeys(names)))}
    chosen -= transcript.buried().keys()
    records = transcript.find(list(transcript.ids(chosen).values()))
    gone = [record.id for record in records if _has_words(record, keys)]
    repeated = calls.repeating(transcript.about_models(0), {*gone})
    return list(dict.fromkeys([*gone, *repeated]))


def with_derived(store: SqliteMemory, found: Sequence[Memory], gone: Sequence[str]) -> list[Memory]:
    """Return the memories, and those that stand on nothing but events that go."""
    left = {each.id: each for each in found}
    for event in gone:
        for row in store.evidence.found("event", event):
            memory = store.memories.get(store.evidence.memory_of(row) or "")
            if memory is not None and memory.id not in left:
                rows = {each.event for each in store.evidence.of_memory(memory.id)}
                left |= {memory.id: memory} if rows <= {*gone} else {}
    return list(left.values())


def replaced(
    store: SqliteMemory, which: Which, found: Sequence[Memory], gone: Sequence[str]
) -> list[Memory]:
    """Return what was replaced by what goes, and stays so.

    Whoever takes back all of a session, or an origin, lets be true again what it had replaced.
    """
    if which.is_of_session or which.is_of_origin:
        return []
    names = [each.id for each in found]
    rows = [row for event in gone for row in store.evidence.found("event", event)]
    names += [name for row in rows if (name := store.evidence.memory_of(row))]
    going = {each.id for each in found}
    old = [each for name in dict.fromkeys(names) for each in store.memories.superseded_by(name)]
    return [each for each in old if each.state == "superseded" and each.id not in going]


def _evidenced(which: Which) -> list[tuple[str, str]]:
    """Return what is looked for in the evidence."""
    asked = (("session", which.session), ("origin", which.origin))
    return [(by, subject) for by, subject in asked if subject]


def _stating(store: SqliteMemory, by: str, subject: str) -> set[str]:
    names = (store.evidence.memory_of(row) for row in store.evidence.found(by, subject))
    return {name for name in names if name}


def _has_words(record: Record, keys: tuple[str, ...]) -> bool:
    """Say whether an event holds words that can go; a decision only those about what is meant."""
    if record.kind in calls.KINDS:
        return record.kind == calls.REPLY
    if record.kind != KIND:
        return True
    told = decided(record)
    if told is None or not told.decision.text:
        return False
    return not keys or told.decision.project in keys
