"""The index's port: what can be found in a group, by words and by meaning.

`tests/contract/` holds every implementation to it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tacit.model.memory import STANDING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]
    Analyse = Callable[[str], list[str]]  # text -> the tokens it is found by

LAYERS = ("memory", "message", "summary")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Something that can be found: whose it is, where it stands, and its text."""

    layer: str
    subject: str  # the memory, the event, or the session it is about
    session: str
    turn: str | None
    project: str | None
    role: str
    at: int
    text: str
    speaker: str = ""  # by name, where several people talk
    importance: int = 0  # of a memory
    is_hidden: bool = False  # a memory that does not hold: found only on request
    is_placed: bool = False  # one of the messages of its session that stand side by side


class Row(NamedTuple):
    """A passage as it stands in the index."""

    number: int
    layer: str
    subject: str
    session: str
    turn: str | None
    project: str | None
    role: str
    speaker: str
    place: int | None
    at: int
    size: int
    tokens: str
    importance: int  # of a memory


class Unread(NamedTuple):
    """A passage whose meaning is not known yet."""

    number: int
    layer: str
    subject: str
    role: str
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which passages are asked for; what is None does not matter."""

    layers: tuple[str, ...] | None = None
    projects: tuple[str, ...] | None = None  # these, and what is about the user
    is_everywhere: bool | None = None
    kinds: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    states: tuple[str, ...] = STANDING
    since: int | None = None
    until: int | None = None
    as_of: int | None = None

    @property
    def is_plain(self) -> bool:
        """Say whether nearly everything fits."""
        return self == Scope()

    @property
    def is_placed(self) -> bool:
        """Say whether it only asks where something stands."""
        return replace(self, layers=None, projects=None, is_everywhere=None).is_plain


class Stats(NamedTuple):
    """How much there is to be found."""

    passages: int
    tokens: int


class Index(Protocol):
    """What can be found. A passage is written with all that finds it."""

    def put(self, *passages: Passage) -> None:
        """Write passages as they stand now; one that says the same keeps what is known of it."""
        ...

    def drop(self, layer: str, subjects: Collection[str]) -> None:
        """Let passages go, as if they had never been."""
        ...

    def frequencies(self, tokens: Collection[str]) -> dict[str, int]:
        """Return how many passages hold each of these tokens."""
        ...

    def beginning(self, token: str, limit: int) -> dict[str, int]:
        """Return tokens that begin with this one, and how many passages hold each."""
        ...

    def alike(self, token: str, limit: int) -> list[str]:
        """Return tokens that share letters with this one, the most alike first."""
        ...

    def words(self, tokens: Sequence[str], scope: Scope, limit: int) -> list[int]:
        """Return the passages that hold any of these tokens, the best first."""
        ...

    def nearest(
        self, vector: Vector, model: str, scope: Scope, limit: int
    ) -> list[tuple[int, float]]:
        """Return the passages nearest in meaning, with their cosines, the nearest first."""
        ...

    def vectors(self, model: str, numbers: Collection[int]) -> tuple[list[int], Vector]:
        """Return those of these passages whose meaning is known, and what they mean, row by row."""
        ...

    def latest(self, scope: Scope, limit: int) -> list[int]:
        """Return the passages that fit, the newest first."""
        ...

    def rows(self, numbers: Collection[int]) -> list[Row]:
        """Return these passages."""
        ...

    def prompts(self, session: str, turns: Collection[str], scope: Scope) -> list[int]:
        """Return the user's messages that these turns of a session began with, within a scope."""
        ...

    def stats(self) -> Stats:
        """Return how much there is."""
        ...

    def unread(self, model: str, limit: int) -> list[Unread]:
        """Return passages whose meaning under a model is not known yet.

        What was learned comes before what was said, the newest of each first; never what tools
        have said.
        """
        ...

    def recognise(self, model: str, passages: Sequence[Unread]) -> list[Unread]:
        """Take what the same words were found to mean; return those that are really new."""
        ...

    def understand(self, model: str, vectors: Iterable[tuple[Unread, Vector]]) -> None:
        """Write down what passages mean; one that says something else by now is passed over."""
        ...
