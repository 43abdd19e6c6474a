"""A question and its answer: what goes without saying."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from tacit.recall.question import LIMIT, MOST, Hit, Parts, Question
from tacit.store.index_port import Scope


def test_a_plain_question_asks_everywhere_for_what_holds() -> None:
    asked = Question(text="anything")

    assert asked.scope == Scope()
    assert asked.scope.is_plain
    assert asked.scope.states == ("active", "candidate")
    assert (asked.limit, asked.least) == (LIMIT, 0.0)


def test_the_usual_number_is_one_that_may_be_asked_for() -> None:
    assert 0 < LIMIT <= MOST


def test_a_scope_that_leaves_something_out_is_not_plain() -> None:
    assert not Scope(tags=("x",)).is_plain
    assert not Scope(as_of=1).is_plain
    assert not Scope(states=("active", "superseded")).is_plain


def test_a_meaning_that_is_not_known_is_told_apart_from_none_at_all() -> None:
    assert Parts().meaning is None
    assert Parts(meaning=0.0) != Parts()


def test_a_question_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Question(text="x").text = "y"  # type: ignore[misc]


def hit(relevance: float, *matched: str) -> Hit:
    return Hit(
        id="mem-1", layer="memory", kind="fact", content="Tea is green", behavioral=False,
        tags=(), created_at=1, relevance=relevance, origin="user", project=None, session="",
        turn=None, state="active", parts=Parts(matched=matched),
    )  # fmt: skip


def test_a_hit_is_about_a_question_by_a_word_of_it_or_by_what_it_means() -> None:
    assert hit(0.0, "tea").is_about
    assert hit(0.3).is_about
    assert not hit(0.004).is_about
