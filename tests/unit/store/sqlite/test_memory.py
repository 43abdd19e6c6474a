"""A memory in SQLite: taken over at once or not at all; what is deleted leaves no byte behind."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack, closing
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import NOON, fresh, sqlite_memory
from contract.memories import HOSTILE, fact, put, said, summed_up, to_do
from tacit.errors import StoreBusy, StoreDamaged, StoreMoved
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory

TABLES = """
memories tags links evidence actions summaries jobs open_turns progress refusals usage words
""".split()
# the start of a word is kept apart from its rest where the index folds words together
MARK, REST = "qzvmarker0817", b"zvmarker0817"
TAKER = """
import sys
from pathlib import Path
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory
live, *others = (open_memory(Path(name), look(Path(name).parent)) for name in sys.argv[1:])
print("ready", flush=True)
while True:
    for other in others:
        live.become(other)
"""


def with_a_log(path: Path) -> SqliteMemory:
    return open_memory(path, look(path.parent))


def without_a_log(path: Path) -> SqliteMemory:
    return open_memory(path, replace(look(path.parent), reason="there is none here"))


both = pytest.mark.parametrize("opening", [with_a_log, without_a_log])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where the memory of this test lies."""
    return tmp_path / "memory.db"


@pytest.fixture
def memory(file: Path) -> Iterator[SqliteMemory]:
    """Return a memory that is filled with something old."""
    with closing(with_a_log(file)) as opened:
        fill(opened, "old")
        yield opened


@pytest.fixture
def made(tmp_path: Path) -> Iterator[SqliteMemory]:
    """Return another memory, which is filled with something young."""
    with closing(with_a_log(tmp_path / "made.db")) as opened:
        fill(opened, "young", count=3)
        yield opened


def fill(store: SqliteMemory, word: str, count: int = 1) -> None:
    """Write something that is made of this word into every table."""
    with store.transaction():
        for number in range(count):
            name = f"{word}-{number}"
            texts = {"content": word, "session": word, "turn": word, "origin": word, "quote": word}
            put(store, fact(name, tags=(word,), topic=word, superseded_by=word, **texts))
            store.evidence.add(said(name, tags=(word,), event=word, project=word, **texts), name)
            store.memories.link(name, f"{word}-0", "related")
            store.memories.use(name, NOON)
            store.actions.put(to_do(name, memory=word, event=word, project=word, **texts))
            store.actions.put_summary(summed_up(name, notes=word, files_read=(word,)))
            store.jobs.enqueue(("turn", word, name), 1, NOON, partial=False)
            store.jobs.open_turn(word, name, 1, 1)
            store.jobs.set_number(name, 1)
            store.evidence.refuse("statement", name, NOON)


def content(store: SqliteMemory) -> str:
    """Return a digest of all that a memory holds, as of one moment."""
    with store.transaction():
        held = [list(store.connection.rows(f"SELECT * FROM {each}")) for each in TABLES]  # noqa: S608
        found = store.connection.rows("SELECT rowid FROM word_index WHERE word_index MATCH 'young'")
        return sha256(repr((held, list(found))).encode()).hexdigest()


