"""How well a prompt is answered: what fits it is told, and what does not is not.

The prompts are those of `tests/corpus/recall`, among all memories there, with the real local model
and with words alone. The bars are promises: nineteen of twenty unrelated prompts are told nothing.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from quality.conftest import memories
from rig import corpus
from tacit.deliver.surfacing import TOKENS, surfacing
from tacit.recall.question import Question
from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from quality.conftest import Make, Shelf
    from tacit.deliver.surfacing import Surfacing

    Answer = Callable[[str], Surfacing]

KEY = b"k" * 32
RELATED, UNRELATED = 0.80, 0.95
IMPORTANCES = (2, 3, 3, 3, 3, 4, 4, 5)


@pytest.fixture(scope="session")
def weighed(make: Make) -> Shelf:
    """Return all memories of the corpus, of different importance."""
    chance = random.Random(3)  # noqa: S311  (no secret)
    held = memories("memories") + memories("foreign")
    return make([replace(each, importance=chance.choice(IMPORTANCES)) for each in held])


@pytest.fixture(params=["words and meaning", "words alone"])
def answer(request: pytest.FixtureRequest, weighed: Shelf) -> Answer:
    """Return what answers a prompt."""

    def answered(prompt: str) -> Surfacing:
        asked = Question(text=prompt, scope=Scope(layers=("memory",)))
        hits = weighed.hits(asked, by_words=request.param == "words alone")
        return surfacing(hits, (), KEY)

    return answered


def test_what_fits_a_prompt_is_told(answer: Answer) -> None:
    prompts = corpus("recall/related")

    told = [each["memory"] in {hit.id for hit in answer(each["prompt"]).hits} for each in prompts]

    assert len(told) >= 100
    assert sum(told) / len(told) >= RELATED


def test_an_unrelated_prompt_is_told_nothing(answer: Answer) -> None:
    prompts = corpus("recall/unrelated")

    silent = [not answer(each["prompt"]).text for each in prompts]

    assert len(silent) >= 100
    assert sum(silent) / len(silent) >= UNRELATED


def test_no_prompt_is_told_more_than_there_is_room_for(answer: Answer) -> None:
    prompts = [each["prompt"] for each in corpus("recall/related")]

    assert max(answer(prompt).tokens for prompt in prompts) <= TOKENS


def test_what_was_heard_is_not_told_again(weighed: Shelf) -> None:
    asked = Question(text=corpus("recall/related")[0]["prompt"], scope=Scope(layers=("memory",)))
    first = surfacing(weighed.hits(asked), (), KEY)

    again = surfacing(weighed.hits(asked), {hit.id for hit in first.hits}, KEY)

    assert first.hits != []
    assert again.hits == []
