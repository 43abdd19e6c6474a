"""A memory in SQLite: what is deleted leaves no byte behind, what is written is only text."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import fresh, sqlite_memory
from contract.memories import HOSTILE, fact, put
from tacit.errors import StoreBusy, StoreDamaged
from tacit.recall.analyse import tokens
from tacit.store.memory_port import Wanted
from unit.store.sqlite.conftest import (
    NOTED,
    TABLES,
    both,
    content,
    counts,
    fill,
    schema,
    subjects,
    with_a_log,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory

# the start of a word is kept apart from its rest where the index folds words together
MARK, REST = "qzvmarker0817", b"zvmarker0817"


def terms(store: SqliteMemory) -> set[str]:
    return {str(row[0]) for row in store.connection.rows("SELECT term FROM terms")}


def filled(before: dict[str, int], terms: int, times: int = 1) -> dict[str, int]:
    """Return how many rows each table must have: a memory and a summary have a passage each."""
    after = {name: count + times for name, count in before.items()}
    return after | {"passages": before["passages"] + 2 * times, "terms": terms}


def holding(directory: Path, rest: bytes) -> list[str]:
    """Return the files that hold these bytes."""
    return sorted(path.name for path in directory.iterdir() if rest in path.read_bytes())


def test_every_table_that_can_be_filled_is_filled_in_these_tests(memory: SqliteMemory) -> None:
    names = {row[1] for row in schema(memory) if row[0] == "table"}  # type: ignore[index]

    index = ("word_index", "term_index", "word_counts", "sqlite_")
    ours = {name for name in names if not name.startswith(index)}
    assert ours == set(TABLES)
    assert 0 not in counts(memory).values()


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
                store.actions.remove_note(MARK, f"{MARK}-{number}")
        others = "jobs open_turns refusals usage told surfaced changes unasked stale".split()
        for table in others:
            store.connection.value(f"DELETE FROM {table}")  # noqa: S608  (tables of our own)
        store.connection.value(f"DELETE FROM progress WHERE {NOTED}")  # noqa: S608

        store.compact()

        assert before != []
        assert holding(tmp_path, REST) == []
        assert holding(tmp_path, b"kept") == [file.name]
        assert store.index.is_in_step()


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

    assert memory.index.is_in_step()
    assert subjects(memory, "old") == {("memory", "old-0"), ("summary", "old-0")}


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
    assert counts(memory) == filled(before, len(terms(memory)))
    assert terms(memory) == set(tokens("old")) | set(tokens(text)) | set(tokens(f"{text} {text}"))
    assert memory.index.is_in_step()


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=3, unique=True))
def test_whatever_text_is_written_it_is_only_text(texts: list[str]) -> None:
    with fresh(sqlite_memory) as store:
        tables = schema(store)

        for text in texts:
            fill(store, text)

        assert schema(store) == tables
        before = dict.fromkeys(TABLES, 0) | {"changes": int(bool(texts))}  # of their own project
        assert counts(store) == filled(before, len(terms(store)), len(texts))
        assert store.index.is_in_step()
        kept = store.memories.wanted(Wanted(states=None))
        assert {each.content for each in kept} == set(texts)
