"""Relevance: from 0 to 1, and never less for more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.embed.local import MODEL
from tacit.recall.relevance import relevance

SHARES = st.floats(0, 1)
COSINES = st.none() | st.floats(-1, 1)
MODELS = st.sampled_from([None, MODEL, "nomic-embed-text", ""])


@given(SHARES, SHARES, COSINES, MODELS)
def test_it_is_a_share(
    words: float, coverage: float, cosine: float | None, model: str | None
) -> None:
    assert 0 < relevance(words, coverage, cosine, model) < 1


@given(SHARES, SHARES, SHARES, COSINES, MODELS)
def test_more_of_the_question_never_makes_it_less(
    words: float, one: float, other: float, cosine: float | None, model: str | None
) -> None:
    less, more = sorted((one, other))

    assert relevance(words, less, cosine, model) <= relevance(words, more, cosine, model)


@given(SHARES, SHARES, st.floats(-1, 1), st.floats(-1, 1), MODELS)
def test_a_nearer_meaning_never_makes_it_less(
    words: float, coverage: float, one: float, other: float, model: str | None
) -> None:
    less, more = sorted((one, other))

    assert relevance(words, coverage, less, model) <= relevance(words, coverage, more, model)


def test_the_very_words_are_relevant_and_a_stray_one_is_not() -> None:
    assert relevance(1.0, 1.0, None, None) > 0.8
    assert relevance(1.0, 0.2, None, None) < 0.2
    assert relevance(1.0, 1.0, 0.9, MODEL) > 0.9
    assert relevance(0.0, 0.0, 0.1, MODEL) < 0.1


def test_a_meaning_without_its_model_does_not_count() -> None:
    assert relevance(1.0, 0.5, 0.9, None) == relevance(1.0, 0.5, None, MODEL)


def test_an_embedder_that_is_not_listed_is_taken_for_the_local_one() -> None:
    assert relevance(0.5, 0.5, 0.5, "unheard/of") == pytest.approx(relevance(0.5, 0.5, 0.5, MODEL))
