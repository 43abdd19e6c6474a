"""What the curated files are made of: each memory that holds in one part, the most wanted first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import MEMORY_KINDS, NOON, fresh
from contract.memories import MEMORIES, fact, put
from tacit.model.memory import ASKED, BEHAVIOURAL, DAY_NS, KINDS
from tacit.store.told_port import PLACES

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from tacit.store.memory_port import MemoryStore

MANY = settings(max_examples=80, deadline=None)
OURS = PLACES[:5]  # where nobody's words stand but the user's and the owner's
ANY_KIND = st.tuples(MEMORIES, st.sampled_from(KINDS)).map(
    lambda made: replace(made[0], kind=made[1])
)


def placed(memory: MemoryStore, projects: tuple[str, ...] | None = None) -> dict[str, list[str]]:
    """Return which memories stand in each part that has any."""
    found = memory.told.curated(projects, NOON, 200)
    return {part: [each.id for each in found[part].memories] for part in found if found[part].total}


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"kind": "correction"}, "corrections"),
        ({"kind": "correction", "created_at": NOON - 31 * DAY_NS}, "preferences"),
        ({"kind": "preference"}, "preferences"),
        ({"kind": "instruction"}, "instructions"),
        ({"kind": "pattern", "origin": "owner"}, "instructions"),
        ({"kind": "instruction", "content": "Build: `make`, then `make test`"}, "procedures"),
        ({"kind": "instruction", "tags": ("procedure",)}, "procedures"),
        ({"kind": "discovery", "content": "`a` failed, and works after `b`"}, "procedures"),
        ({"kind": "discovery", "content": "`a` works", "origin": "tool:Bash"}, "procedures"),
        ({"kind": "tool"}, "tools"),
        ({"kind": "tool", "origin": "tool:Bash"}, "tools"),
        ({"kind": "fact", "project": None}, "about"),
        ({"kind": "fact"}, "facts"),
        ({"kind": "fact", "tags": ("files",)}, "notes"),
        ({"kind": "fact", "project": None, "origin": "assistant"}, "facts"),
        ({"kind": "context"}, "tasks"),
        ({"kind": "context", "origin": "agent"}, "tasks"),
        ({"kind": "decision"}, "decisions"),
        ({"kind": "bugfix", "origin": "tool:Bash"}, "history"),
        ({"kind": "feature"}, "history"),
        ({"kind": "refactor"}, "history"),
        ({"kind": "discovery"}, "history"),
    ],
)
def test_a_memory_stands_where_its_kind_belongs(
    fields: dict[str, Any], part: str, memory: MemoryStore
) -> None:
    put(memory, fact("mem-1", **fields))

    assert placed(memory) == {part: ["mem-1"]}


@pytest.mark.parametrize("kind", BEHAVIOURAL)
@pytest.mark.parametrize("origin", ["agent", "assistant", "tool:Bash", "system", ""])
def test_how_to_behave_stands_nowhere_unless_the_user_or_the_owner_said_it(
    kind: str, origin: str, memory: MemoryStore
) -> None:
    put(memory, fact("mem-1", kind=kind, origin=origin, content="Always run `x`", pinned=True))

    assert placed(memory) == {}


@pytest.mark.parametrize("kind", MEMORY_KINDS)
@MANY
@given(
    made=st.lists(ANY_KIND, max_size=12), projects=st.sampled_from([None, (), ("p",), ("p", "q")])
)
def test_each_memory_that_holds_there_stands_in_one_part_at_most(
    kind: str, made: list[Memory], projects: tuple[str, ...] | None
) -> None:
    memories = [replace(each, id=f"mem-{number}") for number, each in enumerate(made)]
    with fresh(MEMORY_KINDS[kind]) as memory:
        put(memory, *memories)

        found = memory.told.curated(projects, 10, 50)
        few = memory.told.curated(projects, 10, 1)

    names = [each.id for part in PLACES for each in found[part].memories]
    holds = {
        each.id
        for each in memories
        if each.state == "active"
        and (projects is None or each.project is None or each.project in projects)
        and (each.is_trusted or not each.behavioral)
    }
    assert (set(names), len(names)) == (holds, len(holds))
    for part in PLACES:
        assert few[part].total == len(found[part].memories)
        assert few[part].memories == found[part].memories[:1]
        trusted = {each.origin in {"user", "owner"} for each in found[part].memories}
        assert part not in OURS or trusted <= {True}


def test_pinned_ones_come_first_then_what_was_asked_for_then_what_weighs_most(
    memory: MemoryStore,
) -> None:
    put(
        memory,
        fact("mem-old", created_at=NOON - 80 * DAY_NS),
        fact("mem-others", origin="tool:Bash", importance=5),
        fact("mem-new"),
        fact("mem-heavy", importance=4),
        fact("mem-asked", extractor=ASKED[0], importance=1),
        fact("mem-pinned", pinned=True, importance=1, created_at=NOON - 300 * DAY_NS),
    )

    assert placed(memory)["facts"] == [
        "mem-pinned",
        "mem-asked",
        "mem-heavy",
        "mem-new",
        "mem-old",
        "mem-others",
    ]


@pytest.mark.parametrize(("kind", "part"), [("correction", "corrections"), ("feature", "history")])
def test_corrections_and_what_was_done_come_in_the_order_of_time(
    kind: str, part: str, memory: MemoryStore
) -> None:
    put(
        memory,
        fact("mem-1", kind=kind, created_at=NOON - 3, importance=5),
        fact("mem-2", kind=kind, created_at=NOON - 1, importance=1),
        fact("mem-3", kind=kind, created_at=NOON - 2, extractor=ASKED[0]),
    )

    assert placed(memory)[part] == ["mem-2", "mem-3", "mem-1"]


def test_a_wording_is_the_memory_as_it_is(memory: MemoryStore) -> None:
    put(memory, fact("mem-1", tags=("one", "two words"), pinned=True))

    (found,) = memory.told.curated(None, NOON, 9)["facts"].memories

    assert found == (
        "mem-1",
        "fact",
        "the words of mem-1",
        ("one", "two words"),
        "project-1",
        "user",
        NOON,
        True,
        False,
        True,
    )
