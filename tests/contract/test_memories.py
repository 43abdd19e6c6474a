"""Memories: each comes back as it was put, and is found by all that can be asked for.

What is wanted is held against a plain filter in Python, for any memories and any wish.
"""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.conftest import MEMORY_KINDS, NOON, fresh
from contract.memories import (
    FULL,
    HOSTILE,
    MEMORIES,
    TEXT,
    TIMES,
    WANTED,
    expected,
    fact,
    put,
    said,
    statement,
    stood,
)
from tacit.errors import NotFound
from tacit.model.memory import Memory
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from tacit.store.memory_port import MemoryStore

MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NUMBER = st.integers(-(2**63), 2**63 - 1)
every_kind = pytest.mark.parametrize("kind", MEMORY_KINDS)

CHANGES: dict[str, Any] = {
    "kind": "pattern",
    "content": "other words",
    "importance": 1,
    "confidence": 0.5,
    "tags": ("other",),
    "project": None,
    "origin": "tool:Bash",
    "via": "cli",
    "session": "session-2",
    "turn": None,
    "quote": "another quote",
    "topic": "another topic",
    "extractor": "rules-2",
    "created_at": NOON + 5,
    "valid_from": NOON + 6,
    "valid_to": None,
    "superseded_by": None,
    "state": "forgotten",
    "reason": None,
    "pinned": False,
    "is_supported": False,
    "is_accepted": True,
    "sessions": 7,
}
# five that differ in all that can be asked for
FIVE = (
    fact("a", created_at=10, valid_from=10, tags=("red", "blue")),
    fact("b", created_at=20, valid_from=20, kind="tool", origin="tool:Bash", project=None),
    fact("c", created_at=30, valid_from=30, origin="tool:Web", pinned=True, content="50% of b"),
    fact("d", created_at=40, valid_from=40, state="superseded", valid_to=50, tags=("red",)),
    fact("e", created_at=50, valid_from=50, state="quarantined", project="project-2"),
)
WISHES = [
    (Wanted(), "cba"),
    (Wanted(states=None), "edcba"),
    (Wanted(states=()), ""),
    (Wanted(states=("superseded", "quarantined")), "ed"),
    (Wanted(kinds=("tool", "pattern")), "b"),
    (Wanted(kinds=()), ""),
    (Wanted(origins=("user", "tool:Web")), "ca"),
    (Wanted(origins=("tool",)), ""),
    (Wanted(origin_prefix="tool:"), "cb"),
    (Wanted(origin_prefix="tool:B"), "b"),
    (Wanted(origin_prefix=""), "cba"),
    (Wanted(origin_prefix="%"), ""),
    (Wanted(states=None, projects=("project-2", "project-3")), "e"),
    (Wanted(is_everywhere=True), "b"),
    (Wanted(is_everywhere=False), "ca"),
    (Wanted(states=None, session="session-2"), "db"),
    (Wanted(session="session-3"), ""),
    (Wanted(states=None, tag="red"), "da"),
    (Wanted(states=None, tag="re"), ""),
    (Wanted(text="50%"), "c"),
    (Wanted(text="words of "), "ba"),
    (Wanted(text="WORDS"), ""),
    (Wanted(before=30), "ba"),
    (Wanted(is_pinned=True), "c"),
    (Wanted(is_pinned=False), "ba"),
    (Wanted(states=None, ended=51), "d"),
    (Wanted(states=None, ended=50), ""),
    (Wanted(states=None, as_of=9), ""),
    (Wanted(states=None, as_of=40), "dcba"),
    (Wanted(states=None, as_of=49), "dcba"),
    (Wanted(states=None, as_of=50), "ecba"),
    (Wanted(limit=2), "cb"),
    (Wanted(limit=2, offset=2), "a"),
    (Wanted(limit=0), ""),
    (Wanted(offset=1), "ba"),
    (Wanted(offset=9), ""),
    (Wanted(origin_prefix="tool:", is_pinned=False, before=30), "b"),
]


def names(memories: list[Memory]) -> str:
    return "".join(each.id for each in memories)


@pytest.mark.parametrize("made", [FULL, fact("mem-plain")], ids=lambda made: made.id)
def test_a_memory_comes_back_as_it_was_put(memory: MemoryStore, made: Memory) -> None:
    put(memory, made)

    found = memory.memories.get(made.id)

    assert found == made


@pytest.mark.parametrize("name", CHANGES)
def test_a_memory_that_is_put_again_stands_as_it_does_now(memory: MemoryStore, name: str) -> None:
    put(memory, FULL, fact("mem-other"))
    other = replace(FULL, **{name: CHANGES[name]})

    put(memory, other)

    assert memory.memories.get(FULL.id) == other != FULL
    assert memory.memories.get("mem-other") == fact("mem-other")


def test_every_field_but_the_id_can_be_put_anew() -> None:
    known = {each.name for each in fields(Memory)}

    assert known - CHANGES.keys() == {"id"}


