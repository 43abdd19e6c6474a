"""Backups: whole and verified or not kept at all, the newest found first, old ones let go."""

from __future__ import annotations

import os
import resource
from typing import TYPE_CHECKING

import pytest

from tacit.errors import NotFound, StoreDamaged, TacitError
from tacit.store.sqlite import engine
from tacit.transcript import backups
from unit.transcript.events import (
    DAY_NS,
    NOON,
    descriptors,
    events,
    flushed,
    opened,
    ruin,
    tamper,
)

if TYPE_CHECKING:
    from tacit.transcript.files import Files
    from tacit.transcript.ledger import Ledger


@pytest.fixture(autouse=True)
def three_events(ledger: Ledger) -> None:
    """Let the group's ledger have three events."""
    ledger.append(events(3), now_ns=NOON)


def make(ledger: Ledger, now_ns: int = NOON) -> backups.Backup:
    return backups.make(ledger.store, ledger.files, ledger.engine, now_ns)


def lying(files: Files) -> list[str]:
    """Return the names of all that lies among the backups, hidden or not."""
    return sorted(file.name for file in files.backups.iterdir())


def test_a_backup_holds_everything_that_was_taken_in(ledger: Ledger) -> None:
    made = make(ledger)

    found = backups.check(made.path, ledger.engine)
    assert (found.is_sound, found.head) == (True, ledger.store.head())


def test_a_backup_says_when_it_was_made_how_far_it_reaches_and_its_size(ledger: Ledger) -> None:
    made = make(ledger, NOON + 5_000_000_000)

    described = (made.made_ns, made.seq, made.size)
    assert described == (NOON + 5_000_000_000, 3, made.path.stat().st_size)


def test_a_backup_is_one_file_for_its_owner_alone(ledger: Ledger) -> None:
    os.umask(0)

    made = make(ledger)

    assert (lying(ledger.files), made.path.stat().st_mode & 0o777) == ([made.path.name], 0o600)


def test_a_backup_is_flushed_to_disk_with_its_name(ledger: Ledger) -> None:
    with flushed() as found:
        made = make(ledger)

    assert {made.path.stat().st_ino, made.path.parent.stat().st_ino} <= found


def test_what_was_left_of_a_backup_that_was_cut_short_is_no_obstacle(ledger: Ledger) -> None:
    ruin(ledger.files.backups / f".20260921T141320-{os.getpid()}.tmp")

    made = make(ledger)

    assert lying(ledger.files) == [made.path.name]


def test_making_a_backup_keeps_no_descriptor_open(ledger: Ledger) -> None:
    before = descriptors()

    make(ledger)

    assert descriptors() == before


def test_a_backup_is_made_while_the_transcript_goes_on(ledger: Ledger) -> None:
    with opened(ledger.files) as other:
        other.append(events(2, first=4), now_ns=NOON)

        made = make(ledger)

    assert made.seq == 5


def test_a_transcript_that_does_not_verify_is_not_backed_up(files: Files) -> None:
    with opened(files) as ledger:
        ledger.append(events(3), now_ns=NOON)
    tamper(files.database, "UPDATE payloads SET body = zeroblob(3) WHERE seq = 2")

    with opened(files) as ledger, pytest.raises(StoreDamaged, match=r"Event 2 .*`tacit verify`"):
        make(ledger)

    assert lying(files) == []


def test_a_backup_that_the_disk_has_no_room_for_is_not_kept(ledger: Ledger) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))

    try:
        with pytest.raises(TacitError):
            make(ledger)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert lying(ledger.files) == []


def test_progress_of_the_check_is_told(files: Files) -> None:
    told: list[tuple[int, int]] = []

    with opened(files) as ledger:
        ledger.append(events(1000), now_ns=NOON)
        ledger.back_up(now_ns=NOON, progress=lambda at, total: told.append((at, total)))

    assert told == [(1000, 1000)]


def test_checking_a_backup_changes_nothing_about_it(ledger: Ledger) -> None:
    made = make(ledger)
    before = (made.path.read_bytes(), made.path.stat().st_mtime_ns)

    backups.check(made.path, ledger.engine)

    assert ((made.path.read_bytes(), made.path.stat().st_mtime_ns), lying(ledger.files)) == (
        before,
        [made.path.name],
    )


