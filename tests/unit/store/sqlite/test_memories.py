"""Memories in SQLite: what follows them goes where they go: evidence, tags, links, and how used."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import apsw
import pytest

from contract.conftest import NOON, fresh, sqlite_memory
from contract.memories import FULL, fact, put, said, statement, to_do
from tacit.store.memory_port import Link, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.store.sqlite.memory import SqliteMemory


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return an empty memory."""
    with fresh(sqlite_memory) as opened:
        yield opened


def rows(memory: SqliteMemory, statement: str) -> list[tuple[object, ...]]:
    return list(memory.connection.rows(statement))


def test_some_fields_of_a_memory_are_changed_and_the_others_stay(memory: SqliteMemory) -> None:
    put(memory, FULL, fact("other"))

    changed = memory.memories.change(FULL, state="forgotten", reason="asked", pinned=False)

    assert changed == replace(FULL, state="forgotten", reason="asked", pinned=False)
    assert memory.memories.get(FULL.id) == changed
    assert memory.memories.get("other") == fact("other")


def test_a_changed_memory_is_still_found_by_what_it_says(memory: SqliteMemory) -> None:
    put(memory, FULL)

    changed = memory.memories.change(FULL, pinned=False)

    assert memory.memories.stating(statement(FULL.content)) == [changed]


def test_a_renamed_memory_is_renamed_wherever_it_is_named(memory: SqliteMemory) -> None:
    put(memory, fact("old", tags=("red",)), fact("b", superseded_by="old"))
    memory.evidence.add(said("evi-1"), "old")
    memory.memories.link("old", "b", "supersedes")
    memory.memories.link("b", "old", "related")
    memory.actions.put(to_do("act-1", memory="old"))

    memory.memories.rename("old", "new")

    links = memory.memories.links("new")
    assert [each.id for each in memory.memories.wanted(Wanted(tag="red"))] == ["new"]
    assert [each.id for each in memory.memories.superseded_by("new")] == ["b"]
    assert memory.evidence.memory_of("evi-1") == "new"
    assert links == [Link("b", "new", "related"), Link("new", "b", "supersedes")]
    assert [each.memory for each in memory.actions.wanted()] == ["new"]
    assert memory.memories.get("old") is None


def test_how_often_a_memory_was_looked_at_outlives_its_rename(memory: SqliteMemory) -> None:
    put(memory, fact("old"))
    memory.memories.use("old", NOON)

    memory.memories.rename("old", "new")

    assert memory.memories.used("new") == (1, NOON)


def test_a_memory_cannot_take_the_name_of_another(memory: SqliteMemory) -> None:
    put(memory, fact("a"), fact("b"))

    with pytest.raises(apsw.ConstraintError):
        memory.memories.rename("a", "b")

    assert memory.memories.wanted(Wanted()) == [fact("b"), fact("a")]
    assert memory.index.is_in_step()


def test_looking_at_a_memory_is_counted(memory: SqliteMemory) -> None:
    put(memory, fact("a"), fact("b"))

    for at in (3, 5):
        memory.memories.use("a", at)

    assert [memory.memories.used(name) for name in "ab"] == [(2, 5), (0, None)]


def test_a_removed_memory_was_never_looked_at(memory: SqliteMemory) -> None:
    put(memory, fact("a"))
    memory.memories.use("a", NOON)

    memory.memories.remove("a")

    assert memory.memories.used("a") == (0, None)


def test_memories_are_counted_by_how_they_stand(memory: SqliteMemory) -> None:
    put(memory, fact("a"), fact("b"), fact("c", state="forgotten"))

    assert memory.memories.counted() == {"active": 2, "forgotten": 1}


def test_a_link_is_seen_from_both_ends_and_stands_once(memory: SqliteMemory) -> None:
    put(memory, fact("a"), fact("b"), fact("c"))
    for _ in range(2):
        memory.memories.link("a", "b", "elaborates")
    memory.memories.link("b", "c", "related")

    links = [memory.memories.links(name) for name in "abc"]

    first, second = Link("a", "b", "elaborates"), Link("b", "c", "related")
    assert links == [[first], [first, second], [second]]


@pytest.mark.parametrize(("source", "target"), [("a", "missing"), ("missing", "a")])
def test_a_link_to_what_is_not_there_is_refused(
    memory: SqliteMemory, source: str, target: str
) -> None:
    put(memory, fact("a"))

    with pytest.raises(apsw.ConstraintError):
        memory.memories.link(source, target, "related")

    assert memory.memories.links("a") == []


def test_the_links_of_a_removed_memory_go_with_it(memory: SqliteMemory) -> None:
    put(memory, fact("a"), fact("b"), fact("c"))
    for source, target in (("a", "b"), ("b", "c"), ("c", "a")):
        memory.memories.link(source, target, "related")

    memory.memories.remove("b")

    assert rows(memory, "SELECT source, target FROM links") == [("c", "a")]
