"""Memories in SQLite: each with its tags, its passage in the index, and its links."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from tacit.errors import NotFound
from tacit.guard.normalise import one_line
from tacit.model.memory import STANDING, Memory
from tacit.store.index_port import Passage
from tacit.store.memory_port import Known, Link, Wanted
from tacit.store.sqlite.index import said
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.store.sqlite.connection import Connection
    from tacit.store.sqlite.index import SqliteIndex

_COLUMNS = tuple(field.name for field in fields(Memory))
_FLAGS = ("pinned", "is_supported", "is_accepted")
_RENAMING = (
    "rename",
    "rename_successor",
    "rename_in_actions",
    "rename_in_usage",
    "rename_in_surfaced",
)
_REMOVING = ("remove_evidence", "remove_usage", "remove_surfaced", "remove")
_LISTS = ("kinds", "states", "origins", "projects")


class SqliteMemories:
    """The memories of one group."""

    def __init__(self, connection: Connection, index: SqliteIndex) -> None:
        self._connection = connection
        self._index = index
        self._ask = Statements(connection, "memories")

    def get(self, memory: str) -> Memory | None:
        """Return one by its id."""
        for row in self._ask.rows("get", {"id": memory}):
            return _memory(row)
        return None

    def named(self, name: str) -> Memory:
        """Return the one whose id begins with *name*; refuse if there is none, or more."""
        found = self.get(only_named(self._ask, name, "memory", "tacit list"))
        assert found is not None  # noqa: S101  (for the type checker: it was just found)
        return found

    def put(self, memory: Memory, statement: bytes) -> None:
        """Write one as it stands now; *statement* is the digest of what it says."""
        bindings = {name: getattr(memory, name) for name in _COLUMNS}
        bindings |= {"tags": json.dumps(memory.tags), "statement": statement}
        with self._connection.transaction():
            self._ask.run("put", bindings | {name: int(bindings[name]) for name in _FLAGS})
            self._index.put(_passage(memory))
            self._ask.run("drop_tags", {"id": memory.id})
            for tag in memory.tags:
                self._ask.run("put_tag", {"id": memory.id, "tag": tag})

    def change(self, memory: Memory, **changes: Any) -> Memory:
        """Write one again with some of its fields changed; what it says stays."""
        changed = replace(memory, **changes)
        statement = self._ask.value("statement_of", {"id": memory.id})
        self.put(changed, statement)
        return changed

    def rename(self, memory: str, new: str) -> None:
        """Give one another id, wherever it is named."""
        with self._connection.transaction():
            for name in _RENAMING:
                self._ask.run(name, {"id": memory, "new": new})
            self._index.rename("memory", memory, new)

    def remove(self, memory: str) -> None:
        """Remove one, with its evidence, as if it had never been."""
        with self._connection.transaction():
            self._index.drop("memory", [memory])
            for name in _REMOVING:
                self._ask.run(name, {"id": memory})

    def wanted(self, wanted: Wanted) -> list[Memory]:
        """Return those that fit, the newest first."""
        bindings = {field.name: getattr(wanted, field.name) for field in fields(Wanted)}
        bindings |= {name: _listed(bindings[name]) for name in _LISTS}
        return [_memory(row) for row in self._ask.rows("wanted", bindings)]

    def known(self, project: str, limit: int, besides: tuple[str, str]) -> list[Known]:
        """Return what holds in a project, then everywhere, the newest of each first.

        What was first learned from the (session, turn) *besides* is left out.
        """
        bindings = {"project": project, "limit": limit}
        bindings |= dict(zip(("session", "turn"), besides, strict=True))
        rows = [*self._ask.rows("known_in", bindings)] if project else []
        return [Known(*row) for row in (*rows, *self._ask.rows("known_everywhere", bindings))]

    def newest(self, state: str, limit: int) -> list[tuple[str, int]]:
        """Return (id, time) of those in a state, the newest first."""
        rows = self._ask.rows("newest", {"state": state, "limit": limit})
        return [(name, at) for name, at in rows]

    def learned_in(self, session: str) -> list[Memory]:
        """Return the active ones that were first learned from a session, the oldest first."""
        return [_memory(row) for row in self._ask.rows("learned_in", {"session": session})]

    def stating(self, statement: bytes) -> list[Memory]:
        """Return those that say the same, the oldest first."""
        return [_memory(row) for row in self._ask.rows("stating", {"statement": statement})]

    def about(self, topic: str) -> list[Memory]:
        """Return those about a topic, the oldest first."""
        return [_memory(row) for row in self._ask.rows("about", {"topic": topic})]

    def superseded_by(self, memory: str) -> list[Memory]:
        """Return those that one has replaced."""
        return [_memory(row) for row in self._ask.rows("superseded_by", {"id": memory})]

    def find_again(self, memory: str) -> None:
        """Write one into the index once more."""
        found = self.get(memory)
        if found is not None:
            self._index.put(_passage(found))

    def link(self, source: str, target: str, relation: str) -> None:
        """Say how two belong together."""
        with self._connection.transaction():
            self._ask.run("link", {"source": source, "target": target, "relation": relation})

    def unlink(self, source: str, target: str, relation: str) -> None:
        """Say that two no longer belong together so."""
        with self._connection.transaction():
            self._ask.run("unlink", {"source": source, "target": target, "relation": relation})

    def contradictions(self) -> list[Link]:
        """Return the pairs of active ones that may contradict each other, the latest first."""
        return [Link(*row) for row in self._ask.rows("contradictions")]

    def links(self, memory: str) -> list[Link]:
        """Return how one belongs to others."""
        return [Link(*row) for row in self._ask.rows("links", {"id": memory})]

    def use(self, memory: str, at: int) -> None:
        """Remember that it was looked at."""
        with self._connection.transaction():
            self._ask.run("use", {"id": memory, "at": at})

    def used(self, memory: str) -> tuple[int, int | None]:
        """Return how often it was looked at, and when last."""
        for accessed, last in self._ask.rows("used", {"id": memory}):
            return accessed, last
        return 0, None

    def counted(self) -> dict[str, int]:
        """Return how many stand in each state."""
        return dict(self._ask.rows("counted"))


def only_named(ask: Statements, name: str, noun: str, verb: str) -> str:
    """Return the one id that begins with *name*."""
    beyond = name + "\U0010ffff"
    found = [row[0] for row in ask.rows("named", {"name": name, "beyond": beyond})] if name else []
    if name in found:
        return name
    if not found:
        raise NotFound(f"There is no {noun} {one_line(name)!r}. See `{verb}`.")
    if len(found) > 1:
        raise NotFound(f"{one_line(name)!r} begins more than one id: say more of it.")
    return str(found[0])


def _passage(memory: Memory) -> Passage:
    return Passage(
        layer="memory",
        subject=memory.id,
        session=memory.session,
        turn=memory.turn,
        project=memory.project,
        role="memory",
        at=memory.created_at,
        importance=memory.importance,
        is_hidden=memory.state not in STANDING,
        text=said(memory.content, memory.tags),
    )


def _memory(row: tuple[Any, ...]) -> Memory:
    columns = dict(zip(_COLUMNS, row, strict=True))
    tags = columns["tags"]
    columns["tags"] = tuple(json.loads(tags)) if tags != "[]" else ()
    columns |= {name: bool(columns[name]) for name in _FLAGS}
    return Memory(**columns)


def _listed(values: Sequence[str] | None) -> str | None:
    return None if values is None else json.dumps(values)
