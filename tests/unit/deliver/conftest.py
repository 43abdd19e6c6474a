"""A memory to be told from, and what the tests of telling share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract.conftest import NOON, fresh, sqlite_memory
from contract.memories import fact, put, summed_up, to_do
from tacit.deliver import brief as briefs
from tacit.deliver.choose import Asked
from tacit.model.memory import DAY_NS
from unit.deliver.preparing import KEY, Bench

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home
    from tacit.deliver.brief import Brief
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory
    from unit.curate.saying import Desk

PROJECT = "project-1"
HERE = Asked(projects=(PROJECT,), now=NOON)


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return an empty memory."""
    with fresh(sqlite_memory) as opened:
        yield opened


@pytest.fixture
def folder(home: Home) -> Path:
    """Return where briefs are prepared."""
    return home.path / "groups" / "main" / "briefs"


@pytest.fixture
def bench(desk: Desk, home: Home, root: int) -> Bench:
    """Return what prepares where nothing is known yet."""
    return Bench(desk, home, root)


def known(name: str, content: str, **fields: Any) -> Memory:
    """Return a memory that says this."""
    return fact(name, content=content, **fields)


def told(store: SqliteMemory, **asked: Any) -> Brief:
    """Return the brief of the project."""
    return briefs.brief(store, replace(HERE, **asked), KEY)


def fill(store: SqliteMemory) -> None:
    """Put something into every section."""
    put(
        store,
        known(
            "mem-likes",
            "Prefers TypeScript over JavaScript for new projects",
            kind="preference",
            created_at=NOON - 3 * DAY_NS,
            tags=("style",),
        ),
        known("mem-rule", "Never push to main.", kind="instruction", importance=5, project=None),
        known("mem-port", "The staging database listens on port 5433", created_at=NOON - DAY_NS),
        known("mem-why", "Chose Postgres over MySQL for its types", kind="decision", importance=2),
        known("mem-page", 'The docs say "use v3"', origin="tool:WebFetch", kind="discovery"),
        known("mem-guess", "The cache is cleared at night", origin="assistant", importance=1),
    )
    store.actions.put_summary(
        summed_up("s-1", request="Add a login page", completed="Added the page and its tests")
    )
    store.actions.put_summary(
        summed_up("s-0", request="Mend the build", updated_at=NOON - 2 * DAY_NS)
    )
    store.actions.put(to_do("act-2", content="Rotate the keys", created_at=NOON - 9 * DAY_NS))
    store.actions.put(to_do("act-1", content="Ship the fix.", priority=0))
    store.actions.put(to_do("act-3", content="Write the docs", priority=1, origin="assistant"))
