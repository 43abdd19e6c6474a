"""What sessions are told, in SQLite: what its tables refuse, and what follows a memory's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import NOON
from contract.memories import fact, put, told
from tacit.store.told_port import SURFACES

if TYPE_CHECKING:
    from tacit.store.sqlite.memory import SqliteMemory


@pytest.mark.parametrize("surface", ["", "held", "Brief", "summary"])
def test_there_are_three_surfaces_and_no_other(memory: SqliteMemory, surface: str) -> None:
    with pytest.raises(apsw.ConstraintError):
        memory.told.put(told("told-1", surface=surface))

    assert surface not in SURFACES
    assert memory.told.get("told-1") is None


def test_where_a_memory_was_told_follows_its_name(memory: SqliteMemory) -> None:
    put(memory, fact("mem-1"))
    memory.told.put(told("brief-1"))
    memory.told.hear("brief-1", "s-1", NOON)

    memory.memories.rename("mem-1", "mem-0")

    assert [each.memory for each in memory.told.heard_in("s-1")] == ["mem-0"]
    assert "mem-0" in [each.memory for each in memory.told.uses()]


def test_a_name_that_was_told_in_the_same_place_already_is_told_once(
    memory: SqliteMemory,
) -> None:
    put(memory, fact("mem-1"))
    memory.told.put(told("brief-1", memories=(("mem-1", 4), ("mem-0", 4))))
    memory.told.hear("brief-1", "s-1", NOON)

    memory.memories.rename("mem-1", "mem-0")

    assert [each.memory for each in memory.told.heard_in("s-1")] == ["mem-0"]


def test_a_hearing_is_written_down_whole_or_not_at_all(memory: SqliteMemory) -> None:
    memory.told.put(told("brief-1", memories=(("mem-1", 4), ("mem-2", "many"))))

    with pytest.raises(apsw.Error):
        memory.told.hear("brief-1", "s-1", NOON)

    known = memory.told.get("brief-1")
    assert known is not None
    assert (known.heard, memory.told.heard_in("s-1")) == (0, [])


def test_being_told_is_not_being_looked_at(memory: SqliteMemory) -> None:
    put(memory, fact("mem-1"))
    memory.told.put(told("brief-1"))
    memory.told.hear("brief-1", "s-1", NOON)

    before = memory.memories.used("mem-1")
    memory.memories.use("mem-1", NOON + 3)

    assert (before, memory.memories.used("mem-1")) == ((0, None), (1, NOON + 3))