def test_checking_a_backup_that_is_not_there_makes_none(files: Files) -> None:
    with pytest.raises(NotFound, match="`tacit backup --list`"):
        backups.check(files.backups / "none.db", engine.look(files.home))

    assert lying(files) == []


def test_backups_are_listed_the_newest_first_whatever_the_clock_said(ledger: Ledger) -> None:
    times = [NOON, NOON - DAY_NS, NOON, NOON + DAY_NS]
    for time in times:
        make(ledger, time)

    listed = backups.listed(ledger.files)

    assert [each.made_ns for each in listed] == times[::-1]


def test_a_group_without_a_directory_for_backups_has_none(files: Files) -> None:
    files.backups.rmdir()

    assert backups.listed(files) == []


@pytest.mark.parametrize("name", [".20260921T141320-77.tmp", "notes.txt", "2026 copy.db", "9.db"])
def test_a_file_that_is_no_backup_of_ours_is_passed_over(name: str, ledger: Ledger) -> None:
    made = make(ledger)

    (ledger.files.backups / name).touch()

    assert backups.listed(ledger.files) == [made]


def test_the_newest_sound_backup_is_found_behind_damaged_ones(ledger: Ledger) -> None:
    made = [make(ledger, NOON + number) for number in range(4)]
    ruin(made[3].path)
    tamper(made[2].path, "UPDATE payloads SET body = zeroblob(3) WHERE seq = 2")

    found = backups.newest_sound(ledger.files, ledger.engine)

    assert found == made[1]


def test_without_a_sound_backup_there_is_none_to_be_found(ledger: Ledger) -> None:
    ruin(make(ledger).path)

    assert backups.newest_sound(ledger.files, ledger.engine) is None


def test_without_a_name_the_newest_backup_is_chosen(ledger: Ledger) -> None:
    make(ledger, NOON)
    newest = make(ledger, NOON + DAY_NS)

    assert backups.chosen(ledger.files, engine.look(ledger.files.home), None) == newest.path


def test_a_backup_is_chosen_by_the_beginning_of_its_name_or_its_path(ledger: Ledger) -> None:
    older = make(ledger, NOON)
    make(ledger, NOON + DAY_NS)

    chosen = [
        backups.chosen(ledger.files, engine.look(ledger.files.home), name)
        for name in (older.path.name[:9], str(older.path))
    ]

    assert chosen == [older.path, older.path]


@pytest.mark.parametrize("name", ["1999", "/elsewhere.db"])
def test_a_backup_that_does_not_exist_cannot_be_chosen(name: str, ledger: Ledger) -> None:
    make(ledger)

    with pytest.raises(NotFound, match="no such backup"):
        backups.chosen(ledger.files, engine.look(ledger.files.home), name)


def test_where_there_is_no_backup_none_can_be_chosen(files: Files) -> None:
    with pytest.raises(NotFound, match="`tacit backup --list`"):
        backups.chosen(files, engine.look(files.home), None)


@pytest.mark.parametrize(("keep", "left"), [(3, 3), (9, 4), (1, 1), (0, 1)])
def test_all_but_the_newest_backups_go_and_one_always_stays(
    keep: int, left: int, ledger: Ledger
) -> None:
    made = [make(ledger, NOON + number) for number in range(4)]

    went = backups.prune(ledger.files, keep)

    assert (went, backups.listed(ledger.files)) == (4 - left, made[::-1][:left])


@pytest.mark.parametrize("later", [0, DAY_NS - 1])
def test_no_backup_is_due_within_a_day(later: int, ledger: Ledger) -> None:
    make(ledger, NOON)

    assert not backups.is_due(ledger.files, NOON + later)


@pytest.mark.parametrize("later", [DAY_NS, -1])
def test_a_backup_is_due_after_a_day_and_when_the_last_is_from_the_future(
    later: int, ledger: Ledger
) -> None:
    make(ledger, NOON)

    assert backups.is_due(ledger.files, NOON + later)


def test_the_first_backup_is_always_due(files: Files) -> None:
    assert backups.is_due(files, NOON)
