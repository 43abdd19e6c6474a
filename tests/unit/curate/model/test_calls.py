"""Calls as events: what they say is read back, what is not ours is not believed."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.model import calls
from tacit.curate.model.calls import Turn
from unit.curate.saying import NOON

if TYPE_CHECKING:
    from tacit.model.event import Record
    from unit.curate.model.scripted import ReadingDesk

ROWS = [["s-1", "t-1", 3], ["s-1", "t-2", 5]]


def written(desk: ReadingDesk, kind: str, **body: Any) -> Record:
    return desk.transcript.append([desk.event_of(kind, body)])[0]


def test_an_event_about_a_model_belongs_to_no_session_and_nobody() -> None:
    made = calls.event(calls.CALL, {"usd": 1}, now_ns=NOON, random=os.urandom)

    assert (made.session, made.turn, made.project, made.tool) == ("", None, "", None)
    assert (made.origin, made.client, made.at, made.received) == ("system", "tacit", NOON, NOON)


def test_what_an_event_says_is_read_back(desk: ReadingDesk) -> None:
    record = written(desk, calls.SETTLED, call="evt-1", usd=0.25)

    assert calls.told(record) == {"call": "evt-1", "usd": 0.25}


@pytest.mark.parametrize(
    "changes",
    [{"client": "claude-code"}, {"origin": "user"}, {"kind": "prompt"}, {"body": None}],
    ids=str,
)
def test_what_is_erased_or_not_ours_says_nothing(
    desk: ReadingDesk, changes: dict[str, Any]
) -> None:
    record = written(desk, calls.REPLY, turns=ROWS, answer={}, events=["evt-1"])

    foreign = replace(record, **changes)

    assert (calls.told(foreign), calls.replied(foreign)) == ({}, None)
    assert calls.cited(foreign) == set()


@pytest.mark.parametrize("body", [{}, {"answer": {}}, {"turns": ROWS}, {"answer": [], "turns": {}}])
def test_a_reply_without_its_parts_is_none(desk: ReadingDesk, body: dict[str, Any]) -> None:
    assert calls.replied(written(desk, calls.REPLY, **body)) is None


def test_a_reply_names_its_turns_and_the_events_whose_words_it_may_repeat(
    desk: ReadingDesk,
) -> None:
    body = {"model": "m", "turns": ROWS, "answer": {"memories": []}, "events": ["evt-8", "evt-9"]}
    record = written(desk, calls.REPLY, **body)

    found = calls.replied(record)

    assert found is not None
    assert found.turns == (Turn("s-1", "t-1", 3), Turn("s-1", "t-2", 5))
    assert (found.event, found.seq, found.model) == (record.id, record.seq, "m")
    assert calls.cited(record) == {"evt-8", "evt-9"}
    assert calls.repeating([record], {"evt-9"}) == [record.id]
    assert calls.repeating([record], {"evt-7"}) == []


def test_what_replies_were_about_is_known_when_they_are_erased(desk: ReadingDesk) -> None:
    call = written(desk, calls.CALL, turns=ROWS)
    other = written(desk, calls.CALL, turns=[["s-2", "t-9", 7]])
    settled = written(desk, calls.SETTLED, call=call.id, reply="evt-reply")
    records = [call, other, settled, written(desk, calls.SETTLED, call=other.id, reply="")]

    assert calls.read_by(records, {"evt-reply"}) == [("s-1", "t-1"), ("s-1", "t-2")]
    assert calls.read_by(records, {"evt-other"}) == []


def test_the_last_choice_to_read_everything_again_counts(desk: ReadingDesk) -> None:
    first = desk.choose(again=True)
    desk.choose()
    last = desk.choose(again=True)

    records = desk.transcript.about_models(0)

    assert calls.read_again_from(records) == last.seq
    assert calls.read_again_from(records[:-1]) == first.seq
    assert calls.read_again_from([]) == 0


def test_a_judgement_counts_for_exactly_its_turns_and_until_all_is_read_again(
    desk: ReadingDesk,
) -> None:
    call = written(desk, calls.CALL, turns=ROWS)
    written(desk, calls.SETTLED, call=call.id, part=1, worth=[0, 2])
    before = desk.transcript.about_models(0)
    written(desk, calls.CHOSEN, provider="p", again=True)

    assert calls.judged(before, ROWS) == {1: {0, 2}}
    assert calls.judged(before, ROWS[:1]) == {}
    assert calls.judged(desk.transcript.about_models(0), ROWS) == {}
