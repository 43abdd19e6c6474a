"""What the tests of a store share: events to append, and a store of each kind.

Another kind joins by one more line in `KINDS` and in `MEMORY_KINDS`; nothing else in this directory
names one.
"""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from tacit.model.event import SALT_BYTES, Event, Place
from tacit.recall.analyse import tokens
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory
from tacit.store.sqlite.opening import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.store.memory_port import MemoryStore
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.sqlite.transcript import SqliteStore

Opened = TypeVar("Opened", bound="MemoryStore")
# where flushing costs nothing: it is not what the contract is about
IN_MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108
NOON = 1_790_000_000_000_000_000


def event(name: str, **fields: Any) -> Event:
    """Return an event with this id; by default the prompt of a session's first turn."""
    made = Event(
        id=name,
        at=NOON,
        received=NOON + 1,
        session="session-1",
        project="project-1",
        client="claude-code",
        turn="turn-1",
        kind="prompt",
        tool=None,
        agent=None,
        origin="user",
        via="live",
        salt=name.encode().ljust(SALT_BYTES, b"-")[:SALT_BYTES],
        body=b'{"prompt":"the words of %s"}' % name.encode(),
    )
    return replace(made, **fields)


def place(directory: str, project: str, **fields: Any) -> Place:
    """Return a directory of a project."""
    made = Place(directory=directory, project=project, root=directory, name=f"name of {project}")
    return replace(made, **fields)


def sqlite(directory: Path) -> SqliteStore:
    """Open the embedded store of a directory."""
    return open_store(directory / "transcript.db", look(directory), lambda _store: None)


def sqlite_memory(directory: Path) -> SqliteMemory:
    """Open the embedded memory of a directory."""
    return open_memory(directory / "memory.db", look(directory), tokens)


@contextmanager
def fresh(opening: Callable[[Path], Opened]) -> Iterator[Opened]:
    """Open an empty memory, for one test or one example of it."""
    with (
        TemporaryDirectory(dir=IN_MEMORY) as directory,
        closing(opening(Path(directory))) as opened,
    ):
        yield opened


KINDS: dict[str, Callable[[Path], Store]] = {"sqlite": sqlite}
MEMORY_KINDS: dict[str, Callable[[Path], MemoryStore]] = {"sqlite": sqlite_memory}


@pytest.fixture(params=KINDS)
def another(request: pytest.FixtureRequest) -> Iterator[Callable[[], Store]]:
    """Return what opens one more empty store of the kind under test."""
    with ExitStack() as stack:

        def open_another() -> Store:
            directory = stack.enter_context(TemporaryDirectory(dir=IN_MEMORY))
            opened = KINDS[request.param](Path(directory))
            stack.callback(opened.close)
            return opened

        yield open_another


@pytest.fixture
def store(another: Callable[[], Store]) -> Store:
    """Return an empty store."""
    return another()


@pytest.fixture(params=MEMORY_KINDS)
def memory(request: pytest.FixtureRequest) -> Iterator[MemoryStore]:
    """Return an empty memory."""
    with fresh(MEMORY_KINDS[request.param]) as opened:
        yield opened
