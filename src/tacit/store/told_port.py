"""What sessions are told: which memories, where it was heard, and of what use it was.

All of it is usage: no transcript tells it, and nothing is true because of it. It is kept when the
memory is made again, and lost with the file.
`tests/contract/` holds every implementation to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

SURFACES = ("brief", "agent", "prompt")
USES = "uses"  # how far the transcript was looked through for uses
UNVERIFIED, WARNED, CANDIDATE = "unverified", "warned", "candidate"
HELD = "held"  # a memory that was left out on purpose, to see whether it is missed
# the parts of the curated files that are made of memories; in the first five stand nobody's words
# but the user's and the owner's
PLACES = (
    "corrections", "preferences", "instructions", "about", "notes", "procedures", "tools", "tasks",
    "decisions", "facts", "history",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """One text for sessions: a brief, one for subagents, or what a prompt is answered with."""

    id: str
    surface: str
    project: str | None
    session: str | None = None  # of a surfacing: whose prompt it answers
    made: int
    tokens: int
    memories: tuple[tuple[str, int], ...]  # each with the tokens of its line
    held: tuple[str, ...] = ()
    heard: int = 0  # how often it was really told


class Heard(NamedTuple):
    """A memory that a session was told."""

    memory: str
    session: str
    told: str
    surface: str
    at: int
    tokens: int
    used: bool
    repeated: bool


class Wording(NamedTuple):
    """A memory as a brief needs it."""

    id: str
    kind: str
    content: str
    tags: tuple[str, ...]
    project: str | None
    origin: str
    created_at: int
    pinned: bool
    is_asked: bool = False  # somebody asked for it to be remembered
    is_supported: bool = True  # by the user's words, or by what tools did


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may stand in one part of a brief, the most wanted first, and how much there is of it."""

    memories: list[Wording]
    total: int


class Part(NamedTuple):
    """Which part of a brief: how to behave or what is known, by the user's words or others'."""

    is_behavioural: bool
    is_trusted: bool


class MemoryUse(NamedTuple):
    """What one memory has cost, and of what use it was."""

    memory: str
    kind: str
    content: str
    told: int
    tokens: int
    used: int
    repeated: int


class SurfaceUse(NamedTuple):
    """How much of one surface was made and heard; what came too late was made for nothing."""

    surface: str
    made: int
    heard: int
    tokens: int
    late: int


class Outcome(NamedTuple):
    """Of what was told, or held back: how much of it came up in its session."""

    is_held: bool
    memories: int
    used: int
    repeated: int


class Told(Protocol):
    """What sessions are told."""

    def put(self, telling: Telling) -> None:
        """Write down what may be told; what is known already stays."""
        ...

    def get(self, telling: str) -> Telling | None:
        """Return one by its id."""
        ...

    def made_for(self, session: str) -> list[Telling]:
        """Return the surfacings that were made for a session, in order."""
        ...

    def hear(self, telling: str, session: str, at: int) -> bool:
        """Say that a session was told this; False if nobody knows what it is."""
        ...

    def is_any_heard(self) -> bool:
        """Say whether any session was told anything."""
        ...

    def heard_in(self, session: str) -> list[Heard]:
        """Return what a session was told, in order."""
        ...

    def heard_of(self, memory: str, limit: int = -1) -> list[Heard]:
        """Return where a memory was told, the latest first."""
        ...

    def use(self, memory: str, session: str, *, used: bool, repeated: bool) -> None:
        """Say that a session made use of a memory, or that its user had to say it again."""
        ...

    def uses(self, limit: int = -1) -> list[MemoryUse]:
        """Return what each memory has cost and brought, the most expensive first."""
        ...

    def totals(self, before: int) -> list[SurfaceUse]:
        """Return what each surface came to; what was not heard *before* then was too late."""
        ...

    def outcomes(self) -> list[Outcome]:
        """Return how often what was told came up, beside what was held back."""
        ...

    def forget_old(self, before: int, kept: Collection[str]) -> None:
        """Let go what was made before a time, but for these."""
        ...

    def changes(self) -> dict[str, int]:
        """Return how often what each project's brief is made of has changed; `*`: of all."""
        ...

    def candidates(
        self,
        projects: Sequence[str],
        now: int,
        limit: int,
        as_of: int | None = None,
        agent: str = UNVERIFIED,
    ) -> dict[Part, Candidates]:
        """Return what may stand in each part of a brief of projects, so many of each at most.

        *agent* says where an agent's own rules stand: `[trust] agent_behavioral`.
        """
        ...

    def curated(
        self, projects: Sequence[str] | None, now: int, limit: int
    ) -> dict[str, Candidates]:
        """Return what may stand in each part of the curated files; None is every project."""
        ...

    def standing(self) -> int:
        """Return how many memories hold in the group."""
        ...
