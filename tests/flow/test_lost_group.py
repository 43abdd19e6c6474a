"""A group whose directory is gone while backups of it exist: recovered and told, or told alone.

Nothing that waits is lost meanwhile, and no empty transcript takes the place of the lost one.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from flow.keeping import (
    DAY_NS,
    NOW_NS,
    backups,
    bodies,
    database,
    drained,
    keys,
    opened,
    said,
    spool,
    tacit,
    troubles,
    waiting,
)
from rig import only_linux

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

EVENTS = [said(number) for number in range(40)]
EXPECTED = [each.key for each in EVENTS]
LATER = [said(number) for number in range(40, 44)]
AUTO_OFF = "[recovery]\nauto = false\n"
SAYING_NOTHING = ("Nothing is recorded", "has no transcript yet", "tacit install`, then")
READING = (
    ("list",),
    ("search", "quick brown fox"),
    ("sessions",),
    ("brief",),
    ("why", "mem-1"),
    ("show", "session-0"),
    ("project", "list"),
)


@pytest.fixture
def lost(home: Home) -> Path:
    """Return a home whose only group is gone: 20 events in a backup, 20 in segments since."""
    drained(home.path, EVENTS[:20], NOW_NS)
    with opened(home.path, lambda: NOW_NS) as app:
        app.backup("main")
    drained(home.path, EVENTS[20:], NOW_NS + DAY_NS)
    shutil.rmtree(home.path / "groups")
    return home.path


@pytest.fixture
def kept(lost: Path) -> Path:
    """Return the same where nothing is recovered without being asked."""
    (lost / "config.toml").write_text(AUTO_OFF, encoding="utf-8")
    return lost


def _is_silent(text: str) -> bool:
    return any(phrase in text for phrase in SAYING_NOTHING)


@pytest.mark.parametrize("verb", [(), ("status",), ("doctor",), *READING], ids=" ".join)
def test_any_verb_brings_the_group_back_with_everything(lost: Path, verb: tuple[str, ...]) -> None:
    ended = tacit(lost, *verb)

    assert not _is_silent(ended.stdout + ended.stderr)
    assert troubles(lost, "main", EXPECTED) == []


def test_the_recovery_is_told_by_status_and_doctor(lost: Path) -> None:
    status, doctor = tacit(lost, "status"), tacit(lost, "doctor")

    told = f"recovered from backup {backups(lost)[-1].name} (its files were gone)"
    assert f"{told}, 20 events replayed, nothing lost" in status.stdout
    assert told in doctor.stdout


def test_a_new_event_comes_behind_what_was_there(lost: Path) -> None:
    before = backups(lost)
    spool(lost, LATER)

    with opened(lost) as app:
        done = app.drain(seconds=None)
        app.backup("main")

    assert (done.taken, done.waiting) == (4, 0)
    assert set(before) < set(backups(lost))
    assert troubles(lost, "main", EXPECTED + [each.key for each in LATER]) == []


@only_linux
def test_a_daemon_at_rest_recovers_a_group_that_is_deleted_under_it(home: Home) -> None:
    drained(home.path, EVENTS)
    with opened(home.path) as app:
        app.backup("main")
    with Daemons(home) as daemons:
        daemons.start()
        until(lambda: database(home.path).with_name("memory.db").exists(), "the first round")

        (home.path / "groups" / "main").rename(home.scratch / "aside")  # deleted in one go
        until(database(home.path).exists, "the transcript")
        until(lambda: "recovered" in daemons.events(), "a line in the log")
        daemons.stop()

        (line,) = [each for each in daemons.log() if each["event"] == "recovered"]
    assert (line["group"], line["lost"]) == ("main", 0)
    assert troubles(home.path, "main", EXPECTED) == []


def test_where_recovery_is_off_status_and_doctor_say_what_to_do(kept: Path) -> None:
    status, doctor = tacit(kept, "status"), tacit(kept, "doctor", "--json")

    for text in (status.stdout, doctor.stdout):
        assert "The transcript of group main is gone" in text
        assert "1 backup exists, the newest from 2026-09-21 " in text
        assert "tacit restore --group main" in text
        assert not _is_silent(text)
    (check,) = [each for each in json.loads(doctor.stdout) if each["name"] == "group main"]
    assert (check["is_fine"], check["fix"]) == (False, "tacit restore --group main")
    assert doctor.returncode == 1


@pytest.mark.parametrize("verb", [(), *READING], ids=" ".join)
def test_where_recovery_is_off_reading_verbs_say_so_in_a_sentence(
    kept: Path, verb: tuple[str, ...]
) -> None:
    ended = tacit(kept, *verb)

    (line,) = ended.stderr.splitlines()
    assert ended.returncode == 11
    assert line.startswith("tacit: The transcript of group main is gone")
    assert "1 backup exists, the newest from 2026-09-21 " in line
    assert line.endswith("Run `tacit restore --group main`.")
    assert not _is_silent(ended.stdout)


def test_where_recovery_is_off_events_wait_and_restore_brings_everything_back(kept: Path) -> None:
    spool(kept, LATER)
    before = {file: file.read_bytes() for file in backups(kept)}

    for _ in range(2):
        with opened(kept) as app:
            assert len(app.drain(seconds=None).troubles) > 0
    held = waiting(kept), database(kept).exists()
    restored = tacit(kept, "restore", "--group", "main", "--yes")
    untouched = {file: file.read_bytes() for file in before} == before
    with opened(kept) as app:
        app.drain(seconds=None)

    assert (len(held[0]), held[1], untouched) == (4, False, True)
    assert restored.returncode == 0, restored.stderr
    assert "20 events replayed, nothing lost" in restored.stdout
    assert troubles(kept, "main", EXPECTED + [each.key for each in LATER]) == []


def test_a_restored_group_says_that_all_is_well(kept: Path) -> None:
    tacit(kept, "restore", "--group", "main", "--yes")

    ended = tacit(kept, "sessions", "--json")

    assert (ended.returncode, len(json.loads(ended.stdout))) == (0, 2)


def test_a_group_without_a_backup_comes_back_from_its_segments(lost: Path) -> None:
    shutil.rmtree(lost / "backups")

    ended = tacit(lost, "status")

    assert "recovered (its files were gone), 40 events replayed, nothing lost" in ended.stdout
    assert troubles(lost, "main", EXPECTED) == []


def test_what_neither_backups_nor_segments_hold_is_counted(lost: Path) -> None:
    segment = max((lost / "spool" / "done" / "main").iterdir())
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join([*lines[:10], *lines[15:]]))

    ended = tacit(lost, "status")

    assert "15 events replayed, 5 events lost" in ended.stdout


def test_what_came_after_the_backup_is_counted_where_the_segments_are_gone_too(lost: Path) -> None:
    shutil.rmtree(lost / "spool" / "done")

    status, doctor = tacit(lost, "status"), tacit(lost, "doctor")

    for text in (status.stdout, doctor.stdout):
        assert "(its files were gone), 0 events replayed, 20 events lost" in text
    assert keys(bodies(lost)) == EXPECTED[:20]


def test_where_nobody_knows_how_far_it_had_come_that_is_said(kept: Path) -> None:
    shutil.rmtree(kept / "spool" / "done")
    (kept / "reached" / "main").unlink()

    restored = tacit(kept, "restore", "--group", "main", "--yes")
    status = tacit(kept, "status")

    for text in (restored.stdout, status.stdout):
        assert "events after 2026-09-21 14:13 UTC are lost, if there were any" in text
        assert "nothing lost" not in text


def test_no_empty_transcript_takes_the_place_of_damaged_backups(lost: Path) -> None:
    shutil.rmtree(lost / "spool" / "done")
    (backup,) = backups(lost)
    backup.write_bytes(b"no database at all " * 1000)
    spool(lost, LATER)

    with opened(lost) as app:
        done = app.drain(seconds=None)
    status = tacit(lost, "status")

    assert (done.taken, len(waiting(lost)), database(lost).exists()) == (0, 4, False)
    assert "`tacit restore FILE` takes a backup of yours" in status.stdout
    assert backup.exists()


def test_one_of_two_groups_is_gone(home: Home) -> None:
    work = [said(number, group="work") for number in range(8)]
    drained(home.path, [*EVENTS[:8], *work])
    with opened(home.path) as app:
        app.backup("work")
    shutil.rmtree(home.path / "groups" / "work")

    status = tacit(home.path, "status", "--json")

    told = {each["name"]: bool(each["recovered"]) for each in json.loads(status.stdout)["groups"]}
    assert told == {"main": False, "work": True}
    assert keys(bodies(home.path, "work")) == [each.key for each in work]


def test_a_workspace_that_was_given_up_is_no_lost_group(home: Home) -> None:
    place = home.scratch / "papers"
    assert tacit(home.path, "init", str(place)).returncode == 0
    assert (
        home.hook("UserPromptSubmit", {"prompt": "paper", "cwd": str(place)}, cwd=place).code == 0
    )
    assert tacit(home.path, "backup", cwd=place).returncode == 0
    (home.path / "config.toml").write_text("", encoding="utf-8")

    status, doctor = tacit(home.path, "status"), tacit(home.path, "doctor")

    assert list((home.path / "backups" / "papers").glob("*.db"))
    assert "papers" not in status.stdout + doctor.stdout
    assert not database(home.path, "papers").exists()
