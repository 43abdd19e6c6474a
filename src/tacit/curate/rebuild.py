"""Rebuilding: the memory is made again from the transcript, beside the old one, then takes over.

Whoever reads meanwhile sees the old one; killed at any moment, the old one stays. The owner's
decisions are events, so they are carried out again; those that find nothing any more are told.

A memory that older rules have made is made again by itself, once, a slice of work at a time. A
program that is killed leaves its slices to the next one.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import paths
from tacit.curate.attention import is_kept
from tacit.curate.feed import AGAIN, CURSOR
from tacit.curate.model import calls
from tacit.curate.rules.curator import OFF
from tacit.curate.work import LEASE_NS, Curator
from tacit.digest import sha256
from tacit.errors import SchemaNewer, StoreBusy, StoreDamaged
from tacit.model.memory import STANDING
from tacit.recall.indexing import Indexer
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.memory import open_memory
from tacit.store.told_port import USES
from tacit.transcript.files import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.curate.decisions import Decided
    from tacit.curate.work import Tools
    from tacit.store.port import Store
    from tacit.store.sqlite.engine import Engine
    from tacit.store.sqlite.memory import SqliteMemory

RULES = "rules"  # which rules have made a memory
VERSION = 4  # of the rules that decide what stands, what is replaced and what is asked


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
        return _rebuilt(transcript, live, _begun(transcript, live, engine), tools, progress)


def _rebuilt(
    transcript: Store,
    live: SqliteMemory,
    made: SqliteMemory,
    tools: Tools,
    progress: Callable[[int, int], object] | None,
) -> Rebuilt:
    try:
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
        _hand_over(made, live)
    finally:
        made.close()
        _remove(made.connection.path)
    return told


def stamp(store: SqliteMemory) -> None:
    """Mark a memory that is still empty as made by the present rules."""
    if not store.jobs.number(RULES) and not store.jobs.number(CURSOR):
        store.jobs.set_number(RULES, VERSION)


def renew(
    transcript: Store, live: SqliteMemory, engine: Engine, tools: Tools, seconds: float | None
) -> int:
    """Make a memory of older rules again, for so long at most; return how much is left to do.

    Without rules nothing is made again: all that they had found would be lost.
    """
    scratch = live.connection.path.with_name(paths.MEMORY_SCRATCH)
    is_due = live.jobs.number(RULES) != VERSION and tools.extractor.name != OFF.name
    if not is_due and not scratch.exists():
        return 0
    try:
        with _alone(scratch.parent):
            if is_due:
                return _renewed(transcript, live, engine, tools, seconds)
            _remove(scratch)  # a program was killed before it could
    except StoreBusy:
        return 1 if is_due else 0
    return 0


def _renewed(
    transcript: Store, live: SqliteMemory, engine: Engine, tools: Tools, seconds: float | None
) -> int:
    """Go on making a memory; return how much is left."""
    made = _begun(transcript, live, engine)
    scratch, left = made.connection.path, 1
    try:
        with closing(made):
            now = tools.now_ns()
            holder = made.jobs.holder(now, now + LEASE_NS)
            if holder is not None:
                made.jobs.expire(holder)  # it was killed: nobody else may be at work here
            curator = Curator(transcript, made, tools)
            while (left := curator.work(seconds=seconds).waiting) and seconds is None:
                made.jobs.hurry()
            left += Indexer(transcript, made).waiting()
            if left:
                made.jobs.hurry()
                return left
            _hand_over(made, live)
    except StoreDamaged as error:
        if error.path != scratch:
            raise
    _remove(scratch)
    return left


def _begun(transcript: Store, live: SqliteMemory, engine: Engine) -> SqliteMemory:
    """Return the memory that is being made, as far as it has come."""
    scratch = live.connection.path.with_name(paths.MEMORY_SCRATCH)
    with suppress(StoreDamaged, SchemaNewer):
        made = open_memory(scratch, engine, live.analyse)
        if made.jobs.number(RULES) == VERSION:
            return made
        made.close()
    _remove(scratch)
    made = open_memory(scratch, engine, live.analyse)
    made.jobs.set_number(AGAIN, calls.read_again_from(transcript.about_models(0)))
    for action in filter(is_kept, live.actions.wanted()):
        made.actions.put(action)
    stamp(made)
    return made


def _hand_over(made: SqliteMemory, live: SqliteMemory) -> None:
    """Replace the old memory, keeping what no transcript tells."""
    for action in filter(is_kept, live.actions.wanted()):
        made.actions.put(action)
    made.index.keep_vectors(live.index)
    made.told.keep(live.told)
    made.jobs.set_number(USES, live.jobs.number(USES))
    live.become(made)


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
    wanted = [Wanted(states=(*STANDING, "quarantined")), Wanted(states=None, is_pinned=True)]
    memories = {each.id: each for one in wanted for each in store.memories.wanted(one)}
    rows = [repr(memories[name]) for name in sorted(memories)]
    rows += [repr(each) for each in store.actions.wanted()]
    rows += sorted(repr(each) for each in store.actions.summaries())
    return sha256("\n".join(rows).encode("utf-8", "surrogatepass")).hexdigest()


def _remove(scratch: Path) -> None:
    for suffix in SUFFIXES:
        scratch.with_name(scratch.name + suffix).unlink(missing_ok=True)
