"""One group's memory in SQLite: its parts, over one connection.

All of it is derived from the transcript and carries its own cursor, so what a power cut takes from
its end is simply made again: no commit waits for the disk.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from tacit.store.sqlite.actions import SqliteActions
from tacit.store.sqlite.connection import Connection, told
from tacit.store.sqlite.evidence import SqliteEvidence
from tacit.store.sqlite.jobs import SqliteJobs
from tacit.store.sqlite.memories import SqliteMemories
from tacit.store.sqlite.migrate import migrate, refuse_newer, steps
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tacit.store.sqlite.engine import Engine


class SqliteMemory:
    """One group's memory, open."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.memories = SqliteMemories(connection)
        self.evidence = SqliteEvidence(connection)
        self.jobs = SqliteJobs(connection)
        self.actions = SqliteActions(connection)
        self._ask = Statements(connection, "memories")

    def transaction(self) -> AbstractContextManager[None]:
        """Do all or nothing of what happens inside."""
        return self.connection.transaction()

    def compact(self) -> None:
        """Write index and file anew without anything that was deleted, and empty the log."""
        with self.transaction():
            self._ask.run("index_anew")
        with told(self.connection.path):
            self.connection.value("VACUUM")
        self.connection.checkpoint()

    def become(self, other: SqliteMemory) -> None:
        """Take over all that another one holds, at once; whoever reads meanwhile sees the old."""
        self.connection.take_over(other.connection)

    def close(self) -> None:
        """Let it go."""
        self.connection.close()


def open_memory(path: Path, engine: Engine) -> SqliteMemory:
    """Open a group's memory, making or upgrading it."""
    known = steps("memory")
    with ExitStack() as stack, told(path):
        connection = Connection(path, engine)
        stack.callback(connection.close)
        refuse_newer(connection, known)
        connection.prepare(durability="NORMAL")
        migrate(connection, known, lambda: None)
        connection.settle()
        stack.pop_all()
    return SqliteMemory(connection)