@every_kind
@MANY
@given(texts=st.lists(TEXT, min_size=11, max_size=11), times=st.tuples(*[NUMBER] * 3))
def test_whatever_text_a_memory_holds_comes_back(
    kind: str, texts: list[str], times: tuple[int, ...]
) -> None:
    columns = "content project origin via session turn quote topic extractor reason".split()
    moments = dict(zip(("created_at", "valid_from", "valid_to"), times, strict=True))
    made = fact("mem-1", tags=(texts[-1],), **dict(zip(columns, texts, strict=False)), **moments)

    with fresh(MEMORY_KINDS[kind]) as memory:
        put(memory, made)

        assert memory.memories.get("mem-1") == made


def test_a_memory_that_nobody_put_is_not_there(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"))

    found = [memory.memories.get(name) for name in ("mem", "mem-", "mem-11", "MEM-1", "%", "")]

    assert found == [None] * 6


@pytest.mark.parametrize("name", ["mem-12", "mem-12-34"])
def test_a_memory_is_found_by_how_its_id_begins(memory: MemoryStore, name: str) -> None:
    put(memory, fact("mem-12-34"), fact("mem-2"), fact("mem-1"))

    found = memory.memories.named(name)

    assert found.id == "mem-12-34"


def test_a_whole_id_beats_those_that_only_begin_so(memory: MemoryStore) -> None:
    put(memory, *(fact(f"mem-1{number}") for number in range(5)), fact("mem-1"))

    found = memory.memories.named("mem-1")

    assert found.id == "mem-1"


def test_a_name_that_several_begin_with_is_refused(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"), fact("mem-2"))

    with pytest.raises(NotFound, match=r"^'mem' begins more than one id: say more of it\.$"):
        memory.memories.named("mem")


@pytest.mark.parametrize(
    "name", ["", "em-1", "mem-11", "MEM", "mem_1", "%", "*", "mem-1\0", "\ud800"]
)
def test_a_name_that_none_begins_with_is_refused(memory: MemoryStore, name: str) -> None:
    put(memory, fact("mem-1"))

    with pytest.raises(NotFound, match=r"^(There is no memory '.*'\. See `tacit list`|What was)"):
        memory.memories.named(name)


def test_a_removed_memory_is_gone_with_all_that_belongs_to_it(memory: MemoryStore) -> None:
    put(memory, fact("a", tags=("red",), topic="t"), fact("b", tags=("red",)))
    memory.evidence.add(said("evi-1"), "a")
    memory.evidence.add(said("evi-2"), "b")

    memory.memories.remove("a")

    found = memory.memories
    assert (found.get("a"), found.about("t"), found.stating(statement("the words of a"))) == (
        None, [], [],
    )  # fmt: skip
    assert names(found.wanted(Wanted(tag="red"))) == "b"
    assert memory.evidence.found("session", "session-1") == ["evi-2"]


def test_a_removed_memory_can_be_put_again(memory: MemoryStore) -> None:
    put(memory, FULL)
    memory.memories.remove(FULL.id)

    put(memory, FULL)

    assert memory.memories.wanted(Wanted(states=None)) == [FULL]


def test_removing_what_is_not_there_changes_nothing(memory: MemoryStore) -> None:
    put(memory, *FIVE)

    memory.memories.remove("%")

    assert names(memory.memories.wanted(Wanted(states=None))) == "edcba"


@pytest.mark.parametrize(("wanted", "fitting"), WISHES)
def test_what_is_wanted_is_found_and_nothing_else(
    memory: MemoryStore, wanted: Wanted, fitting: str
) -> None:
    put(memory, *FIVE)
    for number, name in enumerate("bdb"):
        memory.evidence.add(said(f"evi-{number}", session="session-2"), name)

    found = memory.memories.wanted(wanted)

    assert names(found) == fitting


def test_of_the_same_moment_the_later_id_comes_first(memory: MemoryStore) -> None:
    put(memory, fact("b"), fact("a"), fact("c"))

    found = memory.memories.wanted(Wanted())

    assert names(found) == "cba"


@every_kind
@MANY
@given(
    made=st.lists(MEMORIES, max_size=7),
    told=st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["one", "two"])), max_size=5),
    wishes=st.lists(WANTED, min_size=5, max_size=10),
)
def test_what_is_wanted_is_what_a_plain_filter_finds(
    kind: str, made: list[Memory], told: list[tuple[int, str]], wishes: list[Wanted]
) -> None:
    memories = [replace(each, id=f"mem-{number}") for number, each in enumerate(made)]
    sessions: dict[str, set[str]] = {each.id: set() for each in memories}
    with fresh(MEMORY_KINDS[kind]) as memory:
        put(memory, *memories)
        for number, (which, session) in enumerate(told):
            if which < len(memories):
                sessions[f"mem-{which}"].add(session)
                memory.evidence.add(said(f"evi-{number}", session=session), f"mem-{which}")

        found = [memory.memories.wanted(each) for each in wishes]

    assert found == [expected(memories, each, sessions) for each in wishes]


