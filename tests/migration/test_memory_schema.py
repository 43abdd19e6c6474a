"""The memory's schema: a newer file is left alone, and nothing of a wrong type is ever written."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest

from contract.conftest import sqlite_memory
from contract.memories import fact, noted, put, said, summed_up, to_do, told
from migration import older
from tacit.errors import SchemaNewer, StoreBusy
from tacit.store.memory_port import Wanted
from tacit.store.sqlite import connection
from tacit.store.sqlite.migrate import steps, version_of
from tacit.store.unasked_port import Unasked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.store.sqlite.memory import SqliteMemory

KNOWN = len(steps("memory"))
VECTOR = np.array([0.6, 0.8], np.float32)
OPENER = """
import sys
from pathlib import Path
from tacit.store.sqlite.engine import look
from tacit.recall.analyse import tokens
from tacit.store.sqlite.memory import open_memory
path = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
store = open_memory(path, look(path.parent), tokens)
store.jobs.enqueue(("turn", "session", sys.argv[2]), 1, 1, partial=False)
store.close()
"""
# what a column of each type must refuse
WRONG = {"INTEGER": "'no number'", "REAL": "'no number'", "TEXT": "x'00'", "BLOB": "'no bytes'"}
# rows that are not as they must be
ODD = [
    "UPDATE memories SET importance = 0",
    "UPDATE memories SET importance = 6",
    "UPDATE memories SET confidence = -0.1",
    "UPDATE memories SET confidence = 1.1",
    "UPDATE memories SET state = 'other'",
    "UPDATE memories SET pinned = 2",
    "UPDATE memories SET tags = 'no list'",
    "UPDATE memories SET id = NULL",
    "INSERT INTO tags VALUES ('missing', 'red')",
    "INSERT INTO links VALUES ('mem-1', 'mem-1', 'other')",
    "INSERT INTO links VALUES ('mem-1', 'missing', 'related')",
    "UPDATE evidence SET tags = '['",
    "UPDATE evidence SET memory = 'missing'",
    "UPDATE actions SET priority = 3",
    "UPDATE actions SET status = 'completed'",
    "UPDATE summaries SET files_read = ''",
    "UPDATE summaries SET is_final = 2",
    "UPDATE notes SET looked = ''",
    "UPDATE notes SET files_read = '['",
    "UPDATE notes SET files_edited = 'no list'",
    "INSERT INTO notes SELECT * FROM notes",
    "UPDATE jobs SET kind = 'other'",
    "UPDATE jobs SET state = 'other'",
    "UPDATE jobs SET is_partial = 2",
    "UPDATE refusals SET about = 'topic'",
    "UPDATE unasked SET is_urgent = 2",
    "UPDATE unasked SET is_dead = 2",
    "UPDATE passages SET layer = 'other'",
    "UPDATE passages SET subject = NULL",
    "UPDATE passages SET layer = 'memory', subject = 'mem-1'",
    "INSERT INTO terms SELECT number + 99, term, passages FROM terms",
    "INSERT INTO vectors (passage, model, vector) VALUES (99, 'a model', x'00')",
    "INSERT INTO vectors (passage, model, vector) SELECT passage, model, vector FROM vectors",
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of a memory with one row in each table."""
    with closing(sqlite_memory(tmp_path)) as opened:
        filled(opened)
    return tmp_path / "memory.db"


@pytest.fixture
def memory(file: Path) -> Iterator[SqliteMemory]:
    """Return the same memory, open."""
    with closing(sqlite_memory(file.parent)) as opened:
        yield opened


