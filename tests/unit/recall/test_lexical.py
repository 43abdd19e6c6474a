"""Words: what a question asks for, what it makes of errors, and how well a passage answers."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.recall.lexical import Asked, Plan, distance, plan, rarity, score
from tacit.recall.weights import Weights
from unit.recall.finding import ask, remember, row

if TYPE_CHECKING:
    from unit.curate.saying import Desk

LETTERS = st.text(alphabet="abcd", max_size=7)
COUNTS = st.integers(0, 100_000)
SOME_WORDS = st.lists(st.sampled_from(["red", "cat", "dog", "blue"]), max_size=12)


def asked(word: str, passages: int = 1, of: int = 100) -> Asked:
    """Return one thing that is asked for, held by so many passages."""
    telling = rarity(passages, of)
    return Asked(word=word, tokens=(word,), rarity=telling, passages=passages)


def planned(*wanted: Asked, average: float = 4.0) -> Plan:
    return Plan(asked=wanted, average=average, whole=sum(each.rarity for each in wanted))


def guesses(desk: Desk, question: str) -> list[str]:
    """Return the tokens that a question is taken for, if none stands there as it was asked."""
    made = plan(question, desk.store.index)
    return made.tokens if made.is_guessed else []


def naive_bm25(words: list[str], wanted: Plan, weights: Weights) -> float:
    """Return the score as the formula says it."""
    total = 0.0
    for one in wanted.asked:
        times = len([word for word in words if word in one.tokens])
        length = 1 - weights.length + weights.length * len(words) / wanted.average
        total += (
            one.rarity * times * (weights.saturation + 1) / (times + weights.saturation * length)
        )
    return total


def naive_distance(one: str, other: str) -> int:
    """Return how many letters differ, the way one would say it: by trying everything."""
    if not one or not other:
        return len(one) + len(other)
    found = [
        naive_distance(one[1:], other) + 1,
        naive_distance(one, other[1:]) + 1,
        naive_distance(one[1:], other[1:]) + (one[0] != other[0]),
    ]
    if one[:2] == other[:2][::-1] and len(one) > 1 and len(other) > 1:
        found.append(naive_distance(one[2:], other[2:]) + 1)
    return min(found)


def test_a_word_that_few_passages_hold_is_telling() -> None:
    assert rarity(1, 1000) > rarity(10, 1000) > rarity(1000, 1000) > 0
    assert rarity(1, 9) == pytest.approx(log(1 + 8.5 / 1.5))


@given(COUNTS, COUNTS, COUNTS)
def test_rarity_is_never_negative_and_falls_with_the_passages(
    fewer: int, more: int, of: int
) -> None:
    fewer, more = sorted((fewer, more))

    assert rarity(fewer, of) >= rarity(more, of) >= 0 or more > of
    assert rarity(more, of) > 0


def test_a_question_asks_for_what_stands_there(desk: Desk) -> None:
    remember(desk, "The databases are backed up", "A database is slow", "The cat sleeps")

    made = plan("where are the databases of the unicorn?", desk.store.index)

    assert [(each.word, each.passages) for each in made.asked] == [("databas", 2)]
    assert made.tokens == ["databas"]
    assert made.is_guessed is False


def test_what_stands_nowhere_counts_as_not_found(desk: Desk) -> None:
    remember(desk, "The database is backed up", "The cat sleeps")

    known = plan("database", desk.store.index)
    half = plan("database unicorn", desk.store.index)

    (held,) = desk.store.index.rows([1])
    assert score(held, known, Weights()).coverage == 1.0
    assert 0 < score(held, half, Weights()).coverage < 0.5


def test_a_word_that_stands_nowhere_begins_longer_ones(desk: Desk) -> None:
    remember(desk, "Die Datenbankverbindung ist langsam", "The cat sleeps")

    made = plan("Datenbank", desk.store.index)

    assert made.tokens == ["datenbankverbind"]
    assert made.is_guessed is False
    assert made.asked[0].rarity == pytest.approx(0.6 * rarity(1, 2))


def test_a_word_that_stands_there_does_not_begin_longer_ones(desk: Desk) -> None:
    remember(desk, "Die Datenbankverbindung ist langsam", "Die Datenbank ist langsam")

    assert plan("Datenbank", desk.store.index).tokens == ["datenbank"]


def test_a_lone_sign_begins_the_pairs_that_are_indexed(desk: Desk) -> None:
    remember(desk, "猫が好きです。", "毎週火曜日に行く")

    assert [hit.content for hit in ask(desk, "猫").hits] == ["猫が好きです。"]
    assert ask(desk, "犬").hits == []


def test_three_letters_begin_nothing(desk: Desk) -> None:
    remember(desk, "The database is backed up")

    assert plan("dat", desk.store.index).asked == ()


@pytest.mark.parametrize(
    "typed",
    [
        "kubernates", "kubernets", "kuberentes", "kuubernetes", "Kubernetse", "ubernetes",
        "allocaion", "allocatino", "allocqtion", "dllocation", "configuraton", "cofniguration",
        "configurations", "postgrsql", "postrgesql",
    ],
)  # fmt: skip
def test_one_wrong_missing_added_or_swapped_letter_is_forgiven(desk: Desk, typed: str) -> None:
    remember(desk, "Kubernetes allocation configuration postgresql", "The cat sleeps on a mat")

    made = plan(typed, desk.store.index)

    (held,) = desk.store.index.rows([1])
    assert score(held, made, Weights()).matched != ()


def test_a_part_of_a_compound_is_found_when_nothing_else_is(desk: Desk) -> None:
    remember(desk, "Die Hausratversicherung zahlt", "The cat sleeps")

    assert guesses(desk, "versicherung") == ["hausratversicherung"]


def test_nothing_is_guessed_while_any_word_is_found(desk: Desk) -> None:
    remember(desk, "Kubernetes runs", "The cat sleeps")

    assert guesses(desk, "kubrnetes") == ["kubernet"]
    assert guesses(desk, "kubrnetes cat") == []
    assert plan("kubrnetes cat", desk.store.index).tokens == ["cat"]


def test_what_is_quite_another_word_is_not_guessed(desk: Desk) -> None:
    remember(desk, "Kubernetes runs in the basement", "The cat sleeps")

    for far in ("xylophone", "kubus", "netting", "unerring", "abc", "ca", "é", "?!"):
        assert plan(far, desk.store.index).asked == ()


def test_the_nearest_guesses_come_first_and_are_few(desk: Desk) -> None:
    remember(desk, *(f"testimon{letter}" for letter in "abcdefgh"), "testimony")

    found = guesses(desk, "tesimony")

    assert "testimoni" in found
    assert len(found) <= 4


def test_the_rarest_words_are_asked_for_first_and_only_as_many_as_can_be_ranked() -> None:
    common = asked("common", 29_999, 60_000)
    usual = asked("usual", 20_000, 60_000)
    rare = asked("rare", 1, 60_000)

    assert replace(planned(common, usual, rare), budget=30_000).tokens == ["rare", "usual"]
    assert planned(common, usual, rare).tokens == ["rare"]
    assert planned(common).tokens == ["common"]
    assert planned(asked("everywhere", 60_000, 60_000)).tokens == ["everywhere"]
    assert planned().tokens == []


@given(SOME_WORDS, st.lists(st.sampled_from(["red", "cat", "blue"]), unique=True), st.floats(1, 20))
def test_a_passage_scores_as_the_formula_says(
    words: list[str], wanted: list[str], average: float
) -> None:
    weights = Weights()
    made = planned(*(asked(word) for word in wanted), average=average)
    held = row(1)._replace(tokens=" ".join(words), size=len(words))

    total, coverage, telling, matched = score(held, made, weights)

    assert total == pytest.approx(naive_bm25(words, made, weights))
    assert matched == tuple(word for word in wanted if word in words)
    assert telling == pytest.approx(sum(one.rarity for one in made.asked if one.word in matched))
    assert coverage == pytest.approx(len(matched) / len(wanted) if wanted else 0.0)


def test_a_word_in_another_word_is_not_that_word() -> None:
    assert score(row(1, "tokens in_token atoken"), planned(asked("oken")), Weights())[0] == 0


def test_a_word_said_twice_in_a_row_counts_twice() -> None:
    once, twice = row(1, "no red"), row(2, "red red")

    made = planned(asked("red"))

    assert score(twice, made, Weights())[0] > score(once._replace(size=2), made, Weights())[0]


def test_a_long_passage_must_say_more() -> None:
    made = planned(asked("red"))

    short, long = row(1, "red cat"), row(2, "red cat and eleven other long words that say a lot")

    assert score(short, made, Weights())[0] > score(long, made, Weights())[0]


@settings(max_examples=200)
@given(LETTERS, LETTERS)
def test_the_distance_is_that_of_trying_everything(one: str, other: str) -> None:
    assert distance(one, other, 20) == naive_distance(one, other)


@given(LETTERS, LETTERS, st.integers(0, 3))
def test_past_the_most_it_only_matters_that_it_is_more(one: str, other: str, most: int) -> None:
    exact = naive_distance(one, other)

    assert (distance(one, other, most) <= most) == (exact <= most)
