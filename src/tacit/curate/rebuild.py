"""Rebuilding: the memory is made again from the transcript, beside the old one, then takes over.

Whoever reads meanwhile sees the old one; killed at any moment, the old one stays. The owner's
decisions are events, so they are carried out again; those that find nothing any more are told.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import paths
from tacit.curate.attention import is_kept
from tacit.curate.feed import AGAIN
from tacit.curate.model import calls
from tacit.curate.work import Curator
from tacit.digest import sha256
from tacit.errors import StoreBusy
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.memory import open_memory
from tacit.transcript.files import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.curate.decisions import Decided
    from tacit.curate.work import Tools
    from tacit.store.port import Store
    from tacit.store.sqlite.engine import Engine
    from tacit.store.sqlite.memory import SqliteMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What a rebuild came to."""

    events: int
    turns: int
    memories: int
    before: str
    after: str
    missed: list[Decided]

    @property
    def is_same(self) -> bool:
        """Say whether the content is what it was."""
        return self.before == self.after


def rebuild(
    transcript: Store,
    live: SqliteMemory,
    engine: Engine,
    tools: Tools,
    progress: Callable[[int, int], object] | None = None,
) -> Rebuilt:
    """Make the memory again and let it take the place of the old one."""
    scratch = live.connection.path.with_name(paths.MEMORY_SCRATCH)
    with _alone(scratch.parent):
        _remove(scratch)
        return _rebuilt(
            transcript, live, open_memory(scratch, engine, live.analyse), tools, progress
        )


def _rebuilt(
    transcript: Store,
    live: SqliteMemory,
    made: SqliteMemory,
    tools: Tools,
    progress: Callable[[int, int], object] | None,
) -> Rebuilt:
    try:
        made.jobs.set_number(AGAIN, calls.read_again_from(transcript.about_models(0)))
        for action in filter(is_kept, live.actions.wanted()):
            made.actions.put(action)
        curator = Curator(transcript, made, tools)
        while curator.work(progress=progress).waiting:
            made.jobs.hurry()
        told = Rebuilt(
            events=transcript.head().seq,
            turns=made.jobs.turns(),
            memories=made.memories.counted().get("active", 0),
            before=content_digest(live),
            after=content_digest(made),
            missed=curator.missed,
        )
        made.index.keep_vectors(live.index)
        live.become(made)
    finally:
        made.close()
        _remove(made.connection.path)
    return told


@contextmanager
def _alone(group: Path) -> Iterator[None]:
    """Let no other rebuild of the group run meanwhile."""
    descriptor = os.open(group, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise StoreBusy("Another rebuild is under way. Try again when it is done.") from error
    finally:
        os.close(descriptor)


def content_digest(store: SqliteMemory) -> str:
    """Return a digest of all that counts: what stands, what is held, what is pinned or to do."""
    wanted = [Wanted(states=("active", "quarantined")), Wanted(states=None, is_pinned=True)]
    memories = {each.id: each for one in wanted for each in store.memories.wanted(one)}
    rows = [repr(memories[name]) for name in sorted(memories)]
    rows += [repr(each) for each in store.actions.wanted()]
    rows += sorted(repr(each) for each in store.actions.summaries())
    return sha256("\n".join(rows).encode("utf-8", "surrogatepass")).hexdigest()


def _remove(scratch: Path) -> None:
    for suffix in SUFFIXES:
        scratch.with_name(scratch.name + suffix).unlink(missing_ok=True)