@every_kind
@MANY
@given(made=st.lists(MEMORIES, min_size=1, max_size=7), at=TIMES)
def test_as_of_a_moment_stands_what_had_begun_and_not_ended(
    kind: str, made: list[Memory], at: int
) -> None:
    memories = [replace(each, id=f"mem-{number}") for number, each in enumerate(made)]
    with fresh(MEMORY_KINDS[kind]) as memory:
        put(memory, *memories)

        found = memory.memories.wanted(Wanted(states=None, as_of=at))

    assert {each.id for each in found} == {each.id for each in memories if stood(each, at)}


def test_the_pages_of_what_is_wanted_are_the_whole_in_order(memory: MemoryStore) -> None:
    put(memory, *(fact(f"mem-{number}", created_at=number // 2) for number in range(7)))

    pages = [memory.memories.wanted(Wanted(limit=3, offset=offset)) for offset in (0, 3, 6, 9)]

    assert [len(page) for page in pages] == [3, 3, 1, 0]
    assert [*chain(*pages)] == memory.memories.wanted(Wanted())


def test_what_is_known_is_what_holds_here_then_everywhere(memory: MemoryStore) -> None:
    made: dict[str, dict[str, Any]] = {
        "old": {},
        "new": {"created_at": NOON + 2},
        "newest": {"created_at": NOON + 3},
        "same": {"created_at": NOON + 4, "turn": "turn-9"},
        "gone": {"state": "superseded", "created_at": NOON + 5},
        "elsewhere": {"project": "project-2"},
        "wide": {"project": None, "created_at": NOON - 1},
    }
    put(memory, *(fact(name, **fields) for name, fields in made.items()))

    found = memory.memories.known("project-1", 2, ("session-1", "turn-9"))

    assert [each.id for each in found] == ["newest", "new", "wide"]
    assert found[0] == ("newest", "fact", "the words of newest", "user", "session-1")


def test_outside_of_projects_only_what_holds_everywhere_is_known(memory: MemoryStore) -> None:
    put(memory, fact("here"), fact("wide", project=None), fact("nowhere", project=""))

    found = memory.memories.known("", 9, ("", ""))

    assert [each.id for each in found] == ["wide"]


def test_what_a_session_taught_first_is_learned_in_it(memory: MemoryStore) -> None:
    put(memory, fact("second", created_at=NOON + 2), fact("first"))
    put(memory, fact("gone", state="quarantined"), fact("other", session="session-2"))
    for name in ("first", "second", "gone", "other"):
        memory.evidence.add(said(f"for {name}"), name)

    found = memory.memories.learned_in("session-1")

    assert [each.id for each in found] == ["first", "second"]


def test_those_that_say_the_same_are_found_the_oldest_first(memory: MemoryStore) -> None:
    for name, since in (("c", 2), ("b", 1), ("a", 2), ("d", 0)):
        digest = b"other" if name == "d" else b"\0same\xff"
        memory.memories.put(fact(name, valid_from=since), digest)

    found = memory.memories.stating(b"\0same\xff")

    assert names(found) == "bac"


def test_those_about_a_topic_are_found_the_oldest_first(memory: MemoryStore) -> None:
    put(memory, fact("c", topic="t", valid_from=2), fact("b", topic="t", valid_from=1))
    put(memory, fact("a", topic="t", valid_from=2), fact("d", topic="tt"))

    found = memory.memories.about("t")

    assert names(found) == "bac"


def test_those_without_a_topic_are_about_nothing_together(memory: MemoryStore) -> None:
    put(memory, fact("a"), fact("b"))

    found = memory.memories.about("")

    assert found == []


def test_what_one_has_replaced_is_found_the_oldest_first(memory: MemoryStore) -> None:
    put(memory, *(fact(name, superseded_by="n", valid_from=ord(name) % 2) for name in "abc"))
    put(memory, fact("n"), fact("d", superseded_by="other"))

    found = memory.memories.superseded_by("n")

    assert names(found) == "bac"


@pytest.mark.parametrize("text", HOSTILE)
def test_statements_of_sql_are_only_words(memory: MemoryStore, text: str) -> None:
    hostile = fact(text, content=text, tags=(text,), topic=text, session=text, origin=text)
    put(memory, fact("mem-1"), hostile)
    memory.evidence.add(said("evi-1", session=text), text)

    found = [
        memory.memories.wanted(Wanted(**wish))
        for wish in (
            {"tag": text}, {"text": text}, {"session": text}, {"origin_prefix": text},
            {"origins": (text,)},
        )
    ]  # fmt: skip

    assert found == [[hostile]] * 5
    assert (memory.memories.about(text), memory.memories.named(text)) == ([hostile], hostile)
    assert len(memory.memories.wanted(Wanted(states=None))) == 2
