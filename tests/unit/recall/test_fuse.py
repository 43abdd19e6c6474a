"""Fusing: one score of words and meaning, and what stands around a message."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.recall.fuse import join, place, prefer, scale, weigh
from tacit.recall.lexical import Asked, Plan
from tacit.recall.weights import WEIGHTS, Weights
from unit.recall.finding import candidate, heard, row

if TYPE_CHECKING:
    from tacit.recall.fuse import Candidate

SHARES = st.floats(0, 1)
PLAN = Plan(
    asked=(
        Asked(word="red", tokens=("red",), rarity=2.0, passages=1),
        Asked(word="cat", tokens=("cat",), rarity=1.0, passages=1),
    ),
    average=2.0,
    whole=3.0,
)


def placed(*found: Candidate, weights: Weights = WEIGHTS) -> list[float]:
    """Put messages into their context; return their scores."""
    place(found, weights)
    return [each.score for each in found]


def joined(*found: Candidate, cosines: dict[int, float] | None = None) -> list[float]:
    """Join words and meaning; return what came of each."""
    join(found, cosines or {}, WEIGHTS)
    return [each.alone for each in found]


def test_the_best_in_words_is_the_measure_of_all() -> None:
    found = weigh([row(1, "red cat"), row(2, "red"), row(3, "dog")], PLAN, WEIGHTS)
    scale(found, WEIGHTS)
    best, half, none = found

    assert (best.words, best.coverage, best.matched) == (1.0, 1.0, ("red", "cat"))
    assert 0 < half.words < 1
    assert half.coverage == pytest.approx(2 / 3)
    assert (none.words, none.coverage, none.matched) == (0.0, 0.0, ())


def test_nothing_found_is_no_error() -> None:
    assert weigh([], PLAN, WEIGHTS) == []
    assert weigh([row(1, "dog")], PLAN, WEIGHTS)[0].words == 0.0
    assert joined() == []
    assert placed() == []


def test_a_hit_with_all_words_is_worth_more_than_one_with_a_rare_one() -> None:
    together = [weigh([row(1, "red cat"), row(2, "red red")], PLAN, WEIGHTS) for _ in range(2)]
    (both, rare), alone = together

    scale(together[0], WEIGHTS)
    scale(alone, replace(WEIGHTS, coverage=0.0))

    assert both.words - rare.words > alone[0].words - alone[1].words > 0


def test_words_stand_alone_where_no_meaning_is_known() -> None:
    assert joined(candidate(row(1), words=0.7), candidate(row(2), words=0.2)) == [0.7, 0.2]


def test_what_is_found_by_words_before_its_meaning_is_known_loses_little() -> None:
    known = candidate(row(1), words=0.0, coverage=1.0)
    waiting = candidate(row(2), words=1.0, coverage=1.0)

    meant, unread = joined(known, waiting, cosines={1: 0.5})

    assert unread == pytest.approx(0.85)
    assert meant == pytest.approx(0.5)
    assert waiting.cosine is None


def test_words_and_meaning_of_a_memory_count_alike_if_all_of_the_question_is_found() -> None:
    by_words = candidate(row(1), words=1.0, coverage=1.0)
    by_meaning = candidate(row(2), words=0.0)

    assert joined(by_words, by_meaning, cosines={1: 0.0, 2: 0.6}) == [0.5, 0.5]


def test_words_count_less_where_none_has_much_of_the_question() -> None:
    by_words = candidate(row(1), words=1.0, coverage=0.2)
    by_meaning = candidate(row(2), words=0.0)

    first, second = joined(by_words, by_meaning, cosines={1: 0.0, 2: 0.6})

    assert first < 0.05
    assert second > 0.95


def test_a_faint_likeness_is_not_made_great() -> None:
    (faint,) = joined(candidate(row(1)), cosines={1: 0.1})

    assert faint == pytest.approx(1 / 3)


def test_what_means_the_opposite_counts_nothing() -> None:
    assert joined(candidate(row(1)), cosines={1: -0.9}) == [0.0]


@given(SHARES, SHARES, st.floats(-1, 1), st.floats(-1, 1), SHARES)
def test_more_words_or_more_meaning_never_count_less(
    words: float, more: float, cosine: float, nearer: float, coverage: float
) -> None:
    words, more = sorted((words, more))
    cosine, nearer = sorted((cosine, nearer))
    less, better = (
        candidate(row(1), words=words, coverage=coverage),
        candidate(row(2), words=more, coverage=coverage),
    )

    first, second = joined(less, better, cosines={1: cosine, 2: nearer})

    assert 0 <= first <= second + 1e-9 <= 1 + 2e-9


def test_what_an_agent_said_supports_and_what_the_user_said_counts() -> None:
    said = [
        candidate(heard(1), 1.0),
        candidate(heard(2, role="assistant"), 1.0),
        candidate(row(3, layer="summary", role="summary"), 1.0),
        candidate(row(4), 1.0),
    ]

    prefer(said, "anything", WEIGHTS)

    assert [each.alone for each in said] == [1.0, WEIGHTS.reply, WEIGHTS.summary, 1.0]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What did Ann say?", [1.0, 0.7, 0.7, 1.0]),
        ("ann's plan", [1.0, 0.7, 0.7, 1.0]),
        ("the annual report", [1.0] * 4),
        ("a plan", [1.0] * 4),
        ("what did Jean-Luc P. say to Ann", [1.0, 1.0, 0.7, 1.0]),
    ],
)
def test_when_a_speaker_is_named_the_others_lose(question: str, named: list[float]) -> None:
    said = [
        candidate(heard(1, speaker="ann"), 1.0),
        candidate(heard(2, speaker="jean-luc p."), 1.0),
        candidate(heard(3), 1.0),
        candidate(row(4), 1.0),
    ]

    prefer(said, question, WEIGHTS)

    assert [each.alone for each in said] == pytest.approx(named)


def test_a_message_is_understood_with_its_neighbour() -> None:
    beside = placed(candidate(heard(1), 0.5), candidate(heard(2), 1.0))
    apart = placed(candidate(heard(1), 0.5), candidate(heard(3), 1.0))

    assert beside[0] > apart[0]


def test_the_messages_of_another_session_are_no_neighbours() -> None:
    weights = replace(WEIGHTS, session=0.0)

    here, _ = placed(
        candidate(heard(1), 0.5), candidate(heard(2, session="s-2"), 1.0), weights=weights
    )

    assert here == pytest.approx(0.5 / (1 + weights.neighbour))


def test_what_tools_said_in_a_turn_helps_the_prompt_it_began_with() -> None:
    weights = replace(WEIGHTS, session=0.0)
    tool = candidate(heard(9, role="tool", place=None, turn="t-1"), 1.0)

    found = placed(
        candidate(heard(1, turn="t-1"), 0.7),
        candidate(heard(3, turn="t-2"), 0.7),
        candidate(heard(5, turn="t-1", role="assistant"), 0.7),
        tool,
        weights=weights,
    )

    assert found[0] > found[1] == found[2]
    assert found[0] - found[1] == pytest.approx(weights.support / (1 + weights.neighbour))


def test_what_only_a_tool_said_stands_for_the_prompt_of_its_turn() -> None:
    weights = replace(WEIGHTS, session=0.0, support=0.0)
    tool = candidate(heard(9, role="tool", place=None, turn="t-1"), 1.0)

    found = placed(candidate(heard(1, turn="t-1"), 0.1), tool, weights=weights)

    assert found[0] == pytest.approx(weights.lent / (1 + weights.neighbour))


def test_where_a_session_has_much_that_fits_each_message_counts_more() -> None:
    much = [candidate(heard(number, session="s-1"), 0.5) for number in (1, 3, 5)]
    little = [candidate(heard(7, session="s-2"), 0.5)]

    found = placed(*much, *little)

    assert found[0] == found[1] == found[2] > found[3]


def test_only_a_few_messages_speak_for_their_session() -> None:
    few = [candidate(heard(number * 2, session="s-1"), 0.5) for number in range(4)]
    many = [candidate(heard(number * 2, session="s-2"), 0.5) for number in range(40)]

    found = placed(*few, *many)

    assert found[0] == pytest.approx(found[-1])


def test_memories_and_summaries_have_no_neighbours() -> None:
    assert placed(
        candidate(row(1), 0.5), candidate(row(2, layer="summary", role="summary"), 0.4)
    ) == [0.5, 0.4]


def test_a_best_message_and_a_best_memory_are_on_one_scale() -> None:
    message, neighbour, memory = placed(
        candidate(heard(1), 1.0), candidate(heard(2), 1.0), candidate(row(3), 1.0)
    )

    assert message == neighbour == pytest.approx(memory)


@given(st.lists(st.tuples(SHARES, st.sampled_from(["user", "assistant", "tool"])), max_size=6))
def test_a_better_message_never_falls_behind_for_being_better(
    said: list[tuple[float, str]],
) -> None:
    def scores(raised: int | None) -> list[float]:
        rows = [heard(at, role=role, place=at * 2) for at, (_, role) in enumerate(said)]
        return placed(
            *(
                candidate(each, said[at][0] + (0.5 if at == raised else 0.0))
                for at, each in enumerate(rows)
            )
        )

    for raised in range(len(said)):
        assert scores(raised)[raised] >= scores(None)[raised]
