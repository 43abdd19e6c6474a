"""Ranking: age, importance, dates, repeats, bounds, and what has gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.memories import summed_up
from tacit.recall.dates import Span
from tacit.recall.question import Question
from tacit.recall.rank import Ranker, recency
from tacit.recall.weights import WEIGHTS
from unit.curate.saying import NOON
from unit.recall.finding import DAY_NS, candidate, message, remember

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model.event import Record
    from tacit.recall.fuse import Candidate
    from tacit.recall.question import Hit
    from unit.curate.saying import Desk

AGES = st.floats(0, 400)


def ranker(desk: Desk) -> Ranker:
    def find(events: Sequence[str]) -> Sequence[Record]:
        return desk.transcript.find(events)

    return Ranker(desk.store, find, NOON, WEIGHTS)


def candidates(desk: Desk, *scores: float) -> list[Candidate]:
    """Return the passages of the index, in the order they came, with these scores."""
    rows = sorted(desk.store.index.rows(range(1, 1000)), key=lambda each: each.number)
    filled = [*scores, *([scores[-1] if scores else 0.5] * (len(rows) - len(scores)))]
    return [
        candidate(each, alone=score, words=score, coverage=score, telling=20 * score)
        for each, score in zip(rows, filled, strict=True)
    ]


def ranked(desk: Desk, *scores: float, span: Span | None = None, **asked: Any) -> list[Hit]:
    """Rank the passages of the index."""
    question = Question(text="anything", **asked)
    return ranker(desk).ranked(question, candidates(desk, *scores), span)


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.id for hit in hits]


@pytest.mark.parametrize(
    ("days", "factor"), [(0, 1.0), (7, 1.0), (48.5, 0.75), (90, 0.5), (500, 0.5), (-3, 1.0)]
)
def test_a_memory_fades_from_a_week_to_ninety_days(days: float, factor: float) -> None:
    assert recency(int(NOON - days * DAY_NS), NOON) == pytest.approx(factor)


@given(AGES, AGES)
def test_older_never_counts_more(one: float, other: float) -> None:
    younger, older = sorted((one, other))

    first, second = (recency(int(NOON - days * DAY_NS), NOON) for days in (younger, older))

    assert 0.5 <= second <= first <= 1.0


def test_the_best_comes_first_and_of_equals_the_one_that_came_first(desk: Desk) -> None:
    remember(desk, "red cat", "blue dog", "green bird")

    assert ids(ranked(desk, 0.5, 0.9, 0.5)) == ["mem-2", "mem-1", "mem-3"]


def test_what_is_important_counts_more(desk: Desk) -> None:
    remember(desk, "red cat", importance=1)
    remember(desk, "blue dog", importance=5)
    remember(desk, "green bird", importance=3)

    hits = ranked(desk, 0.6)

    assert ids(hits) == ["mem-2", "mem-3", "mem-1"]
    assert [hit.parts.factor for hit in hits] == pytest.approx([5 / 3, 1, 1 / 3], abs=1e-3)


def test_what_is_old_counts_less(desk: Desk) -> None:
    remember(desk, "red cat", created_at=NOON - 90 * DAY_NS)
    remember(desk, "blue dog")

    hits = ranked(desk, 0.6)

    assert ids(hits) == ["mem-2", "mem-1"]
    assert [hit.parts.score for hit in hits] == pytest.approx([0.6, 0.3])


def test_what_was_said_in_the_time_asked_about_counts_more(desk: Desk) -> None:
    remember(desk, "red cat", created_at=NOON - 6 * DAY_NS)
    remember(desk, "blue dog")
    span = Span(NOON - 7 * DAY_NS, NOON - 5 * DAY_NS)

    hits = ranked(desk, 0.6, 0.7, span=span)

    assert ids(hits) == ["mem-1", "mem-2"]
    assert [hit.parts.dated for hit in hits] == [WEIGHTS.dated, 0.0]
    assert ids(ranked(desk, 0.6, 0.7)) == ["mem-2", "mem-1"]


def test_what_says_nearly_the_same_as_a_better_hit_is_left_out(desk: Desk) -> None:
    text = "one two three four five six seven eight nine ten eleven twelve"
    remember(desk, text, f"{text}!", text.upper(), "quite another thing")

    assert ids(ranked(desk, 0.9, 0.8, 0.7, 0.1)) == ["mem-1", "mem-4"]


def test_what_says_half_the_same_stands_back_behind_what_says_something_else(desk: Desk) -> None:
    remember(desk, "red cat sleeps long", "red cat sleeps never", "blue dog")

    assert ids(ranked(desk, 0.9, 0.80, 0.79)) == ["mem-1", "mem-3", "mem-2"]


def test_repeats_do_not_come_back_behind_the_top(desk: Desk) -> None:
    remember(desk, *["the same prompt once more"] * 100, "something else")

    assert ids(ranked(desk, *[0.9] * 100, 0.1, limit=20)) == ["mem-1", "mem-101"]


@pytest.mark.parametrize("limit", [0, 1, 3, 100])
def test_no_more_is_told_than_was_asked_for(desk: Desk, limit: int) -> None:
    remember(desk, *(f"number{each} word{each}" for each in range(60)))

    assert len(ranked(desk, 0.5, limit=limit)) == min(limit, 60)
    assert len(ranker(desk).newest(Question(text="", limit=limit))) == min(limit, 60)


def test_what_is_hardly_relevant_is_not_told(desk: Desk) -> None:
    remember(desk, "red cat", "blue dog", "green bird")

    hits = ranked(desk, 1.0, 0.5, 0.0, least=0.3)

    assert ids(hits) == ["mem-1", "mem-2"]
    assert min(hit.relevance for hit in hits) >= 0.3


def test_a_message_that_was_erased_is_left_out(desk: Desk) -> None:
    for text in ("red cat", "blue dog"):
        desk.prompt(text)
    for record in desk.transcript.behind(0, 9):
        desk.store.index.put(message(record.id, f"words of {record.id}"))

    assert ids(ranked(desk, 0.5)) == ["evt-1", "evt-2"]
    desk.bury(["evt-1"])

    assert ids(ranked(desk, 0.5)) == ["evt-2"]
    assert ids(ranker(desk).newest(Question(text=""))) == ["evt-2"]


def test_what_is_in_no_transcript_and_no_memory_is_left_out(desk: Desk) -> None:
    desk.store.index.put(message("evt-99", "red cat"))

    assert ranked(desk, 0.5) == []


def test_a_summary_that_says_nothing_is_left_out(desk: Desk) -> None:
    desk.store.actions.put_summary(summed_up("s-1", notes="1 turn"))
    desk.store.actions.put_summary(summed_up("s-2", request="a green bird"))

    assert ids(ranked(desk, 0.9)) == ["s-2"]


def test_an_empty_question_asks_for_the_newest(desk: Desk) -> None:
    remember(desk, "red cat", created_at=NOON - 2)
    remember(desk, "blue dog", created_at=NOON)
    remember(desk, "green bird", created_at=NOON - 1)

    hits = ranker(desk).newest(Question(text="", limit=2))

    assert ids(hits) == ["mem-2", "mem-3"]


def test_the_newest_are_found_behind_any_number_of_tool_texts(desk: Desk) -> None:
    remember(desk, "red cat")
    for number in range(200):
        said = message(f"evt-{number}", f"output {number}", role="tool", at=NOON + 1)
        desk.store.index.put(said)

    assert ids(ranker(desk).newest(Question(text="", limit=1))) == ["mem-1"]


def test_what_tools_said_is_never_a_hit_by_itself(desk: Desk) -> None:
    desk.append("tool_use", {"tool_input": {"command": "red cat"}})
    desk.store.index.put(message("evt-1", "red cat", role="tool"))

    assert ranked(desk, 0.9) == []


def test_a_hit_is_told_on_one_line_and_not_at_any_length(desk: Desk) -> None:
    desk.prompt("red\n\ncat " + "x" * 5000)
    desk.store.index.put(message("evt-1", "red cat"))

    (hit,) = ranked(desk, 0.9)

    assert hit.content.startswith("red cat x")
    assert len(hit.content) == 2000


def test_a_hit_says_what_it_is(desk: Desk) -> None:
    remember(desk, "never use tabs", kind="instruction", tags=("style",), project="prj-shop")
    desk.prompt("how about tabs")
    desk.store.index.put(message("evt-1", "how about tabs", project="prj-shop"))

    memory, said = ranked(desk, 0.9, 0.5)

    assert (memory.layer, memory.kind, memory.behavioral) == ("memory", "instruction", True)
    assert (memory.tags, memory.project, memory.state) == (("style",), "prj-shop", "active")
    assert (said.layer, said.kind, said.behavioral) == ("message", "user", False)
    assert (said.content, said.origin, said.turn) == ("how about tabs", "user", "t-1")
