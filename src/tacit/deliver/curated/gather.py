"""Gathering: what belongs into each part of the curated files, as harmless lines.

Only what holds now; how to behave only in the user's and the owner's own words. Anybody else's are
quoted, with whose they are. A line ends with its day, and with its project where there are several.
What is left out stays in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import takewhile
from typing import TYPE_CHECKING

from tacit.curate.attention import distinct, is_ruled
from tacit.deliver.curated import plain, selection
from tacit.deliver.curated.sheet import Entry, Part
from tacit.deliver.render import whose
from tacit.model.memory import trust

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tacit.deliver.curated.selection import Selection
    from tacit.model.action import Action, Summary
    from tacit.store.memory_port import MemoryStore
    from tacit.store.told_port import Candidates, Wording

MOST = 200  # of each part: no page has more lines
SESSIONS, REMINDERS = 10, 100
_LOOKED_AT = 40  # sessions whose files are listed
_TRUSTED = trust("user")
_SECOND_NS = 1_000_000_000
_PRIORITIES = {0: "[urgent] ", 1: "[high] ", 2: ""}
_LONGEST_LABEL, _LONGEST_REQUEST = 40, 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a page is about: these projects, or all; when; and how a project is called."""

    projects: tuple[str, ...] | None
    now: int
    labels: Mapping[str, str] = field(default_factory=dict)

    def about(self, project: str | None, at: int) -> str:
        """Return the end of a line: where and when."""
        day = datetime.fromtimestamp(max(0, at) // _SECOND_NS, UTC).date().isoformat()
        label = self.labels.get(project or "")
        return f"{plain.inline(label, _LONGEST_LABEL)}, {day}" if label else day


def parts(
    store: MemoryStore, scope: Scope, selected: Mapping[str, Selection] | None = None
) -> dict[str, Part]:
    """Return the parts of all four pages, but for what lies on the disk."""
    found = store.told.curated(scope.projects, scope.now, MOST)
    chosen = selection.applied(found, selected or {})
    made = {name: _part(each, scope) for name, each in chosen.items()}
    summaries = store.actions.summaries(projects=scope.projects, limit=_LOOKED_AT)
    pending = waiting(store, scope.projects)
    said = [each for each in pending if not is_ruled(each)][:REMINDERS]
    return made | {
        "reminders": listed([action_entry(each, scope) for each in said]),
        "sessions": listed(_sessions(summaries, scope)),
        "touched": listed(_touched(summaries, scope)),
    }


def listed(entries: Sequence[Entry], unread: int = 0) -> Part:
    """Return a part whose lines are made already."""
    return Part(count=len(entries), unread=unread, first=lambda count: entries[:count])


def waiting(store: MemoryStore, projects: Sequence[str] | None) -> list[Action]:
    """Return what waits, but for what is about a memory that does not stand: it repeats it."""
    pending = distinct(store.actions.wanted("pending", projects))
    return [each for each in pending if _is_standing(store, each.memory)]


def memory_entry(memory: Wording, scope: Scope) -> Entry:
    """Return the line of a memory: its words, or whose words they are."""
    about = scope.about(memory.project, memory.created_at)
    return Entry(f"- {_said(memory.content, memory.origin, about)}", memory.id)


def action_entry(action: Action, scope: Scope) -> Entry:
    """Return the line of something that waits."""
    about = scope.about(action.project, action.created_at)
    origin = "user" if action.origin == "system" else action.origin  # a rule of ours, in our words
    return Entry(
        f"- {_PRIORITIES[action.priority]}{_said(action.content, origin, about)}", action.id
    )


def _said(text: str, origin: str, about: str) -> str:
    if trust(origin) >= _TRUSTED:
        return f"{plain.sentence(text)} ({about})"
    return f"{plain.quoted(text)} (from {plain.inline(whose(origin))}, {about})"


def _part(found: Candidates, scope: Scope) -> Part:
    memories = found.memories

    def first(count: int) -> Sequence[Entry]:
        return [memory_entry(each, scope) for each in memories[:count]]

    return Part(
        count=len(memories),
        pinned=sum(1 for _ in takewhile(lambda each: each.pinned, memories)),
        unread=found.total - len(memories),
        first=first,
    )


def _is_standing(store: MemoryStore, name: str | None) -> bool:
    memory = store.memories.get(name) if name else None
    return name is None or (memory is not None and memory.state == "active")


def _sessions(summaries: Sequence[Summary], scope: Scope) -> list[Entry]:
    told = [each for each in summaries if each.request][:SESSIONS]
    return [
        Entry(f"- {_request(each)} ({scope.about(each.project, each.updated_at)})") for each in told
    ]


def _request(summary: Summary) -> str:
    return plain.sentence(summary.request[:_LONGEST_REQUEST])


def _touched(summaries: Sequence[Summary], scope: Scope) -> list[Entry]:
    """Return the files that sessions have edited or read, the last first."""
    found: dict[tuple[str | None, str], Entry] = {}
    ways: tuple[tuple[str, Callable[[Summary], Sequence[str]]], ...] = (
        ("edited", lambda each: each.files_edited),
        ("read", lambda each: each.files_read),
    )
    for summary in summaries:
        about = scope.about(summary.project, summary.updated_at)
        for how, files in ways:
            for name in files(summary):
                if len(found) < MOST and (shown := plain.path(name)):
                    found.setdefault((summary.project, name), Entry(f"- {shown} ({how}, {about})"))
    return list(found.values())
