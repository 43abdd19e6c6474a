"""The memory's port: what the rooms above ask of the derived half of a store.

`tests/contract/` holds every implementation to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from tacit.model.action import Action, Note, Summary
    from tacit.model.memory import Evidence, Memory
    from tacit.store.index_port import Index
    from tacit.store.told_port import Told
    from tacit.store.unasked_port import UnaskedTurns


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which memories are asked for; what is None does not matter."""

    kinds: tuple[str, ...] | None = None
    states: tuple[str, ...] | None = ("active",)
    origins: tuple[str, ...] | None = None
    origin_prefix: str | None = None
    projects: tuple[str, ...] | None = None
    is_everywhere: bool | None = None
    session: str | None = None
    tag: str | None = None
    text: str | None = None
    before: int | None = None
    as_of: int | None = None
    is_pinned: bool | None = None
    ended: int | None = None
    limit: int = -1
    offset: int = 0


class Known(NamedTuple):
    """What a new statement is compared with."""

    id: str
    kind: str
    content: str
    origin: str
    session: str


@dataclass(frozen=True, slots=True)
class Link:
    """How two memories belong together."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something to do that was claimed: it is ours as long as its token counts."""

    number: int
    kind: str
    session: str
    turn: str
    upto: int
    is_partial: bool
    tries: int
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """Something to do, as it is shown."""

    number: int
    kind: str
    session: str
    turn: str
    state: str
    tries: int
    made: int
    due: int
    reason: str | None


class Memories(Protocol):
    """The memories themselves. Writing one writes its tags and its words with it."""

    def get(self, memory: str) -> Memory | None:
        """Return one by its id."""
        ...

    def named(self, name: str) -> Memory:
        """Return the one whose id begins with *name*; refuse if there is none, or more."""
        ...

    def put(self, memory: Memory, statement: bytes) -> None:
        """Write one as it stands now; *statement* is the digest of what it says."""
        ...

    def remove(self, memory: str) -> None:
        """Remove one, with its evidence, as if it had never been."""
        ...

    def wanted(self, wanted: Wanted) -> list[Memory]:
        """Return those that fit, the newest first."""
        ...

    def known(self, project: str, limit: int, besides: tuple[str, str]) -> list[Known]:
        """Return what holds in a project, then everywhere, the newest of each first.

        What was first learned from the (session, turn) *besides* is left out.
        """
        ...

    def newest(self, state: str, limit: int) -> list[tuple[str, int]]:
        """Return (id, time) of those in a state, the newest first."""
        ...

    def learned_in(self, session: str) -> list[Memory]:
        """Return the active ones that were first learned from a session, the oldest first."""
        ...

    def stating(self, statement: bytes) -> list[Memory]:
        """Return those that say the same, the oldest first."""
        ...

    def about(self, topic: str) -> list[Memory]:
        """Return those about a topic, the oldest first."""
        ...

    def superseded_by(self, memory: str) -> list[Memory]:
        """Return those that one has replaced."""
        ...

    def contradictions(self) -> list[Link]:
        """Return the pairs of active ones that may contradict each other, the latest first."""
        ...


class Evidences(Protocol):
    """What memories stand on, and what is not to be learned again."""

    def add(self, evidence: Evidence, memory: str) -> None:
        """Write a statement down as evidence for a memory."""
        ...

    def of_memory(self, memory: str) -> list[Evidence]:
        """Return what a memory stands on, in the order in which it was said."""
        ...

    def found(self, by: str, *subject: str) -> list[str]:
        """Return the ids of evidence by `turn` (session and turn), `session`, `event`, `origin`."""
        ...

    def memory_of(self, evidence: str) -> str | None:
        """Return the memory that a statement is evidence for."""
        ...

    def forgotten_in(self, session: str) -> list[str]:
        """Return the words of a session that memories stood on which were forgotten since."""
        ...

    def is_said_at(self, at: int, besides: str) -> bool:
        """Return whether another memory than *besides* stands on words of this time."""
        ...

    def corrections(self, topic: str, since: int, until: int) -> int:
        """Return in how many turns something was corrected about a topic, within a time."""
        ...

    def corrected(self, least: int) -> list[tuple[str, str, str, int]]:
        """Return (topic, session, turn, time) of what was corrected in so many turns at least."""
        ...

    def remove(self, evidence: str) -> None:
        """Take a statement back."""
        ...

    def refuse(self, about: str, subject: str, before: int) -> None:
        """Do not learn something again from what was said before."""
        ...

    def is_refused(self, about: str, subject: str, at: int) -> bool:
        """Say whether something that was said then is not to be learned."""
        ...


