"""Erasing: a body is gone from every file, and erasing that was cut short is finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.transcript import backups
from unit.transcript.events import (
    NOON,
    backed_up,
    bodies,
    bytes_below,
    event,
    events,
    opened,
    ruin,
    written,
)

if TYPE_CHECKING:
    from tacit.transcript.files import Files
    from tacit.transcript.ledger import Ledger


def test_an_erased_body_is_gone_from_every_file(files: Files) -> None:
    written(files, 3)
    backed_up(files)
    ruin(files.database)
    with opened(files) as ledger:  # mended, the damaged file put aside
        ledger.append([event(4)], now_ns=NOON)
        (files.quarantine / "older").mkdir()
        (files.quarantine / "older" / "transcript.db").write_bytes(b'"word 2"')

        went = ledger.erase([2], now_ns=NOON, reason="asked")

        assert (went, b"word 2" in bytes_below(files.home)) == (1, False)


def test_erasing_leaves_the_chain_whole_and_other_bodies_alone(ledger: Ledger) -> None:
    ledger.append(events(3), now_ns=NOON)

    ledger.erase([2], now_ns=NOON, reason="asked")

    assert bodies(ledger) == {"evt-1": event(1).body, "evt-2": None, "evt-3": event(3).body}
    assert ledger.verify().findings == []
    assert backups.check(ledger.back_up(now_ns=NOON).path, ledger.engine).findings == []


def test_erasing_what_is_erased_takes_nothing_more(ledger: Ledger) -> None:
    ledger.append(events(3), now_ns=NOON)
    ledger.erase([2], now_ns=NOON, reason="asked")

    again = ledger.erase([2], now_ns=NOON + 1, reason="asked again")

    assert (again, ledger.store.buried()) == (0, {2: (NOON, "asked")})


def test_erasing_takes_what_killed_programs_left_half_made(ledger: Ledger) -> None:
    ledger.append(events(3), now_ns=NOON)
    for left in (
        ledger.files.backups / ".20260921T141320-77.tmp",
        ledger.files.directory / "transcript.new",
        ledger.files.done / ".rewriting",
    ):
        left.write_bytes(event(2).body)

    ledger.erase([2], now_ns=NOON, reason="asked")

    assert b"word 2" not in bytes_below(ledger.files.home)


def test_a_stray_file_in_quarantine_does_not_hinder_erasing(ledger: Ledger) -> None:
    ledger.append(events(3), now_ns=NOON)
    (ledger.files.quarantine / ".DS_Store").touch()

    ledger.erase([2], now_ns=NOON, reason="asked")

    assert b"word 2" not in bytes_below(ledger.files.home)


def crash_while_erasing(files: Files) -> None:
    """Leave things as one who is killed just after the database let the second body go."""
    written(files, 3)
    backed_up(files)
    with opened(files) as ledger:
        (files.directory / "erasing").touch()
        ledger.store.bury([2], at=NOON, reason="asked")


def test_erasing_that_was_cut_short_is_finished_by_whoever_comes_next(files: Files) -> None:
    crash_while_erasing(files)

    with opened(files):
        pass

    assert b"word 2" not in bytes_below(files.home)
    assert not (files.directory / "erasing").exists()


def test_erasing_that_failed_half_way_is_finished_by_whoever_comes_next(files: Files) -> None:
    written(files, 3)
    with opened(files) as ledger:
        files.done.rename(files.home / "away")
        with pytest.raises(FileNotFoundError):
            ledger.erase([2], now_ns=NOON, reason="asked")
        (files.home / "away").rename(files.done)

    with opened(files):
        pass

    assert b"word 2" not in bytes_below(files.home)


def test_erasing_that_was_cut_short_is_known_to_the_segments_too(files: Files) -> None:
    crash_while_erasing(files)
    with opened(files):
        pass
    backups.listed(files)[0].path.unlink()
    ruin(files.database)

    with opened(files) as ledger:
        found = ledger.verify().findings

    assert found == []


def test_erasing_that_was_asked_for_but_not_begun_erases_nothing(files: Files) -> None:
    written(files, 2)
    (files.directory / "erasing").touch()

    with opened(files) as ledger:
        left = [body for body in bodies(ledger).values() if body]

    assert (len(left), (files.directory / "erasing").exists()) == (2, False)


def test_erasing_takes_bodies_out_of_a_backup_that_still_verifies(ledger: Ledger) -> None:
    ledger.append(events(3), now_ns=NOON)
    backup = ledger.back_up(now_ns=NOON).path

    ledger.erase([2], now_ns=NOON, reason="asked")

    found = backups.check(backup, ledger.engine)
    assert (found.findings, found.erased) == ([], 1)
    assert b"word 2" not in backup.read_bytes()


def test_a_backup_made_before_the_event_came_is_left_as_it_is(ledger: Ledger) -> None:
    ledger.append(events(1), now_ns=NOON)
    backup = ledger.back_up(now_ns=NOON).path
    ledger.append([event(2)], now_ns=NOON)

    ledger.erase([2], now_ns=NOON, reason="asked")

    found = backups.check(backup, ledger.engine)
    assert (found.findings, found.erased, found.head.seq) == ([], 0, 1)


def test_a_backup_that_cannot_be_cleaned_is_removed(ledger: Ledger) -> None:
    ledger.append(events(1), now_ns=NOON)
    backup = ledger.back_up(now_ns=NOON).path
    ruin(backup)

    ledger.erase([1], now_ns=NOON, reason="asked")

    assert not backup.exists()
