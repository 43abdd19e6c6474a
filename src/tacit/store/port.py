"""The port: what the rooms above ask of a store, whatever it is built on.

`tests/contract/` holds every implementation to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from contextlib import AbstractContextManager

    from tacit.model.event import Event, Place, Record


@dataclass(frozen=True, slots=True)
class Head:
    """How far the transcript reaches: its last sequence number and chain value."""

    seq: int
    chain: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session, as counted over its events."""

    session: str
    project: str
    client: str
    started: int
    last: int
    events: int
    prompts: int
    tools: int
    failures: int
    outcome: str | None
    closing: str | None


class RootRow(NamedTuple):
    """Where a project lies, what it was joined to, and what it is called."""

    key: str
    root: str
    joined: str | None
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRow:
    """One project: its key, where it was seen, what it is called, what it was joined to."""

    key: str
    root: str
    name: str
    joined: str | None
    events: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many rows stand in each table."""

    events: int
    payloads: int
    tombstones: int
    sessions: int


class Transcript(Protocol):
    """The append-only record of events. Reading checks what it reads: damage is never served."""

    def append(self, events: Sequence[Event]) -> list[Record]:
        """Append those whose id is not known yet, in order; return the records of these."""
        ...

    def head(self) -> Head:
        """Return how far the transcript reaches."""
        ...

    def find(self, ids: Sequence[str]) -> list[Record]:
        """Return the records with these event ids, in order of sequence."""
        ...

    def records(self, after: int = 0) -> Iterator[Record]:
        """Yield all records behind a sequence number, in order, unchecked: for `verify`."""
        ...

    def behind(self, seq: int, limit: int) -> list[Record]:
        """Return the next records behind a sequence number, checked."""
        ...

    def of_session(self, session: str, turn: str | None = None) -> list[Record]:
        """Return the records of a session, or of one of its turns, in order, checked."""
        ...

    def lately(self, session: str, before: int, limit: int) -> list[Record]:
        """Return the last prompts and replies of a session before a sequence number, in order."""
        ...

    def has_ended(self, session: str, upto: int) -> bool:
        """Say whether the last that a session told, up to a sequence number, is its end."""
        ...

    def last_turn(self, session: str) -> str | None:
        """Return the turn that the last prompt of a session opened."""
        ...

    def counts(self) -> Counts:
        """Return how many rows stand in each table."""
        ...


class Views(Protocol):
    """What is counted over the events, never a table of its own."""

    def decisions(self, session: str | None = None) -> list[Record]:
        """Return what owner and agents have decided, in order, checked."""
        ...

    def about_models(self, since: int) -> list[Record]:
        """Return what is written down about models from a time on, in order, checked."""
        ...

    def sessions(self, project: str | None = None) -> list[SessionRow]:
        """Return all sessions, the last active first."""
        ...

    def last_recorded(self) -> int | None:
        """Return when the last event of a session was received, in nanoseconds; None for none."""
        ...

    def first_prompts(self) -> dict[str, Record]:
        """Return the first prompt of each session, checked."""
        ...

    def named(self, name: str) -> tuple[str | None, str | None]:
        """Return (session, turn) of the one session or turn whose id begins with *name*."""
        ...


class Erasure(Protocol):
    """The one way in which something leaves the transcript."""

    def bury(self, seqs: Sequence[int], *, at: int, reason: str) -> int:
        """Tombstone these and delete their bodies; return how many bodies went."""
        ...

    def buried(self) -> dict[int, tuple[int, str]]:
        """Return all tombstones: sequence number to (when, why)."""
        ...

    def matching(self, text: str) -> list[int]:
        """Return which bodies hold *text* in one of their strings."""
        ...

    def of_projects(self, keys: Sequence[str]) -> list[int]:
        """Return which events belong to these projects."""
        ...

    def of_origin(self, origin: str) -> list[int]:
        """Return which events are somebody's words; `tool` means those of all tools."""
        ...

    def before(self, at: int) -> list[int]:
        """Return which events came before a time."""
        ...

    def restore(self, records: Sequence[Record]) -> int:
        """Append records as they once stood, behind the head; return how many fitted the chain."""
        ...

    def reseat(self, records: Sequence[Record]) -> int:
        """Append records whose place in the chain is lost, each once; return how many came back."""
        ...

    def ids(self, seqs: Collection[int]) -> dict[int, str]:
        """Return which events stand at these sequence numbers."""
        ...

    def seq_of(self, event_id: str) -> int | None:
        """Return where an event stands."""
        ...


class Projects(Protocol):
    """What is known of projects beside the events."""

    def projects(self) -> list[ProjectRow]:
        """Return all projects, the most used first."""
        ...

    def roots(self) -> list[RootRow]:
        """Return where all projects lie and what they are called, the oldest first."""
        ...

    def places(self) -> list[tuple[str, str]]:
        """Return which project each directory was last seen to belong to, the shortest first."""
        ...

    def last_of(self, projects: Sequence[str], after: int = 0) -> Record | None:
        """Return the last event of these projects, of those behind a sequence number."""
        ...

    def place(self, directory: str) -> str | None:
        """Return the project that a directory was last seen to belong to."""
        ...

    def locate(self, places: Collection[Place]) -> None:
        """Remember which project a directory belongs to."""
        ...

    def rename(self, key: str, name: str) -> None:
        """Call a project so from now on."""
        ...

    def join(self, key: str, into: str | None) -> None:
        """Count a project's events as those of another; None undoes it."""
        ...


class Store(Transcript, Views, Erasure, Projects, Protocol):
    """One group's store, open."""

    def transaction(self) -> AbstractContextManager[None]:
        """Do all or nothing of what happens inside."""
        ...

    def close(self) -> None:
        """Let it go."""
        ...
