"""Taking in, killed anywhere or done by several at once: every event stands there exactly once."""

from __future__ import annotations

import random
import shutil
import signal
import statistics
import subprocess
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from flow.dying import command, run
from flow.keeping import (
    SECOND_NS,
    bodies,
    database,
    keys,
    opened,
    rows,
    said,
    spool,
    troubles,
    waiting,
)

if TYPE_CHECKING:
    from pathlib import Path

    from flow.keeping import Said
    from rig import Home

GROUPS = ("main", "work")
EVENTS = [said(number, group=group) for number in range(20) for group in GROUPS]
MANY = [said(number, group=group) for number in range(80) for group in GROUPS]


def _filled(home: Home) -> Path:
    """Return a home whose spool holds all events; copies of it are cheaper than making it again."""
    spool(home.path, EVENTS)
    return home.path


def _finished(home: Path, events: list[Said] = EVENTS) -> list[str]:
    """Drain once more; return what is wrong afterwards."""
    with opened(home) as app:
        app.drain(seconds=None)
    found = [f"{name} still waits" for name in waiting(home)]
    for group in GROUPS:
        expected = [each.key for each in events if each.group == group]
        found += [f"{group}: {each}" for each in troubles(home, group, expected)]
    return found


def _killed_after(home: Path, seconds: float) -> int:
    """Drain in a process of its own, killed so long after it began; return its exit code."""
    with subprocess.Popen(
        command("drain", home), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(seconds)
        process.kill()
    return process.returncode


def _duration(home: Path, scratch: Path) -> float:
    """Return how long a drain takes that is let live, from its beginning to the end."""
    taken = []
    for number in range(3):
        copy = shutil.copytree(home, scratch / f"timed{number}")
        with subprocess.Popen(command("drain", copy), stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            started = time.monotonic()
        taken.append(time.monotonic() - started)
    return statistics.median(taken)


def _campaign_of_delays(home: Home, points: int) -> None:
    full = _filled(home)
    duration = _duration(full, home.scratch)

    wrong, killed = {}, 0
    for point in range(points):
        copy = shutil.copytree(full, home.scratch / "copy")
        killed += _killed_after(copy, 1.2 * duration * point / points) == -signal.SIGKILL
        wrong[point] = _finished(copy)
        shutil.rmtree(copy)

    assert {point: found for point, found in wrong.items() if found} == {}
    assert killed > 1


def _campaign_of_steps(home: Home, most: int) -> None:
    full = _filled(home)
    whole = run("drain", shutil.copytree(full, home.scratch / "whole"), 0)
    points = whole.points(most)

    wrong, killed = {}, 0
    for step in points:
        copy = shutil.copytree(full, home.scratch / "copy")
        killed += run("drain", copy, step).is_killed
        wrong[step] = _finished(copy)
        shutil.rmtree(copy)

    assert {step: found for step, found in wrong.items() if found} == {}
    assert killed == len(points)
    assert len(whole.steps) >= 100


def test_a_drain_killed_at_15_moments_loses_and_doubles_nothing(home: Home) -> None:
    _campaign_of_delays(home, 15)


def test_a_drain_killed_wherever_it_matters_loses_and_doubles_nothing(home: Home) -> None:
    _campaign_of_steps(home, 10)


@pytest.mark.long
def test_a_drain_killed_at_500_moments_loses_and_doubles_nothing(home: Home) -> None:
    _campaign_of_delays(home, 500)


@pytest.mark.long
def test_a_drain_killed_at_any_step_loses_and_doubles_nothing(home: Home) -> None:
    _campaign_of_steps(home, 500)


def test_a_drain_killed_again_and_again_comes_to_its_end(home: Home) -> None:
    full = _filled(home)

    kills = 0
    while run("drain", full, 40).is_killed:
        kills += 1

    assert _finished(full) == []
    assert kills >= 2


def test_processes_that_drain_at_once_lose_and_double_nothing(home: Home) -> None:
    stop = home.scratch / "stop"
    drainers = [
        subprocess.Popen(command("keep-draining", home.path, str(stop)), stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in drainers:
        assert process.stdout is not None
        process.stdout.readline()

    for each in MANY:
        spool(home.path, [each])
        time.sleep(0.002)
    stop.touch()
    taken = [int(process.communicate()[0].split()[-2]) for process in drainers]

    assert sum(taken) == len(MANY)
    assert _finished(home.path, MANY) == []


def _rows(home: Path) -> list[tuple[object, ...]]:
    """Return the events without what differs each time: when they came, salt, digest and chain."""
    found = rows(database(home))
    texts = [bytes(row[2]) for row in found["payloads"]]
    return sorted(
        (row[1], *row[4:13], text) for row, text in zip(found["events"], texts, strict=True)
    )


def _delivered(events: list[Said], times: int, seed: int) -> list[Said]:
    """Return the events, each several times, in any order."""
    mixed = events * times
    random.Random(seed).shuffle(mixed)  # noqa: S311
    start = events[0].received_ns
    return [
        replace(each, received_ns=start + number * SECOND_NS) for number, each in enumerate(mixed)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_events_delivered_three_times_in_any_order_are_the_same_rows_as_once(
    home: Home, seed: int
) -> None:
    events = [said(number) for number in range(24)]
    once, thrice = home.scratch / "once", home.scratch / "thrice"
    spool(once, events)
    spool(thrice, _delivered(events, 3, seed))

    for place in (once, thrice):
        with opened(place) as app:
            app.drain(seconds=None)

    assert sorted(keys(bodies(thrice))) == [each.key for each in events]
    assert _rows(thrice) == _rows(once)
