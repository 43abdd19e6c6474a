"""Erasure: what was asked to go is nowhere in the home, and nothing brings it back.

Nowhere means every byte of every file: database, free pages, log, segments, backups, quarantine,
what was put aside as bad, and what killed programs left lying.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flow.dying import run
from flow.keeping import (
    DAY_NS,
    NOW_NS,
    Said,
    bodies,
    database,
    drained,
    keys,
    opened,
    said,
    spool,
)
from rig import erased

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

MARKER = "the-orchid-blooms-at-midnight"
OTHER = "the-heron-sleeps-at-noon"


def _marked(number: int, text: str = MARKER) -> Said:
    return said(number, text=f"main-{number:05d} somebody said that {text} and nothing else")


def _events(count: int, every: int = 50) -> list[Said]:
    """Return events of which some hold the marker."""
    return [
        _marked(number) if number % every == every // 2 else said(number) for number in range(count)
    ]


def _is_in(home: Path, text: str = MARKER) -> list[str]:
    """Return the files of a home that hold a text."""
    files = [file for file in home.rglob("*") if file.is_file()]
    return [str(file.relative_to(home)) for file in files if text.encode() in file.read_bytes()]


def _everywhere(home: Path, events: list[Said]) -> Path:
    """Fill a home so that the marker lies in all of its corners; return a backup taken outside."""
    half = len(events) // 2
    drained(home, events[:half], NOW_NS)
    with opened(home, lambda: NOW_NS) as app:
        shutil.copy(app.backup("main").path, home.with_name("own.db"))
    database(home).write_bytes(database(home).read_bytes()[:-5000])  # recovered: a quarantine
    drained(home, events[half:], NOW_NS + DAY_NS)
    with opened(home, lambda: NOW_NS + DAY_NS) as app:
        app.backup("main")
    spool(home, [replace(said(9_999), payload=f"no JSON, but {MARKER}".encode())])
    with opened(home) as app:
        app.drain(seconds=None)
    return home.with_name("own.db")


def _erased(home: Path, text: str = MARKER) -> int:
    with opened(home) as app:
        return erased(app, "main", matching=text)


def _verified(home: Path) -> tuple[bool, list[str]]:
    with opened(home) as app:
        found = app.verify("main")
    assert found is not None
    return found.is_sound, found.findings


def _campaign(home: Home, count: int) -> None:
    events = _events(count)
    marked = [each.key for each in events if MARKER in each.text]
    _everywhere(home.path, events)
    places = {place.split("/")[0] for place in _is_in(home.path)}
    untouched = [body for body in bodies(home.path) if MARKER.encode() not in body]

    went = _erased(home.path)

    assert places == {"groups", "backups", "spool"}
    assert went == len(marked)
    assert MARKER.encode() not in home.bytes_on_disk()
    assert _verified(home.path) == (True, [])
    *left, decision = bodies(home.path)
    assert (left, json.loads(decision)["verb"]) == (untouched, "forget")


def test_a_text_erased_among_2000_events_is_nowhere(home: Home) -> None:
    _campaign(home, 2_000)


@pytest.mark.long
def test_a_text_erased_among_10000_events_is_nowhere(home: Home) -> None:
    _campaign(home, 10_000)


def test_an_erased_event_that_is_delivered_again_does_not_come_back(home: Home) -> None:
    events = _events(60)
    drained(home.path, events)
    _erased(home.path)

    drained(home.path, events)

    assert _is_in(home.path) == []
    assert _verified(home.path) == (True, [])


@pytest.mark.parametrize("exact", [True, False])
def test_a_backup_made_before_an_erasure_does_not_bring_it_back(home: Home, *, exact: bool) -> None:
    own = _everywhere(home.path, _events(120))
    _erased(home.path)

    with opened(home.path) as app:
        app.restore("main", str(own), exact=exact)

    assert _is_in(home.path / "groups" / "main" / "transcript.db") == []
    assert MARKER not in [body.decode() for body in bodies(home.path)]
    assert _verified(home.path) == (True, [])


def test_a_recovery_after_an_erasure_does_not_bring_it_back(home: Home) -> None:
    events = _events(60)
    drained(home.path, events)
    _erased(home.path)
    database(home.path).write_bytes(b"no database at all " * 1000)

    with opened(home.path) as app:
        app.status()

    unmarked = [each.key for each in events if MARKER not in each.text]
    assert _is_in(home.path) == []
    assert keys(bodies(home.path)) == unmarked
    assert _verified(home.path) == (True, [])


def test_a_recovery_over_a_hole_in_the_segments_erases_nothing_else(home: Home) -> None:
    events = [_marked(number) if number == 20 else said(number) for number in range(40)]
    drained(home.path, events)
    _erased(home.path)
    segment = next((home.path / "spool" / "done" / "main").iterdir())
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join([*lines[:7], lines[7][:40], b"\n", *lines[8:]]))
    database(home.path).write_bytes(b"no database at all " * 1000)

    with opened(home.path) as app:
        app.status()

    missing = {events[7].key, events[20].key}
    assert keys(bodies(home.path)) == [each.key for each in events if each.key not in missing]
    assert _verified(home.path) == (True, [])


@pytest.mark.parametrize(
    "text",
    ['she said "never again"', "one line\nand another", "naïve café ☃", "C:\\temp\\notes", "a/b"],
)
def test_a_text_is_found_as_people_read_it(home: Home, text: str) -> None:
    plain = said(0, text=f"main-00000 {text} and more")
    escaped = replace(plain, payload=json.dumps(json.loads(plain.payload)).encode())
    slashed = replace(said(1), payload=said(1, text=f"x {text}").payload.replace(b"/", b"\\/"))
    drained(home.path, [escaped, slashed, said(2)])

    went = _erased(home.path, text)

    assert went == 2
    assert keys(bodies(home.path)) == ["main-00002"]


def test_a_session_is_erased_as_a_whole_and_no_other(home: Home) -> None:
    drained(home.path, [said(number) for number in range(40)])

    with opened(home.path) as app:
        erased(app, "main", session="session-0-of-main")
        left = [turn.prompt for turn in app.show("main", "session-1-of-main")]

    assert keys(bodies(home.path)) == [said(number).key for number in range(20, 40)]
    assert len(left) == 5


def _killed_campaign(home: Home, most: int) -> None:
    _everywhere(home.path, _events(60, every=20))
    whole = shutil.copytree(home.path, home.scratch / "whole")
    points = run("erase", whole, 0, MARKER).points(most)

    wrong: dict[int, object] = {}
    killed = 0
    for last in points:
        copy = shutil.copytree(home.path, home.scratch / "copy")
        killed += run("erase", copy, last, MARKER).is_killed
        with opened(copy) as app:  # as `tacit status` does it
            app.drain()
            is_begun = bool(app.status().groups[0].erased)
        left = _is_in(copy) if is_begun else []
        sound = _verified(copy)
        wrong[last] = (*left, sound) if left or sound != (True, []) else ()
        shutil.rmtree(copy)

    assert {last: found for last, found in wrong.items() if found} == {}
    assert killed == len(points)


def test_an_erasure_killed_wherever_it_matters_is_finished_by_the_next_program(home: Home) -> None:
    _killed_campaign(home, 4)


@pytest.mark.long
def test_an_erasure_killed_at_any_step_is_finished_by_the_next_program(home: Home) -> None:
    _killed_campaign(home, 1_000)


def _left_behind(home: Home, verb: str, *rest: str) -> dict[int, list[str]]:
    """Kill a program at several steps, then erase; return where the marker is all the same."""
    whole = run(verb, shutil.copytree(home.path, home.scratch / "whole"), 0, *rest)
    found = {}
    for last in whole.points(4):
        copy = shutil.copytree(home.path, home.scratch / "copy")
        run(verb, copy, last, *rest)
        _erased(copy)
        found[last] = _is_in(copy)
        shutil.rmtree(copy)
    return {last: places for last, places in found.items() if places}


def test_what_a_killed_backup_left_lying_is_erased_too(home: Home) -> None:
    drained(home.path, _events(60))

    assert _left_behind(home, "backup") == {}


def test_what_a_killed_erasure_of_another_text_left_lying_is_erased_too(home: Home) -> None:
    events = _events(60)
    events[7] = _marked(7, OTHER)
    drained(home.path, events)

    assert _left_behind(home, "erase", OTHER) == {}


def test_what_a_killed_recovery_left_lying_is_erased_too(home: Home) -> None:
    drained(home.path, _events(60))
    database(home.path).write_bytes(b"no database at all " * 1000)

    assert _left_behind(home, "drain") == {}


def test_after_a_killed_erasure_the_segments_alone_give_a_sound_transcript(home: Home) -> None:
    drained(home.path, _events(60))
    whole = run("erase", shutil.copytree(home.path, home.scratch / "whole"), 0, MARKER)

    wrong = {}
    for last in whole.points(4):
        copy = shutil.copytree(home.path, home.scratch / "copy")
        run("erase", copy, last, MARKER)
        with opened(copy) as app:
            app.status()
        database(copy).write_bytes(b"no database at all " * 1000)
        wrong[last] = _verified(copy)
        shutil.rmtree(copy)

    assert {last: found for last, found in wrong.items() if found != (True, [])} == {}
