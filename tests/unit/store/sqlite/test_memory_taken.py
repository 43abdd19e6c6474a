"""A memory takes over what another holds: at once or not at all, whoever reads, writes or dies."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import NOON
from contract.memories import fact, put
from tacit.errors import StoreBusy, StoreMoved
from unit.store.sqlite.conftest import both, content, counts, fill, subjects, with_a_log

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory

TAKER = """
import sys
from pathlib import Path
from tacit.store.sqlite.engine import look
from tacit.recall.analyse import tokens
from tacit.store.sqlite.memory import open_memory
live, *others = (open_memory(Path(name), look(Path(name).parent), tokens) for name in sys.argv[1:])
print("ready", flush=True)
while True:
    for other in others:
        live.become(other)
"""


@both
def test_a_memory_takes_over_all_that_another_holds(
    tmp_path: Path, file: Path, opening: Callable[[Path], SqliteMemory]
) -> None:
    with closing(opening(file)) as live, closing(opening(tmp_path / "made.db")) as made:
        fill(live, "old", count=5)
        fill(made, "young", count=2)
        subjects(live, "old")  # so that the index was in use

        live.become(made)

        assert content(live) == content(made)
        assert live.index.is_in_step()
        layers = [layer for layer, _ in sorted(subjects(live, "young"))]
        assert layers == ["memory"] * 2 + ["summary"] * 2
        assert subjects(live, "old") == set()


def test_what_was_taken_over_is_there_when_it_is_opened_again(
    memory: SqliteMemory, made: SqliteMemory, file: Path
) -> None:
    memory.become(made)
    memory.close()

    with closing(with_a_log(file)) as reopened:
        assert content(reopened) == content(made)


def test_who_reads_while_it_is_taken_over_sees_the_old_until_the_end(
    memory: SqliteMemory, made: SqliteMemory, file: Path
) -> None:
    with closing(apsw.Connection(str(file))) as reader:
        reader.execute("BEGIN")
        before = list(reader.execute("SELECT id FROM memories"))

        memory.become(made)

        assert list(reader.execute("SELECT id FROM memories")) == before == [("old-0",)]
        reader.execute("COMMIT")
        assert len(list(reader.execute("SELECT id FROM memories"))) == 3


def test_who_has_it_open_sees_what_was_taken_over_and_writes_to_it(
    memory: SqliteMemory, made: SqliteMemory, file: Path
) -> None:
    with closing(with_a_log(file)) as other:
        subjects(other, "old")
        memory.become(made)
        seen = content(other)

        put(other, fact("mem-1", content="young as well"))
        put(memory, fact("mem-2", content="young too"))

        assert seen == content(made)
        found = sorted(name for layer, name in subjects(other, "young") if layer == "memory")
        assert found == ["mem-1", "mem-2", "young-0", "young-1", "young-2"]
        assert memory.index.is_in_step()


def test_who_is_at_a_job_when_it_is_taken_over_comes_too_late(
    memory: SqliteMemory, made: SqliteMemory, file: Path
) -> None:
    with closing(with_a_log(file)) as worker:
        job = worker.jobs.claim(NOON, NOON + 1, "token")
        assert job is not None
        memory.become(made)

        is_ours = worker.jobs.finish(job)

        assert (is_ours, memory.jobs.counted()) == (False, {"waiting": 3})


def test_what_another_is_writing_to_is_not_taken_over_and_stays_as_it_is(
    memory: SqliteMemory, made: SqliteMemory, file: Path
) -> None:
    before = content(memory)
    memory.connection.value("PRAGMA busy_timeout = 20")

    with closing(apsw.Connection(str(file))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            memory.become(made)

    assert content(memory) == before
    memory.become(made)
    assert content(memory) == content(made)


def test_what_was_moved_away_is_not_taken_over(
    memory: SqliteMemory, made: SqliteMemory, file: Path
) -> None:
    file.rename(file.with_name("aside"))

    with pytest.raises(StoreMoved):
        memory.become(made)

    assert not file.exists()


@pytest.mark.parametrize("_again", range(3))
def test_whenever_it_is_looked_at_or_killed_it_is_wholly_the_one_or_the_other(
    tmp_path: Path, file: Path, _again: int
) -> None:
    others = [tmp_path / "one.db", tmp_path / "two.db"]
    with ExitStack() as stack:
        live, *whole = (stack.enter_context(closing(with_a_log(path))) for path in (file, *others))
        for number, other in enumerate([live, *whole], 1):
            fill(other, "young", count=number * 30)
        expected = {looked(other) for other in whole}
        seen = {looked(live)}
        command = [sys.executable, "-c", TAKER, str(file), *map(str, others)]
        taker = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
        assert taker.stdout
        taker.stdout.readline()

        looks = (looked(live) for _ in range(20_000))
        while not expected <= seen:
            seen.add(next(looks))
        taker.kill()
        taker.wait()

        assert len(seen) == 3
        assert content(live) in {content(other) for other in whole}
        assert live.index.is_in_step()


def looked(store: SqliteMemory) -> tuple[object, ...]:
    """Count everything in one reading, as a bystander who writes nothing."""
    store.connection.value("BEGIN")
    found = tuple(counts(store).values())
    store.connection.value("COMMIT")
    return found
