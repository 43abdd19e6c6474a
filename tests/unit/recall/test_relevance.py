"""Relevance: from 0 to 1, and never less for more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.embed.local import MODEL
from tacit.recall.fuse import Candidate
from tacit.recall.relevance import relevance
from unit.recall.finding import row

SHARES = st.floats(0, 1)
TELLING = st.floats(0, 50)
COSINES = st.none() | st.floats(-1, 1)
MODELS = st.sampled_from([None, MODEL, "nomic-embed-text", ""])


def of(coverage: float, telling: float, cosine: float | None, model: str | None) -> float:
    found = Candidate(row=row(1), coverage=coverage, telling=telling, cosine=cosine)
    return relevance(found, model)


@given(SHARES, TELLING, COSINES, MODELS)
def test_it_is_a_share(
    coverage: float, telling: float, cosine: float | None, model: str | None
) -> None:
    assert 0 < of(coverage, telling, cosine, model) <= 1


@given(SHARES, SHARES, TELLING, COSINES, MODELS)
def test_more_of_the_question_never_makes_it_less(
    one: float, other: float, telling: float, cosine: float | None, model: str | None
) -> None:
    less, more = sorted((one, other))

    assert of(less, telling, cosine, model) <= of(more, telling, cosine, model)


@given(SHARES, TELLING, TELLING, COSINES, MODELS)
def test_more_telling_words_never_make_it_less(
    coverage: float, one: float, other: float, cosine: float | None, model: str | None
) -> None:
    less, more = sorted((one, other))

    assert of(coverage, less, cosine, model) <= of(coverage, more, cosine, model)


@given(SHARES, TELLING, st.floats(-1, 1), st.floats(-1, 1), MODELS)
def test_a_nearer_meaning_never_makes_it_less(
    coverage: float, telling: float, one: float, other: float, model: str | None
) -> None:
    less, more = sorted((one, other))

    assert of(coverage, telling, less, model) <= of(coverage, telling, more, model)


def test_the_very_words_are_relevant_and_a_stray_one_is_not() -> None:
    assert of(1.0, 12.0, None, None) > 0.8
    assert of(0.2, 3.0, None, None) < 0.2
    assert of(1.0, 12.0, 0.9, MODEL) > 0.9
    assert of(0.0, 0.0, 0.1, MODEL) < 0.1


def test_a_meaning_without_its_model_does_not_count() -> None:
    assert of(0.5, 4.0, 0.9, None) == of(0.5, 4.0, None, MODEL)


def test_an_embedder_that_is_not_listed_is_taken_for_the_local_one() -> None:
    assert of(0.5, 4.0, 0.5, "unheard/of") == pytest.approx(of(0.5, 4.0, 0.5, MODEL))
