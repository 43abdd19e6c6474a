"""Memories as an older Tacit has left them: written with SQLite alone, in the tables of then."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import apsw

from contract.memories import statement
from tacit.store.sqlite.connection import Connection
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.migrate import migrate, steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tacit.model.action import Summary
    from tacit.model.memory import Memory


def leave(
    path: Path, version: int, memories: Sequence[Memory], summaries: Sequence[Summary] = ()
) -> None:
    """Make the file of a memory of this version, the first or the second, which holds these."""
    with closing(Connection(path, look(path.parent))) as made:
        made.prepare(durability="NORMAL")
        migrate(made, steps("memory")[:version], lambda: None)
    with closing(apsw.Connection(str(path))) as plain, plain:
        for number, memory in enumerate(memories, 1):
            row = asdict(memory) | {"number": number, "statement": statement(memory.content)}
            row = {name: value for name, value in row.items() if name not in _LATER}
            _insert(plain, "memories", row | {"tags": json.dumps(memory.tags)})
            words = {"number": number, "content": memory.content, "tags": " ".join(memory.tags)}
            _insert(plain, "words", words)
            for tag in memory.tags:
                _insert(plain, "tags", {"memory": memory.id, "tag": tag})
        for summary in summaries:
            files = {name: json.dumps(getattr(summary, name)) for name in _FILES}
            _insert(plain, "summaries", asdict(summary) | files)


_LATER = ("is_supported", "is_accepted", "sessions")
_FILES = ("files_read", "files_edited")


def _insert(plain: apsw.Connection, table: str, row: Mapping[str, Any]) -> None:
    columns, places = ", ".join(row), ", ".join(f":{name}" for name in row)
    plain.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", dict(row))  # noqa: S608
