"""The migrator: numbered SQL files, forward only, each in one transaction.

`user_version` says how far a file has come. Before the first step a verified backup is made. A file
from a newer version is refused and left as it is, byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.errors import SchemaNewer, StoreRefused
from tacit.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.sqlite.connection import Connection

Steps = tuple[str, ...]


def steps(name: str) -> Steps:
    """Return the migrations of a database, in order."""
    folder = shipped("tacit.store.sqlite", "migrations", name)
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".sql")), key=_number)
    return tuple(each.read_text(encoding="utf-8") for each in files)


def _number(file: object) -> int:
    return int(str(getattr(file, "name", "")).partition("_")[0])


def version_of(connection: Connection) -> int:
    """Return how far a database has come."""
    found = connection.value("PRAGMA user_version")
    return found if isinstance(found, int) else 0


def refuse_newer(connection: Connection, known: Steps) -> None:
    """Refuse a database that a newer Tacit has written."""
    version = version_of(connection)
    if version > len(known):
        raise SchemaNewer(
            f"{connection.path} has schema {version}, this Tacit knows {len(known)}. "
            "Upgrade with `pip install -U tacit`; nothing was changed, and what happens is kept."
        )


def migrate(connection: Connection, known: Steps, before: Callable[[], object]) -> int:
    """Bring a database up to date; *before* makes the backup. Returns how many steps were taken."""
    version = version_of(connection)
    if version == len(known):
        return 0
    if connection.is_read_only:
        raise StoreRefused(
            f"{connection.path} was made by an older Tacit and its disk is read-only. "
            "Make it writable once, then run the same command again."
        )
    if version:
        before()
    taken = 0
    for number, text in enumerate(known[version:], version + 1):
        with connection.transaction():
            if version_of(connection) >= number:  # somebody else was quicker
                continue
            for _ in connection.rows(text):
                pass
            connection.value(f"PRAGMA user_version = {number}")
        taken += 1
    return taken
