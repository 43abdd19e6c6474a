"""Projects as their owner sees them: named, joined, moved. Each change is an event of the owner."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.errors import NotFound
from tacit.guard import fastjson
from tacit.guard.normalise import one_line
from tacit.model.event import SALT_BYTES, Event
from tacit.transcript.place import exists, locate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tacit.model.event import Record
    from tacit.store.port import ProjectRow, Store

KIND = "project"
VERBS = ("rename", "join", "move")
_LONGEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One project of a group."""

    key: str
    name: str
    root: str
    events: int
    joined: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What the owner wants: *verb* a project *key*, with a name, a project or a directory."""

    verb: str
    key: str
    value: str
    origin: str


def listed(store: Store) -> list[Project]:
    """Return all projects, the most used first; joined ones are counted with theirs."""
    rows = store.projects()
    below: dict[str, list[ProjectRow]] = {}
    for row in rows:
        if row.joined is not None:
            below.setdefault(row.joined, []).append(row)
    found = []
    for head in (row for row in rows if row.joined is None):
        joined = below.get(head.key, [])
        events = head.events + sum(row.events for row in joined)
        roots = [row.root for row in joined]
        found.append(
            Project(key=head.key, name=head.name, root=head.root, events=events, joined=roots)
        )
    return sorted(found, key=lambda each: (-each.events, each.name, each.key))


def chosen(store: Store, text: str) -> Project:
    """Return the project that is meant by a key, a name or a directory."""
    known = listed(store)
    heads = {row.key: row.joined or row.key for row in store.projects()}
    here = heads.get(_project_of(store, text)) if text.startswith("/") else None
    for fits in (
        lambda each: each.key == heads.get(text),
        lambda each: each.key == here,
        lambda each: text in {each.root, *each.joined},
        lambda each: each.name == text,
    ):
        found = [each for each in known if fits(each)]
        if len(found) > 1:
            keys = ", ".join(each.key for each in found)
            raise NotFound(f"{text!r} is the name of {len(found)} projects: say which of {keys}.")
        if found:
            return found[0]
    raise NotFound(f"There is no project {text!r}. `tacit project list` shows what there is.")


def keys_of(store: Store, text: str) -> tuple[str, ...]:
    """Return the keys of the project that is meant, and of those that were joined to it."""
    head = chosen(store, text).key
    return tuple(row.key for row in store.projects() if head in {row.key, row.joined})


def change(store: Store, verb: str, which: str, value: str, *, origin: str) -> Change:
    """Return a change, its project and its value looked up."""
    project = chosen(store, which)
    if verb == "rename":
        name = one_line(value).strip()[:_LONGEST]
        if not name:
            raise NotFound("The new name is empty: give the project one.")
        return Change(verb=verb, key=project.key, value=name, origin=origin)
    if verb == "join":
        into = chosen(store, value)
        if into.key == project.key:
            raise NotFound("A project cannot be joined to itself: name another one.")
        return Change(verb=verb, key=project.key, value=into.key, origin=origin)
    return Change(verb=verb, key=project.key, value=value, origin=origin)


def event(change: Change, *, now_ns: int, random: Callable[[int], bytes]) -> Event:
    """Return the owner's event for a change."""
    body = {"verb": change.verb, "project": change.key, "value": change.value}
    place = locate(change.value) if change.verb == "move" else None
    return Event(
        id=f"evt-{random(16).hex()}",
        at=now_ns,
        received=now_ns,
        session="",
        project=change.key,
        client="tacit",
        turn=None,
        kind=KIND,
        tool=None,
        agent=None,
        origin=change.origin,
        via="cli",
        salt=random(SALT_BYTES),
        body=fastjson.encoded({**body}),
        place=place,
    )


def replay(store: Store, records: Iterable[Record]) -> None:
    """Do again what the owner's events among these say."""
    for record in records:
        if record.kind == KIND and record.body is not None:
            said = fastjson.loads(record.body)
            if isinstance(said, dict) and said.get("verb") in VERBS:
                change = Change(
                    verb=str(said["verb"]),
                    key=str(said.get("project")),
                    value=str(said.get("value")),
                    origin=record.origin,
                )
                with suppress(NotFound):  # of a project whose events are lost
                    apply(store, change)


def apply(store: Store, change: Change) -> Project:
    """Do what a change says; return the project as it is now."""
    project = chosen(store, change.key)
    if change.verb == "rename":
        store.rename(project.key, change.value)
        return chosen(store, project.key)
    if change.verb == "join":
        return _join(store, project.key, chosen(store, change.value).key)
    return _join(store, _project_of(store, change.value), project.key)


def _project_of(store: Store, directory: str) -> str:
    """Return the project of a directory, as last seen if it is gone."""
    if exists(directory):
        return locate(directory).project
    return store.place(directory) or locate(directory).project


def _join(store: Store, key: str, into: str) -> Project:
    """Join a project, and what was joined to it, to another."""
    if key != into:
        for row in store.projects():
            if key in {row.key, row.joined}:
                store.join(row.key, into)
    return chosen(store, into)
