"""Relevance: how likely it is that a hit is meant, from 0 to 1, whatever else was found.

The score that ranks is relative to the best of a question; this is not, so an unrelated question
has no good hit. The curve of each embedder was fitted to sets of our own by `bench/tune.py`.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple


class Curve(NamedTuple):
    """A logistic curve over the cosine and the share of the question that was found in words."""

    bias: float
    cosine: float
    coverage: float


# embedder -> its curve; one that is not listed is taken to be like the local one
CURVES = {"minilm": Curve(-6.0, 11.0, 3.0)}
_LOCAL = CURVES["minilm"]
_WORDS = Curve(-3.2, 0.0, 5.0)  # without a meaning: most of the question must be there


def relevance(words: float, coverage: float, cosine: float | None, model: str | None) -> float:
    """Return how likely a hit is meant, by what is known of it."""
    if cosine is None or model is None:
        return _logistic(_WORDS.bias + _WORDS.coverage * coverage * (words > 0))
    curve = CURVES.get(model.partition("-")[0], _LOCAL)
    return _logistic(curve.bias + curve.cosine * cosine + curve.coverage * coverage)


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value))
