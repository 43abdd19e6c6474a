"""The brief: what a new session is told of a project, within its limits.

The client cuts what is longer than ten thousand characters, so the whole text, its fence included,
stays below. Sections share the room by need; one that is cut says how much more there is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from typing import TYPE_CHECKING

from tacit.capture.brief import aged
from tacit.deliver import render
from tacit.deliver.choose import Chosen, choose
from tacit.deliver.share import shared
from tacit.model.memory import BEHAVIOURAL, DAY_NS
from tacit.store.told_port import Telling

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tacit.deliver.choose import Asked
    from tacit.model.action import Action
    from tacit.store.memory_port import MemoryStore
    from tacit.store.told_port import Wording

WHOLE = "brief-"  # how the id of one begins that tells everything
CHARS, AGENT_CHARS = 9000, 1500
AGENT_ENTRIES = 20
_AROUND = 64  # the fence, both ends
_MORE = 24  # "- 9999 more: search"
_SECOND_NS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One memory of a brief."""

    id: str
    kind: str
    content: str
    behavioral: bool
    tags: tuple[str, ...]
    age_days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What a new session is told, and the text of it; an empty one says nothing at all."""

    entries: list[Entry]
    generated_at: str
    entry_count: int  # all that the group remembers
    brief_count: int
    id: str
    tokens: int
    text: str  # ages are marks until it is printed
    held: tuple[str, ...] = ()  # left out on purpose


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    lines: list[str]
    share: float  # of the room
    entries_share: float = 0.0  # of the entries; 0: what stands here is no entry
    memories: Sequence[Wording] = ()
    unread: int = 0  # so many more there are that were not looked at

    is_trusted: bool = True  # by the user's words

    @property
    def pinned(self) -> int:
        """Return how many come before anything else."""
        return sum(1 for _ in takewhile(lambda each: each.pinned, self.memories))

    @property
    def asked_for(self) -> int:
        """Return how many come before all that nobody asked to be remembered, pinned ones too.

        What somebody else than the user wanted remembered has no claim to the room of others.
        """
        if not self.is_trusted:
            return self.pinned
        return sum(1 for _ in takewhile(lambda each: each.pinned or each.is_asked, self.memories))


def brief(
    store: MemoryStore,
    asked: Asked,
    key: bytes,
    chars: int = CHARS,
    chosen: Chosen | None = None,
) -> Brief:
    """Return the brief of a project; *key* makes its fence."""
    chosen = chosen or choose(store, asked)
    unverified = [render.quoted_line(each) for each in chosen.unverified]
    sections = [
        _behaviour(chosen.behaviour, 0.4, chosen.unread.get("behaviour", 0)),
        _facts(chosen.facts, 0.28, chosen.unread.get("facts", 0)),
        _Section(
            "### Unverified",
            unverified,
            0.08,
            0.1,
            chosen.unverified,
            chosen.unread.get("unverified", 0),
            is_trusted=False,
        ),
        _Section("### Recent Sessions", [*map(render.session_line, chosen.sessions)], 0.14),
        _actions(chosen.actions, chosen.unread.get("actions", 0)),
    ]
    return _made(store, asked, key, chosen, sections, chars)


def for_agents(store: MemoryStore, asked: Asked, key: bytes, chosen: Chosen | None = None) -> Brief:
    """Return what a subagent is told: how to behave, and facts."""
    chosen = chosen or choose(store, asked)
    sections = [
        _behaviour(chosen.behaviour, 0.5, chosen.unread.get("behaviour", 0)),
        _facts(chosen.facts, 0.5, chosen.unread.get("facts", 0)),
    ]
    few = replace(asked, entries=AGENT_ENTRIES)
    made = _made(store, few, key, chosen, sections, AGENT_CHARS)
    return replace(made, id=made.id.replace(WHOLE, "agent-"))


def news(store: MemoryStore, asked: Asked, key: bytes, heard: Collection[str], since: int) -> Brief:
    """Return what a session that was told something before has not heard yet."""
    chosen = choose(store, asked)

    def fresh(part: Sequence[Wording]) -> list[Wording]:
        return [each for each in part if each.id not in heard and each.created_at > since]

    due = [each for each in chosen.actions if each.id not in heard and each.created_at > since]
    sections = [
        _behaviour(fresh(chosen.behaviour), 0.5),
        _facts(fresh(chosen.facts), 0.4),
        _actions(due),
    ]
    made = _made(store, asked, key, chosen, sections, CHARS)
    return replace(made, id=made.id.replace(WHOLE, "news-"))


def nothing(now: int) -> Brief:
    """Return the brief of a group that remembers nothing."""
    return Brief(
        entries=[],
        generated_at=_iso(now),
        entry_count=0,
        brief_count=0,
        id="",
        tokens=0,
        text="",
    )


def telling(made: Brief, surface: str, project: str | None, now: int) -> Telling:
    """Return a brief as it is written down, so that it is known what whoever hears it was told."""
    return Telling(
        id=made.id,
        surface=surface,
        project=project,
        made=now,
        tokens=made.tokens,
        memories=tuple((each.id, render.tokens(each.content)) for each in made.entries),
        held=made.held,
    )


def _behaviour(memories: Sequence[Wording], share: float, unread: int = 0) -> _Section:
    lines = [render.rule_line(each) for each in memories]
    return _Section("### Behavioral Preferences", lines, share, 0.5, memories, unread)


def _facts(memories: Sequence[Wording], share: float, unread: int = 0) -> _Section:
    lines = [render.memory_line(each) for each in memories]
    return _Section("### Known Facts", lines, share, 0.4, memories, unread)


def _actions(actions: Sequence[Action], unread: int = 0) -> _Section:
    lines = [render.action_line(each) for each in actions]
    return _Section("### Pending Actions", lines, 0.1, unread=unread)


def _made(
    store: MemoryStore,
    asked: Asked,
    key: bytes,
    chosen: Chosen,
    sections: Sequence[_Section],
    chars: int,
) -> Brief:
    filled = [each for each in sections if each.lines]
    taken = _taken(filled, asked.entries, chars)
    text = _text(filled, taken)
    _, whole = render.fenced(text, key) if text else ("", "")
    # the same words with others held back are another telling
    name, _ = render.fenced("\n".join((text, *chosen.held)), key)
    entries = [
        _entry(each, asked.now)
        for section, count in zip(filled, taken, strict=True)
        for each in section.memories[:count]
    ]
    return Brief(
        entries=entries,
        generated_at=_iso(asked.now),
        entry_count=store.told.standing(),
        brief_count=len(entries),
        id=f"{WHOLE}{name}" if text else "",
        tokens=render.tokens(whole),
        text=whole,
        held=tuple(chosen.held),
    )


def _iso(now: int) -> str:
    return datetime.fromtimestamp(now // _SECOND_NS, UTC).isoformat()


def _taken(sections: Sequence[_Section], entries: int, chars: int) -> list[int]:
    """Return how many lines of each section stand in the brief: by number, then by room."""
    counted = [each for each in sections if each.entries_share]
    most = shared(
        [[1] * len(each.lines) for each in counted],
        [each.entries_share for each in counted],
        entries,
        [each.pinned for each in counted],
        [each.asked_for for each in counted],
    )
    limits = dict(zip((each.title for each in counted), most, strict=True))
    needs = [
        [render.size(line) + 1 for line in each.lines[: limits.get(each.title, len(each.lines))]]
        for each in sections
    ]
    fixed = render.size("\n\n".join((*render.HEAD, render.NOTE))) + _AROUND
    fixed += sum(len(each.title) + _MORE + len("\n\n\n\n") for each in sections)
    first = [each.pinned if each.entries_share else None for each in sections]
    then = [each.asked_for if each.entries_share else None for each in sections]
    return shared(needs, [each.share for each in sections], max(0, chars - fixed), first, then)


def _text(sections: Sequence[_Section], taken: Sequence[int]) -> str:
    """Return the text of the sections that have a line to show."""
    parts: list[str] = []
    for section, count in zip(sections, taken, strict=True):
        lines = section.lines[:count]
        more = len(section.lines) - count + section.unread
        if more:
            lines = [*lines, f"- {more} more: search"]
        note = [render.NOTE] if section.title.endswith("Preferences") else []
        parts += [section.title, *note, "\n".join(lines)]
    return "\n\n".join([*render.HEAD, *parts]) if parts else ""


def _entry(memory: Wording, now: int) -> Entry:
    return Entry(
        id=memory.id,
        kind=memory.kind,
        content=render.safe(memory.content),
        behavioral=memory.kind in BEHAVIOURAL,
        tags=tuple(render.safe(tag) for tag in memory.tags),
        age_days=max(0, now - memory.created_at) // DAY_NS,
    )


def printed(text: str, now_ns: int) -> str:
    """Return a text with its ages put in."""
    return aged(text.encode(), now_ns / _SECOND_NS).decode()
