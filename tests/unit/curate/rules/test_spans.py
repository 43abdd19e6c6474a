"""Spans: a clause grows by what belongs to it, stays short, and none reaches into another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.curate.rules.segment import Clause, clauses
from tacit.curate.rules.spans import Limits, Span, spans, window

if TYPE_CHECKING:
    from collections.abc import Sequence

BY = Limits(sure=0.5, others=0.7, beside=0.2)
LONG = "The nightly backup of the shop runs on the small box in the cellar."
OTHER = "Every contract of the shop is signed by Ines and by nobody else."
CHANCES = st.floats(0, 1)
SENTENCES = st.sampled_from(
    [LONG, OTHER, "Use tabs.", "It stays there.", "Because it leaks.", "Thanks!", "Why though?"]
)


def found(text: str, *chances: float, by: Limits = BY) -> list[str]:
    """Return the words of the spans of a text."""
    pieces = clauses(text)
    assert len(pieces) == len(chances)
    return [words(text, pieces, span) for span in spans(text, pieces, chances, by)]


def words(text: str, pieces: Sequence[Clause], span: Span) -> str:
    return text[pieces[span.first].start : pieces[span.last].stop]


def best(text: str, *chances: float, by: Limits = BY) -> str | None:
    """Return the words of the one stretch that says most."""
    pieces = clauses(text)
    assert len(pieces) == len(chances)
    span = window(pieces, chances, by)
    return None if span is None else words(text, pieces, span)


def test_nothing_that_is_sure_no_span() -> None:
    assert found(f"{LONG} {OTHER}", 0.49, 0.1) == []


def test_no_clause_no_span() -> None:
    assert found("") == []


def test_a_sure_clause_is_a_span() -> None:
    assert found(f"{LONG} {OTHER}", 0.5, 0.1) == [LONG]


def test_two_sure_clauses_that_stand_for_themselves_are_two_spans() -> None:
    one, other = (
        "The backup runs on the small box at night.",
        "Every contract is signed by Ines alone.",
    )

    assert found(f"{one} {other}", 0.9, 0.8) == [one, other]


def test_a_further_span_must_be_surer_than_the_best_one() -> None:
    assert found(f"{LONG} {OTHER}", 0.69, 0.6) == [LONG]


def test_spans_that_are_as_good_as_the_best_stay() -> None:
    assert found(f"{LONG} {OTHER}", 0.6, 0.6) == [LONG, OTHER]


def test_the_chance_of_a_span_is_that_of_its_best_clause() -> None:
    text = "Use tabs. Never spaces."

    (span,) = spans(text, clauses(text), [0.6, 0.9], BY)

    assert (span.core, span.chance) == (range(2), 0.9)


@pytest.mark.parametrize(
    "text",
    ["Use tabs. Never spaces.", f"{LONG} Never move it.", "Ines signs all contracts. She does so."],
)
def test_sure_neighbours_that_are_short_or_point_back_are_one_span(text: str) -> None:
    assert found(text, 0.9, 0.9) == [text]


def test_sure_neighbours_are_two_spans_where_one_would_be_too_long() -> None:
    text = f"{LONG} Never move it."

    joined = Limits(sure=0.5, others=0.7, beside=0.2, joined=60, grown=60)

    assert found(text, 0.9, 0.9, by=joined) == [LONG, "Never move it."]


@pytest.mark.parametrize(
    "after",
    [
        "It stays there for all of us.",
        "and that's why nobody reads the pages",
        "Sie bleibt dort für uns alle.",
        "Tabs it is.",
    ],
)
def test_a_clause_that_points_back_grows_by_the_one_before_it(after: str) -> None:
    text = f"The spare key hangs in the hall. {after}"

    assert found(text, 0.1, 0.9) == [text]


def test_a_clause_grows_by_what_a_colon_leads_to_it_with() -> None:
    text = "About the release notes: every line begins with a verb in them"

    assert found(text, 0.0, 0.9) == [text]


@pytest.mark.parametrize(
    "after", ["because the mirror lags behind.", "Otherwise the build breaks.", "Sonst bricht es."]
)
def test_a_clause_grows_by_its_reason(after: str) -> None:
    text = f"We always pin the versions of all tools. {after}"

    assert found(text, 0.9, 0.0) == [text]


def test_a_clause_grows_by_what_is_likely_enough_beside_it() -> None:
    text = "Lamps only on Monday. Cables come on Friday evening here. Tom is out."

    assert found(text, 0.2, 0.9, 0.19) == [text[:57]]


def test_a_whole_sentence_beside_a_clause_says_something_else() -> None:
    one, other = "Lamps come on Monday morning here.", "Cables come on Friday evening here."

    assert found(f"{one} {other}", 0.4, 0.9) == [other]
    assert found(f"{one} {other}", 0.9, 0.4) == [one]


@pytest.mark.parametrize("beside", ["Is it still there at all?", "Thanks!", "Great, thank you!"])
def test_a_clause_does_not_grow_by_a_question_or_by_thanks(beside: str) -> None:
    clause = "We always pin the versions of all tools."

    assert found(f"{clause} {beside}", 0.9, 0.4) == [clause]
    assert found(f"{beside} {clause}", 0.4, 0.9) == [clause]


def test_a_span_does_not_grow_beyond_its_limit() -> None:
    text = f"{LONG} It stays there for all of us, for ever and a day, whatever may come."

    assert found(text, 0.1, 0.9) == [text[len(LONG) + 1 :]]


def test_a_clause_between_two_spans_belongs_to_the_first_alone() -> None:
    text = f"{LONG} Mostly so. {OTHER}"

    assert found(text, 0.9, 0.3, 0.9) == [f"{LONG} Mostly so.", OTHER]


@given(st.lists(st.tuples(SENTENCES, CHANCES), max_size=8))
def test_no_span_reaches_into_another_and_each_holds_its_core(
    told: list[tuple[str, float]],
) -> None:
    text = " ".join(sentence for sentence, _chance in told)
    pieces = clauses(text)

    made = spans(text, pieces, [chance for _sentence, chance in told], BY)

    ends = [at for span in made for at in (span.first, span.last + 1)]
    assert ends == sorted(ends)
    assert [s for s in made if not s.first <= s.core.start < s.core.stop <= s.last + 1] == []


@given(st.lists(st.tuples(SENTENCES, CHANCES), min_size=1, max_size=8))
def test_the_surest_clause_is_in_a_span_if_it_is_sure(told: list[tuple[str, float]]) -> None:
    text = " ".join(sentence for sentence, _chance in told)
    chances = [chance for _sentence, chance in told]

    made = spans(text, clauses(text), chances, BY)

    surest = chances.index(max(chances))
    assert any(surest in span.core for span in made) == (max(chances) >= BY.sure)


def test_nothing_that_is_sure_no_window() -> None:
    assert best(f"{LONG} {OTHER}", 0.4, 0.4) is None


def test_no_clause_no_window() -> None:
    assert best("") is None


def test_a_window_holds_what_is_likely_around_what_is_sure() -> None:
    text = "Tom is out. The lock was stale. It broke the sync. Thanks."

    assert best(text, 0.1, 0.9, 0.4, 0.0) == "The lock was stale. It broke the sync."


def test_a_window_is_the_stretch_that_says_most() -> None:
    text = "The lock was stale. Tom is out. The key ran out. It broke."

    assert best(text, 0.6, 0.0, 0.8, 0.5) == text


def test_a_window_leaves_out_what_says_too_little_to_lead_to_more() -> None:
    text = "The lock was stale. Tom is out. Lamps are on. The key ran out."

    assert best(text, 0.55, 0.0, 0.0, 0.9) == "The key ran out."


def test_a_window_is_no_longer_than_may_be() -> None:
    assert best(f"{LONG} {OTHER} {LONG}", 0.8, 0.9, 0.8) in {f"{LONG} {OTHER}", f"{OTHER} {LONG}"}


def test_one_clause_may_be_longer_than_a_window() -> None:
    text = "lamp " * 40 + "x"

    assert best(text, 0.9) == text


def test_a_window_tells_the_chance_of_its_best_clause() -> None:
    text = "The lock was stale. It broke the sync."

    span = window(clauses(text), [0.6, 0.9], BY)

    assert span == Span(first=0, last=1, core=range(2), chance=0.9)
