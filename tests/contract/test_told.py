"""What sessions are told: written down, heard, of use or not; and what a brief may be made of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import MEMORY_KINDS, NOON, fresh
from contract.memories import HOSTILE, MEMORIES, TEXT, fact, put, stood, summed_up, to_do, told
from tacit.model.memory import ASKED, BEHAVIOURAL, DAY_NS
from tacit.store.told_port import Heard, MemoryUse, Outcome, Part, SurfaceUse

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.model.memory import Memory
    from tacit.store.memory_port import MemoryStore
    from tacit.store.told_port import Telling

MANY = settings(max_examples=60, deadline=None)
every_kind = pytest.mark.parametrize("kind", MEMORY_KINDS)
FULL = told(
    "prompt-1",
    surface="prompt",
    project=None,
    session="session-1",
    made=NOON + 1,
    tokens=77,
    memories=(("mem-2", 5), ("mem-1", 9)),
    held=("mem-3", "mem-4"),
)


@pytest.mark.parametrize("made", [FULL, told("brief-1"), told("agent-1", surface="agent")])
def test_what_may_be_told_comes_back_as_it_was_put(memory: MemoryStore, made: Telling) -> None:
    memory.told.put(made)

    assert memory.told.get(made.id) == made


def test_what_is_known_already_stays_as_it_was_heard(memory: MemoryStore) -> None:
    memory.told.put(told("brief-1"))
    memory.told.hear("brief-1", "session-1", NOON)

    memory.told.put(told("brief-1", made=NOON + 9, memories=()))

    assert memory.told.get("brief-1") == told("brief-1", heard=1)


@every_kind
@MANY
@given(texts=st.lists(TEXT, min_size=6, max_size=6))
def test_whatever_text_it_holds_comes_back(kind: str, texts: list[str]) -> None:
    name, project, session, one, other, held = texts
    made = told(
        name, project=project, session=session, memories=((one, 1), (other, 2)), held=(held,)
    )

    with fresh(MEMORY_KINDS[kind]) as memory:
        memory.told.put(made)

        assert memory.told.get(name) == made


def test_what_nobody_put_is_not_there(memory: MemoryStore) -> None:
    memory.told.put(told("brief-1"))

    assert [memory.told.get(name) for name in ("", "brief", "BRIEF-1", "%")] == [None] * 4


def test_the_surfacings_of_a_session_are_told_in_order(memory: MemoryStore) -> None:
    made = [told(name, session="s-1", made=at) for name, at in (("b", 2), ("a", 2), ("c", 1))]
    for each in (*made, told("other", session="s-2"), told("none")):
        memory.told.put(each)

    assert [each.id for each in memory.told.made_for("s-1")] == ["c", "a", "b"]


def test_a_session_that_hears_something_heard_each_memory_of_it(memory: MemoryStore) -> None:
    memory.told.put(FULL)

    is_known = memory.told.hear("prompt-1", "s-9", NOON + 5)

    assert is_known
    assert memory.told.heard_in("s-9") == [
        Heard("mem-1", "s-9", "prompt-1", "prompt", NOON + 5, 9, used=False, repeated=False),
        Heard("mem-2", "s-9", "prompt-1", "prompt", NOON + 5, 5, used=False, repeated=False),
        Heard("mem-3", "s-9", "prompt-1", "held", NOON + 5, 0, used=False, repeated=False),
        Heard("mem-4", "s-9", "prompt-1", "held", NOON + 5, 0, used=False, repeated=False),
    ]
    assert [each.session for each in memory.told.heard_of("mem-1")] == ["s-9"]


def test_what_nobody_knows_cannot_be_heard(memory: MemoryStore) -> None:
    assert not memory.told.hear("brief-1", "s-1", NOON)
    assert (memory.told.heard_in("s-1"), memory.told.is_any_heard()) == ([], False)


def test_what_is_heard_twice_in_a_session_counts_once_for_its_memories(
    memory: MemoryStore,
) -> None:
    memory.told.put(told("brief-1"))
    for at in (1, 2):
        memory.told.hear("brief-1", "s-1", at)

    assert [each.at for each in memory.told.heard_in("s-1")] == [1]
    assert memory.told.is_any_heard()


def test_where_a_memory_was_told_is_told_the_latest_first(memory: MemoryStore) -> None:
    for name, at in (("a", 1), ("b", 3), ("c", 2)):
        memory.told.put(told(name))
        memory.told.hear(name, f"s-{name}", at)

    assert [each.session for each in memory.told.heard_of("mem-1")] == ["s-b", "s-c", "s-a"]
    assert [each.session for each in memory.told.heard_of("mem-1", 1)] == ["s-b"]


def test_use_is_written_down_once_for_a_session(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"))
    memory.told.put(told("brief-1"))
    for session in ("s-1", "s-2"):
        memory.told.hear("brief-1", session, NOON)

    for _ in range(3):
        memory.told.use("mem-1", "s-1", used=True, repeated=False)
    memory.told.use("mem-1", "s-1", used=False, repeated=True)
    memory.told.use("mem-1", "s-3", used=True, repeated=True)
    memory.told.use("mem-9", "s-1", used=True, repeated=True)

    found = {each.session: (each.used, each.repeated) for each in memory.told.heard_of("mem-1")}
    assert found == {"s-1": (True, True), "s-2": (False, False)}
    assert memory.told.uses() == [MemoryUse("mem-1", "fact", "the words of mem-1", 2, 8, 1, 1)]


def test_the_most_expensive_memories_are_told_first_and_held_ones_cost_nothing(
    memory: MemoryStore,
) -> None:
    put(memory, fact("a"), fact("b"), fact("c"), fact("d"))
    memory.told.put(told("brief-1", memories=(("a", 3), ("b", 9), ("gone", 99)), held=("c",)))
    memory.told.hear("brief-1", "s-1", NOON)

    assert [(each.memory, each.tokens) for each in memory.told.uses()] == [("b", 9), ("a", 3)]
    assert [each.memory for each in memory.told.uses(1)] == ["b"]


def test_each_surface_is_counted_and_what_came_too_late(memory: MemoryStore) -> None:
    for name, at in (("p-1", 1), ("p-2", 1), ("p-3", 9)):
        memory.told.put(told(name, surface="prompt", session="s-1", made=at, tokens=5))
    memory.told.put(told("brief-1", made=1, tokens=20))
    memory.told.put(told("agent-1", surface="agent", made=1))
    memory.told.hear("p-1", "s-1", 2)
    memory.told.hear("brief-1", "s-1", 2)
    memory.told.hear("brief-1", "s-2", 2)

    assert memory.told.totals(before=5) == [
        SurfaceUse("agent", 1, 0, 0, 0),
        SurfaceUse("brief", 1, 2, 40, 0),
        SurfaceUse("prompt", 3, 1, 5, 1),
    ]
    assert [each.late for each in memory.told.totals(before=10)] == [0, 0, 2]


def test_what_was_held_back_is_compared_with_what_was_told(memory: MemoryStore) -> None:
    memory.told.put(told("brief-1", memories=(("a", 1), ("b", 1)), held=("c", "d", "e")))
    memory.told.hear("brief-1", "s-1", NOON)
    memory.told.use("a", "s-1", used=True, repeated=False)
    memory.told.use("c", "s-1", used=False, repeated=True)

    assert memory.told.outcomes() == [
        Outcome(is_held=False, memories=2, used=1, repeated=0),
        Outcome(is_held=True, memories=3, used=0, repeated=1),
    ]


def test_what_is_old_is_let_go_but_for_what_is_kept(memory: MemoryStore) -> None:
    for name, at in (("old", 1), ("kept", 1), ("young", 5)):
        memory.told.put(told(name, made=at))

    memory.told.forget_old(5, {"kept", "nothing"})

    known = [name for name in ("old", "kept", "young") if memory.told.get(name)]
    assert known == ["kept", "young"]


CHANGES: dict[str, Callable[[MemoryStore], Any]] = {
    "added": lambda store: put(store, fact("mem-9")),
    "changed": lambda store: put(store, fact("mem-1", content="other words")),
    "put aside": lambda store: put(store, fact("mem-1", state="archived")),
    "removed": lambda store: store.memories.remove("mem-1"),
    "to do": lambda store: store.actions.put(to_do("act-9")),
    "done": lambda store: store.actions.put(to_do("act-1", status="acted_on")),
    "not to do": lambda store: store.actions.remove("act-1"),
    "summed up": lambda store: store.actions.put_summary(summed_up("s-9")),
    "summed up again": lambda store: store.actions.put_summary(summed_up("s-1", request="x")),
    "not summed up": lambda store: store.actions.remove_summary("s-1"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_a_brief_is_made_of_changes_its_project_alone(
    change: Callable[[MemoryStore], Any], memory: MemoryStore
) -> None:
    put(memory, fact("mem-1"), fact("mem-2", project="project-2"), fact("mem-3", project=None))
    memory.actions.put(to_do("act-1"))
    memory.actions.put_summary(summed_up("s-1"))
    before = memory.told.changes()

    change(memory)

    after = memory.told.changes()
    assert {name for name in after if after[name] != before[name]} == {"project-1"}
    assert before.keys() == {"project-1", "project-2", "*"}


def test_what_holds_everywhere_changes_them_all_and_a_move_both(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"), fact("mem-2", project=None))
    before = memory.told.changes()

    put(memory, fact("mem-2", content="other words", project=None))
    between = memory.told.changes()
    put(memory, fact("mem-1", project="project-2"))

    assert [before["*"] < between["*"], before["project-1"] == between["project-1"]] == [True] * 2
    assert memory.told.changes()["project-1"] > between["project-1"]
    assert memory.told.changes()["project-2"] == 1


def test_being_told_and_being_of_use_changes_no_brief(memory: MemoryStore) -> None:
    put(memory, fact("mem-1"))
    before = memory.told.changes()

    memory.told.put(told("brief-1"))
    memory.told.hear("brief-1", "s-1", NOON)
    memory.told.use("mem-1", "s-1", used=True, repeated=False)

    assert memory.told.changes() == before


def wanted(
    memories: list[Memory], projects: tuple[str, ...], as_of: int | None
) -> dict[Part, set[str]]:
    """Return what may stand in each part, the way one would say it in Python."""
    found: dict[Part, set[str]] = {}
    for each in memories:
        is_right = (
            each.state == "active" if as_of is None else each.state in {"active", "superseded"}
        )
        is_then = as_of is None or stood(each, as_of)
        if is_right and is_then and (each.project is None or each.project in projects):
            part = Part(each.kind in BEHAVIOURAL, each.is_trusted)
            found.setdefault(part, set()).add(each.id)
    return found


@every_kind
@MANY
@given(
    made=st.lists(MEMORIES, max_size=12),
    projects=st.sampled_from([(), ("p",), ("p", "q")]),
    as_of=st.none() | st.integers(0, 6),
)
def test_the_candidates_are_those_that_hold_there_and_then(
    kind: str, made: list[Memory], projects: tuple[str, ...], as_of: int | None
) -> None:
    memories = [replace(each, id=f"mem-{number}") for number, each in enumerate(made)]
    with fresh(MEMORY_KINDS[kind]) as memory:
        put(memory, *memories)

        found = memory.told.candidates(projects, 10, 50, as_of)
        few = memory.told.candidates(projects, 10, 1, as_of)

    expected = wanted(memories, projects, as_of)
    for part in (Part(one, other) for one in (True, False) for other in (True, False)):
        names = [each.id for each in found[part].memories]
        assert set(names) == expected.get(part, set())
        assert found[part].total == few[part].total == len(names)
        assert [each.id for each in few[part].memories] == names[:1]


def test_a_candidate_is_the_memory_as_it_is(memory: MemoryStore) -> None:
    made = fact("mem-1", tags=("a", "b c"), pinned=True, kind="pattern", project=None)
    put(memory, made, fact("mem-2", kind="pattern", project=None, extractor=ASKED[0]))

    found, asked = memory.told.candidates((), NOON, 5)[Part(True, True)].memories  # noqa: FBT003

    names = ("id", "kind", "content", "tags", "project", "origin", "created_at", "pinned")
    expected = {name: getattr(made, name) for name in names}
    assert found._asdict() == expected | {"is_asked": False, "is_supported": True}
    assert (asked.id, asked.pinned, asked.is_asked) == ("mem-2", False, True)


@pytest.mark.parametrize("asked", ASKED)
def test_what_was_asked_for_comes_before_what_weighs_more(memory: MemoryStore, asked: str) -> None:
    put(memory, fact("heavy", importance=5), fact("asked", importance=1, extractor=asked))

    found = memory.told.candidates(("project-1",), NOON, 5)[Part(False, True)]  # noqa: FBT003

    assert [each.id for each in found.memories] == ["asked", "heavy"]


def test_age_and_importance_weigh_against_each_other(memory: MemoryStore) -> None:
    days = {"fresh": 7, "older": 30, "old": 90, "ancient": 4000}
    put(memory, *(fact(name, created_at=NOON - days[name] * DAY_NS) for name in days))
    put(memory, fact("weighty", importance=4, created_at=NOON - 30 * DAY_NS))

    found = memory.told.candidates(("project-1",), NOON, 9)[Part(False, True)]  # noqa: FBT003

    assert [each.id for each in found.memories] == ["weighty", "fresh", "older", "old", "ancient"]


def test_those_that_hold_are_counted(memory: MemoryStore) -> None:
    states = ("active", "superseded", "quarantined", "forgotten", "archived")
    put(memory, *(fact(state, state=state) for state in states), fact("far", project=None))

    assert memory.told.standing() == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_part_of_a_statement(memory: MemoryStore, text: str) -> None:
    put(memory, fact(text, project=text, content=text))
    memory.told.put(told(text, project=text, session=text, memories=((text, 1),), held=(text,)))
    memory.told.hear(text, text, NOON)
    memory.told.use(text, text, used=True, repeated=True)
    memory.told.forget_old(NOON, {text})

    found = memory.told.candidates((text,), NOON, 9)[Part(False, True)]  # noqa: FBT003
    assert [each.id for each in found.memories] == [text]
    assert [each.memory for each in memory.told.heard_in(text)] == [text]
    assert memory.told.changes() == {text: 1}
