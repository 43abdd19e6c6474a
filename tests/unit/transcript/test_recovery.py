"""Recovery: the damaged file put aside, all that can be had back is back, the loss is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.errors import StoreDamaged
from tacit.store.sqlite import engine
from tacit.transcript import backups, mark, recovery, segments
from unit.transcript.events import (
    NOON,
    OTHER,
    PLACE,
    backed_up,
    change,
    copied,
    erased,
    event,
    lose_lines,
    opened,
    put_back,
    ruin,
    said,
    standing,
    tamper,
    written,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.transcript.files import Files
    from tacit.transcript.recovery import Recovered

LATER = NOON + 1_000_000_007


def recover(files: Files, source: Path | None = None, *, replaying: bool = True) -> Recovered:
    """Recover a group that nobody has open."""
    chosen = engine.look(files.home)
    return recovery.recover(files, chosen, now_ns=LATER, source=source, replaying=replaying)


def test_a_transcript_comes_back_from_its_segments_alone(files: Files) -> None:
    written(files, 3)
    before = mark.read(files)
    ruin(files.database)

    recovered = recover(files)

    assert (standing(files), mark.read(files)) == (["evt-1", "evt-2", "evt-3"], before)
    assert (recovered.backup, recovered.replayed, recovered.lost) == (None, 3, 0)
    assert recovery.last(files) == recovered


def test_a_transcript_comes_back_from_its_backup_and_what_came_after(files: Files) -> None:
    written(files, 1)
    backup = backed_up(files)
    written(files, 2, first=2)
    before = mark.read(files)
    ruin(files.database)

    recovered = recover(files)

    assert (standing(files), mark.read(files)) == (["evt-1", "evt-2", "evt-3"], before)
    assert (recovered.backup, recovered.replayed, recovered.lost) == (backup.name, 2, 0)


def test_a_backup_that_does_not_verify_is_passed_over_for_an_older_one(files: Files) -> None:
    written(files, 2)
    older = backed_up(files)
    with opened(files) as ledger:
        newer = ledger.back_up(now_ns=LATER).path
    tamper(newer, "UPDATE payloads SET body = zeroblob(3) WHERE seq = 1")
    ruin(files.database)

    recovered = recover(files)

    assert recovered.backup == older.name


def test_a_transcript_that_is_gone_comes_back_and_nothing_is_put_aside(files: Files) -> None:
    written(files, 2)
    files.database.unlink()

    recovered = recover(files)

    assert (standing(files), recovered.quarantine) == (["evt-1", "evt-2"], None)


def test_a_damaged_transcript_is_put_aside_with_its_log_as_it_was(files: Files) -> None:
    written(files, 1)
    ruin(files.database)
    files.database.with_name("transcript.db-wal").write_bytes(b"the log")
    damaged = files.database.read_bytes()

    recovered = recover(files)

    (place,) = files.quarantine.iterdir()
    lying = {file.name: file.read_bytes() for file in place.iterdir()}
    assert lying == {"transcript.db": damaged, "transcript.db-wal": b"the log"}
    assert recovered.quarantine == str(place)


def test_nothing_of_the_work_is_left_beside_the_transcript(files: Files) -> None:
    written(files, 2)
    ruin(files.database)
    (files.directory / "transcript.new").write_bytes(b"left by one who was killed at it")
    (files.directory / "transcript.new-wal").write_bytes(b"and its log")

    recover(files)

    lying = sorted(file.name for file in files.directory.iterdir())
    assert lying == ["quarantine", "recovered.json", "transcript.db", "transcript.mark"]


@pytest.mark.parametrize("lost", [(1,), (1, 2, 3)])
def test_with_neither_backup_nor_all_segments_a_transcript_is_left_as_it_is(
    lost: tuple[int, ...], files: Files
) -> None:
    written(files, 3)
    lose_lines(files, *lost)
    ruin(files.database)
    damaged = files.database.read_bytes()

    with pytest.raises(StoreDamaged, match=r"left as it is; `tacit restore FILE`"):
        recover(files)

    assert files.database.read_bytes() == damaged


def test_a_damaged_file_where_nothing_was_ever_taken_in_is_begun_anew(files: Files) -> None:
    ruin(files.database)

    recovered = recover(files)

    assert (standing(files), recovered.lost) == ([], 0)


def test_what_stands_behind_a_gap_is_kept_and_what_stood_in_it_is_counted(files: Files) -> None:
    written(files, 5)
    lose_lines(files, 3)
    ruin(files.database)

    recovered = recover(files)

    assert standing(files) == ["evt-1", "evt-2", "evt-4", "evt-5"]
    assert (recovered.replayed, recovered.lost) == (4, 1)


def test_a_line_whose_body_was_changed_does_not_come_back(files: Files) -> None:
    written(files, 3)
    file = segments.listed(files)[0]
    file.write_bytes(file.read_bytes().replace(b"word 2", b"word X"))
    ruin(files.database)

    recover(files)

    assert standing(files) == ["evt-1", "evt-3"]


def test_what_came_back_behind_a_gap_comes_back_again_the_next_time(files: Files) -> None:
    written(files, 5)
    lose_lines(files, 2)
    ruin(files.database)
    recover(files)
    written(files, 2, first=6)
    ruin(files.database)

    recover(files)

    assert standing(files) == ["evt-1", "evt-3", "evt-4", "evt-5", "evt-6", "evt-7"]


def test_an_older_backup_is_still_enough_after_a_recovery(files: Files) -> None:
    for number in (1, 2, 3):
        written(files, 1, first=number)
        newest = backed_up(files)
    ruin(files.database)
    recover(files)
    ruin(newest)
    ruin(files.database)

    recover(files)

    assert standing(files) == ["evt-1", "evt-2", "evt-3"]


def test_a_tombstone_outlives_a_restore_that_lacks_its_event(files: Files) -> None:
    written(files, 1)
    early = backed_up(files)
    written(files, 1, first=2)
    late = copied(files)
    erased(files, 2)
    recover(files, early, replaying=False)

    recover(files, late)

    assert said(files)["evt-2"] is None


def test_what_was_erased_stays_erased(files: Files) -> None:
    written(files, 2)
    copy = copied(files)
    erased(files, 2)

    recover(files, copy)

    assert (standing(files), said(files)["evt-2"]) == (["evt-1", "evt-2"], None)


def test_only_what_was_erased_is_erased_again_behind_a_gap(files: Files) -> None:
    written(files, 6)
    erased(files, 4)
    lose_lines(files, 2)
    ruin(files.database)

    recover(files)

    left = [name for name, body in said(files).items() if body]
    assert left == ["evt-1", "evt-3", "evt-5", "evt-6"]


def test_a_tombstone_of_an_event_that_is_lost_is_passed_over(files: Files) -> None:
    written(files, 3)
    erased(files, 3)
    lose_lines(files, 3)
    ruin(files.database)

    recover(files)

    assert standing(files) == ["evt-1", "evt-2"]


def test_projects_come_back_as_their_owner_named_and_joined_them(files: Files) -> None:
    with opened(files) as ledger:
        ledger.append([event(1, place=PLACE)], now_ns=NOON)
        ledger.append([event(2, project=OTHER.project, place=OTHER)], now_ns=NOON)
        change(ledger, "rename", "shop", "the shop")
        change(ledger, "join", "till", "the shop")
        before = ledger.store.projects()
    ruin(files.database)

    recover(files)

    with opened(files) as ledger:
        after = (ledger.store.projects(), ledger.store.place(PLACE.directory))
    assert after == (before, PLACE.project)


def test_a_renamed_project_whose_events_are_erased_is_no_obstacle(files: Files) -> None:
    with opened(files) as ledger:
        ledger.append([event(1, place=PLACE), event(2)], now_ns=NOON)
        change(ledger, "rename", "shop", "the shop")
        ledger.erase([1], now_ns=NOON, reason="asked")
    ruin(files.database)

    recover(files)

    assert said(files)["evt-2"] == event(2).body


def test_a_joined_project_whose_events_are_lost_is_no_obstacle(files: Files) -> None:
    with opened(files) as ledger:
        ledger.append([event(1, place=PLACE)], now_ns=NOON)
        ledger.append([event(2, project=OTHER.project, place=OTHER)], now_ns=NOON)
        change(ledger, "join", "shop", "till")
    lose_lines(files, 2)
    ruin(files.database)

    recover(files)

    assert said(files)["evt-1"] == event(1).body


def test_an_exact_restore_gives_the_backup_and_nothing_more(files: Files) -> None:
    written(files, 2)
    backup = backed_up(files)
    written(files, 3, first=3)

    recovered = recover(files, backup, replaying=False)

    assert (recovered.reason, recovered.replayed, recovered.lost) == ("restored", 0, 0)
    assert mark.read(files) == backups.check(backup, engine.look(files.home)).head
    assert standing(files) == ["evt-1", "evt-2"]


@pytest.mark.parametrize("later_backups", [0, 1])
def test_what_an_exact_restore_left_out_stays_out(later_backups: int, files: Files) -> None:
    written(files, 2)
    backup = backed_up(files)
    written(files, 3, first=3)
    for _ in range(later_backups):
        backed_up(files)
    recover(files, backup, replaying=False)
    written(files, 1, first=9)
    ruin(files.database)

    recover(files)

    assert standing(files) == ["evt-1", "evt-2", "evt-9"]


def test_rows_that_a_damaged_log_has_lost_are_filled_in(files: Files) -> None:
    written(files, 2)
    copy = copied(files)
    written(files, 2, first=3)
    before = mark.read(files)

    put_back(files, copy)

    assert standing(files) == ["evt-1", "evt-2", "evt-3", "evt-4"]
    assert mark.read(files) == before


def test_filling_in_tells_what_was_missing_and_what_stays_lost(files: Files) -> None:
    written(files, 2)
    copy = copied(files)
    written(files, 3, first=3)
    lose_lines(files, 4)
    put_back(files, copy)

    standing(files)

    told = recovery.last(files)
    assert told
    assert (told.at, told.reason) == (NOON, "3 events at the end were missing")
    assert (told.replayed, told.lost) == (2, 1)


def test_what_was_filled_in_behind_a_gap_comes_back_again_and_goes_on(files: Files) -> None:
    written(files, 2)
    copy = copied(files)
    written(files, 3, first=3)
    lose_lines(files, 4)
    put_back(files, copy)
    written(files, 1, first=6)
    ruin(files.database)

    recover(files)

    assert standing(files) == ["evt-1", "evt-2", "evt-3", "evt-5", "evt-6"]


def test_what_was_erased_stays_erased_when_rows_are_filled_in(files: Files) -> None:
    written(files, 2)
    copy = copied(files)
    written(files, 1, first=3)
    erased(files, 1, 3)

    put_back(files, copy)

    assert said(files) == {"evt-1": None, "evt-2": event(2).body, "evt-3": None}
    assert standing(files) == ["evt-1", "evt-2", "evt-3"]


@pytest.mark.parametrize("garbage", [b"", b"[]", b"{}", b"\xff", b'{"at":1}', b"null"])
def test_a_last_recovery_that_is_garbage_is_none(garbage: bytes, files: Files) -> None:
    before = recovery.last(files)
    (files.directory / "recovered.json").write_bytes(garbage)

    assert (before, recovery.last(files)) == (None, None)
