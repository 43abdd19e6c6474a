"""A check: damage that no event has met is found and recovered, or noted where it cannot be."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tacit.errors import StoreDamaged
from tacit.transcript import ledger as ledger_room
from tacit.transcript import recovery, segments
from unit.transcript.events import (
    NOON,
    event,
    events,
    ids,
    lose_lines,
    opened,
    ruin,
    tamper,
    written,
)

if TYPE_CHECKING:
    from tacit.transcript.files import Files
    from tacit.transcript.ledger import Ledger

CHANGED = "UPDATE payloads SET body = zeroblob(3) WHERE seq = 2"


def change_a_body(files: Files) -> None:
    """Change the second body past SQLite, so that no commit explains it."""
    text = files.database.read_bytes()
    with files.database.open("r+b") as file:
        file.write(text.replace(b"word 2", b"word X"))


@pytest.fixture
def settled(files: Files) -> Files:
    """Return a group with three events, all in its file and none in a log."""
    written(files, 3)
    return files


def test_where_all_is_well_nothing_happens(ledger: Ledger) -> None:
    ledger.append(events(3), now_ns=NOON)

    for _ in range(3):
        ledger.check(now_ns=NOON)

    assert (ids(ledger), recovery.last(ledger.files)) == (["evt-1", "evt-2", "evt-3"], None)


def test_a_body_that_is_changed_in_its_place_is_found_and_recovered(settled: Files) -> None:
    with opened(settled) as ledger:
        list(ledger.store.records())  # in memory they are still as they were
        change_a_body(settled)

        ledger.check(now_ns=NOON)

        assert (ids(ledger), ledger.verify().findings) == (["evt-1", "evt-2", "evt-3"], [])
    told = recovery.last(settled)
    assert told is not None
    assert (told.reason, told.replayed, told.lost) == ("damaged", 3, 0)


def test_events_can_be_taken_in_and_damage_met_after_a_check_has_recovered(settled: Files) -> None:
    with opened(settled) as ledger:
        change_a_body(settled)
        ledger.check(now_ns=NOON)
        ledger.append([event(4)], now_ns=NOON)
        ledger.store.connection.checkpoint()
        change_a_body(settled)
        ledger.check(now_ns=NOON)

        assert ids(ledger) == ["evt-1", "evt-2", "evt-3", "evt-4"]


@pytest.mark.parametrize("at_once", [1, 2, 500])
def test_damage_that_was_there_before_is_found_some_events_at_a_time(
    settled: Files, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_room, "CHECKED_AT_ONCE", at_once)
    tamper(settled.database, CHANGED)
    with opened(settled) as ledger:
        for _ in range(3):
            ledger.check(now_ns=NOON)

        assert ledger.verify().findings == []
    assert recovery.last(settled) is not None


def test_a_file_that_was_replaced_is_read_as_a_whole(
    settled: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_room, "CHECKED_AT_ONCE", 1)
    with opened(settled) as ledger:
        copy = settled.home / "copy.db"
        shutil.copy(settled.database, copy)
        tamper(copy, CHANGED)
        copy.rename(settled.database)

        ledger.check(now_ns=NOON)

        assert ledger.verify().findings == []
    assert recovery.last(settled) is not None


def test_a_directory_that_is_deleted_is_made_again_with_everything(settled: Files) -> None:
    with opened(settled) as ledger:
        ledger.back_up(now_ns=NOON)
        shutil.rmtree(settled.directory)

        ledger.check(now_ns=NOON)

        assert ids(ledger) == ["evt-1", "evt-2", "evt-3"]


def test_where_mending_is_off_damage_is_noted_and_left(settled: Files) -> None:
    told = (
        f"{settled.database} is damaged: Event 2 is not what was written. "
        "Run `tacit restore --group main`."
    )
    with opened(settled, auto=False) as ledger:
        change_a_body(settled)
        damaged = settled.database.read_bytes()

        for _ in range(2):
            with pytest.raises(StoreDamaged) as raised:
                ledger.check(now_ns=NOON)
            assert str(raised.value) == told

    assert (recovery.noted_damage(settled), settled.database.read_bytes()) == (told, damaged)


def test_what_was_noted_is_looked_at_again_by_whoever_opens_it_next(settled: Files) -> None:
    recovery.note_damage(settled, "It was damaged.")

    with opened(settled) as ledger:
        ledger.check(now_ns=NOON)

    assert recovery.noted_damage(settled) is None


def test_a_note_goes_when_everything_is_verified_or_recovered(settled: Files) -> None:
    recovery.note_damage(settled, "It was damaged.")
    with opened(settled) as ledger:
        ledger.verify()
    verified = recovery.noted_damage(settled)
    recovery.note_damage(settled, "It was damaged.")
    ruin(settled.database)
    with opened(settled):
        recovered = recovery.noted_damage(settled)

    assert (verified, recovered) == (None, None)


def test_what_cannot_be_recovered_is_told_and_stays_open_for_the_rest(settled: Files) -> None:
    lose_lines(settled, 1)
    with opened(settled) as ledger:
        change_a_body(settled)
        for _ in range(2):
            with pytest.raises(StoreDamaged, match="`tacit restore FILE`"):
                ledger.check(now_ns=NOON)

        ledger.append([event(4)], now_ns=NOON)

        assert ids(ledger) == ["evt-1", "evt-2", "evt-3", "evt-4"]
    assert "tacit restore FILE" in str(recovery.noted_damage(settled))


def test_a_ledger_that_cannot_be_opened_again_is_closed(settled: Files) -> None:
    with opened(settled) as ledger:
        for file in segments.listed(settled):
            file.unlink()
        ruin(settled.database)
        found = [ledger.is_open]
        with pytest.raises(StoreDamaged):
            ledger.mend(now_ns=NOON)
        found.append(ledger.is_open)

    assert found == [True, False]