def filled(opened: SqliteMemory) -> None:
    put(opened, fact("mem-1", tags=("red",)))
    opened.memories.link("mem-1", "mem-1", "related")
    opened.memories.use("mem-1", 1)
    opened.evidence.add(said("evi-1"), "mem-1")
    opened.evidence.refuse("event", "evt-1", 1)
    opened.actions.put(to_do("act-1"))
    opened.actions.put_summary(summed_up("session-1", request="red"))
    opened.index.understand("a model", [(each, VECTOR) for each in opened.index.unread("", 1)])
    opened.actions.put_note(noted("turn-1"))
    opened.jobs.enqueue(("turn", "session-1", "turn-1"), 1, 1, partial=False)
    opened.jobs.open_turn("session-1", "turn-1", 1, 1)
    opened.jobs.set_number("cursor", 1)
    opened.told.put(told("brief-1"))
    opened.told.hear("brief-1", "session-1", 1)
    opened.unasked.put(Unasked(session="session-1", turn="turn-1", upto=1, at=1, is_urgent=False))
    opened.evidence.add(said("evi-2"), "mem-1")
    opened.evidence.remove("evi-2")


def tables(store: SqliteMemory) -> dict[str, bool]:
    """Return our tables, and whether they are strict."""
    rows = store.connection.rows("PRAGMA table_list")
    return {
        row[1]: bool(row[5])
        for row in rows
        if row[2] == "table" and not row[1].startswith(("sqlite_", "word_index", "term_index"))
    }


def counts(store: SqliteMemory) -> dict[str, object]:
    """Return how many rows our tables have, without what the index notes for itself."""
    noted = "name NOT IN ('generation', 'passages', 'tokens') AND name NOT LIKE 'vectors dropped %'"
    asked = dict.fromkeys(tables(store), "TRUE") | {"progress": noted}
    counted = {name: f"SELECT COUNT(*) FROM {name} WHERE {asked[name]}" for name in asked}  # noqa: S608
    return {name: store.connection.value(each) for name, each in counted.items()}


def columns(store: SqliteMemory) -> list[tuple[str, str, str]]:
    """Return every column of ours: its table, its name and its type."""
    return [
        (table, row[1], row[2])
        for table in tables(store)
        for row in store.connection.rows(f"PRAGMA table_info({table})")
    ]


def fingerprint(file: Path) -> dict[str, str]:
    """Return the SHA-256 of the memory and of its log."""
    return {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in file.parent.glob(f"{file.name}*")
        if not path.name.endswith("-shm") and path.stat().st_size
    }


def make_newer(file: Path) -> None:
    """Let a newer Tacit have written the memory last."""
    with closing(apsw.Connection(str(file))) as plain:
        plain.execute(f"PRAGMA user_version = {KNOWN + 7}")


def make_newer_in_the_log(file: Path) -> None:
    """Let a newer Tacit have been killed behind its last commit."""
    with closing(apsw.Connection(str(file))) as plain:
        plain.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        plain.execute(f"PRAGMA user_version = {KNOWN + 7}")


NEWER = [make_newer, make_newer_in_the_log]


@pytest.mark.parametrize("write", NEWER)
def test_a_newer_memory_is_refused_and_both_versions_are_named(
    file: Path, write: Callable[[Path], None]
) -> None:
    write(file)

    with pytest.raises(SchemaNewer) as refused:
        sqlite_memory(file.parent)

    said = f"has schema {KNOWN + 7}, this Tacit knows {KNOWN}. Upgrade with `pip install"
    assert said in str(refused.value)


@pytest.mark.parametrize("write", NEWER)
def test_a_newer_memory_is_left_as_it_is_byte_for_byte(
    file: Path, write: Callable[[Path], None]
) -> None:
    write(file)
    before = fingerprint(file)

    with pytest.raises(SchemaNewer):
        sqlite_memory(file.parent)

    assert fingerprint(file) == before


def test_a_new_memory_is_made_in_the_latest_version_and_empty(tmp_path: Path) -> None:
    with closing(sqlite_memory(tmp_path)) as opened:
        version = version_of(opened.connection)
        rows = counts(opened)

    assert (version, set(rows.values())) == (KNOWN, {0})


def test_what_an_older_memory_holds_is_to_be_told_after_the_upgrade(tmp_path: Path) -> None:
    older.leave(tmp_path / "memory.db", 2, [fact("mem-1"), fact("mem-2", project=None)])

    with closing(sqlite_memory(tmp_path)) as opened:
        assert opened.told.changes() == {"project-1": 1, "*": 1}


