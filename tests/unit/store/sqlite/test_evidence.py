"""Evidence in SQLite: none without its memory, and none twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import NOON, fresh, sqlite_memory
from contract.memories import fact, put, said
from tacit.store.sqlite.evidence import FINDING
from tacit.store.sqlite.queries import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.store.sqlite.memory import SqliteMemory


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return a memory with one memory that stands on one statement."""
    with fresh(sqlite_memory) as opened:
        put(opened, fact("mem-1"))
        opened.evidence.add(said("evi-1"), "mem-1")
        yield opened


def test_evidence_for_what_is_not_there_is_refused(memory: SqliteMemory) -> None:
    with pytest.raises(apsw.ConstraintError):
        memory.evidence.add(said("evi-2"), "missing")

    assert memory.evidence.found("session", "session-1") == ["evi-1"]


def test_the_same_statement_is_not_written_twice(memory: SqliteMemory) -> None:
    with pytest.raises(apsw.ConstraintError):
        memory.evidence.add(said("evi-1", content="other words"), "mem-1")

    assert memory.evidence.of_memory("mem-1") == [said("evi-1")]


def test_a_memory_cannot_be_deleted_from_under_its_evidence(memory: SqliteMemory) -> None:
    with pytest.raises(apsw.ConstraintError):
        memory.connection.value("DELETE FROM memories")

    assert memory.evidence.memory_of("evi-1") == "mem-1"


def test_a_text_is_kept_whole_behind_a_nul(memory: SqliteMemory) -> None:
    made = said("evi-2", quote="a\0b", session="s\0t", event="\0", tags=("x\0",))

    memory.evidence.add(made, "mem-1")

    assert memory.evidence.of_memory("mem-1") == [said("evi-1"), made]
    assert [memory.evidence.found("session", each) for each in ("s\0t", "s")] == [["evi-2"], []]


@pytest.mark.parametrize("by", FINDING)
def test_evidence_is_found_by_as_many_names_as_it_takes(memory: SqliteMemory, by: str) -> None:
    statement, names = FINDING[by]

    with pytest.raises(ValueError, match="zip"):
        memory.evidence.found(by, *["x"] * (len(names) + 1))

    assert all(f":{name}" in load("evidence")[statement] for name in names)


def test_evidence_cannot_be_found_by_anything_else(memory: SqliteMemory) -> None:
    with pytest.raises(KeyError):
        memory.evidence.found("quote", "x")


def test_nothing_else_than_statements_sessions_origins_and_events_is_refused(
    memory: SqliteMemory,
) -> None:
    with pytest.raises(apsw.ConstraintError):
        memory.evidence.refuse("topic", "x", NOON)

    assert memory.evidence.is_refused("topic", "x", NOON) is False
