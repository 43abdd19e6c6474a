"""How much of a database is kept in mind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from pathlib import Path


def pages(file: Path) -> int:
    """Return how many bytes of its pages are kept in mind, by whoever has it open here."""
    opened = [each for each in apsw.connections() if each.filename == str(file)]
    return sum(each.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0] for each in opened)
