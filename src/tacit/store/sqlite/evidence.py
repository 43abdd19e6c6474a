"""Evidence in SQLite: what memories stand on, and what is not to be learned again."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tacit.model.memory import Evidence
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from tacit.store.sqlite.connection import Connection

_COLUMNS = tuple(field.name for field in fields(Evidence))
_FLAGS = ("is_supported", "is_certain")
# how evidence is found -> the statement and what it asks for
FINDING = {
    "turn": ("of_turn", ("session", "turn")),
    "session": ("of_session", ("session",)),
    "event": ("of_event", ("event",)),
    "origin": ("of_origin", ("origin",)),
}


class SqliteEvidence:
    """The evidence of one group."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ask = Statements(connection, "evidence")

    def add(self, evidence: Evidence, memory: str) -> None:
        """Write a statement down as evidence for a memory."""
        bindings = {name: getattr(evidence, name) for name in _COLUMNS}
        bindings |= {name: int(bindings[name]) for name in _FLAGS}
        with self._connection.transaction():
            self._ask.run("add", bindings | {"tags": json.dumps(evidence.tags), "memory": memory})

    def of_memory(self, memory: str) -> list[Evidence]:
        """Return what a memory stands on, in the order in which it was said."""
        return [_evidence(row) for row in self._ask.rows("of_memory", {"memory": memory})]

    def found(self, by: str, *subject: str) -> list[str]:
        """Return the ids of evidence by `turn` (session and turn), `session`, `event`, `origin`."""
        statement, names = FINDING[by]
        return [row[0] for row in self._ask.rows(statement, dict(zip(names, subject, strict=True)))]

    def memory_of(self, evidence: str) -> str | None:
        """Return the memory that a statement is evidence for."""
        found = self._ask.value("memory_of", {"id": evidence})
        return str(found) if found is not None else None

    def forgotten_in(self, session: str) -> list[str]:
        """Return the words of a session that memories stood on which were forgotten since."""
        rows = self._ask.rows("forgotten_in", {"session": session})
        return list(dict.fromkeys(words for row in rows for words in row))

    def is_said_at(self, at: int, besides: str) -> bool:
        """Return whether another memory than *besides* stands on words of this time."""
        return bool(self._ask.value("is_said_at", {"at": at, "memory": besides}))

    def corrections(self, topic: str, since: int, until: int) -> int:
        """Return in how many turns something was corrected about a topic, within a time."""
        bindings = {"topic": topic, "since": since, "until": until}
        return int(self._ask.value("corrections", bindings))

    def corrected(self, least: int) -> list[tuple[str, str, str, int]]:
        """Return (topic, session, turn, time) of what was corrected in so many turns at least."""
        return [
            (row[0], row[1], row[2], row[3])
            for row in self._ask.rows("corrected", {"least": least})
        ]

    def remove(self, evidence: str) -> None:
        """Take a statement back."""
        with self._connection.transaction():
            self._ask.run("remove", {"id": evidence})

    def refuse(self, about: str, subject: str, before: int) -> None:
        """Do not learn something again from what was said before."""
        with self._connection.transaction():
            self._ask.run("refuse", {"about": about, "subject": subject, "before": before})

    def is_refused(self, about: str, subject: str, at: int) -> bool:
        """Say whether something that was said then is not to be learned."""
        before = self._ask.value("refused", {"about": about, "subject": subject})
        return before is not None and at <= before


def _evidence(row: tuple[Any, ...]) -> Evidence:
    columns = dict(zip(_COLUMNS, row, strict=True))
    columns["tags"] = tuple(json.loads(columns["tags"]))
    columns |= {name: bool(columns[name]) for name in _FLAGS}
    return Evidence(**columns)
