"""What an extractor makes of a turn: drafts that cite the words they come from.

A draft becomes evidence only if its words really stand where it says. Whose words they are, and
when they were said, is taken from the event and never from the extractor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, overload

from tacit.model.action import NORMAL, Action, priority_of
from tacit.model.memory import (
    USUAL_IMPORTANCE,
    Evidence,
    confidence_of,
    content_of,
    identity,
    importance_of,
    kind_of,
    tags_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.curate.reading import Said, TurnText
    from tacit.model.action import Note, Summary
    from tacit.model.memory import Memory
    from tacit.store.memory_port import Known

    # (what its turns came to, what it has taught, what it leaves to do) to what a session came to
    Summarise = Callable[[Sequence[Note], Sequence[Memory], Sequence[Action]], Summary]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A statement that an extractor has found."""

    kind: str
    content: str
    said: Said
    start: int
    quote: str
    tags: tuple[str, ...] = ()
    importance: int = USUAL_IMPORTANCE
    confidence: float = 1.0
    is_everywhere: bool = False
    topic: str = ""
    extractor: str = ""  # what found it, where that is not the whole
    same_as: str = ""  # the known memory that it says again
    replaces: str = ""  # the known memory that no longer holds
    also_replaces: tuple[str, ...] = ()  # others that give its slot an old value
    contradicts: str = ""  # the known memory that may no longer hold: the owner is asked
    is_separate: bool = False  # a memory of its own, whatever is known
    is_supported: bool = True  # by the user's words, or by what tools did
    is_certain: bool = True  # said outright; else it may be worth keeping


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """Something left to do that an extractor has found."""

    content: str
    said: Said
    start: int
    quote: str
    priority: int = NORMAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What was found in one turn; nothing notable is a result as well."""

    drafts: tuple[Draft, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    done: tuple[str, ...] = ()  # the actions that the turn has done
    note: Note | None = None


T = TypeVar("T")


class Later(Sequence[T]):
    """What is fetched when it is first looked at: most turns never ask what is known."""

    def __init__(self, fetch: Callable[[], Sequence[T]]) -> None:
        self._fetch = fetch
        self._all: Sequence[T] | None = None

    def _fetched(self) -> Sequence[T]:
        if self._all is None:
            self._all = self._fetch()
        return self._all

    def __len__(self) -> int:
        return len(self._fetched())

    def __iter__(self) -> Iterator[T]:
        return iter(self._fetched())

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._fetched()[at]


class Lately(Later[T]):
    """What came last: whoever looks from its end gets the last one without all before it."""

    def __init__(self, fetch: Callable[[], Sequence[T]], last: Callable[[], T | None]) -> None:
        super().__init__(fetch)
        self._last = last

    def __reversed__(self) -> Iterator[T]:
        last = self._last()
        if last is not None:
            yield last
        yield from reversed(self._fetched() if last is None else self._fetched()[:-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What stands before a turn: what was said and done last, what is known, what waits."""

    before: Sequence[Said] = ()  # prompts and replies, the latest last
    did: Sequence[Said] = ()  # the tools of the turn before, in order
    known: Sequence[Known] = ()
    waiting: Sequence[Action] = ()
    root: str = ""  # where the project lies


@dataclass(frozen=True, slots=True, kw_only=True)
class Extractor:
    """A way to find statements in a turn, and its name with its version."""

    name: str
    extract: Callable[[TurnText, Context], Extracted]
    summarise: Summarise | None = None


def evidence_of(draft: Draft, turn: TurnText, extractor: str, nth: int = 0) -> Evidence | None:
    """Return a draft as evidence; None if its words do not stand where it says they do.

    It is the *nth* of those that cite the same words for the same kind.
    """
    said = draft.said
    if said not in turn.said or not _is_cited(said, draft.start, draft.quote):
        return None
    kind = kind_of(draft.kind)
    return Evidence(
        id=identity("evi", said.at, said.event, str(draft.start), draft.quote, kind, str(nth)),
        event=said.event,
        seq=said.seq,
        start=draft.start,
        quote=draft.quote,
        origin=said.origin,
        via=said.via,
        session=turn.session,
        turn=turn.turn,
        at=said.at,
        kind=kind,
        content=content_of(draft.content),
        tags=tags_of(draft.tags),
        importance=importance_of(draft.importance),
        confidence=confidence_of(draft.confidence),
        project=None if draft.is_everywhere else turn.project or None,
        topic=draft.topic,
        extractor=draft.extractor or extractor,
        is_supported=draft.is_supported,
        is_certain=draft.is_certain,
    )


def action_of(follow_up: FollowUp, turn: TurnText) -> Action | None:
    """Return a follow-up as an action; None if its words do not stand where it says they do."""
    said = follow_up.said
    if said not in turn.said or not _is_cited(said, follow_up.start, follow_up.quote):
        return None
    return Action(
        id=identity("act", said.at, said.event, str(follow_up.start), follow_up.quote),
        content=content_of(follow_up.content),
        priority=priority_of(follow_up.priority),
        session=turn.session,
        turn=turn.turn,
        event=said.event,
        quote=follow_up.quote,
        origin=said.origin,
        project=turn.project or None,
        created_at=said.at,
    )


def _is_cited(said: Said, start: int, quote: str) -> bool:
    """Say whether the quoted words stand in what was said, at that place."""
    return bool(quote.strip()) and start >= 0 and said.text.startswith(quote, start)
