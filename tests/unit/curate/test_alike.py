"""Alike: what says the same is found by its meaning, and nothing else is ever taken for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.alike import is_one, pairs
from tacit.embed.local import LocalEmbedder
from tacit.recall.meaning import understand
from unit.curate.sayings import FACTS, TWO, WISHES
from unit.embedding import Blunt, Sensing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.embed.port import Embedder
    from tacit.model.memory import Memory
    from unit.curate.saying import Room

ONE, OTHER = "The staging database listens on port 5432", "The staging db listens on port 5432"
FOUND = 19  # with the real model, of the pairs that say the same


@pytest.fixture(scope="module")
def model() -> Iterator[LocalEmbedder]:
    embedder = LocalEmbedder()
    yield embedder
    embedder.close()


def taught(room: Room, *contents: str, **changes: Any) -> list[Memory]:
    """Return memories that say this, each once, in order."""
    each_once = dict.fromkeys(contents)
    return [room.learn(at, each, **changes) for at, each in enumerate(each_once, start=1)]


def two(room: Room, one: dict[str, Any], other: dict[str, Any]) -> tuple[Memory, Memory]:
    """Return two memories that say the same, one behind the other."""
    return room.learn(1, ONE, **one), room.learn(2, OTHER, **other)


def found(room: Room, embedder: Embedder, *apart: Memory) -> list[tuple[str, str]]:
    """Return the pairs that are found when all is understood: what stays, and what goes."""
    understand(room.store, lambda _: [], embedder)
    alike = pairs(room.store, embedder.model, frozenset(each.id for each in apart))
    return [(each.kept.content, each.merged.content) for each in alike]


def test_nothing_is_alike_where_nothing_is(room: Room) -> None:
    assert found(room, Blunt()) == []


def test_two_that_say_the_same_are_a_pair_with_how_near_they_are(room: Room) -> None:
    older, newer = taught(room, ONE, OTHER)
    understand(room.store, lambda _: [], Sensing())

    (alike,) = pairs(room.store, "minilm-sensing")

    assert (alike.kept, alike.merged) == (newer, older)
    assert 0.85 < alike.cosine < 1


def test_what_is_not_near_in_meaning_is_no_pair_whatever_it_says(room: Room) -> None:
    one, other = taught(room, "Use the db", "Use the database")

    assert (is_one(one, other), found(room, Sensing())) == (True, [])


def test_what_is_not_understood_yet_is_no_pair(room: Room) -> None:
    taught(room, ONE, OTHER)

    assert list(pairs(room.store, "minilm-sensing")) == []


def test_what_another_model_understood_is_no_pair(room: Room) -> None:
    taught(room, ONE, OTHER)
    understand(room.store, lambda _: [], Blunt())

    assert list(pairs(room.store, "another-1")) == []


@pytest.mark.parametrize("kind", ["fact", "preference"])
def test_nothing_that_says_something_else_is_a_pair_however_near(kind: str, room: Room) -> None:
    taught(room, *(each for pair in TWO for each in pair), kind=kind)

    assert found(room, Blunt()) == []


def test_to_the_real_model_most_that_say_the_same_are_pairs_and_no_others(
    room: Room, model: LocalEmbedder
) -> None:
    kinds = {each: "fact" for pair in FACTS + TWO for each in pair}
    kinds |= {each: "preference" for pair in WISHES for each in pair}
    for at, (content, kind) in enumerate(kinds.items(), start=1):
        room.learn(at, content, kind=kind)

    merged = found(room, model)

    meant = {frozenset(pair) for pair in WISHES + FACTS}
    wrong = [pair for pair in merged if frozenset(pair) not in meant]
    assert (wrong, len(merged) >= FOUND) == ([], True)


def test_a_memory_is_in_one_pair_at_most(room: Room) -> None:
    taught(room, ONE, OTHER, "Staging DB listens on port 5432")

    assert len(found(room, Blunt())) == 1


def test_what_stands_by_itself_is_in_no_pair(room: Room) -> None:
    older, _ = taught(room, ONE, OTHER)

    assert found(room, Blunt(), older) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"kind": "fact"}, {"kind": "preference"}, id="of another sort"),
        pytest.param({"topic": "database"}, {"topic": "network"}, id="about another topic"),
        pytest.param({"project": "prj-a"}, {"project": "prj-b"}, id="of another project"),
    ],
)
def test_the_same_words_elsewhere_are_two(
    one: dict[str, Any], other: dict[str, Any], room: Room
) -> None:
    two(room, one, other)

    assert found(room, Blunt()) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"kind": "fact"}, {"kind": "decision"}, id="of kinds of one sort"),
        pytest.param({"topic": "database"}, {"topic": ""}, id="one without a topic"),
    ],
)
def test_what_does_not_tell_them_apart_is_no_hindrance(
    one: dict[str, Any], other: dict[str, Any], room: Room
) -> None:
    assert is_one(*two(room, one, other))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param({"origin": "owner"}, {"origin": "user"}, id="the more trusted"),
        pytest.param({"origin": "user"}, {"origin": "tool:Bash"}, id="a person's"),
        pytest.param({"project": None}, {"project": "prj-a"}, id="the wider"),
        pytest.param({"importance": 5}, {"importance": 3}, id="the weightier"),
        pytest.param(
            {"origin": "user", "importance": 1}, {"origin": "agent", "importance": 5}, id="trust"
        ),
    ],
)
@pytest.mark.parametrize("is_older", [True, False])
def test_of_two_the_one_that_counts_more_stays(
    better: dict[str, Any],
    worse: dict[str, Any],
    is_older: bool,  # noqa: FBT001
    room: Room,
) -> None:
    two(room, *((better, worse) if is_older else (worse, better)))

    assert found(room, Blunt()) == [(ONE, OTHER) if is_older else (OTHER, ONE)]


def test_of_two_that_count_alike_the_newer_stays(room: Room) -> None:
    two(room, {}, {})

    assert found(room, Blunt()) == [(OTHER, ONE)]


def test_what_holds_in_one_project_does_not_stand_for_what_holds_everywhere(room: Room) -> None:
    two(room, {"project": None, "origin": "tool:Bash"}, {"project": "prj-a", "origin": "user"})

    assert found(room, Blunt()) == []


@pytest.mark.parametrize("content", [ONE, OTHER])
def test_a_pinned_one_stays_whatever_the_other_is(content: str, room: Room) -> None:
    older, newer = two(room, {}, {"origin": "owner"})
    pinned = older if content == ONE else newer
    room.store.memories.change(pinned, pinned=True)

    assert found(room, Blunt()) == [(content, OTHER if content == ONE else ONE)]


def test_of_two_pinned_ones_both_stay(room: Room) -> None:
    for each in two(room, {}, {}):
        room.store.memories.change(each, pinned=True)

    assert found(room, Blunt()) == []


@pytest.mark.parametrize("state", ["quarantined", "forgotten", "superseded", "archived"])
@pytest.mark.parametrize("at", [0, 1])
def test_what_does_not_stand_is_never_touched(state: str, at: int, room: Room) -> None:
    both = two(room, {}, {})
    understand(room.store, lambda _: [], Blunt())
    room.store.memories.change(both[at], state=state)

    assert found(room, Blunt()) == []
