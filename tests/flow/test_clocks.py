"""Clocks that jump: the order is that of the sequence, nothing raises, no age is negative."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flow.keeping import (
    DAY_NS,
    NOW_NS,
    SECOND_NS,
    bodies,
    database,
    keys,
    opened,
    said,
    spool,
    tacit,
    troubles,
)
from tacit.capture import message

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

HOUR_NS = 3600 * SECOND_NS
YEAR_NS = 365 * DAY_NS
JUMPS = {
    "an hour back": -HOUR_NS,
    "a year back": -YEAR_NS,
    "ten years on": 10 * YEAR_NS,
    "to the beginning of time": -NOW_NS,
}
EVENTS = [said(number) for number in range(16)]
EXPECTED = [each.key for each in EVENTS]
# 01:00 UTC, when Berlin turns its clocks back, and 25 October 2026 has this hour twice
SWITCH_NS = 1_792_890_000 * SECOND_NS


def _taken_in(home: Path, start_ns: int, jump_ns: int, *, backing_up: bool = False) -> list[int]:
    """Take events in one by one, the clock jumping and coming back; return the clock's times."""
    clock = [start_ns]
    with opened(home, lambda: clock[0]) as app:
        for number, each in enumerate(EVENTS):
            clock[0] = start_ns + number * SECOND_NS + (jump_ns if number // 4 % 2 else 0)
            spool(home, [replace(each, received_ns=clock[0])])
            app.drain(seconds=None)
            if backing_up and number % 4 == 3:
                app.backup("main")
    return clock


@pytest.mark.parametrize("jump_ns", JUMPS.values(), ids=JUMPS.keys())
def test_the_order_is_that_of_the_sequence_whatever_the_clock_says(
    home: Home, jump_ns: int
) -> None:
    _taken_in(home.path, NOW_NS, jump_ns)

    found = troubles(home.path, "main", EXPECTED)

    assert found == []


@pytest.mark.parametrize("jump_ns", JUMPS.values(), ids=JUMPS.keys())
def test_every_verb_answers_whatever_the_clock_says(home: Home, jump_ns: int) -> None:
    _taken_in(home.path, NOW_NS, 0)
    later = [said(number, session="session-of-the-jump") for number in range(16, 20)]
    spool(home.path, [replace(each, received_ns=NOW_NS + jump_ns) for each in later])

    with opened(home.path, lambda: NOW_NS + jump_ns) as app:
        app.drain(seconds=None)
        listed = [each.id for each in app.sessions("main")]
        shown = [turn.prompt for each in listed for turn in app.show("main", each)]
        answers = (app.status(), app.doctor(), app.backup("main"), app.is_backup_due("main"))

    assert listed == ["session-of-the-jump", "session-0-of-main"]
    assert len(shown) == 5
    assert all(answer is not None for answer in answers)


@pytest.mark.parametrize("jump_ns", JUMPS.values(), ids=JUMPS.keys())
def test_the_command_line_shows_no_negative_age(home: Home, jump_ns: int) -> None:
    _taken_in(home.path, time.time_ns(), jump_ns, backing_up=True)
    spool(home.path, [replace(said(99), received_ns=max(0, time.time_ns() + jump_ns))])
    session = "session-0-of-main"

    told = [
        tacit(home.path, *verb)
        for verb in (["doctor"], ["status"], ["sessions"], ["show", session], ["backup", "--list"])
    ]

    text = "\n".join(ended.stdout + ended.stderr for ended in told)
    assert re.findall(r"(?<![\w:-])-\d.*", text) == []
    assert "Traceback" not in text
    assert EXPECTED[0] in text


def test_the_hour_that_comes_twice_changes_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()

    _taken_in(home.path, SWITCH_NS - 8 * SECOND_NS, HOUR_NS)
    found = troubles(home.path, "main", EXPECTED)
    monkeypatch.undo()
    time.tzset()

    assert found == []


@pytest.mark.parametrize("jump_ns", JUMPS.values(), ids=JUMPS.keys())
def test_a_backup_that_was_just_made_is_kept_whatever_the_clock_says(
    home: Home, jump_ns: int
) -> None:
    (home.path).mkdir(mode=0o700)
    (home.path / "config.toml").write_text("[backup]\nkeep = 1\n", encoding="utf-8")
    clock = [NOW_NS - jump_ns]
    with opened(home.path, lambda: clock[0]) as app:
        spool(home.path, EVENTS[:8])
        app.drain(seconds=None)
        app.backup("main")
        spool(home.path, EVENTS[8:])
        app.drain(seconds=None)

        clock[0] = NOW_NS
        made = app.backup("main")

    assert made.path.exists()


@pytest.mark.parametrize("jump_ns", JUMPS.values(), ids=JUMPS.keys())
def test_a_damaged_transcript_comes_back_whatever_the_clock_said(home: Home, jump_ns: int) -> None:
    _taken_in(home.path, NOW_NS, jump_ns, backing_up=True)
    database(home.path).write_bytes(b"no database at all " * 1000)

    with opened(home.path) as app:
        status = app.status().groups[0]

    assert keys(bodies(home.path)) == EXPECTED
    assert "nothing lost" in str(status.recovered)


@pytest.mark.parametrize("year", ["0001", "1600", "2300", "9999"])
def test_a_message_of_another_age_is_taken_in(home: Home, year: str) -> None:
    payload = {"session": "old", "role": "user", "text": "hello", "id": "1", "project": ""}
    payload["at"] = f"{year}-06-15T12:00:00Z"
    event = replace(said(0), payload=json.dumps(payload).encode(), event=message.EVENT)
    spool(home.path, [event, said(1)])

    with opened(home.path) as app:
        done = app.drain(seconds=None)
        listed = app.sessions("main")

    assert (done.taken, done.waiting) == (2, 0)
    assert [each.first_prompt for each in listed if each.id == "old"] == ["hello"]
