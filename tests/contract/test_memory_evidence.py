"""Evidence: kept as it was said, found by where it came from; and what is not learned again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import MEMORY_KINDS, NOON, fresh
from contract.memories import FULL_EVIDENCE, HOSTILE, TEXT, fact, put, said
from tacit.errors import NotFound

if TYPE_CHECKING:
    from tacit.model.memory import Evidence
    from tacit.store.memory_port import MemoryStore

MANY = settings(max_examples=60, deadline=None)
every_kind = pytest.mark.parametrize("kind", MEMORY_KINDS)
ABOUT = ["statement", "session", "origin", "event"]


@pytest.fixture
def told(memory: MemoryStore) -> MemoryStore:
    """Return a memory with evidence from three sessions, three tools and the user."""
    put(memory, fact("mem-1"), fact("mem-2"))
    for name, belongs, fields in (
        ("a", "mem-1", {"at": NOON + 3}),
        ("b", "mem-1", {"at": NOON + 2, "turn": "turn-2", "origin": "tool:Bash"}),
        ("c", "mem-2", {"at": NOON + 2, "event": "event of b", "origin": "tool:Web"}),
        ("d", "mem-2", {"session": "session-2", "origin": "tool"}),
        ("e", "mem-1", {"session": "session-2", "turn": None, "origin": "toolbox"}),
    ):
        memory.evidence.add(said(name, **fields), belongs)
    return memory


@pytest.mark.parametrize("made", [FULL_EVIDENCE, said("evi-plain")], ids=lambda made: made.id)
def test_evidence_comes_back_as_it_was_said(memory: MemoryStore, made: Evidence) -> None:
    put(memory, fact("mem-1"))

    memory.evidence.add(made, "mem-1")

    assert memory.evidence.of_memory("mem-1") == [made]
    assert memory.evidence.memory_of(made.id) == "mem-1"


@every_kind
@MANY
@given(texts=st.lists(TEXT, min_size=10, max_size=10), start=st.integers(0, 2**63 - 1))
def test_whatever_text_evidence_holds_comes_back(kind: str, texts: list[str], start: int) -> None:
    columns = "event quote origin via session turn content project topic".split()
    fields = dict(zip(columns, texts, strict=False))
    made = said("evi-1", start=start, tags=(texts[-1],), **fields)

    with fresh(MEMORY_KINDS[kind]) as memory:
        put(memory, fact("mem-1"))
        memory.evidence.add(made, "mem-1")

        assert memory.evidence.of_memory("mem-1") == [made]


def test_the_evidence_of_a_memory_comes_in_the_order_in_which_it_was_said(
    told: MemoryStore,
) -> None:
    found = [each.id for each in told.evidence.of_memory("mem-1")]

    assert found == ["e", "b", "a"]


def test_evidence_of_the_same_moment_comes_in_the_order_of_its_ids(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"))
    for name in ("evi-2", "evi-3", "evi-1"):
        memory.evidence.add(said(name), "mem-1")

    found = [each.id for each in memory.evidence.of_memory("mem-1")]

    assert found == ["evi-1", "evi-2", "evi-3"]


@pytest.mark.parametrize(
    ("by", "subject", "fitting"),
    [
        ("turn", ("session-1", "turn-1"), "ca"),
        ("turn", ("session-1", "turn-2"), "b"),
        ("turn", ("session-2", "turn-2"), ""),
        ("session", ("session-1",), "bca"),
        ("session", ("session-2",), "de"),
        ("session", ("session",), ""),
        ("event", ("event of b",), "bc"),
        ("event", ("event of",), ""),
        ("origin", ("user",), "a"),
        ("origin", ("tool",), "dbc"),
        ("origin", ("tool:Bash",), "b"),
        ("origin", ("toolbox",), "e"),
        ("origin", ("to",), ""),
        ("origin", ("tool:",), ""),
        ("origin", ("tool:Ba",), ""),
        ("origin", ("%",), ""),
        ("origin", ("",), ""),
    ],
)
def test_evidence_is_found_by_where_it_came_from(
    told: MemoryStore, by: str, subject: tuple[str, ...], fitting: str
) -> None:
    found = told.evidence.found(by, *subject)

    assert "".join(found) == fitting


@pytest.mark.parametrize(
    ("at", "besides", "is_said"),
    [
        (NOON + 3, "mem-2", True),
        (NOON + 3, "mem-1", False),
        (NOON + 2, "mem-1", True),
        (NOON + 1, "mem-1", False),
    ],
)
def test_what_another_memory_stands_on_is_found_by_its_time(
    told: MemoryStore, at: int, besides: str, *, is_said: bool
) -> None:
    assert told.evidence.is_said_at(at, besides) is is_said


def test_a_statement_that_is_evidence_for_nothing_has_no_memory(told: MemoryStore) -> None:
    found = told.evidence.memory_of("unknown")

    assert found is None


def test_a_statement_that_is_taken_back_is_gone_and_its_memory_stays(told: MemoryStore) -> None:
    told.evidence.remove("b")

    assert [each.id for each in told.evidence.of_memory("mem-1")] == ["e", "a"]
    assert told.evidence.memory_of("b") is None
    assert told.memories.get("mem-1") is not None


def test_the_last_evidence_of_a_memory_can_be_taken_back(told: MemoryStore) -> None:
    for name in "cd":
        told.evidence.remove(name)

    assert told.evidence.of_memory("mem-2") == []


def test_taking_back_what_was_never_said_changes_nothing(told: MemoryStore) -> None:
    told.evidence.remove("%")

    assert told.evidence.found("session", "session-1") == ["b", "c", "a"]


def test_evidence_outlives_that_its_memory_is_put_again(told: MemoryStore) -> None:
    put(told, fact("mem-1", content="now in other words"))

    assert [each.id for each in told.evidence.of_memory("mem-1")] == ["e", "b", "a"]


@pytest.mark.parametrize("about", ABOUT)
def test_what_is_refused_is_refused_up_to_that_moment_and_no_longer(
    memory: MemoryStore, about: str
) -> None:
    memory.evidence.refuse(about, "it", NOON)

    found = [memory.evidence.is_refused(about, "it", NOON + step) for step in (-1, 0, 1)]

    assert found == [True, True, False]


@pytest.mark.parametrize("about", ABOUT)
def test_a_refusal_is_about_nothing_else(memory: MemoryStore, about: str) -> None:
    memory.evidence.refuse(about, "it", NOON)

    others = [memory.evidence.is_refused(each, "it", NOON) for each in ABOUT if each != about]
    subjects = [memory.evidence.is_refused(about, each, NOON) for each in ("i", "its", "%", "IT")]

    assert not any(others + subjects)


def test_where_nothing_was_refused_nothing_is(memory: MemoryStore) -> None:
    found = [memory.evidence.is_refused(about, "", 0) for about in ABOUT]

    assert found == [False] * 4


@every_kind
@MANY
@given(
    times=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5),
    at=st.integers(-(2**63), 2**63 - 1),
)
def test_of_several_refusals_the_latest_counts(kind: str, times: list[int], at: int) -> None:
    with fresh(MEMORY_KINDS[kind]) as memory:
        for before in times:
            memory.evidence.refuse("statement", "it", before)

        found = [memory.evidence.is_refused("statement", "it", each) for each in (at, max(times))]

    assert found == [at <= max(times), True]


@pytest.mark.parametrize("text", HOSTILE)
def test_statements_of_sql_are_only_names(told: MemoryStore, text: str) -> None:
    told.evidence.add(said(text, event=text, session=text, turn=text, origin=text), "mem-1")
    told.evidence.refuse("statement", text, NOON)

    found = [
        told.evidence.found("turn", text, text),
        *(told.evidence.found(by, text) for by in ("session", "event", "origin")),
    ]

    assert found == [[text]] * 4
    assert told.evidence.is_refused("statement", text, NOON)
    assert len(told.evidence.of_memory("mem-1")) == 4


def test_a_name_that_is_no_text_is_not_found(told: MemoryStore) -> None:
    with pytest.raises(NotFound):
        told.evidence.found("session", "\ud800")


def test_a_transaction_that_fails_leaves_evidence_and_refusals_as_they_were(
    told: MemoryStore,
) -> None:
    def both() -> None:
        with told.transaction():
            told.evidence.remove("a")
            told.evidence.refuse("session", "session-1", NOON)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        both()

    assert told.evidence.memory_of("a") == "mem-1"
    assert not told.evidence.is_refused("session", "session-1", NOON)


def test_what_was_corrected_in_enough_turns_is_told_turn_by_turn(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"))
    for name, turn, tags in (
        ("a", "t-1", ("gross", "total")),
        ("b", "t-2", ("gross",)),
        ("c", "t-2", ("total",)),
        ("d", "t-3", ("other",)),
    ):
        row = said(name, kind="correction", session="s", turn=turn, tags=tags, at=NOON + ord(name))
        memory.evidence.add(row, "mem-1")
    memory.evidence.add(said("e", kind="fact", tags=("other",)), "mem-1")

    found = [(topic, turn) for topic, _, turn, _ in memory.evidence.corrected(2)]

    assert found == [("gross", "t-1"), ("gross", "t-2"), ("total", "t-1"), ("total", "t-2")]
    assert memory.evidence.corrected(3) == []


def test_what_a_session_said_of_what_was_forgotten_is_found(memory: MemoryStore) -> None:
    put(memory, fact("mem-1", state="forgotten"), fact("mem-2"))
    memory.evidence.add(said("a", content="red", quote="it is red"), "mem-1")
    memory.evidence.add(said("b", content="blue", quote="blue"), "mem-2")
    memory.evidence.add(said("c", content="green", session="session-2"), "mem-1")

    assert memory.evidence.forgotten_in("session-1") == ["red", "it is red"]
