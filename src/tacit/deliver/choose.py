"""Choosing: what belongs into a brief, each part with the most wanted first, nothing twice.

Pinned ones come first, then what was said in most sessions, then what somebody asked to be
remembered, then what was of use before, then the weightiest and newest. Where room is scarce, what
is pinned or was asked for comes first, whatever its part. What the client's own memory holds is
left out. In doubt two statements are two: a name, a number or a "not" more is enough.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from tacit.curate.rules.tables import listed
from tacit.curate.statement import words_of
from tacit.digest import blake2b
from tacit.mind import in_mind
from tacit.model.memory import DAY_NS
from tacit.store.told_port import UNVERIFIED, Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tacit.model.action import Action, Summary
    from tacit.store.memory_port import MemoryStore
    from tacit.store.told_port import Candidates, Wording

SESSIONS = 10
_ACTIONS = 5
_SPARE = 30  # more than are shown, for those that say the same
_SAME = 0.8
_FILLING = frozenset(("a", "an", "the", "please"))
_DENYING = frozenset(("never", "none", "without", "nobody", "nothing", "cannot", "t"))  # don't


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """For whom a brief is made: the projects it is about, and as of when."""

    projects: tuple[str, ...]  # none: what holds everywhere
    now: int
    as_of: int | None = None
    entries: int = 50
    sessions: int = SESSIONS
    holdout: int = 0  # of a hundred memories so many are left out, to see whether they are missed
    known: tuple[str, ...] = ()  # lines that the client's own memory shows already
    agent: str = UNVERIFIED  # where an agent's own rules stand


@dataclass(slots=True)
class Chosen:
    """The parts of a brief, each with the most wanted first."""

    behaviour: list[Wording] = field(default_factory=list)
    facts: list[Wording] = field(default_factory=list)
    unverified: list[Wording] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    sessions: list[Summary] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    unread: dict[str, int] = field(
        default_factory=dict
    )  # so many more of a part were not looked at


def choose(store: MemoryStore, asked: Asked) -> Chosen:
    """Return what belongs into a brief."""
    found = store.told.candidates(
        asked.projects, asked.now, asked.entries + _SPARE, asked.as_of, asked.agent
    )
    chosen = Chosen()
    seen = Seen(asked.known)
    behaviour, facts = Part(True, True), Part(False, True)  # noqa: FBT003
    chosen.behaviour = _part(found[behaviour], asked, seen, chosen, "behaviour")
    chosen.actions = _actions(store, asked, seen, chosen)
    chosen.facts = _part(found[facts], asked, seen, chosen, "facts")
    for part in (Part(True, False), Part(False, False)):  # noqa: FBT003
        chosen.unverified += _part(found[part], asked, seen, chosen, "unverified")
    chosen.unverified.sort(key=lambda each: not each.pinned)
    chosen.sessions = _sessions(store, asked, seen)
    return chosen


def _part(found: Candidates, asked: Asked, seen: Seen, chosen: Chosen, name: str) -> list[Wording]:
    """Return what is new of a part, as many as may be shown."""
    is_held = _holding(asked.holdout, asked.now)
    fresh: list[Wording] = []
    looked_at = 0
    for each in found.memories:
        if len(fresh) == asked.entries:
            break
        looked_at += 1
        if not seen.is_new(each.content):
            continue
        if is_held(each):
            chosen.held.append(each.id)
        else:
            fresh.append(each)
    chosen.unread[name] = chosen.unread.get(name, 0) + found.total - looked_at
    return fresh


def _actions(store: MemoryStore, asked: Asked, seen: Seen, chosen: Chosen) -> list[Action]:
    """Return what waits and was not said yet, as many as are looked at."""
    due = waiting(store, asked.projects) if asked.as_of is None else []
    chosen.unread["actions"] = len(due[_ACTIONS:])
    return [each for each in due[:_ACTIONS] if seen.is_new(each.content)]


def waiting(store: MemoryStore, projects: tuple[str, ...]) -> list[Action]:
    """Return what is pending in projects or everywhere, the most urgent first.

    What is about a memory that does not stand is left out: it repeats it.
    """
    pending = store.actions.wanted("pending", projects)
    return [each for each in pending if _is_standing(store, each.memory)]


def _is_standing(store: MemoryStore, name: str | None) -> bool:
    memory = store.memories.get(name) if name else None
    return name is None or (memory is not None and memory.state == "active")


def _holding(holdout: int, now: int) -> Callable[[Wording], bool]:
    """Return what says whether a memory is left out today."""
    day = str(now // DAY_NS)

    def is_held(each: Wording) -> bool:
        digest = blake2b(f"{day} {each.id}".encode(), digest_size=4).digest()
        return not each.pinned and int.from_bytes(digest) % 100 < holdout

    return is_held


def _sessions(store: MemoryStore, asked: Asked, seen: Seen) -> list[Summary]:
    """Return the last sessions of the projects that came to something."""
    if not asked.projects:
        return []
    until = asked.now if asked.as_of is None else asked.as_of
    found: list[Summary] = []
    limit = asked.sessions * 3 if asked.as_of is None else -1
    for each in store.actions.summaries(projects=asked.projects, limit=limit):
        is_told = _came_to_something(each) and each.updated_at <= until
        if is_told and len(found) < asked.sessions and seen.is_new(each.request):
            found.append(each)
    return found


def _came_to_something(summary: Summary) -> bool:
    """Return whether anything happened in a session that is worth a line."""
    is_done = summary.completed or summary.files_edited or summary.learned or summary.next_steps
    return bool(summary.request and is_done)


class Seen:
    """What was said already, so that nothing is said twice."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._lines = [_words(line) for line in lines]
        self._said: dict[str, list[tuple[str, ...]]] = {}

    def is_new(self, text: str) -> bool:
        """Say whether this says something new; from now on it does not."""
        words = _words(text)
        if any(_holds(line, words) for line in self._lines) or self._is_said(words):
            return False
        for word in set(words):
            self._said.setdefault(word, []).append(words)
        return True

    def _is_said(self, own: tuple[str, ...]) -> bool:
        """Say whether something was said that is hardly longer and holds all of this."""
        rarest = min(own, key=lambda word: len(self._said.get(word, ())), default="")
        near = self._said.get(rarest, ())
        return any(len(own) >= _SAME * len(said) and _holds(said, own) for said in near)


@in_mind(512)
def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in words_of(text) if word not in _FILLING)


def _holds(said: tuple[str, ...], own: tuple[str, ...]) -> bool:
    """Say whether all these words stand in what was said, in this order, and it denies nothing."""
    left = iter(said)
    if not own or not all(word in left for word in own):
        return False
    denying = _denials()
    return not any(word in denying for word in said if word not in own)


@cache
def _denials() -> frozenset[str]:
    return _DENYING | frozenset(listed("negations"))
