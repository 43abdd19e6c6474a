"""Notes: what each turn came to, one a turn, in the order of a session's turns."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import MEMORY_KINDS, NOON, fresh
from contract.memories import FULL_NOTE, HOSTILE, TEXT, fact, noted, put, said
from tacit.model.action import Note

if TYPE_CHECKING:
    from tacit.store.memory_port import MemoryStore

CHANGES: dict[str, Any] = {
    "seq": 1,
    "at": NOON + 5,
    **dict.fromkeys("asked done".split(), "other"),
    "looked": (),
    "files_read": ("x", "y"),
    "files_edited": (),
}


@pytest.mark.parametrize("made", [FULL_NOTE, noted("plain")], ids=lambda made: made.turn)
def test_a_note_comes_back_as_it_was_put(memory: MemoryStore, made: Note) -> None:
    memory.actions.put_note(made)

    assert memory.actions.notes(made.session) == [made]


@pytest.mark.parametrize("name", CHANGES)
def test_a_turn_has_one_note_as_it_stands_now(memory: MemoryStore, name: str) -> None:
    memory.actions.put_note(FULL_NOTE)
    other = replace(FULL_NOTE, **{name: CHANGES[name]})

    memory.actions.put_note(other)

    assert memory.actions.notes(FULL_NOTE.session) == [other]


def test_every_field_of_a_note_but_its_turn_can_be_put_anew() -> None:
    known = {each.name for each in fields(Note)}

    assert known - CHANGES.keys() == {"session", "turn"}


@pytest.mark.parametrize("kind", MEMORY_KINDS)
@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXT, min_size=4, max_size=4), lists=st.lists(TEXT, max_size=3).map(tuple))
def test_whatever_text_a_note_holds_comes_back(
    kind: str, texts: list[str], lists: tuple[str, ...]
) -> None:
    session, turn, asked, done = texts
    files = {"files_read": lists[::-1], "files_edited": lists[:1]}
    made = noted(turn, session=session, asked=asked, done=done, looked=lists, **files)

    with fresh(MEMORY_KINDS[kind]) as memory:
        memory.actions.put_note(made)

        assert memory.actions.notes(made.session) == [made]


def test_the_notes_of_a_session_come_in_the_order_of_its_turns(memory: MemoryStore) -> None:
    for turn, seq, at in (("d", 9, 1), ("b", 2, 9), ("c", 2, 3), ("a", 10, 2)):
        memory.actions.put_note(noted(turn, seq=seq, at=at))

    found = memory.actions.notes("session-1")

    assert "".join(each.turn for each in found) == "bcda"


@pytest.mark.parametrize("session", ["", "%", "session", "SESSION-1", "session-3"])
def test_a_session_that_nobody_knows_has_no_notes(memory: MemoryStore, session: str) -> None:
    memory.actions.put_note(noted("a"))
    memory.actions.put_note(noted("a", session="session-2"))

    found = memory.actions.notes(session)

    assert found == []


@pytest.mark.parametrize(
    ("session", "turn", "left"),
    [
        ("session-1", "a", ["1b", "2a"]),
        ("session-2", "a", ["1a", "1b"]),
        ("session-2", "b", ["1a", "1b", "2a"]),
        ("session-1", "%", ["1a", "1b", "2a"]),
        ("%", "a", ["1a", "1b", "2a"]),
    ],
)
def test_a_note_that_is_removed_is_gone_and_no_other(
    memory: MemoryStore, session: str, turn: str, left: list[str]
) -> None:
    for made in (noted("a"), noted("b"), noted("a", session="session-2")):
        memory.actions.put_note(made)

    memory.actions.remove_note(session, turn)

    found = [each for name in ("session-1", "session-2") for each in memory.actions.notes(name)]
    assert [f"{each.session[-1]}{each.turn}" for each in found] == left


@pytest.mark.parametrize("text", HOSTILE)
def test_statements_of_sql_are_only_words(memory: MemoryStore, text: str) -> None:
    hostile = noted(text, session=text, asked=text, done=text, looked=(text,), files_read=(text,))
    others = [noted("a"), noted("b")]
    for made in (*others, hostile):
        memory.actions.put_note(made)

    found = memory.actions.notes(text)
    memory.actions.remove_note(text, text)

    assert (found, memory.actions.notes(text)) == ([hostile], [])
    assert memory.actions.notes("session-1") == others


def test_a_session_is_stale_when_what_it_said_holds_no_longer(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"), fact("mem-2"))
    memory.evidence.add(said("a"), "mem-1")
    memory.evidence.add(said("b", session="session-2"), "mem-1")
    memory.evidence.add(said("c", session="session-3"), "mem-2")
    before = memory.actions.stale()

    put(memory, fact("mem-1", state="forgotten"))

    assert (before, memory.actions.stale()) == ([], ["session-1", "session-2"])


def test_a_session_is_stale_when_what_it_said_is_taken_back(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"))
    memory.evidence.add(said("a"), "mem-1")
    memory.evidence.add(said("b", session="session-2"), "mem-1")

    memory.evidence.remove("b")

    assert memory.actions.stale() == ["session-2"]


def test_a_session_is_stale_until_its_summary_was_written(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"))
    memory.evidence.add(said("a"), "mem-1")
    memory.evidence.remove("a")

    memory.actions.drop_stale("session-1")

    assert memory.actions.stale() == []
