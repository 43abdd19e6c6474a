"""An index: each passage comes back as it was put, and is found by its words and by no others."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import MEMORY_KINDS, NOON, fresh
from contract.memories import HOSTILE, TEXT, fact, put
from contract.passages import ANY, found, message, near, row_of, understand, vector, write
from tacit.recall.analyse import tokens
from tacit.store.index_port import LAYERS, Row, Scope, Stats

if TYPE_CHECKING:
    from tacit.store.index_port import Index
    from tacit.store.memory_port import MemoryStore

MANY = settings(max_examples=80, deadline=None)
every_kind = pytest.mark.parametrize("kind", MEMORY_KINDS)
ELSEWHERE: dict[str, Any] = {
    "session": "session-2",
    "turn": None,
    "project": None,
    "role": "assistant",
    "speaker": "ann",
    "at": NOON + 5,
}


@pytest.fixture
def index(memory: MemoryStore) -> Index:
    """Return an empty index."""
    return memory.index


@pytest.fixture
def colours(index: Index) -> Index:
    """Return an index of four passages about colours."""
    write(
        index,
        message("a", "the red lamp"),
        message("b", "red red red"),
        message("c", "the green lamp is green and a little red beside the long grey wall"),
        message("d", "a blue window"),
    )
    return index


def test_a_passage_comes_back_as_it_was_put(index: Index) -> None:
    write(index, message("a", "the red lamp is red", speaker="ann"))

    (row,) = index.rows(index.latest(Scope(), -1))

    assert row[1:12] == (
        "message",
        "a",
        "session-1",
        "turn-1",
        "project-1",
        "user",
        "ann",
        None,
        NOON,
        3,
        "red lamp red",
    )


@pytest.mark.parametrize("layer", LAYERS)
def test_each_layer_is_kept_apart(memory: MemoryStore, layer: str) -> None:
    put(memory, fact("same", content="red"))
    write(memory.index, *(message("same", "red", layer=each) for each in LAYERS))

    memory.index.drop(layer, ["same"])

    left = memory.index.rows(memory.index.words(["red"], Scope(), 9))
    assert sorted(row.layer for row in left) == [each for each in LAYERS if each != layer]
    assert memory.index.stats().passages == len(LAYERS) - 1


def test_messages_of_a_session_stand_side_by_side_in_their_order(index: Index) -> None:
    for subject, session, is_placed in (
        ("a", "one", True),
        ("b", "two", True),
        ("tool", "one", False),
        ("c", "one", True),
        ("d", "two", True),
    ):
        write(index, message(subject, session=session, is_placed=is_placed))

    places = [row_of(index, subject).place for subject in ("a", "c", "b", "d", "tool")]

    assert places == [0, 1, 0, 1, None]


def test_a_message_that_is_put_again_keeps_its_place(index: Index) -> None:
    write(index, *(message(subject, is_placed=True) for subject in "abc"))

    for text in ("", "other words"):
        write(index, message("b", text, is_placed=True))

    assert [row_of(index, subject).place for subject in "abc"] == [0, 1, 2]


def test_a_passage_that_is_put_again_stands_once_and_keeps_its_meaning(index: Index) -> None:
    write(index, message("a", "the red lamp"), message("b", "blue"))
    understand(index, {"a": vector(1, 0), "b": vector(0, 1)})
    before = index.rows(index.latest(ANY, -1)), index.frequencies(["red", "lamp"])

    for _ in range(3):
        write(index, message("a", "the red lamp"))

    assert (index.rows(index.latest(ANY, -1)), index.frequencies(["red", "lamp"])) == before
    assert near(index, vector(1, 0)) == ["a", "b"]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_passage_of_the_same_words_elsewhere_is_told_from_there(index: Index, name: str) -> None:
    write(index, message("a", "the red lamp"))
    understand(index, {"a": vector(1, 0)})
    before = row_of(index, "a")

    write(index, replace(message("a", "the red lamp"), **{name: ELSEWHERE[name]}))

    assert row_of(index, "a") == before._replace(**{name: ELSEWHERE[name]})
    assert (found(index, "red"), near(index, vector(1, 0))) == (["a"], ["a"])


def test_a_passage_that_says_something_else_is_found_by_that_alone(index: Index) -> None:
    write(index, message("a", "the red lamp"), message("b", "red"))
    understand(index, {"a": vector(1, 0), "b": vector(0, 1)})
    number = row_of(index, "a").number

    write(index, message("a", "green is the lamp", **ELSEWHERE))

    row = row_of(index, "a")
    assert (row.number, row.tokens, row.size) == (number, "green lamp", 2)
    assert {name: getattr(row, name) for name in ELSEWHERE} == ELSEWHERE
    assert [found(index, word) for word in ("red", "green", "lamp")] == [["b"], ["a"], ["a"]]
    assert index.frequencies(["red", "green", "lamp"]) == {"red": 1, "green": 1, "lamp": 1}
    assert near(index, vector(1, 0)) == ["b"]


def test_what_is_dropped_was_never_there(colours: Index) -> None:
    before = colours.stats()

    write(colours, message("e", "purple"), message("f", "purple and red"))
    understand(colours, {"e": vector(1, 0), "f": vector(0, 1)})
    numbers = [row_of(colours, subject).number for subject in "ef"]
    colours.drop("message", ["e", "f"])

    assert colours.rows(numbers) == []
    assert colours.stats() == before
    assert (found(colours, "purpl"), found(colours, "red", limit=9)) == ([], ["b", "a", "c"])
    assert colours.frequencies(["purpl", "red"]) == {"red": 3}
    assert (colours.beginning("purp", 9), colours.alike("purpl", 9)) == ({}, [])
    assert near(colours, vector(1, 0)) == []


def test_dropping_what_is_not_there_changes_nothing(colours: Index) -> None:
    before = colours.rows(colours.latest(ANY, -1))

    colours.drop("message", ["missing"])
    colours.drop("summary", ["a"])
    colours.drop("message", [])

    assert colours.rows(colours.latest(ANY, -1)) == before


def test_a_number_is_never_given_twice(index: Index) -> None:
    seen = set()
    for subject in "abc":
        write(index, message(subject))
        seen.add(row_of(index, subject).number)
        index.drop("message", [subject])

    assert len(seen) == 3


def test_rows_of_numbers_that_nothing_has_are_none(colours: Index) -> None:
    numbers = colours.latest(Scope(), -1)

    assert colours.rows([]) == []
    assert {row.number for row in colours.rows([*numbers, 10**9, -1])} == set(numbers)
    assert all(isinstance(row, Row) for row in colours.rows(numbers))


def test_a_token_counts_once_a_passage(colours: Index) -> None:
    assert colours.frequencies(["red", "green", "lamp", "missing"]) == {
        "red": 3,
        "green": 1,
        "lamp": 2,
    }
    assert colours.frequencies([]) == {}


def test_how_much_there_is_is_told(index: Index) -> None:
    empty = index.stats()
    write(index, message("a", "red red lamp"), message("b", "blue"), message("c", "..."))

    assert (empty, index.stats()) == (Stats(0, 0), Stats(3, 4))


def test_longer_tokens_are_found_by_how_they_begin_the_most_frequent_first(index: Index) -> None:
    for number, text in enumerate(["lamp", "lamps lampion", "lampion", "lampoon", "camp", "lam"]):
        write(index, message(f"m-{number}", text))

    assert list(index.beginning("lam", 9).items()) == [("lamp", 2), ("lampion", 2), ("lampoon", 1)]
    assert list(index.beginning("lam", 1)) == ["lamp"]
    assert index.beginning("lamp", 9) == {"lampion": 2, "lampoon": 1}
    assert [index.beginning(each, 9) for each in ("%", "_am", "lam%", "zz")] == [{}] * 4


def test_tokens_that_share_letters_are_found_the_most_alike_first(index: Index) -> None:
    for number, text in enumerate(["configuration", "figurative", "ration", "window", "co"]):
        write(index, message(f"m-{number}", text))

    like = index.alike("configuratoin", 9)

    assert like[0] == tokens("configuration")[0]
    assert set(like) == set(tokens("configuration figurative ration"))
    assert index.alike("configuratoin", 1) == like[:1]
    assert (index.alike("co", 9), index.alike("", 9), index.alike("xyz", 9)) == ([], [], [])


@pytest.mark.parametrize(
    ("words", "holding"),
    [
        (("green",), "c"),
        (("blue", "green"), "cd"),
        (("gre",), ""),
        (("lamp", "window"), "acd"),
        (("missing", "window"), "d"),
        (("missing",), ""),
        ((), ""),
    ],
)
def test_passages_are_found_by_any_of_the_tokens(
    colours: Index, words: tuple[str, ...], holding: str
) -> None:
    assert sorted(found(colours, *words)) == sorted(holding)


def test_the_best_come_first_and_no_more_than_was_asked_for(colours: Index) -> None:
    best = [found(colours, "red", limit=limit) for limit in (0, 1, 2, 9)]

    assert best == [[], ["b"], ["b", "a"], ["b", "a", "c"]]


def test_a_rare_token_weighs_more_than_one_that_many_hold(colours: Index) -> None:
    assert found(colours, "red", "window")[0] == "d"


@pytest.mark.parametrize("crowd", [30, 300])
def test_what_no_longer_holds_takes_no_place_from_what_does(
    memory: MemoryStore, crowd: int
) -> None:
    with memory.transaction():
        put(memory, fact("active", content="a red lamp beside the long grey wall of the house"))
        old = [f"old-{number}" for number in range(crowd)]
        put(memory, *(fact(name, content="red", state="superseded") for name in old))
    understand(memory.index, dict.fromkeys(old, vector(1, 0)) | {"active": vector(1, 1)})

    assert found(memory.index, "red", limit=1) == ["active"]
    assert near(memory.index, vector(1, 0), limit=1) == ["active"]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_written_and_asked_is_only_words(colours: Index, text: str) -> None:
    write(colours, message("asked", text))

    colours.alike(text, 9)
    colours.beginning(text, 9)
    holding = found(colours, *text.split(), *tokens(text))

    assert "asked" in holding or not tokens(text)
    assert colours.stats().passages == 5


def test_what_is_no_proper_text_is_found_by_what_of_it_is(index: Index) -> None:
    write(index, message("a", "red \ud800lamp\0 \udfff"))

    assert [found(index, word) for word in ("red", "lamp")] == [["a"], ["a"]]


@every_kind
@MANY
@given(texts=st.lists(TEXT | st.text(max_size=40), max_size=4))
def test_each_token_of_any_text_finds_exactly_the_passages_that_hold_it(
    kind: str, texts: list[str]
) -> None:
    with fresh(MEMORY_KINDS[kind]) as memory:
        held = {f"m-{number}": tokens(text) for number, text in enumerate(texts)}
        for name, text in zip(held, texts, strict=True):
            write(memory.index, replace(message(name), text=text))
        counted = Counter(token for each in held.values() for token in set(each))

        assert memory.index.frequencies(list(counted)) == counted
        for token in counted:
            holding = {name for name, each in held.items() if token in each}
            assert set(found(memory.index, token)) == holding
