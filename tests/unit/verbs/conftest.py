"""The verbs of a home by a clock that never stands still, and the memory beside them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tacit.compose import open_app
from tacit.recall.analyse import tokens
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory
from unit.curate.saying import Ticking

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home
    from tacit.app import App
    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture
def app(home: Home, clock: Ticking) -> Iterator[App]:
    """Return the verbs of the test's home, by the test's clock."""
    del home  # its own
    opened = open_app(now_ns=clock)
    yield opened
    opened.close()


def file_of(home: Home, group: str = "main") -> Path:
    """Return where a group's memory lies."""
    return home.path / "groups" / group / "memory.db"


@contextmanager
def beside(home: Home) -> Iterator[SqliteMemory]:
    """Open the memory as another program would."""
    store = open_memory(file_of(home), look(home.path), tokens)
    try:
        yield store
    finally:
        store.close()


def only(app: App, content: str) -> Memory:
    """Return the one memory that says this, whatever became of it."""
    (found,) = [each for each in app.list("main", Wanted(states=None)) if each.content == content]
    return found


def standing(app: App, *states: str) -> list[str]:
    """Return what the memories in these states say, active ones if unsaid, in order."""
    return sorted(each.content for each in app.list("main", Wanted(states=states or ("active",))))


def decided(app: App) -> list[tuple[str, str]]:
    """Return who decided what, in order."""
    return [(each.origin, each.decision.verb) for each in app.audit("main")]


def hold(home: Home, memory: Memory) -> None:
    """Let a memory be held."""
    with beside(home) as store:
        store.memories.change(memory, state="quarantined", reason="It gives orders.")
