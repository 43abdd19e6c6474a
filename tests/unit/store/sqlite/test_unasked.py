"""The turns that wait for a model, in SQLite: what the table refuses, and that it is taken over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw
import pytest

from tacit.store.unasked_port import Unasked

if TYPE_CHECKING:
    from tacit.store.sqlite.memory import SqliteMemory


def turn(**fields: Any) -> Unasked:
    usual: dict[str, Any] = {"session": "s-1", "turn": "t-1", "upto": 1, "at": 1}
    return Unasked(**usual | {"is_urgent": False} | fields)


@pytest.fixture(autouse=True)
def nothing_waits(memory: SqliteMemory) -> None:
    """Let nothing wait of what fills every table."""
    memory.unasked.forget_old(1 << 62)


@pytest.mark.parametrize(
    "fields", [{"upto": "many"}, {"at": 1.5}, {"session": None}, {"turn": None}], ids=str
)
def test_a_turn_that_is_none_is_refused(memory: SqliteMemory, fields: dict[str, Any]) -> None:
    with pytest.raises(apsw.Error):
        memory.unasked.put(turn(**fields))

    assert memory.unasked.listed() == []


def test_several_fail_together_or_none_of_them(memory: SqliteMemory) -> None:
    memory.unasked.put(turn())
    odd: Any = turn(turn=object())

    with pytest.raises((apsw.Error, TypeError)):
        memory.unasked.fail([turn(), odd], "No.", None)

    assert memory.unasked.listed() == [turn()]


def test_what_waits_in_a_memory_that_was_made_anew_waits_then(
    memory: SqliteMemory, made: SqliteMemory
) -> None:
    memory.unasked.put(turn(turn="old"))
    made.unasked.forget_old(1 << 62)
    made.unasked.put(turn(turn="young"))

    memory.become(made)

    assert [each.turn for each in memory.unasked.listed()] == ["young"]
