"""Actions in SQLite: what is out of bounds is never written, and a text is kept whole."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from contract.conftest import fresh, sqlite_memory
from contract.memories import FULL_ACTION, fact, noted, put, summed_up, to_do

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.store.sqlite.memory import SqliteMemory


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return a memory with one action about something that is not there."""
    with fresh(sqlite_memory) as opened:
        opened.actions.put(FULL_ACTION)
        yield opened


@pytest.mark.parametrize(
    "change", [{"priority": 3}, {"priority": -1}, {"status": "done"}, {"content": None}]
)
def test_an_action_out_of_bounds_is_never_written(
    memory: SqliteMemory, change: dict[str, Any]
) -> None:
    with pytest.raises(apsw.ConstraintError):
        memory.actions.put(replace(FULL_ACTION, **change))

    assert memory.actions.wanted() == [FULL_ACTION]


def test_an_action_outlives_the_memory_that_it_is_about(memory: SqliteMemory) -> None:
    put(memory, fact("mem-full"))

    memory.memories.remove("mem-full")

    assert memory.actions.get(FULL_ACTION.id) == FULL_ACTION


def test_a_text_is_kept_whole_behind_a_nul(memory: SqliteMemory) -> None:
    made, summed = to_do("act-1", quote="a\0b"), summed_up("s\0", notes="\0", files_read=("\0x",))
    note = noted("t\0", session="s\0", done="\0", looked=("\0x",))

    memory.actions.put(made)
    memory.actions.put_summary(summed)
    memory.actions.put_note(note)

    assert (memory.actions.get("act-1"), memory.actions.summaries("s\0")) == (made, [summed])
    assert memory.actions.notes("s\0") == [note]


@pytest.mark.parametrize("by", ["origin", "quote"])
def test_actions_cannot_be_found_by_anything_but_turn_session_and_event(
    memory: SqliteMemory, by: str
) -> None:
    with pytest.raises(KeyError):
        memory.actions.found(by, "user")
