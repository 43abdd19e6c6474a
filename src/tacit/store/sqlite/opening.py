"""Opening a store: the file checked, its schema brought up to date, or a clear refusal."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from tacit.errors import NotFound
from tacit.store.sqlite.connection import Connection, told
from tacit.store.sqlite.migrate import migrate, refuse_newer, steps, version_of
from tacit.store.sqlite.transcript import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.store.sqlite.engine import Engine
    from tacit.store.sqlite.migrate import Steps


def open_store(
    path: Path,
    engine: Engine,
    back_up: Callable[[SqliteStore], object],
    known: Steps | None = None,
) -> SqliteStore:
    """Open a transcript, making or upgrading it; *back_up* is called before an upgrade."""
    known = steps("transcript") if known is None else known
    with ExitStack() as stack, told(path):
        connection = Connection(path, engine)
        stack.callback(connection.close)
        refuse_newer(connection, known)
        connection.prepare()
        store = SqliteStore(connection, known)
        migrate(connection, known, lambda: back_up(store))
        store.head()
        connection.settle()
        stack.pop_all()
    return store


def open_existing(path: Path, engine: Engine, *, is_frozen: bool = False) -> SqliteStore:
    """Open a transcript as it is: nothing is made, upgraded or changed.

    A frozen one is only looked at, without its log: not even files beside it are made.
    """
    if not path.exists():
        raise NotFound(f"There is no {path}. `tacit backup --list` shows what there is.")
    with ExitStack() as stack, told(path):
        connection = Connection(path, engine, is_frozen=is_frozen)
        stack.callback(connection.close)
        known = steps("transcript")
        refuse_newer(connection, known)
        stack.pop_all()
        return SqliteStore(connection, known[: version_of(connection)])
