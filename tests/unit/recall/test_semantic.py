"""Meaning: cosines, and a question that moves towards its best hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tacit.recall.meaning import understand
from tacit.recall.semantic import Near, known
from tacit.store.index_port import Scope
from unit.recall.finding import Counting, remember

if TYPE_CHECKING:
    from unit.curate.saying import Desk

EAST, NORTH = np.eye(2, dtype=np.float32)
NEAR = Near(EAST, (7, 9), np.stack([EAST, NORTH]))


def test_each_passage_has_its_cosine() -> None:
    assert NEAR.cosines == {7: 1.0, 9: 0.0}
    assert Near(EAST, (), np.empty((0, 0), np.float32)).cosines == {}


def test_a_question_moves_by_a_share_towards_some_passages() -> None:
    moved = NEAR.towards([9], 0.75)

    assert moved.cosines == pytest.approx({7: 0.8, 9: 0.6})
    assert float(np.linalg.norm(moved.vector)) == pytest.approx(1.0)
    assert NEAR.cosines == {7: 1.0, 9: 0.0}


def test_towards_nothing_it_stays() -> None:
    assert NEAR.towards([], 0.5) is NEAR
    assert NEAR.towards([1, 2], 0.5) is NEAR


def test_a_question_that_is_moved_to_nowhere_is_no_error() -> None:
    opposite = Near(EAST, (1,), np.stack([-EAST]))

    assert opposite.towards([1], 1.0).cosines == {1: 0.0}


def test_a_passage_whose_meaning_is_not_known_is_not_among_these(desk: Desk) -> None:
    embedder = Counting()
    remember(desk, "the red cat")
    understand(desk.store, desk.transcript.find, embedder)
    remember(desk, "a blue dog")

    near = known(embedder.meaning("the red cat"), desk.store, [1, 2])

    assert near.cosines == pytest.approx({1: 1.0}, abs=1e-3)


def test_meanings_of_another_model_are_not_compared(desk: Desk) -> None:
    remember(desk, "the red cat")
    understand(desk.store, desk.transcript.find, Counting("one/1"))

    other = Counting("other/1").meaning("the red cat")

    assert known(other, desk.store, [1]).cosines == {}
    assert desk.store.index.nearest(other.vector, other.model, Scope(), 5) == []
