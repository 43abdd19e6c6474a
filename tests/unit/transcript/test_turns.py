"""Turns: what belongs to a prompt, and whether more of it may come."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.model.event import Record
from tacit.transcript.turns import IDLE_NS, STATES, payload_of, text_of, turns

NOON = 1_790_000_000_000_000_000
SECOND_NS = 1_000_000_000
HOUR_NS = 3600 * SECOND_NS
CALL = ("tool_call", {"tool_use_id": "t-1", "tool_input": {"command": "make"}})
RESULT = ("tool_use", {"tool_use_id": "t-1", "tool_input": {"command": "make"}})
PROMPT = ("prompt", {"prompt": "Build it."})
REPLY = ("reply", {"last_assistant_message": "Built."})
FAILURE = ("reply_failure", {"error": "overloaded", "last_assistant_message": "API Error"})


def record(seq: int, kind: str, payload: Any = None, /, **changes: Any) -> Record:
    """Return the seq-th record, a second behind the one before."""
    fields: dict[str, Any] = {
        "seq": seq,
        "id": f"evt-{seq}",
        "at": NOON + seq * SECOND_NS,
        "received": NOON + seq * SECOND_NS,
        "session": "s-1",
        "project": "prj-1",
        "client": "claude-code",
        "turn": "p-1",
        "kind": kind,
        "tool": "Bash" if kind.startswith("tool_") else None,
        "agent": None,
        "origin": "user",
        "via": "live",
        "digest": b"",
        "chain": b"",
        "salt": b"",
        "body": json.dumps({} if payload is None else payload).encode(),
    }
    return Record(**(fields | changes))


def told(*parts: tuple[str, Any]) -> list[Record]:
    """Return the records of one turn, told one after the other."""
    return [record(seq, kind, payload) for seq, (kind, payload) in enumerate(parts, 1)]


def state(records: list[Record], after_ns: int = SECOND_NS) -> str:
    """Return the state of the first turn, so long after the last event."""
    last = max(each.received for each in records)
    return turns(records, last + after_ns)[0].state


def test_a_turn_is_its_prompt_its_tool_uses_and_its_reply() -> None:
    records = told(PROMPT, CALL, ("tool_use", {**RESULT[1], "tool_response": "ok"}), REPLY)

    (turn,) = turns(records, NOON + HOUR_NS)

    assert (turn.id, turn.session, turn.state, turn.origin) == ("p-1", "s-1", "finished", "user")
    assert (turn.prompt, turn.reply) == ("Build it.", "Built.")
    assert [(step.tool, step.given, step.result) for step in turn.steps] == [("Bash", "make", "ok")]
    assert (turn.started, turn.last, turn.last_seq) == (records[0].at, records[-1].at, 4)


def test_turns_come_in_the_order_in_which_they_began() -> None:
    records = [
        record(1, *PROMPT, turn="p-2"),
        record(2, *PROMPT, turn="p-1"),
        record(3, *REPLY, turn="p-2"),
    ]

    found = turns(records, NOON)

    assert [turn.id for turn in found] == ["p-2", "p-1"]


def test_what_belongs_to_no_turn_makes_none() -> None:
    records = [record(1, "start", turn=None), record(2, *PROMPT), record(3, "end", turn=None)]

    found = turns(records, NOON)

    assert [turn.id for turn in found] == ["p-1"]


def test_a_session_without_events_has_no_turns() -> None:
    assert turns([], NOON) == []


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([PROMPT], "open"),
        ([PROMPT, CALL], "open"),
        ([PROMPT, CALL, RESULT], "open"),
        ([PROMPT, REPLY], "finished"),
        ([PROMPT, CALL, RESULT, REPLY], "finished"),
        ([PROMPT, FAILURE], "failed"),
        ([PROMPT, FAILURE, REPLY], "finished"),
        ([PROMPT, REPLY, FAILURE], "failed"),
        ([PROMPT, CALL, REPLY], "finished"),
        ([PROMPT, REPLY, RESULT], "open"),
        ([PROMPT, FAILURE, RESULT], "open"),
        ([PROMPT, REPLY, ("agent_reply", {})], "open"),
        ([PROMPT, REPLY, RESULT, REPLY], "finished"),
        ([PROMPT, REPLY, ("notice", {})], "finished"),
        ([PROMPT, REPLY, ("compact", {})], "finished"),
        ([REPLY, PROMPT], "finished"),
    ],
    ids=lambda value: "-".join(kind for kind, _ in value) if isinstance(value, list) else None,
)
def test_a_turn_is_open_until_its_reply_and_again_after_late_work(
    parts: list[Any], expected: str
) -> None:
    records = told(*parts)

    assert state(records) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([PROMPT], "interrupted"),
        ([PROMPT, CALL, RESULT], "interrupted"),
        ([PROMPT, CALL, ("tool_failure", RESULT[1])], "interrupted"),
        ([PROMPT, CALL], "open"),
        ([PROMPT, REPLY, RESULT], "finished"),
        ([PROMPT, FAILURE, RESULT], "failed"),
        ([("compact", {})], "interrupted"),
    ],
    ids=lambda value: "-".join(kind for kind, _ in value) if isinstance(value, list) else None,
)
def test_ten_idle_minutes_end_a_turn_unless_a_tool_runs(parts: list[Any], expected: str) -> None:
    records = told(*parts)

    assert state(records, IDLE_NS) == expected


def test_ten_minutes_are_not_a_moment_less() -> None:
    records = told(PROMPT)

    found = [state(records, after) for after in (600 * SECOND_NS - 1, 600 * SECOND_NS)]

    assert found == ["open", "interrupted"]


def test_idle_is_counted_from_when_an_event_came_not_from_when_it_was_said() -> None:
    records = [record(1, *PROMPT, at=NOON - 1000 * HOUR_NS)]

    assert state(records) == "open"


def test_a_clock_that_was_set_back_ends_no_turn() -> None:
    records = told(PROMPT, CALL, RESULT)

    assert state(records, -1000 * HOUR_NS) == "open"


@pytest.mark.parametrize("kind", ["prompt", "end"])
@pytest.mark.parametrize("parts", [[PROMPT], [PROMPT, CALL], [PROMPT, CALL, RESULT]])
def test_the_next_prompt_and_the_end_interrupt_a_turn_without_reply(
    parts: list[Any], kind: str
) -> None:
    records = [*told(*parts), record(9, kind, turn="p-2")]

    assert state(records) == "interrupted"


def test_a_turn_that_begins_after_the_end_of_the_session_is_open() -> None:
    records = [record(1, "end", turn=None), record(2, *PROMPT)]

    assert state(records) == "open"


def test_the_end_of_the_session_settles_late_work_at_once() -> None:
    records = [*told(PROMPT, REPLY, RESULT), record(9, "end", turn="p-1")]

    assert state(records) == "finished"


def test_one_tool_of_two_still_running_keeps_a_turn_open() -> None:
    other = ("tool_call", {"tool_use_id": "t-2"})

    records = told(PROMPT, CALL, other, RESULT)

    assert state(records, 5 * HOUR_NS) == "open"


@pytest.mark.parametrize("payload", [{}, {"tool_use_id": ""}, {"tool_use_id": 3}, ["t-1"]])
def test_a_call_without_an_id_is_not_waited_for(payload: Any) -> None:
    records = told(PROMPT, ("tool_call", payload))

    assert state(records, IDLE_NS) == "interrupted"


def test_a_turn_without_a_prompt_is_the_clients() -> None:
    records = told(("compact_start", {}), ("compact", {"compact_summary": "All was built."}))

    (turn,) = turns(records, NOON)

    assert (turn.origin, turn.prompt, turn.compactions) == ("system", "", 1)


def test_a_turn_has_the_origin_of_its_prompt() -> None:
    records = [record(1, *RESULT, origin="tool:Bash"), record(2, *PROMPT, origin="system")]

    (turn,) = turns(records, NOON)

    assert turn.origin == "system"


def test_the_last_reply_of_a_turn_is_its_reply() -> None:
    records = told(PROMPT, REPLY, ("reply", {"last_assistant_message": "Built twice."}))

    (turn,) = turns(records, NOON)

    assert turn.reply == "Built twice."


def test_a_step_tells_its_tool_its_subagent_and_how_it_went() -> None:
    records = [
        record(1, "tool_use", {"tool_response": {"stdout": "ok"}}, agent="a-1"),
        record(2, "tool_failure", {"error": "Exit code 1"}, tool=None),
    ]

    steps = turns(records, NOON)[0].steps

    assert [(step.seq, step.tool, step.agent, step.failed, step.result) for step in steps] == [
        (1, "Bash", "a-1", False, "ok"),
        (2, "unknown", None, True, "Exit code 1"),
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"command": "make", "description": "Build"}, "make"),
        ({"file_path": "/srv/a", "content": "text"}, "/srv/a"),
        ({"stdout": "", "stderr": "no"}, "no"),
        ({"command": ["make"]}, '{"command":["make"]}'),
        ([{"type": "text", "text": "ok"}], '[{"type":"text","text":"ok"}]'),
        ("plain", "plain"),
        (None, ""),
        (7, "7"),
    ],
)
def test_a_step_shows_the_telling_part_of_what_a_tool_was_given(value: Any, shown: str) -> None:
    records = told(("tool_use", {"tool_input": value}))

    assert turns(records, NOON)[0].steps[0].given == shown


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"prompt": "a", "error": "b"}, "a"),
        ({"last_assistant_message": "a", "error": "b"}, "a"),
        ({"text": "a"}, "a"),
        ({"compact_summary": "a"}, "a"),
        ({"error": "a"}, "a"),
        ({"prompt": 3}, ""),
        ({"prompt": "", "text": "a"}, ""),
        ({}, ""),
        (["prompt"], ""),
    ],
)
def test_the_words_of_a_record_are_found_wherever_they_stand(payload: Any, text: str) -> None:
    assert text_of(record(1, "prompt", payload)) == text


def test_an_erased_record_says_so_and_nothing_else() -> None:
    gone = record(1, *PROMPT, body=None, salt=None)

    (turn,) = turns([gone, record(2, *RESULT, body=None, salt=None)], NOON)

    assert (text_of(gone), payload_of(gone), turn.prompt) == ("[erased]", {}, "[erased]")
    assert [(step.given, step.result) for step in turn.steps] == [("", "")]


_parts = st.tuples(
    st.sampled_from(
        "prompt reply reply_failure tool_call tool_use tool_failure agent_start end".split()
    ),
    st.sampled_from(["p-1", "p-2", None]),
    st.sampled_from(["t-1", "t-2"]),
)


@settings(deadline=None)
@given(st.lists(_parts, max_size=12), st.integers(-HOUR_NS, 48 * HOUR_NS))
def test_every_event_of_a_turn_is_in_it_whatever_the_order(
    parts: list[tuple[str, str | None, str]], after_ns: int
) -> None:
    records = [
        record(seq, kind, {"tool_use_id": use, "prompt": "go"}, turn=turn)
        for seq, (kind, turn, use) in enumerate(parts, 1)
    ]

    found = turns(records, NOON + after_ns)

    assert {turn.id for turn in found} == {turn for _, turn, _ in parts if turn}
    assert all(turn.state in STATES for turn in found)
    results = [kind for kind, turn, _ in parts if turn and kind in {"tool_use", "tool_failure"}]
    assert sum(len(turn.steps) for turn in found) == len(results)


@settings(deadline=None)
@given(st.lists(_parts, max_size=10))
def test_after_the_end_of_a_session_nothing_is_open(
    parts: list[tuple[str, str | None, str]],
) -> None:
    records = [
        record(seq, kind, {"tool_use_id": use}, turn=turn)
        for seq, (kind, turn, use) in enumerate(parts, 1)
    ]

    found = turns([*records, record(99, "end", turn=None)], NOON)

    assert "open" not in {turn.state for turn in found}
