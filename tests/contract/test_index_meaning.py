"""What passages mean: the nearest are found in their exact order, each model in its own space.

A meaning belongs to words: the same are asked about once, and others never inherit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from contract.memories import fact, put, summed_up
from contract.passages import (
    ANY,
    MODEL,
    message,
    names,
    near,
    row_of,
    subjects,
    understand,
    vector,
    vectors,
    write,
)
from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from tacit.store.index_port import Index, Vector
    from tacit.store.memory_port import MemoryStore

SPOKEN = ("user", "assistant", "memory", "summary")


@pytest.fixture
def index(memory: MemoryStore) -> Index:
    """Return an empty index."""
    return memory.index


@pytest.fixture
def hundred(memory: MemoryStore) -> tuple[Index, Vector]:
    """Return an index of a hundred passages, and what they mean, in the order of their numbers."""
    meant = vectors(100)
    with memory.transaction():
        write(memory.index, *(message(f"m-{number:02}") for number in range(100)))
        understand(memory.index, {f"m-{number:02}": meant[number] for number in range(100)})
    return memory.index, meant


def known(index: Index, model: str = MODEL) -> dict[str, list[float]]:
    """Return what passages are known to mean."""
    numbers, meant = index.vectors(model, index.latest(ANY, -1))
    return dict(zip(subjects(index, numbers), meant.tolist(), strict=True))


@pytest.mark.parametrize("limit", [0, 1, 10, 100, 1000])
def test_the_nearest_come_in_the_exact_order_with_their_cosines(
    hundred: tuple[Index, Vector], limit: int
) -> None:
    index, meant = hundred
    (asked,) = vectors(1, seed=7)
    cosines = meant @ asked
    order = np.argsort(-cosines)[:limit]

    nearest = index.nearest(asked, MODEL, Scope(), limit)

    assert subjects(index, (number for number, _ in nearest)) == [f"m-{at:02}" for at in order]
    assert np.allclose([cosine for _, cosine in nearest], cosines[order], atol=1e-6)


def test_what_means_the_same_is_found_in_the_order_in_which_it_came(index: Index) -> None:
    write(index, *(message(name) for name in "abc"))
    understand(index, dict.fromkeys("cab", vector(1, 1)))

    assert near(index, vector(1, 1)) == ["a", "b", "c"]


def test_a_model_that_nothing_was_asked_of_finds_nothing(hundred: tuple[Index, Vector]) -> None:
    index, meant = hundred

    assert index.nearest(meant[0], "another model", Scope(), 9) == []
    assert index.nearest(meant[0], "another model", Scope(layers=("message",)), 9) == []
    assert index.vectors("another model", index.latest(Scope(), -1))[0] == []


def test_the_spaces_of_models_are_never_mixed(index: Index) -> None:
    write(index, *(message(name) for name in "abcd"))
    understand(index, {"a": vector(1, 0), "b": vector(0, 1)}, "one")
    understand(index, {"c": vector(1, 0, 0), "d": vector(0, 1, 0)}, "two")

    for _ in range(2):
        assert near(index, vector(1, 0), model="one") == ["a", "b"]
        assert near(index, vector(0, 1, 0), model="two") == ["d", "c"]
    assert (sorted(known(index, "one")), sorted(known(index, "two"))) == (["a", "b"], ["c", "d"])


def test_what_another_model_says_takes_the_place_of_what_was_said(index: Index) -> None:
    write(index, message("a"), message("b"))
    understand(index, {"a": vector(1, 0), "b": vector(1, 1)}, "one")
    before = near(index, vector(1, 0), model="one")

    understand(index, {"a": vector(1, 0, 0)}, "two")

    assert before == ["a", "b"]
    assert near(index, vector(1, 0), model="one") == ["b"]
    assert near(index, vector(1, 0, 0), model="two") == ["a"]
    assert names(index.unread("one", 9)) == ["a"]


def test_a_passage_that_is_understood_twice_is_found_once_as_it_was_understood_last(
    index: Index,
) -> None:
    write(index, message("a"), message("b"))
    unread = {each.subject: each for each in index.unread(MODEL, 9)}
    index.understand(MODEL, [(unread["a"], vector(1, 0)), (unread["b"], vector(1, 1))])
    before = near(index, vector(1, 0))

    index.understand(MODEL, [(unread["a"], vector(0, 1))])

    assert (before, near(index, vector(1, 0))) == (["a", "b"], ["b", "a"])


def test_what_passages_mean_is_told_row_by_row(index: Index) -> None:
    write(index, *(message(name) for name in "abc"))
    meant = {"a": vector(1, 0), "b": vector(3, 4)}
    understand(index, meant)

    numbers, rows = index.vectors(MODEL, [*index.latest(Scope(), -1), 10**9])

    assert known(index) == {name: each.tolist() for name, each in meant.items()}
    assert (rows.shape, rows.dtype.name, len(numbers)) == ((2, 2), "float32", 2)
    assert index.vectors(MODEL, [])[0] == []


def test_what_is_not_understood_yet_is_asked_for_and_then_no_more(index: Index) -> None:
    write(index, message("a"), message("b"))

    before = names(index.unread(MODEL, 9))
    understand(index, {"a": vector(1, 0)})
    between = names(index.unread(MODEL, 9))
    understand(index, {"b": vector(1, 0)})
    after = [names(index.unread(MODEL, 9)) for _ in range(2)]

    assert (before, between, after) == (["b", "a"], ["b"], [[], []])


def test_what_was_learned_is_asked_for_before_what_was_said_the_newest_of_each_first(
    memory: MemoryStore,
) -> None:
    write(memory.index, message("m-1"), message("m-2", role="assistant"))
    put(memory, fact("f-1"), fact("f-2", state="superseded"))
    memory.actions.put_summary(summed_up("s-1", request="to do"))
    write(memory.index, message("m-3"))
    put(memory, fact("f-3"))

    unread = [names(memory.index.unread(MODEL, limit)) for limit in (0, 99, 3)]

    order = ["f-3", "s-1", "f-2", "f-1", "m-3", "m-2", "m-1"]
    assert unread == [[], order, order[:3]]


@pytest.mark.parametrize("role", [*SPOKEN, "tool"])
def test_what_tools_have_said_is_never_asked_for(index: Index, role: str) -> None:
    write(index, message("a", role=role))

    unread = [(each.subject, each.layer, each.role) for each in index.unread(MODEL, 9)]

    assert unread == ([] if role == "tool" else [("a", "message", role)])


def test_what_comes_or_changes_when_all_was_understood_is_asked_for(index: Index) -> None:
    write(index, message("a", "red"), message("b", "blue"))
    understand(index, {"a": vector(1, 0), "b": vector(0, 1)})
    seen = [names(index.unread(MODEL, 9))]

    write(index, message("a", "green"))
    seen.append(names(index.unread(MODEL, 9)))
    understand(index, {"a": vector(1, 0)})
    seen.append(names(index.unread(MODEL, 9)))
    index.drop("message", ["b"])
    seen.append(names(index.unread(MODEL, 9)))
    write(index, message("b", "blue"))
    seen.append(names(index.unread(MODEL, 9)))

    assert seen == [[], ["a"], [], [], ["b"]]


def test_the_same_words_are_not_asked_about_again(index: Index) -> None:
    write(index, message("a", "red"), message("b", "blue"))
    understand(index, {"a": vector(1, 0), "b": vector(0, 1)})
    write(index, message("c", "red"), message("d", "green"), message("e", "Red"))

    fresh = index.recognise(MODEL, index.unread(MODEL, 9))

    assert names(fresh) == ["e", "d"]
    assert known(index)["c"] == vector(1, 0).tolist()
    assert near(index, vector(1, 0)) == ["a", "c", "b"]
    assert names(index.unread(MODEL, 9)) == ["e", "d"]


def test_what_another_model_has_said_is_not_taken_for_the_meaning(index: Index) -> None:
    write(index, message("a", "red"))
    understand(index, {"a": vector(1, 0)}, "one")
    write(index, message("b", "red"))

    fresh = index.recognise("two", index.unread("two", 9))

    assert (names(fresh), known(index, "two")) == (["b", "a"], {})


def test_what_changes_or_goes_while_it_is_being_understood_is_passed_over(index: Index) -> None:
    write(index, message("a", "red"), message("b", "blue"), message("c", "green"))
    unread = index.unread(MODEL, 9)
    write(index, message("a", "purple"))
    index.drop("message", ["b"])

    index.understand(MODEL, [(each, vector(1, 0)) for each in unread])

    assert known(index) == {"c": vector(1, 0).tolist()}
    assert names(index.unread(MODEL, 9)) == ["a"]


def test_what_changes_or_goes_before_it_is_recognised_is_passed_over(index: Index) -> None:
    write(index, message("known", "red"))
    understand(index, {"known": vector(1, 0)})
    write(index, message("a", "red"), message("b", "red"), message("c", "red"))
    unread = index.unread(MODEL, 9)
    write(index, message("a", "purple"))
    index.drop("message", ["b"])

    index.recognise(MODEL, unread)

    assert sorted(known(index)) == ["c", "known"]
    assert names(index.unread(MODEL, 9)) == ["a"]


def test_a_meaning_goes_with_its_passage(index: Index) -> None:
    write(index, *(message(name) for name in "abc"))
    understand(index, {"a": vector(1, 0), "b": vector(1, 1), "c": vector(0, 1)})
    number = row_of(index, "a").number
    before = near(index, vector(1, 0))

    index.drop("message", ["a"])

    assert (before, near(index, vector(1, 0))) == (["a", "b", "c"], ["b", "c"])
    assert index.vectors(MODEL, [number])[0] == []


def test_a_memory_that_is_removed_is_no_longer_near(memory: MemoryStore) -> None:
    put(memory, fact("a"), fact("b"))
    understand(memory.index, {"a": vector(1, 0), "b": vector(1, 1)})

    memory.memories.remove("a")

    assert near(memory.index, vector(1, 0)) == ["b"]


def test_what_comes_after_a_search_is_found_by_the_next(index: Index) -> None:
    seen = []
    for number, name in enumerate("abcd"):
        write(index, message(name))
        understand(index, {name: vector(1, number)})
        seen.append("".join(near(index, vector(1, 0))))

    assert seen == ["a", "ab", "abc", "abcd"]
