"""Relevance: how likely it is that a hit is meant, from 0 to 1, whatever else was found.

The score that ranks is relative to the best of a question; this is not, so an unrelated question
has no good hit. The curve was fitted to sets of our own with the local model, and shifted so that
at 0.45, where surfacing begins, about one unrelated prompt in thirty has a hit. What another
embedder finds near is first read on the local one's scale (`gauge.py`).
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


_MEANT = Curve(-9.25, 18.6, 1.6, 0.10)
_WORDS = Curve(-4.45, 0.0, 2.55, 0.28)


def relevance(found: Candidate) -> float:
    """Return how likely a hit is meant, by what is known of it; words do where no meaning is."""
    curve = _WORDS if found.cosine is None else _MEANT
    value = (
        curve.bias
        + curve.cosine * (found.cosine or 0.0)
        + curve.coverage * found.coverage
        + curve.telling * found.telling
    )
    return 1 / (1 + exp(-value))
