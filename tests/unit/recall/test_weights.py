"""The weights: each a sane share, none changed by accident while a search runs."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, asdict

import pytest

from tacit.recall.question import MOST
from tacit.recall.weights import CANDIDATES, WEIGHTS, Weights

COUNTS = {"feedback_hits", "session_depth"}
ABOVE_ONE = {"saturation"}


def test_every_weight_is_a_share_but_those_that_count() -> None:
    shares = {name: value for name, value in asdict(WEIGHTS).items() if name not in COUNTS}

    wrong = {name for name, value in shares.items() if not 0 <= value <= 1}

    assert wrong == ABOVE_ONE
    assert all(isinstance(asdict(WEIGHTS)[name], int) for name in COUNTS)


def test_what_is_trusted_is_not_nothing() -> None:
    assert min(WEIGHTS.trusted, WEIGHTS.trusted_of_memory) > 0


def test_nobody_changes_them_for_everybody() -> None:
    with pytest.raises(FrozenInstanceError):
        WEIGHTS.words = 1.0  # type: ignore[misc]

    assert Weights() == WEIGHTS


def test_more_are_looked_at_than_are_ever_told() -> None:
    assert CANDIDATES >= MOST
