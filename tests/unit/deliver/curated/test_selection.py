"""A selection: only ids, only known ones, never more than a quarter lost, what is new first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.conftest import NOON
from tacit.deliver.curated import selection
from tacit.deliver.curated.selection import Selection
from tacit.errors import FileRefused
from tacit.store.told_port import Candidates, Wording

if TYPE_CHECKING:
    from collections.abc import Sequence

MANY = settings(max_examples=200, deadline=None)
USER = "user.md"


def worded(name: str, at: int = NOON, *, pinned: bool = False) -> Wording:
    return Wording(name, "preference", name, (), None, "user", at, pinned=pinned)


def page(*names: str, **facts: Wording) -> dict[str, Candidates]:
    memories = [facts.get(name) or worded(name) for name in names]
    return {"preferences": Candidates(memories, len(memories)), "facts": Candidates([], 0)}


def order(found: dict[str, Candidates], chosen: Selection) -> list[str]:
    return [each.id for each in selection.applied(found, {USER: chosen})["preferences"].memories]


def chosen(found: dict[str, Candidates], shown: Sequence[str], ids: Sequence[str]) -> Selection:
    return selection.made(USER, found, shown, ids, NOON)


def test_memories_come_in_the_order_in_which_they_were_chosen() -> None:
    found = page("a", "b", "c", "d")

    assert order(found, chosen(found, "abcd", "dbca")) == ["d", "b", "c", "a"]


def test_what_is_no_known_memory_is_ignored() -> None:
    found = page("a", "b")

    made = chosen(found, "ab", ["b", "nobody", "", "b", "a"])

    assert made.chosen == ("b", "a")
    assert order(found, made) == ["b", "a"]


def test_a_quarter_may_be_left_out_and_no_more() -> None:
    found = page("a", "b", "c", "d")

    assert order(found, chosen(found, "abcd", "abc")) == ["a", "b", "c"]
    with pytest.raises(FileRefused, match="would lose 2 of 4 entries, more than a quarter"):
        chosen(found, "abcd", "ab")


def test_a_selection_of_nothing_is_refused_unless_there_is_nothing() -> None:
    assert chosen(page(), "", "") == Selection((), (), NOON)
    with pytest.raises(FileRefused, match="would lose 1 of 1"):
        chosen(page("a"), "a", "")


def test_what_is_pinned_stands_first_chosen_or_not() -> None:
    found = page("a", "b", "c", "d", c=worded("c", pinned=True))

    assert order(found, chosen(found, "abcd", "dba")) == ["c", "d", "b", "a"]


def test_what_was_learned_since_comes_before_what_was_chosen() -> None:
    found = page("a", "b", "new", new=worded("new", NOON + 1))

    assert order(found, Selection(("b", "a"), (), NOON)) == ["new", "b", "a"]


def test_what_had_no_room_on_the_page_comes_behind_what_was_chosen() -> None:
    found = page("a", "b", "c", "d")

    assert order(found, chosen(found, "ab", "ba")) == ["b", "a", "c", "d"]


def test_what_was_left_out_stays_counted() -> None:
    found = page("a", "b", "c", "d")

    applied = selection.applied(found, {USER: chosen(found, "abcd", "abc")})

    assert applied["preferences"].total == 4


def test_a_page_nobody_chose_for_is_as_it_was() -> None:
    found = page("a", "b")

    assert selection.applied(found, {}) == found
    assert selection.applied(found, {"tools.md": Selection(("b",), ("a",), NOON)}) == found


@MANY
@given(
    names=st.lists(st.sampled_from("abcdefgh"), unique=True),
    ids=st.lists(st.sampled_from("abcdefghxyz")),
)
def test_no_selection_adds_anything_or_loses_more_than_a_quarter(
    names: list[str], ids: list[str]
) -> None:
    found = page(*names)
    try:
        made = chosen(found, names, ids)
    except FileRefused:
        assert len(set(names) - set(ids)) > selection.MOST_LOST * len(names)
        return

    told = order(found, made)

    assert set(told) <= set(names)
    assert len(told) == len(set(told)) >= 0.75 * len(names)