def schema(store: SqliteMemory) -> list[object]:
    return list(store.connection.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name"))


def counts(store: SqliteMemory) -> dict[str, object]:
    return {each: store.connection.value(f"SELECT COUNT(*) FROM {each}") for each in TABLES}  # noqa: S608


def holding(directory: Path, rest: bytes) -> list[str]:
    """Return the files that hold these bytes."""
    return sorted(path.name for path in directory.iterdir() if rest in path.read_bytes())


@both
def test_a_memory_takes_over_all_that_another_holds(
    tmp_path: Path, file: Path, opening: Callable[[Path], SqliteMemory]
) -> None:
    with closing(opening(file)) as live, closing(opening(tmp_path / "made.db")) as made:
        fill(live, "old", count=5)
        fill(made, "young", count=2)
        live.memories.matching("old", 1)  # so that the index was in use

        live.become(made)

        assert content(live) == content(made)
        assert live.memories.is_in_step()
        assert (len(live.memories.matching("young", 9)), live.memories.matching("old", 9)) == (
            2,
            [],
        )


def test_every_table_that_can_be_filled_is_filled_in_these_tests(memory: SqliteMemory) -> None:
    names = {row[1] for row in schema(memory) if row[0] == "table"}  # type: ignore[index]

    ours = {name for name in names if not name.startswith(("word_index", "sqlite_"))}
    assert ours - {"surfaced"} == set(TABLES)
    assert 0 not in counts(memory).values()


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
        other.memories.matching("old", 9)
        memory.become(made)
        seen = content(other)

        put(other, fact("mem-1", content="young as well"))
        put(memory, fact("mem-2", content="young too"))

        assert seen == content(made)
        assert len(other.memories.matching("young", 9)) == 5
        assert memory.memories.is_in_step()


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
        assert live.memories.is_in_step()


def looked(store: SqliteMemory) -> tuple[object, ...]:
    """Count everything in one reading, as a bystander who writes nothing."""
    store.connection.value("BEGIN")
    found = tuple(counts(store).values())
    store.connection.value("COMMIT")
    return found


@both
def test_what_was_deleted_leaves_no_byte_behind_once_it_is_compacted(
    tmp_path: Path, file: Path, opening: Callable[[Path], SqliteMemory]
) -> None:
    with closing(opening(file)) as store:
        fill(store, MARK, count=20)
        fill(store, "kept")
        before = holding(tmp_path, REST)
        with store.transaction():
            for number in range(20):
                store.memories.remove(f"{MARK}-{number}")
                store.actions.remove(f"{MARK}-{number}")
                store.actions.remove_summary(f"{MARK}-{number}")
        for table in ("jobs", "open_turns", "progress", "refusals", "usage"):
            store.connection.value(f"DELETE FROM {table}")  # noqa: S608  (tables of our own)

        store.compact()

        assert before != []
        assert holding(tmp_path, REST) == []
        assert holding(tmp_path, b"kept") == [file.name]
        assert store.memories.is_in_step()


def test_a_word_that_was_changed_leaves_no_byte_behind_once_it_is_compacted(
    memory: SqliteMemory, tmp_path: Path
) -> None:
    put(memory, fact("mem-1", content=MARK, tags=(MARK,)))
    put(memory, fact("mem-1", content="other words"))

    memory.compact()

    assert holding(tmp_path, REST) == []


def test_a_compacted_memory_gives_back_the_room_that_it_does_not_need(
    memory: SqliteMemory, file: Path
) -> None:
    put(memory, fact("mem-1", content="long " * 100_000))
    memory.connection.checkpoint()
    before = file.stat().st_size
    memory.memories.remove("mem-1")

    memory.compact()

    assert file.stat().st_size < before / 2


def test_an_index_that_is_not_in_step_is_made_anew(memory: SqliteMemory) -> None:
    memory.connection.value("INSERT INTO word_index (word_index) VALUES ('delete-all')")

    memory.compact()

    assert memory.memories.is_in_step()
    assert [each.id for each, _ in memory.memories.matching("old", 9)] == ["old-0"]


def test_a_compaction_that_a_reader_stops_is_told_and_can_be_done_again(
    memory: SqliteMemory, file: Path, tmp_path: Path
) -> None:
    put(memory, fact("mem-1", content=MARK))
    memory.memories.remove("mem-1")
    memory.connection.value("PRAGMA busy_timeout = 20")
    with closing(apsw.Connection(str(file))) as reader:
        reader.execute("BEGIN")
        list(reader.execute("SELECT id FROM memories"))

        with pytest.raises(StoreBusy):
            memory.compact()

    memory.compact()
    assert holding(tmp_path, REST) == []


def test_what_fails_halfway_leaves_nothing_in_any_part(memory: SqliteMemory) -> None:
    before = content(memory)

    def fail() -> None:
        with memory.transaction():
            fill(memory, "young")
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fail()

    assert content(memory) == before


def test_no_commit_waits_for_the_disk_but_a_log_is_kept(memory: SqliteMemory) -> None:
    chosen = ["synchronous", "journal_mode", "foreign_keys", "secure_delete", "trusted_schema"]

    assert [memory.connection.value(f"PRAGMA {name}") for name in chosen] == [1, "wal", 1, 1, 0]


def test_a_file_that_is_no_database_is_told_as_damage_and_left(file: Path) -> None:
    file.write_bytes(b"no database at all" * 500)

    with pytest.raises(StoreDamaged):
        with_a_log(file)

    assert file.read_bytes() == b"no database at all" * 500


def test_a_memory_is_for_its_owner_alone(file: Path) -> None:
    os.umask(0)
    file.touch(mode=0o644)

    with closing(with_a_log(file)) as opened:
        fill(opened, "old")

        assert {path.stat().st_mode & 0o777 for path in file.parent.iterdir()} == {0o600}


@pytest.mark.parametrize("text", [*HOSTILE, "\0a\0", "a" * 1_000_000])
def test_whatever_is_written_changes_no_table(memory: SqliteMemory, text: str) -> None:
    before, tables = counts(memory), schema(memory)

    fill(memory, text)

    assert schema(memory) == tables
    assert counts(memory) == {name: int(str(count)) + 1 for name, count in before.items()}
    assert memory.memories.is_in_step()


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=3, unique=True))
def test_whatever_text_is_written_it_is_only_text(texts: list[str]) -> None:
    with fresh(sqlite_memory) as store:
        tables = schema(store)

        for text in texts:
            fill(store, text)

        assert schema(store) == tables
        assert set(counts(store).values()) == {len(texts)}
        assert store.memories.is_in_step()
        kept = store.memories.wanted(Wanted(states=None))
        assert {each.content for each in kept} == set(texts)
