"""The status of a home: its groups, what was lost, and the size of every part."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pytest

from tacit import health
from tacit.capture import failures
from tacit.transcript.recovery import Recovered
from unit.transcript.events import NOON, backed_up, erased, ruin

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home
    from tacit.transcript.files import Files
    from tacit.transcript.ledgers import Ledgers

RECOVERED = Recovered(at=NOON, reason="damaged", backup=None, replayed=3, lost=0, quarantine=None)


def remember(files: Files, **changes: Any) -> None:
    """Leave the memory of a recovery."""
    told = asdict(RECOVERED) | changes
    (files.directory / "recovered.json").write_text(json.dumps(told), encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "recovered (damaged), 3 events replayed, nothing lost"),
        ({"lost": 2}, "recovered (damaged), 3 events replayed, 2 events lost"),
        (
            {"backup": "b.db"},
            "recovered from backup b.db (damaged), 3 events replayed, nothing lost",
        ),
        (
            {"quarantine": "/q"},
            "recovered (damaged), 3 events replayed, nothing lost; the old file is in /q",
        ),
    ],
)
def test_what_a_recovery_did_is_one_line(
    changes: dict[str, Any], told: str, ledgers: Ledgers, files: Files
) -> None:
    remember(files, **changes)

    assert health.group_status(ledgers, "main").recovered == told


def test_the_status_of_a_group_counts_what_there_is(ledgers: Ledgers, files: Files) -> None:
    erased(files, 1)
    backed_up(files)

    found = health.group_status(ledgers, "main")

    assert (found.events, found.sessions, found.erased, found.backups) == (2, 1, 1, 1)
    assert (found.last_backup_ns, found.recovered, found.trouble) == (NOON, None, None)
    assert found.done_size == sum(file.stat().st_size for file in files.done.iterdir())
    assert found.size >= files.database.stat().st_size


def test_the_status_of_a_group_that_cannot_be_opened_says_why(
    ledgers: Ledgers, files: Files
) -> None:
    ruin(files.database)

    found = health.group_status(ledgers, "main")

    assert (found.events, found.last_backup_ns, found.size) == (0, None, 9500)
    assert "is damaged" in str(found.trouble)


def test_the_size_of_every_part_of_the_home_is_known(home: Home) -> None:
    parts = ["groups", "spool/new", "spool/done", "spool/bad", "backups", "logs"]
    for size, part in enumerate(parts, 1):
        (home.path / part / "deep").mkdir(parents=True)
        (home.path / part / "deep" / "file").write_bytes(b"x" * size)

    assert health.sizes(home.path) == {
        "groups": 1,
        "spool": 2,
        "done": 3,
        "bad": 4,
        "backups": 5,
        "logs": 6,
    }


def test_what_is_not_there_has_no_size(home: Home) -> None:
    assert set(health.sizes(home.path).values()) == {0}


def test_losses_are_explained_the_latest_first(root: int) -> None:
    failures.count_loss(root, "ENOSPC")
    failures.count_loss(root, "Unheard-Of")

    found = {each.reason: each.count for each in health.losses(root)}

    assert found == {"the disk was full": 1, "Unheard-Of": 1}


def test_a_home_without_failures_is_not_failing(root: int, ledgers: Ledgers) -> None:
    assert health.is_failing(root, ledgers, []) is False


@pytest.mark.parametrize(
    "fail",
    [
        lambda root: failures.count_loss(root, "EIO"),
        lambda root: failures.write(root, "Stop OSError: gone wrong"),
    ],
    ids=["an event was lost", "the hook failed"],
)
def test_a_home_is_failing_until_an_event_is_recorded_again(
    fail: Callable[[int], None], root: int, ledgers: Ledgers
) -> None:
    before = f"{time.time_ns():020d}-000001-7-aaaa"
    time.sleep(0.01)
    fail(root)
    time.sleep(0.01)
    after = f"{time.time_ns():020d}-000001-7-aaaa"

    assert [health.is_failing(root, ledgers, each) for each in ([], [before], [before, after])] == [
        True,
        True,
        False,
    ]
