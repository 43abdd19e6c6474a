"""Actions and summaries in SQLite."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tacit.model.action import Action, Note, Summary
from tacit.store.index_port import Passage
from tacit.store.sqlite.evidence import FINDING
from tacit.store.sqlite.memories import only_named
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.store.sqlite.connection import Connection
    from tacit.store.sqlite.index import SqliteIndex

_ACTION = (
    "id", "content", "priority", "status", "memory", "session", "turn", "event", "quote", "origin",
    "project", "created_at", "closed_at", "closed_by",
)  # fmt: skip
_FINDING = FINDING | {
    "memory": ("of_memory", ("memory",)),
}
_SUMMARY = tuple(field.name for field in fields(Summary))
_TOLD = ("request", "learned", "completed", "investigated", "next_steps", "notes")
_FILES = ("files_read", "files_edited")
_NOTE = tuple(field.name for field in fields(Note))
_LISTS = ("looked", *_FILES)


class SqliteActions:
    """What waits for attention in one group, and what its sessions came to."""

    def __init__(self, connection: Connection, index: SqliteIndex) -> None:
        self._connection = connection
        self._index = index
        self._ask = Statements(connection, "actions")

    def get(self, action: str) -> Action | None:
        """Return one by its id."""
        for row in self._ask.rows("get", {"id": action}):
            return _action(row)
        return None

    def named(self, name: str) -> Action:
        """Return the one whose id begins with *name*; refuse if there is none, or more."""
        found = self.get(only_named(self._ask, name, "action", "tacit actions"))
        assert found is not None  # noqa: S101  (for the type checker: it was just found)
        return found

    def put(self, action: Action) -> None:
        """Write one as it stands now."""
        with self._connection.transaction():
            self._ask.run("put", {name: getattr(action, name) for name in _ACTION})

    def remove(self, action: str) -> None:
        """Remove one as if it had never been."""
        with self._connection.transaction():
            self._ask.run("remove", {"id": action})

    def wanted(
        self, status: str | None = None, projects: Sequence[str] | None = None, limit: int = -1
    ) -> list[Action]:
        """Return those that fit, the most urgent first."""
        bindings = {"status": status, "projects": _listed(projects), "limit": limit}
        statement = "wanted" if status is None else "wanted_so"
        return [_action(row) for row in self._ask.rows(statement, bindings)]

    def found(self, by: str, *subject: str) -> list[Action]:
        """Return those of a `turn`, `session`, `event` or `memory`."""
        statement, names = _FINDING[by]
        bindings = dict(zip(names, subject, strict=True))
        return [_action(row) for row in self._ask.rows(statement, bindings)]

    def moot(self) -> list[Action]:
        """Return those that wait and are about memories that were forgotten, or replaced since."""
        return [_action(row) for row in self._ask.rows("moot")]

    def closed_by(self, events: Sequence[str]) -> list[Action]:
        """Return those that one of these events has closed."""
        return [_action(row) for row in self._ask.rows("closed_by", {"events": _listed(events)})]

    def put_summary(self, summary: Summary) -> None:
        """Write down what a session came to."""
        bindings = {name: getattr(summary, name) for name in _SUMMARY}
        bindings |= {name: json.dumps(bindings[name]) for name in _FILES}
        with self._connection.transaction():
            self._ask.run("put_summary", bindings | {"is_final": int(summary.is_final)})
            self._index.put(_passage(summary))

    def finish_summary(self, session: str) -> None:
        """Say that what a session came to is final: it has ended."""
        with self._connection.transaction():
            self._ask.run("finish_summary", {"session": session})

    def remove_summary(self, session: str) -> None:
        """Remove what a session came to, as if it had never been."""
        with self._connection.transaction():
            self._ask.run("remove_summary", {"session": session})
            self._index.drop("summary", [session])

    def summaries(
        self, session: str | None = None, projects: Sequence[str] | None = None, limit: int = -1
    ) -> list[Summary]:
        """Return what sessions came to, the latest first."""
        bindings = {"session": session, "projects": _listed(projects), "limit": limit}
        return [_summary(row) for row in self._ask.rows("summaries", bindings)]

    def stale(self) -> list[str]:
        """Return the sessions of which something was said that holds no longer, or holds again."""
        return [row[0] for row in self._ask.rows("stale")]

    def drop_stale(self, session: str) -> None:
        """Say that what a session came to is written as things stand."""
        with self._connection.transaction():
            self._ask.run("drop_stale", {"session": session})

    def put_note(self, note: Note) -> None:
        """Write down what a turn came to."""
        bindings = {name: getattr(note, name) for name in _NOTE}
        bindings |= {name: json.dumps(bindings[name]) for name in _LISTS}
        with self._connection.transaction():
            self._ask.run("put_note", bindings)

    def notes(self, session: str) -> list[Note]:
        """Return what the turns of a session came to, in order."""
        return [_note(row) for row in self._ask.rows("notes", {"session": session})]

    def remove_note(self, session: str, turn: str) -> None:
        """Remove what a turn came to, as if it had never been."""
        with self._connection.transaction():
            self._ask.run("remove_note", {"session": session, "turn": turn})


def _action(row: tuple[Any, ...]) -> Action:
    return Action(**dict(zip(_ACTION, row, strict=True)))


def _summary(row: tuple[Any, ...]) -> Summary:
    columns = dict(zip(_SUMMARY, row, strict=True))
    columns |= {name: _names(columns[name]) for name in _FILES}
    return Summary(**columns | {"is_final": bool(columns["is_final"])})


def _passage(summary: Summary) -> Passage:
    """Return what a summary is found by: all that it tells."""
    told = (getattr(summary, name) for name in _TOLD)
    return Passage(
        layer="summary",
        subject=summary.session,
        session=summary.session,
        turn=None,
        project=summary.project,
        role="summary",
        at=summary.updated_at,
        text=" ".join(each for each in (*told, *summary.files_edited) if each),
    )


def _note(row: tuple[Any, ...]) -> Note:
    columns = dict(zip(_NOTE, row, strict=True))
    return Note(**columns | {name: _names(columns[name]) for name in _LISTS})


def _names(text: str) -> tuple[str, ...]:
    """Return a list that was written as JSON; most are empty."""
    return () if text == "[]" else tuple(json.loads(text))


def _listed(values: Sequence[str] | None) -> str | None:
    return None if values is None else json.dumps(list(values))
