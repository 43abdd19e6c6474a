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
from tacit.store.sqlite.index import SqliteIndex
from tacit.store.sqlite.jobs import SqliteJobs
from tacit.store.sqlite.memories import SqliteMemories
from tacit.store.sqlite.migrate import migrate, refuse_newer, steps
from tacit.store.sqlite.told import SqliteTold
from tacit.store.sqlite.unasked import SqliteUnasked

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tacit.store.index_port import Analyse
    from tacit.store.sqlite.engine import Engine


class SqliteMemory:
    """One group's memory, open."""

    def __init__(self, connection: Connection, analyse: Analyse) -> None:
        self.connection = connection
        self.analyse = analyse
        self.index = SqliteIndex(connection, analyse)
        self.memories = SqliteMemories(connection, self.index)
        self.evidence = SqliteEvidence(connection)
        self.jobs = SqliteJobs(connection)
        self.actions = SqliteActions(connection, self.index)
        self.told = SqliteTold(connection)
        self.unasked = SqliteUnasked(connection)

    def transaction(self) -> AbstractContextManager[None]:
        """Do all or nothing of what happens inside."""
        return self.connection.transaction()

    def compact(self) -> None:
        """Write index and file anew without anything that was deleted, and empty the log."""
        self.index.write_anew()
        with told(self.connection.path):
            self.connection.value("VACUUM")
        self.connection.checkpoint()

    def become(self, other: SqliteMemory) -> None:
        """Take over all that another one holds, at once; whoever reads meanwhile sees the old."""
        self.connection.take_over(other.connection)

    def close(self) -> None:
        """Let it go."""
        self.connection.close()


def open_memory(path: Path, engine: Engine, analyse: Analyse) -> SqliteMemory:
    """Open a group's memory, making or upgrading it; *analyse* says what a text is found by."""
    known = steps("memory")
    with ExitStack() as stack, told(path):
        connection = Connection(path, engine)
        stack.callback(connection.close)
        refuse_newer(connection, known)
        connection.prepare(durability="NORMAL")
        migrate(connection, known, lambda: None)
        connection.settle()
        stack.pop_all()
    return SqliteMemory(connection, analyse)
