"""Named queries, read from `.sql` files: `-- name: what it is for`, then the statement."""

from __future__ import annotations

from functools import cache

from tacit.shipped import shipped


@cache
def load(name: str) -> dict[str, str]:
    """Return the statements of one file by their names."""
    folder = shipped("tacit.store.sqlite", "sql")
    text = folder.joinpath(f"{name}.sql").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for part in text.split("\n\n"):
        head, _, statement = part.strip().partition("\n")
        found[head.removeprefix("-- ").partition(":")[0]] = statement.strip().removesuffix(";")
    return found
