"""A write-ahead log that was cut or changed: it opens always, says what was lost, gets it back.

SQLite takes such a log for a shorter one and says nothing. What it still holds is judged here with
SQLite alone; what it should hold is known from what was said.
"""

from __future__ import annotations

import random
import re
import shutil
from typing import TYPE_CHECKING

import apsw
import pytest

from flow.dying import run
from flow.keeping import (
    DAY_NS,
    NOW_NS,
    bodies,
    database,
    keys,
    opened,
    rows,
    said,
    spool,
    troubles,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home

EVENTS = [said(number) for number in range(24)]
EXPECTED = [each.key for each in EVENTS]
LATER = [said(number) for number in range(24, 28)]
AUTO_OFF = "[recovery]\nauto = false\n"


def _log(home: Path) -> Path:
    return database(home).with_name("transcript.db-wal")


@pytest.fixture
def left(home: Home) -> Path:
    """Return a home as a killed program leaves it: twelve commits in the log, none in the file."""
    with opened(home.path) as app:
        for number in range(0, len(EVENTS), 2):
            spool(home.path, EVENTS[number : number + 2])
            app.drain(seconds=None)
        copy = shutil.copytree(home.path, home.scratch / "left")
    assert _log(copy).stat().st_size > 50_000
    return copy


def _damaged(left: Path, cuts: int, flips: int) -> Iterator[tuple[str, Path]]:
    """Yield copies of a home, the log of each cut or changed somewhere else."""
    content = _log(left).read_bytes()
    dice = random.Random(cuts)  # noqa: S311
    changes = {
        f"cut at {place}": content[:place]
        for place in (number * len(content) // cuts for number in range(cuts))
    }
    for _ in range(flips):
        place = dice.randrange(len(content))
        flipped = bytes([content[place] ^ 1 << dice.randrange(8)])
        changes[f"flip at {place}"] = content[:place] + flipped + content[place + 1 :]
    for name, changed in changes.items():
        copy = left.with_name("copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(left, copy)
        _log(copy).write_bytes(changed)
        yield name, copy


def _still_there(home: Path) -> int:
    """Return how many events SQLite alone still sees."""
    probe = shutil.copytree(database(home).parent, home.with_name("probe"))
    try:
        return len(rows(probe / "transcript.db")["events"])
    except apsw.SQLError:  # not even the tables
        return 0
    finally:
        shutil.rmtree(probe)


def _told(home: Path) -> str:
    """Open a home; return what its status says of a recovery."""
    with opened(home) as app:
        return str(app.status().groups[0].recovered)


def _numbers(told: str) -> tuple[int, int]:
    """Return how many events a recovery says were missing, and how many are lost."""
    missing = re.search(r"(\d+) events at the end were missing", told)
    lost = re.search(r"(\d+) events lost", told)
    return int(missing[1]) if missing else 0, int(lost[1]) if lost else 0


def _with_segments(left: Path, cuts: int, flips: int) -> None:
    wrong: dict[str, object] = {}
    losses = 0
    for name, copy in _damaged(left, cuts, flips):
        missing = len(EVENTS) - _still_there(copy)
        losses += missing > 0
        found = [told] if _numbers(told := _told(copy)) != (missing, 0) else []
        wrong[name] = found + troubles(copy, "main", EXPECTED)

    assert {name: found for name, found in wrong.items() if found} == {}
    assert losses > cuts / 2


def _without_segments(left: Path, cuts: int, flips: int) -> None:
    wrong: dict[str, object] = {}
    for name, copy in _damaged(left, cuts, flips):
        there = _still_there(copy)
        missing = len(EVENTS) - there
        shutil.rmtree(copy / "spool" / "done")
        found = [told] if _numbers(told := _told(copy)) != (missing, missing) else []
        wrong[name] = found + ([] if keys(bodies(copy)) == EXPECTED[:there] else ["other rows"])

    assert {name: found for name, found in wrong.items() if found} == {}


def test_a_log_damaged_in_40_places_is_told_and_filled_again(left: Path) -> None:
    _with_segments(left, 20, 20)


@pytest.mark.long
def test_a_log_damaged_in_400_places_is_told_and_filled_again(left: Path) -> None:
    _with_segments(left, 200, 200)


def test_without_segments_the_number_of_lost_events_is_right_in_40_places(left: Path) -> None:
    _without_segments(left, 20, 20)


@pytest.mark.long
def test_without_segments_the_number_of_lost_events_is_right_in_400_places(left: Path) -> None:
    _without_segments(left, 200, 200)


def test_a_damaged_mark_is_not_taken_for_lost_events(left: Path) -> None:
    file = left / "groups" / "main" / "transcript.mark"
    content = file.read_bytes()

    file.write_bytes(b"9" + content[1:])

    assert _told(left) == "None"
    assert troubles(left, "main", EXPECTED) == []


def test_a_lost_log_is_told_as_long_as_nobody_recovers_it(left: Path) -> None:
    content = _log(left).read_bytes()
    _log(left).write_bytes(content[: len(content) // 2])
    missing = len(EVENTS) - _still_there(left)
    (left / "config.toml").write_text(AUTO_OFF, encoding="utf-8")

    with opened(left) as app:
        found = app.verify("main")

    assert found is not None
    assert (found.is_sound, found.lost) == (False, missing)


def test_events_taken_in_after_a_lost_log_do_not_hide_the_loss(left: Path) -> None:
    content = _log(left).read_bytes()
    _log(left).write_bytes(content[: len(content) // 2])
    (left / "config.toml").write_text(AUTO_OFF, encoding="utf-8")
    spool(left, LATER)
    run("drain", left, 0)

    (left / "config.toml").write_text("", encoding="utf-8")
    with opened(left) as app:
        app.drain(seconds=None)
        app.status()

    assert sorted(keys(bodies(left))) == EXPECTED + [each.key for each in LATER]


def test_a_lost_log_whose_events_are_in_a_backup_comes_back_from_it(home: Home) -> None:
    clock = [NOW_NS]
    with opened(home.path, lambda: clock[0]) as app:
        for day in range(2):  # the second backup lets the segments of the first day go
            clock[0] = NOW_NS + day * DAY_NS
            spool(home.path, EVENTS[day * 12 : day * 12 + 12])
            app.drain(seconds=None)
            app.backup("main")
        left = shutil.copytree(home.path, home.scratch / "left")
    _log(left).write_bytes(b"")

    told = _told(left)

    assert keys(bodies(left)) == EXPECTED
    assert "nothing lost" in told
