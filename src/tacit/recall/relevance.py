"""Relevance: how likely it is that a hit is meant, from 0 to 1, whatever else was found.

The score that ranks is relative to the best of a question; this is not, so an unrelated question
has no good hit. The curve of each embedder was fitted to sets of our own, and shifted so that at
0.45, where surfacing begins, about one unrelated prompt in thirty has a hit.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tacit.recall.fuse import Candidate


class Curve(NamedTuple):
    """A logistic curve: what each part adds."""

    bias: float
    cosine: float
    coverage: float  # the share of the question that was found in words
    telling: float  # how telling these words are, whatever else the question says


# embedder -> its curve; one that is not listed is taken to be like the local one
CURVES = {"minilm": Curve(-9.25, 18.6, 1.6, 0.10)}
_LOCAL = CURVES["minilm"]
_WORDS = Curve(-4.45, 0.0, 2.55, 0.28)


def relevance(found: Candidate, model: str | None) -> float:
    """Return how likely a hit is meant, by what is known of it; words do where no meaning is."""
    if found.cosine is None or model is None:
        curve, cosine = _WORDS, 0.0
    else:
        curve, cosine = CURVES.get(model.partition("-")[0], _LOCAL), found.cosine
    value = (
        curve.bias
        + curve.cosine * cosine
        + curve.coverage * found.coverage
        + curve.telling * found.telling
    )
    return 1 / (1 + exp(-value))