class Jobs(Protocol):
    """What is to be done, each once, by whoever claims it."""

    def enqueue(self, job: tuple[str, str, str], upto: int, now: int, *, partial: bool) -> None:
        """Let (kind, session, turn) be done, again if it was done before."""
        ...

    def claim(self, now: int, until: int, token: str) -> Job | None:
        """Take the oldest that is due, until then at most."""
        ...

    def is_held(self, now: int, until: int) -> bool:
        """Say whether somebody is at work."""
        ...

    def finish(self, job: Job) -> bool:
        """Say that it is done; False if it is no longer ours."""
        ...

    def fail(self, job: Job, reason: str, due: int | None) -> bool:
        """Say that it failed: to be tried again when due, or never."""
        ...

    def ended_behind(self, seq: int) -> list[tuple[str, str, int]]:
        """Return (session, turn, upto) of the turns that were curated up to there or beyond."""
        ...

    def retry(self, now: int, number: int | None = None) -> int:
        """Give the dead, or one of them, another chance; return how many."""
        ...

    def listed(self, limit: int = -1) -> list[JobRow]:
        """Return what is not done, the oldest first."""
        ...

    def waiting(self) -> int:
        """Return how many are still to be done."""
        ...

    def number(self, name: str) -> int:
        """Return how far something has come, or was measured to be; 0 if that is not known."""
        ...

    def set_number(self, name: str, number: int) -> None:
        """Remember such a number."""
        ...

    def counted(self) -> dict[str, int]:
        """Return how many stand in each state."""
        ...


class Actions(Protocol):
    """What waits for attention, and what sessions came to."""

    def get(self, action: str) -> Action | None:
        """Return one by its id."""
        ...

    def named(self, name: str) -> Action:
        """Return the one whose id begins with *name*; refuse if there is none, or more."""
        ...

    def put(self, action: Action) -> None:
        """Write one as it stands now."""
        ...

    def remove(self, action: str) -> None:
        """Remove one as if it had never been."""
        ...

    def wanted(
        self, status: str | None = None, projects: Sequence[str] | None = None, limit: int = -1
    ) -> list[Action]:
        """Return those that fit, the most urgent first."""
        ...

    def found(self, by: str, *subject: str) -> list[Action]:
        """Return those of a `turn`, `session`, `event` or `memory`."""
        ...

    def moot(self) -> list[Action]:
        """Return those that wait and are about memories that were forgotten, or replaced since."""
        ...

    def closed_by(self, events: Sequence[str]) -> list[Action]:
        """Return those that one of these events has closed."""
        ...

    def put_summary(self, summary: Summary) -> None:
        """Write down what a session came to."""
        ...

    def summaries(
        self, session: str | None = None, projects: Sequence[str] | None = None, limit: int = -1
    ) -> list[Summary]:
        """Return what sessions came to, the latest first."""
        ...

    def finish_summary(self, session: str) -> None:
        """Say that what a session came to is final: it has ended."""
        ...

    def remove_summary(self, session: str) -> None:
        """Remove what a session came to, as if it had never been."""
        ...

    def stale(self) -> list[str]:
        """Return the sessions of which something was said that holds no longer, or holds again."""
        ...

    def drop_stale(self, session: str) -> None:
        """Say that what a session came to is written as things stand."""
        ...

    def put_note(self, note: Note) -> None:
        """Write down what a turn came to."""
        ...

    def notes(self, session: str) -> list[Note]:
        """Return what the turns of a session came to, in order."""
        ...

    def remove_note(self, session: str, turn: str) -> None:
        """Remove what a turn came to, as if it had never been."""
        ...


class MemoryStore(Protocol):
    """One group's memory, open."""

    @property
    def memories(self) -> Memories:
        """Return the memories."""
        ...

    @property
    def evidence(self) -> Evidences:
        """Return what they stand on."""
        ...

    @property
    def jobs(self) -> Jobs:
        """Return what is to be done."""
        ...

    @property
    def actions(self) -> Actions:
        """Return what waits for attention."""
        ...

    @property
    def index(self) -> Index:
        """Return what can be found."""
        ...

    @property
    def told(self) -> Told:
        """Return what sessions were told."""
        ...

    @property
    def unasked(self) -> UnaskedTurns:
        """Return the turns that no model has read yet."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """Do all or nothing of what happens inside."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...