def test_a_memory_of_the_first_version_keeps_what_it_holds_and_takes_notes(tmp_path: Path) -> None:
    older.leave(tmp_path / "memory.db", 1, [fact("mem-1", tags=("red",))])

    with closing(sqlite_memory(tmp_path)) as opened:
        opened.actions.put_note(noted("turn-1"))
        version, kept = version_of(opened.connection), opened.memories.wanted(Wanted(states=None))
        notes = opened.actions.notes("session-1")

    assert (version, kept, notes) == (KNOWN, [fact("mem-1", tags=("red",))], [noted("turn-1")])


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_memory_takes_candidates_and_refuses_other_states(
    tmp_path: Path, version: int
) -> None:
    older.leave(tmp_path / "memory.db", version, [fact("mem-1")])

    with closing(sqlite_memory(tmp_path)) as opened:
        kept = opened.memories.change(fact("mem-1"), state="candidate", sessions=2)

        assert opened.memories.wanted(Wanted(states=("candidate",))) == [kept]
        with pytest.raises(apsw.ConstraintError):
            opened.memories.change(kept, state="other")


def test_a_memory_that_is_opened_again_is_as_it_was(file: Path) -> None:
    with closing(sqlite_memory(file.parent)) as again:
        found = again.memories.wanted(Wanted(states=None))
        rows = counts(again)

    assert found == [fact("mem-1", tags=("red",))]
    assert rows == dict.fromkeys(rows, 1) | {"passages": 2, "terms": 5}


def test_opening_a_memory_changes_no_byte_of_it(file: Path) -> None:
    before = fingerprint(file)

    sqlite_memory(file.parent).close()

    assert fingerprint(file) == before


def test_several_programs_that_make_a_memory_at_once_make_one(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, str(path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for number in range(4)
    ]
    for program in programs:
        assert program.stdout
        program.stdout.readline()

    for program in programs:
        assert program.stdin
        program.stdin.write(b"\n")
        program.stdin.flush()
    ended = [program.communicate() and program.returncode for program in programs]

    assert ended == [0] * 4
    with closing(sqlite_memory(tmp_path)) as opened:
        assert opened.jobs.counted() == {"waiting": 4}


def test_a_memory_that_another_program_is_just_making_is_waited_for(tmp_path: Path) -> None:
    other = apsw.Connection(str(tmp_path / "memory.db"))
    other.execute("BEGIN IMMEDIATE")  # SQLite would let nobody wait who changes the journal now
    done = threading.Timer(0.2, other.execute, ["ROLLBACK"])
    done.start()

    with closing(sqlite_memory(tmp_path)) as opened:
        version = version_of(opened.connection)

    done.join()
    assert version == KNOWN


def test_a_memory_that_another_program_never_lets_go_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_MS", 20)
    with closing(apsw.Connection(str(tmp_path / "memory.db"))) as other:
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreBusy, match="in use by another program"):
            sqlite_memory(tmp_path)


def test_every_table_is_strict(memory: SqliteMemory) -> None:
    found = tables(memory)

    assert len(found) == 20
    assert all(found.values())


def test_no_column_takes_a_value_of_a_wrong_type(memory: SqliteMemory) -> None:
    taken = []
    for table, column, kind in columns(memory):
        try:
            memory.connection.value(f"UPDATE {table} SET {column} = {WRONG[kind]}")  # noqa: S608
        except (apsw.ConstraintError, apsw.MismatchError):
            continue
        taken.append(f"{table}.{column}")

    assert taken == []


@pytest.mark.parametrize("odd", ODD)
def test_no_row_can_be_other_than_it_must_be(memory: SqliteMemory, odd: str) -> None:
    with pytest.raises(apsw.ConstraintError):
        memory.connection.value(odd)

    assert list(memory.connection.rows("PRAGMA foreign_key_check")) == []


def test_there_is_nothing_wrong_with_a_memory_that_was_only_written_by_us(
    memory: SqliteMemory,
) -> None:
    found = [
        memory.connection.value(f"PRAGMA {check}")
        for check in ("integrity_check", "foreign_key_check")
    ]

    assert found == ["ok", None]
