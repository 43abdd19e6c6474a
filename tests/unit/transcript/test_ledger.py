"""The ledger: commit, segment and mark in this order, mended when opened, erased everywhere."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import apsw
import pytest

from tacit.errors import StoreDamaged, TacitError
from tacit.store.sqlite import migrate, opening
from tacit.transcript import backups, mark, recovery, segments
from tacit.transcript import ledger as ledger_room
from tacit.transcript.segments import Kept
from unit.transcript.events import (
    DAY_NS,
    NOON,
    PLACE,
    bytes_below,
    copied,
    event,
    events,
    ids,
    lines,
    opened,
    put_back,
    restored,
    ruin,
    written,
)

if TYPE_CHECKING:
    from tacit.transcript.files import Files
    from tacit.transcript.ledger import Ledger


def test_an_event_is_taken_in_once_however_often_it_comes(ledger: Ledger) -> None:
    first = ledger.append(events(2), now_ns=NOON)

    again = ledger.append([*events(3), event(3)], now_ns=NOON)

    assert [[record.seq for record in added] for added in (first, again)] == [[1, 2], [3]]


def test_an_appended_event_stands_in_database_segment_and_mark(ledger: Ledger) -> None:
    (record,) = ledger.append([event(1, place=PLACE)], now_ns=NOON)

    assert list(ledger.store.records()) == [record]
    assert list(segments.read(ledger.files)) == [Kept(record, PLACE)]
    assert mark.read(ledger.files) == ledger.store.head()


def test_what_cannot_be_committed_is_in_no_segment_and_moves_no_mark(ledger: Ledger) -> None:
    unfit = event(2, session=None)

    with pytest.raises(apsw.ConstraintError):
        ledger.append([event(1), unfit], now_ns=NOON)

    assert (ids(ledger), lines(ledger.files), mark.read(ledger.files)) == ([], [], None)


def test_the_mark_moves_only_once_the_segment_is_written(ledger: Ledger) -> None:
    ledger.files.done.rmdir()

    with pytest.raises(FileNotFoundError):
        ledger.append([event(1)], now_ns=NOON)

    assert (ids(ledger), mark.read(ledger.files)) == (["evt-1"], None)


def test_the_segment_is_written_before_the_mark_moves(ledger: Ledger) -> None:
    (ledger.files.directory / "transcript.mark").mkdir()

    with pytest.raises(IsADirectoryError):
        ledger.append([event(1)], now_ns=NOON)

    assert lines(ledger.files) == ["evt-1"]


def test_what_was_committed_before_a_crash_gets_its_line_when_it_comes_again(
    ledger: Ledger,
) -> None:
    ledger.store.append(events(2))

    added = ledger.append(events(3), now_ns=NOON)

    assert [record.id for record in added] == ["evt-3"]
    assert lines(ledger.files) == ["evt-1", "evt-2", "evt-3"]


def test_rows_go_to_the_segment_of_the_day_on_which_they_were_taken_in(ledger: Ledger) -> None:
    ledger.append([event(1)], now_ns=NOON)
    ledger.append([event(2)], now_ns=NOON + DAY_NS)

    first, second = (file.name for file in segments.listed(ledger.files))
    assert ("2026-09-21" in first, "2026-09-22" in second) == (True, True)


def test_the_size_of_the_segments_is_known(ledger: Ledger) -> None:
    ledger.append(events(3), now_ns=NOON)

    assert ledger.done_size() == len(bytes_below(ledger.files.done))


def test_a_transcript_that_another_program_restored_is_opened_anew(ledger: Ledger) -> None:
    ledger.append(events(2), now_ns=NOON)
    ledger.back_up(now_ns=NOON)
    restored(ledger.files)

    added = ledger.append([event(3)], now_ns=NOON)

    assert ([record.seq for record in added], ledger.verify().findings) == ([3], [])


def test_a_transcript_that_vanishes_while_it_is_open_is_mended_and_goes_on(
    ledger: Ledger,
) -> None:
    ledger.append(events(2), now_ns=NOON)
    ledger.files.database.unlink()

    ledger.append([event(3)], now_ns=NOON)

    assert (ids(ledger), ledger.verify().findings) == (["evt-1", "evt-2", "evt-3"], [])


def test_a_transcript_that_is_damaged_while_it_is_open_is_made_again_and_goes_on(
    ledger: Ledger,
) -> None:
    ledger.append(events(2), now_ns=NOON)
    with apsw.Connection(str(ledger.files.database)) as other:
        other.execute("ALTER TABLE payloads RENAME TO gone")

    ledger.append([event(3)], now_ns=NOON)

    assert (ids(ledger), ledger.verify().findings) == (["evt-1", "evt-2", "evt-3"], [])


def test_a_transcript_that_was_mended_by_hand_is_used_again(files: Files) -> None:
    with opened(files, auto=False) as ledger:
        ledger.append(events(2), now_ns=NOON)
        ledger.back_up(now_ns=NOON)
        files.database.unlink()
        with pytest.raises(StoreDamaged, match="is gone"):
            ledger.append([event(3)], now_ns=NOON)
        restored(files)

        ledger.append([event(3)], now_ns=NOON)

        assert ids(ledger) == ["evt-1", "evt-2", "evt-3"]


def test_a_damaged_transcript_is_mended_when_it_is_opened(files: Files) -> None:
    written(files, 2)
    ruin(files.database)

    with opened(files) as ledger:
        found = (ids(ledger), ledger.verify().findings)

    assert found == (["evt-1", "evt-2"], [])


def test_a_damaged_transcript_is_left_as_it_is_where_mending_is_off(files: Files) -> None:
    written(files, 2)
    ruin(files.database)
    before = files.database.read_bytes()

    with (
        pytest.raises(StoreDamaged, match="Run `tacit restore --group main`"),
        opened(files, auto=False),
    ):
        pass

    assert files.database.read_bytes() == before


def test_a_transcript_that_is_gone_is_not_begun_anew(files: Files) -> None:
    written(files, 2)
    files.database.unlink()

    with (
        pytest.raises(StoreDamaged, match="Run `tacit restore --group main`"),
        opened(files, auto=False),
    ):
        pass

    assert not files.database.exists()


def test_what_a_shortened_transcript_lacks_is_told_where_mending_is_off(files: Files) -> None:
    written(files, 1)
    copy = copied(files)
    written(files, 2, first=2)
    put_back(files, copy)

    with opened(files, auto=False) as ledger:
        found = (ids(ledger), ledger.verify().lost)

    assert found == (["evt-1"], 2)


def test_what_a_shortened_transcript_lacks_is_not_forgotten_by_going_on(files: Files) -> None:
    written(files, 1)
    copy = copied(files)
    written(files, 2, first=2)
    put_back(files, copy)

    with opened(files, auto=False) as ledger, suppress(TacitError):
        ledger.append([event(9)], now_ns=NOON)

    with opened(files) as ledger:
        assert {"evt-2", "evt-3"} <= set(ids(ledger))


def test_a_shorter_transcript_put_in_its_place_is_not_gone_on_with(files: Files) -> None:
    written(files, 1)
    copy = copied(files)
    with opened(files, auto=False) as ledger:
        ledger.append(events(2, first=2), now_ns=NOON)
        for suffix in ("", "-wal", "-shm"):
            files.database.with_name(f"transcript.db{suffix}").unlink()
        put_back(files, copy)

        with pytest.raises(StoreDamaged, match=r"2 events at the end .* are missing"):
            ledger.append([event(9)], now_ns=NOON)

        assert ids(ledger) == ["evt-1"]


def test_an_upgrade_begins_with_a_backup_and_is_no_damage(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(files, 2)
    newer = (*migrate.steps("transcript"), "CREATE TABLE more (anything TEXT) STRICT")
    monkeypatch.setattr(opening, "steps", lambda _name: newer)

    with opened(files) as ledger:
        found = ledger.verify().findings

    assert (found, recovery.last(files)) == ([], None)
    assert [backup.seq for backup in backups.listed(files)] == [2]


def test_the_first_backup_lets_no_segment_go(ledger: Ledger) -> None:
    for number in range(1, 4):
        ledger.append([event(number)], now_ns=NOON + number * DAY_NS)

    ledger.back_up(now_ns=NOON)

    assert lines(ledger.files) == ["evt-1", "evt-2", "evt-3"]


def test_a_later_backup_lets_the_segments_go_that_the_one_before_covers(ledger: Ledger) -> None:
    for number in range(1, 5):
        ledger.append([event(number)], now_ns=NOON + number * DAY_NS)
        if number == 2:
            ledger.back_up(now_ns=NOON)

    ledger.back_up(now_ns=NOON + DAY_NS)

    assert lines(ledger.files) == ["evt-3", "evt-4"]


def test_segments_that_have_grown_too_large_are_backed_up_and_let_go(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_room, "LARGEST_DONE", 1000)

    for number in range(1, 5):
        ledger.append([event(number)], now_ns=NOON + number * DAY_NS)

    assert (len(lines(ledger.files)) < 3, backups.listed(ledger.files) != []) == (True, True)
    assert backups.check(backups.listed(ledger.files)[0].path, ledger.engine).is_sound
