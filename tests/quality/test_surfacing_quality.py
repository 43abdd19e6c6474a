"""How well a prompt is answered: what fits it is told, and what does not is not.

The prompts are those of `tests/corpus/recall`, among all memories there, with the real local model
and with words alone, looked up as in a session: with the talk before them. The bars are promises:
nineteen of twenty unrelated prompts are told nothing.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from quality.conftest import memories
from rig import corpus
from tacit.deliver.surfacing import TOKENS, doubted, question, surfacing
from tacit.recall.question import Question
from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from quality.conftest import Make, Shelf
    from tacit.deliver.surfacing import Surfacing

    Answer = Callable[[dict[str, str]], Surfacing]

KEY = b"k" * 32
MEMORIES = Scope(layers=("memory",))
RELATED, UNRELATED = 0.80, 0.95
MEANT, WORDS = "words and meaning", "words alone"
# a little below what is reached today: with meaning, and by words alone
SHORT = {MEANT: 0.90, WORDS: 0.75}
FOLLOWING = {MEANT: 0.85, WORDS: 0.70}
IMPORTANCES = (2, 3, 3, 3, 3, 4, 4, 5)


@pytest.fixture(scope="session")
def weighed(make: Make) -> Shelf:
    """Return all memories of the corpus, of different importance."""
    chance = random.Random(3)  # noqa: S311  (no secret)
    held = memories("memories") + memories("foreign")
    return make([replace(each, importance=chance.choice(IMPORTANCES)) for each in held])


@pytest.fixture(params=[MEANT, WORDS])
def by(request: pytest.FixtureRequest) -> str:
    """Return what prompts are answered by."""
    return str(request.param)


@pytest.fixture
def answer(by: str, weighed: Shelf) -> Answer:
    """Return what answers a case: a prompt, with what was asked and replied before it, if any."""

    def answered(case: dict[str, str]) -> Surfacing:
        before = f"{case.get('replied', '')} {case.get('asked', '')}"
        asked = Question(text=question(case["prompt"], before), scope=MEMORIES)
        hits = weighed.hits(asked, by_words=by == WORDS)
        return surfacing(doubted(hits, case["prompt"], before), (), KEY)

    return answered


def in_talk(cases: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return cases as they come amid talk that has nothing to do with them."""
    talk = corpus("recall/short")
    spoken = zip(cases, cycle(talk), strict=False)
    return [each | {name: said[name] for name in ("asked", "replied")} for each, said in spoken]


def share_told(answer: Answer, cases: list[dict[str, str]]) -> float:
    """Return how many cases are told the memory that they are about."""
    told = [each["memory"] in {hit.id for hit in answer(each).hits} for each in cases]
    return sum(told) / len(told)


def share_silent(answer: Answer, cases: list[dict[str, str]]) -> float:
    """Return how many cases are told nothing."""
    return sum(not answer(each).text for each in cases) / len(cases)


def test_what_fits_a_prompt_is_told(answer: Answer) -> None:
    cases = corpus("recall/related")

    assert len(cases) >= 100
    assert share_told(answer, in_talk(cases)) >= RELATED


def test_an_unrelated_prompt_is_told_nothing(answer: Answer) -> None:
    cases = corpus("recall/unrelated")

    assert len(cases) >= 100
    assert share_silent(answer, cases) >= UNRELATED


def test_an_unrelated_prompt_amid_talk_is_told_nothing(answer: Answer) -> None:
    assert share_silent(answer, in_talk(corpus("recall/unrelated"))) >= UNRELATED


def test_what_fits_a_short_prompt_is_told_whatever_was_said_before(answer: Answer, by: str) -> None:
    assert share_told(answer, corpus("recall/short")) >= SHORT[by]


def test_what_fits_the_talk_that_a_prompt_points_at_is_told(answer: Answer, by: str) -> None:
    assert share_told(answer, corpus("recall/follow-ups")) >= FOLLOWING[by]


def test_an_unrelated_short_prompt_is_told_nothing_whatever_was_said_before(
    answer: Answer,
) -> None:
    assert share_silent(answer, corpus("recall/silent")) >= UNRELATED


def test_no_prompt_is_told_more_than_there_is_room_for(answer: Answer) -> None:
    assert max(answer(each).tokens for each in corpus("recall/related")) <= TOKENS


def test_what_was_heard_is_not_told_again(weighed: Shelf) -> None:
    asked = Question(text=corpus("recall/related")[0]["prompt"], scope=MEMORIES)
    first = surfacing(weighed.hits(asked), (), KEY)

    again = surfacing(weighed.hits(asked), {hit.id for hit in first.hits}, KEY)

    assert first.hits != []
    assert again.hits == []
