"""Where an index looks: only in what was asked for, whether by words, by meaning or by time.

What fits is held against a plain filter in Python, for any passages and any scope.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

from contract.conftest import MEMORY_KINDS, NOON, fresh
from contract.memories import fact, put
from contract.passages import (
    HELD,
    SCOPES,
    fits,
    found,
    hold,
    message,
    near,
    subjects,
    understand,
    vector,
    vectors,
    write,
)
from tacit.recall.analyse import tokens
from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from tacit.store.index_port import Index, Passage
    from tacit.store.memory_port import MemoryStore

MANY = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
every_kind = pytest.mark.parametrize("kind", MEMORY_KINDS)
# what is asked for, and what is found then of the passages below
SCOPED: list[tuple[dict[str, Any], str]] = [
    ({}, "fdpusm"),
    ({"layers": ("memory",)}, "fdpu"),
    ({"layers": ("message", "summary")}, "sm"),
    ({"layers": ()}, ""),
    ({"projects": ("one",)}, "fum"),
    ({"projects": ("one", "two")}, "fdpusm"),
    ({"projects": ("three",)}, "u"),
    ({"projects": ()}, "u"),
    ({"is_everywhere": True}, "u"),
    ({"is_everywhere": False}, "fdpsm"),
    ({"projects": ("one",), "is_everywhere": False}, "fm"),
    ({"projects": ("one",), "is_everywhere": True}, "u"),
    ({"kinds": ("decision",)}, "d"),
    ({"kinds": ("decision", "preference")}, "dp"),
    ({"tags": ("x",)}, "fd"),
    ({"tags": ("x", "y")}, "d"),
    ({"tags": ("x", "missing")}, ""),
    ({"states": ("active", "superseded")}, "fdpuosm"),
    ({"states": ("superseded",)}, "osm"),
    ({"states": ()}, "sm"),
    ({"layers": ("memory",), "states": ("quarantined",)}, "q"),
    ({"since": NOON + 2}, "dpusm"),
    ({"since": NOON + 2, "until": NOON + 4}, "dp"),
    ({"until": NOON + 2}, "f"),
    ({"as_of": NOON + 2}, "fd"),
    ({"as_of": NOON + 5}, "fps"),
    ({"as_of": NOON + 9, "states": ("active", "superseded")}, "fpuosm"),
    ({"layers": ("memory",), "projects": ("one",), "kinds": ("fact",), "tags": ("x",)}, "f"),
]


@pytest.fixture
def index(memory: MemoryStore) -> Index:
    """Return an empty index."""
    return memory.index


@pytest.fixture
def held(memory: MemoryStore) -> Index:
    """Return an index of eight passages, each of which stands somewhere else."""
    put(
        memory,
        fact("f", content="red", project="one", tags=("x",), **at(1)),
        fact("d", content="red", kind="decision", project="two", tags=("y", "x"), **at(2, 5)),
        fact("p", content="red", kind="preference", project="two", tags=("y",), **at(3)),
        fact("u", content="red", project=None, **at(4, begins=8)),
        fact("o", content="red", project="one", state="superseded", **at(5, 20, begins=6)),
        fact("q", content="red", project="one", state="quarantined", **at(6, 20)),
    )
    write(
        memory.index,
        message("s", "red", layer="summary", role="summary", project="two", at=NOON + 5),
        message("m", "red", project="one", at=NOON + 7),
    )
    return memory.index


def at(made: int, ended: int | None = None, begins: int | None = None) -> dict[str, int | None]:
    """Return when a memory was made, and from when until when it holds."""
    return {
        "created_at": NOON + made,
        "valid_from": NOON + (begins or made),
        "valid_to": ended and NOON + ended,
    }


def test_there_is_a_case_for_each_field_of_a_scope() -> None:
    asked = {name for scope, _ in SCOPED for name in scope}

    assert asked == {field.name for field in fields(Scope)}


@pytest.mark.parametrize(("scope", "fitting"), SCOPED, ids=str)
def test_only_what_was_asked_for_is_found(held: Index, scope: dict[str, Any], fitting: str) -> None:
    means = dict.fromkeys("fdpuoqsm", vector(1, 1))
    understand(held, means)
    asked = Scope(**scope)

    by_words = found(held, "red", scope=asked)
    by_meaning = near(held, vector(1, 0), asked)
    by_time = subjects(held, held.latest(asked, -1))

    assert sorted(by_words) == sorted(by_meaning) == sorted(by_time) == sorted(fitting)


def test_the_newest_come_first_and_what_came_later_before_that(index: Index) -> None:
    write(index, *(message(name, at=NOON + int(later)) for name, later in ("a2", "b3", "c1", "d2")))

    latest = [subjects(index, index.latest(Scope(), limit)) for limit in (-1, 0, 1, 3)]

    assert latest == [["b", "d", "a", "c"], [], ["b"], ["b", "d", "a"]]


@pytest.mark.parametrize("crowd", [50, 2100])
def test_a_crowd_elsewhere_hides_nothing(memory: MemoryStore, crowd: int) -> None:
    """However many are better, only those that fit count."""
    others = [f"other-{number}" for number in range(crowd)]
    with memory.transaction():
        write(memory.index, message("a", "a red lamp beside the grey wall", project="here"))
        write(memory.index, *(message(name, "red red", project="there") for name in others))
        write(memory.index, message("b", "the long grey wall and a red lamp", project="here"))
    understand(memory.index, dict.fromkeys(others, vector(1, 0)))
    understand(memory.index, {"a": vector(1, 2), "b": vector(1, 1)})
    here = Scope(projects=("here",))

    assert sorted(found(memory.index, "red", scope=here, limit=5)) == ["a", "b"]
    assert near(memory.index, vector(1, 0), here, limit=5) == ["b", "a"]


@every_kind
@MANY
@given(held=HELD, scope=SCOPES)
def test_whatever_stands_there_what_fits_is_found(
    kind: str, held: list[Memory | Passage], scope: Scope
) -> None:
    with fresh(MEMORY_KINDS[kind]) as memory:
        index = memory.index
        fitting = [one.passage for one in hold(memory, held) if fits(one, scope)]
        meant = dict(zip((f"id-{at}" for at in range(len(held))), vectors(len(held)), strict=True))
        understand(index, meant)
        asked = vectors(1, seed=2)[0]

        red = [each.subject for each in fitting if "red" in tokens(each.text)]
        nearest = sorted(fitting, key=lambda each: -float(meant[each.subject] @ asked))
        assert subjects(index, index.latest(scope, -1)) == [each.subject for each in fitting]
        assert subjects(index, index.latest(scope, 2)) == [each.subject for each in fitting][:2]
        assert sorted(found(index, "red", scope=scope)) == sorted(red)
        assert near(index, asked, scope) == [each.subject for each in nearest]
        assert near(index, asked, scope, limit=2) == [each.subject for each in nearest][:2]
