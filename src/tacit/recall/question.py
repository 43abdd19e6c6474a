"""A question and its answer: what is asked for, what was found, and how it came to its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.index_port import Vector

    Seek = Callable[[], "Meaning | None"]  # says what a question means, if that is known in time

LIMIT, MOST = 20, 100
_NEAR = 0.01  # relevance below which what shares no word with a question has nothing to do with it


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked for. Any text is a question; an empty one asks for the newest."""

    text: str
    scope: Scope = field(default_factory=Scope)
    limit: int = LIMIT
    least: float = 0.0  # relevance below which nothing is told


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a question means, by the model that says so."""

    model: str
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """How a hit came to its place."""

    words: float = 0.0
    matched: tuple[str, ...] = ()
    meaning: float | None = None  # None: not known
    context: float = 0.0
    dated: float = 0.0
    factor: float = 1.0  # importance and age of a memory, or who said it
    score: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something that was found."""

    id: str
    layer: str
    kind: str
    content: str
    behavioral: bool
    tags: tuple[str, ...]
    created_at: int
    relevance: float
    origin: str
    project: str | None
    session: str
    turn: str | None
    state: str
    parts: Parts
    is_supported: bool = True  # by the user's words, or by what tools did

    @property
    def is_about(self) -> bool:
        """Say whether it has to do with the question: by a word of it, or by what it means."""
        return bool(self.parts.matched) or self.relevance >= _NEAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The hits, the best first, and what the search had to do without."""

    hits: list[Hit]
    by: tuple[str, ...]  # `words`, `meaning`, or `time` for an empty question
    note: str = ""
