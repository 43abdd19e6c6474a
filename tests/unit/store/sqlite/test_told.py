"""What sessions are told, in SQLite: what its tables refuse, and what follows a memory's name."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import NOON
from contract.memories import fact, put, told
from tacit.store.told_port import SURFACES
from unit.store.sqlite.conftest import with_a_log

if TYPE_CHECKING:
    from pathlib import Path

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


def test_use_is_kept_for_the_memories_that_are_here(memory: SqliteMemory, tmp_path: Path) -> None:
    put(memory, fact("mem-1"), fact("mem-2"))
    memory.told.put(told("brief-1", memories=(("mem-1", 5), ("mem-2", 7))))
    memory.told.hear("brief-1", "s-1", NOON)
    memory.told.use("mem-1", "s-1", used=True, repeated=False)
    memory.memories.use("mem-1", NOON + 1)
    with closing(with_a_log(tmp_path / "other.db")) as other:
        put(other, fact("mem-1"))

        for _ in range(2):  # what is known stays
            other.told.keep(memory.told)

        assert other.told.get("brief-1") == memory.told.get("brief-1")
        heard = [each for each in memory.told.heard_in("s-1") if each.memory == "mem-1"]
        assert other.told.heard_in("s-1") == heard
        assert other.memories.used("mem-1") == (1, NOON + 1)
        assert [each.memory for each in other.told.uses()] == ["mem-1"]


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
