"""Sessions: active, ended, failed or interrupted, by what happened last and how long ago."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.store.port import SessionRow
from tacit.transcript.sessions import STATES, Session, session_of, state_of

NOON = 1_790_000_000_000_000_000
DAY_NS = 24 * 3600 * 1_000_000_000
ROW = SessionRow(
    session="s-1",
    project="prj-1",
    client="claude-code",
    started=NOON,
    last=NOON + 9,
    events=7,
    prompts=2,
    tools=3,
    failures=1,
    outcome="reply",
    closing="prompt",
)


@pytest.mark.parametrize(
    ("outcome", "closing", "expected"),
    [
        (None, None, "active"),
        (None, "start", "active"),
        ("prompt", "prompt", "active"),
        ("reply", "start", "active"),
        ("reply", "end", "ended"),
        ("prompt", "end", "ended"),
        (None, "end", "ended"),
        ("reply_failure", "prompt", "failed"),
        ("reply_failure", "end", "failed"),
    ],
)
def test_what_happened_last_decides_how_a_session_stands(
    outcome: str | None, closing: str | None, expected: str
) -> None:
    row = replace(ROW, outcome=outcome, closing=closing)

    assert state_of(row, row.last + 1) == expected


@pytest.mark.parametrize(
    ("after_ns", "expected"), [(DAY_NS - 1, "active"), (DAY_NS, "interrupted")]
)
def test_a_day_without_a_word_interrupts_a_session(after_ns: int, expected: str) -> None:
    assert state_of(ROW, ROW.last + after_ns) == expected


@pytest.mark.parametrize(
    ("outcome", "closing", "expected"),
    [("reply", "end", "ended"), ("reply_failure", None, "failed")],
)
def test_what_is_over_is_not_interrupted_by_time(
    outcome: str, closing: str | None, expected: str
) -> None:
    row = replace(ROW, outcome=outcome, closing=closing)

    assert state_of(row, row.last + 1000 * DAY_NS) == expected


def test_a_clock_that_was_set_back_interrupts_nothing() -> None:
    assert state_of(ROW, ROW.last - 1000 * DAY_NS) == "active"


@settings(deadline=None)
@given(
    st.none() | st.sampled_from(["prompt", "reply", "reply_failure"]),
    st.none() | st.sampled_from(["prompt", "start", "end"]),
    st.integers(-(1 << 62), 1 << 62),
)
def test_a_session_always_stands_somehow(
    outcome: str | None, closing: str | None, now_ns: int
) -> None:
    row = replace(ROW, outcome=outcome, closing=closing)

    assert state_of(row, now_ns) in STATES


def test_a_session_is_told_with_the_names_that_people_know() -> None:
    session = session_of(ROW, now_ns=NOON + 10, project="shop", first_prompt="Build it.")

    assert session == Session(
        id="s-1",
        state="active",
        project="shop",
        client="claude-code",
        started=NOON,
        last=NOON + 9,
        events=7,
        prompts=2,
        tools=3,
        failures=1,
        first_prompt="Build it.",
    )
