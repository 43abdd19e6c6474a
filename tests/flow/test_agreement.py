"""After a mixed run of kills and damage everything still agrees: rows, bodies, segments, mark.

Every round says a few events, does one thing that goes wrong, and mends it as a user would: by
going on, and by `restore` where `verify` finds something.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from flow.dying import run
from flow.keeping import (
    DAY_NS,
    NOW_NS,
    backups,
    database,
    drained,
    head,
    keys,
    mark,
    opened,
    rows,
    said,
    segment_lines,
    spool,
    waiting,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from rig import Home

FAULTS: list[Callable[[Path, Random, int], None]] = []


def _fault(work: Callable[[Path, Random, int], None]) -> Callable[[Path, Random, int], None]:
    FAULTS.append(work)
    return work


@_fault
def _killed_drain(home: Path, dice: Random, _number: int) -> None:
    run("drain", home, dice.randrange(1, 80))


@_fault
def _killed_backup(home: Path, dice: Random, _number: int) -> None:
    run("backup", home, dice.randrange(1, 60))


@_fault
def _killed_erasure(home: Path, dice: Random, number: int) -> None:
    run("erase", home, dice.randrange(1, 60), f"{said(dice.randrange(number)).key} ")


@_fault
def _cut_log(home: Path, dice: Random, _number: int) -> None:
    run("drain", home, dice.randrange(20, 80))
    log = database(home).with_name("transcript.db-wal")
    if log.exists() and log.stat().st_size:
        log.write_bytes(log.read_bytes()[: dice.randrange(log.stat().st_size)])


@_fault
def _flipped_bits(home: Path, dice: Random, _number: int) -> None:
    content = bytearray(database(home).read_bytes())
    for _ in range(3):
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    database(home).write_bytes(content)


@_fault
def _cut_file(home: Path, dice: Random, _number: int) -> None:
    content = database(home).read_bytes()
    database(home).write_bytes(content[: dice.randrange(1, len(content))])


@_fault
def _lost_file(home: Path, _dice: Random, _number: int) -> None:
    database(home).unlink()


def _mended(home: Path, now_ns: int) -> None:
    """Do what a user does: go on, and restore what verify finds."""
    with opened(home, lambda: now_ns) as app:
        app.drain(seconds=None)
        found = app.verify("main")
        if found is None or not found.is_sound:
            app.restore("main", None)
            app.drain(seconds=None)


def _disagreements(home: Path, count: int) -> list[str]:
    """Return where the numbers differ from what was said and from each other."""
    table = rows(database(home))
    events = [row[0] for row in table["events"]]
    whole = [row[0] for row in table["payloads"]]
    gone = [row[0] for row in table["tombstones"]]
    recorded = {line["seq"] for line in segment_lines(home) if "seq" in line}
    covered = max((int(file.stem.rpartition("-")[2]) for file in backups(home)), default=0)
    taken = keys(bytes(row[2]) for row in table["payloads"])
    checks = {
        f"{len(events)} events for {count} said": len(events) == count,
        "the sequence has holes": events == list(range(1, len(events) + 1)),
        f"{len(whole)} bodies, {len(gone)} erased": sorted([*whole, *gone]) == events,
        "an event stands there twice": len(set(taken)) == len(taken),
        "segments and backups lack events": set(events) <= recorded | set(range(1, covered + 1)),
        "the mark is not the head": mark(home) == head(home),
        "something waits": waiting(home) == [],
    }
    return [text for text, is_fine in checks.items() if not is_fine]


def _campaign(home: Path, rounds: int, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311
    drained(home, [said(number) for number in range(10)], NOW_NS)
    with opened(home, lambda: NOW_NS) as app:
        app.backup("main")

    wrong = {}
    count = 10
    for number in range(1, rounds + 1):
        fault = FAULTS[number % len(FAULTS)] if number <= len(FAULTS) else dice.choice(FAULTS)
        spool(home, [said(count + each) for each in range(5)])
        count += 5
        fault(home, dice, count - 5)
        _mended(home, NOW_NS + number * DAY_NS // 3)
        found = _disagreements(home, count)
        if found:
            wrong[number, fault.__name__] = found
            break
    with opened(home, lambda: NOW_NS + rounds * DAY_NS) as app:
        verified = app.verify("main")

    assert wrong == {}
    assert verified is not None
    assert verified.findings == []


@pytest.mark.parametrize("seed", range(4))
def test_everything_agrees_after_12_rounds_of_kills_and_damage(home: Home, seed: int) -> None:
    _campaign(home.path, 12, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 20))
def test_everything_agrees_after_60_rounds_of_kills_and_damage(home: Home, seed: int) -> None:
    _campaign(home.path, 60, seed)
