"""Relevance: from 0 to 1, and never less for more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacit.recall.fuse import Candidate
from tacit.recall.relevance import relevance
from unit.recall.finding import row

SHARES = st.floats(0, 1)
TELLING = st.floats(0, 50)
COSINES = st.none() | st.floats(-1, 1)


def of(coverage: float, telling: float, cosine: float | None) -> float:
    found = Candidate(row=row(1), coverage=coverage, telling=telling, cosine=cosine)
    return relevance(found)


@given(SHARES, TELLING, COSINES)
def test_it_is_a_share(coverage: float, telling: float, cosine: float | None) -> None:
    assert 0 < of(coverage, telling, cosine) <= 1


@given(SHARES, SHARES, TELLING, COSINES)
def test_more_of_the_question_never_makes_it_less(
    one: float, other: float, telling: float, cosine: float | None
) -> None:
    less, more = sorted((one, other))

    assert of(less, telling, cosine) <= of(more, telling, cosine)


@given(SHARES, TELLING, TELLING, COSINES)
def test_more_telling_words_never_make_it_less(
    coverage: float, one: float, other: float, cosine: float | None
) -> None:
    less, more = sorted((one, other))

    assert of(coverage, less, cosine) <= of(coverage, more, cosine)


@given(SHARES, TELLING, st.floats(-1, 1), st.floats(-1, 1))
def test_a_nearer_meaning_never_makes_it_less(
    coverage: float, telling: float, one: float, other: float
) -> None:
    less, more = sorted((one, other))

    assert of(coverage, telling, less) <= of(coverage, telling, more)


def test_the_very_words_are_relevant_and_a_stray_one_is_not() -> None:
    assert of(1.0, 12.0, None) > 0.8
    assert of(0.2, 3.0, None) < 0.2
    assert of(1.0, 12.0, 0.9) > 0.9
    assert of(0.0, 0.0, 0.1) < 0.1
