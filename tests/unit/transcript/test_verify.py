"""Verification: whatever was changed, lost or added behind our back is told in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.errors import StoreDamaged
from tacit.store.port import Head
from tacit.store.sqlite import engine
from tacit.store.sqlite.opening import open_store
from tacit.transcript import mark
from tacit.transcript.verify import MOST_FINDINGS, verify, verify_next
from unit.transcript.events import erased, fresh_files, opened, ruin, tamper, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.transcript.files import Files
    from tacit.transcript.verify import Verified


@pytest.fixture
def files() -> Iterator[Files]:
    """Return a group with five events, the third of them erased; nobody has it open."""
    with fresh_files() as files:
        written(files, 5)
        erased(files, 3)
        yield files


@pytest.fixture
def empty() -> Iterator[Files]:
    """Return a group in which nothing has happened yet."""
    with fresh_files() as files:
        yield files


def verified(files: Files) -> Verified:
    """Verify a group as it lies there, mending nothing."""
    with opened(files, auto=False) as ledger:
        return ledger.verify()


def findings_after(files: Files, statements: str) -> list[str]:
    """Return what verification finds after somebody tampered."""
    tamper(files.database, statements)
    return verified(files).findings


def test_what_was_written_is_sound_and_counted(files: Files) -> None:
    found = verified(files)

    assert (found.is_sound, found.events, found.bodies, found.erased, found.lost) == (
        True,
        5,
        4,
        1,
        0,
    )


def test_an_empty_transcript_is_sound(empty: Files) -> None:
    found = verified(empty)

    assert (found.is_sound, found.head, found.events) == (True, Head(0, bytes(32)), 0)


def test_the_head_that_was_verified_is_the_one_that_was_written(files: Files) -> None:
    found = verified(files)

    assert found.head == mark.read(files)


def test_a_changed_body_is_found(files: Files) -> None:
    found = findings_after(files, "UPDATE payloads SET body = CAST('{}' AS BLOB) WHERE seq = 2")

    assert found == ["Event 2 is not what was written."]


@pytest.mark.parametrize(
    "change",
    [
        "id = 'evt-x'",
        "at = at + 1",
        "received = received + 1",
        "session = 's-2'",
        "project = 'prj-x'",
        "client = 'other'",
        "turn = NULL",
        "kind = 'reply'",
        "tool = 'Bash'",
        "agent = ''",
        "origin = 'owner'",
        "via = 'cli'",
        "digest = zeroblob(32)",
    ],
)
def test_a_change_of_any_field_is_found(change: str, files: Files) -> None:
    statement = f"UPDATE events SET {change} WHERE seq = 2"  # noqa: S608  (our own words)

    found = findings_after(files, statement)

    assert found == ["Event 2 is not what was written."]


def test_a_changed_chain_is_found_where_it_breaks_and_behind_it(files: Files) -> None:
    found = findings_after(files, "UPDATE events SET chain = zeroblob(32) WHERE seq = 2")

    assert found == [
        "Event 2 is not what was written.",
        "Event 3 is not what was written.",
    ]


def test_a_text_that_is_no_text_any_more_is_found(files: Files) -> None:
    found = findings_after(files, "UPDATE events SET session = CAST(x'ff41' AS TEXT) WHERE seq = 2")

    assert found != []


def test_events_that_were_taken_out_are_found(files: Files) -> None:
    found = findings_after(
        files, "DELETE FROM events WHERE seq IN (1, 2); DELETE FROM payloads WHERE seq IN (1, 2)"
    )

    assert found == ["Events 1 to 2 are missing.", "Event 3 is not what was written."]


def test_a_body_that_went_without_a_tombstone_is_found(files: Files) -> None:
    found = findings_after(files, "DELETE FROM payloads WHERE seq = 2")

    assert found == [
        "Event 2 has no body and no tombstone.",
        "1 tombstones stand for 2 erased bodies.",
    ]


def test_a_body_that_stayed_under_its_tombstone_is_found(files: Files) -> None:
    found = findings_after(files, "INSERT INTO tombstones VALUES (2, 0, 'asked', zeroblob(32))")

    assert found == [
        "SQLite: tombstone 2 is not what was written.",
        "Event 2 was to be erased.",
        "2 tombstones stand for 1 erased bodies.",
    ]


def test_a_body_that_belongs_to_no_event_is_found(files: Files) -> None:
    found = findings_after(files, "INSERT INTO payloads VALUES (99, zeroblob(16), zeroblob(1))")

    assert found == [
        "SQLite: row 99 of payloads points nowhere.",
        "5 events have 5 bodies, 1 erased.",
    ]


def test_events_that_are_missing_at_the_end_are_counted(files: Files) -> None:
    mark.write(files, Head(8, bytes(32)))

    found = verified(files)

    assert (found.lost, found.findings) == (
        3,
        ["3 events that were taken in are missing at the end."],
    )


def test_a_transcript_that_was_written_anew_is_not_the_one_of_the_mark(files: Files) -> None:
    with opened(files) as ledger:
        found = verify(ledger.store, Head(4, bytes(32)))

    assert found.findings == ["Event 4 is not the one that the high-water mark names."]


def test_without_a_mark_nothing_is_known_to_be_lost(files: Files) -> None:
    (files.directory / "transcript.mark").unlink()

    found = verified(files)

    assert (found.is_sound, found.lost) == (True, 0)


def test_what_sqlite_itself_finds_wrong_is_told_in_its_words(files: Files) -> None:
    schema = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '{}', '{}')"
    tamper(files.database, schema.format("session TEXT NOT NULL", "session TEXT"))
    tamper(files.database, "UPDATE events SET session = NULL WHERE seq = 2")

    found = findings_after(files, schema.format("session TEXT", "session TEXT NOT NULL"))

    assert found == [
        "SQLite: NULL value in events.session.",
        "Event 2 is not what was written.",
    ]


def test_a_column_that_has_changed_its_type_is_found(files: Files) -> None:
    schema = (
        "PRAGMA writable_schema = ON; "
        "UPDATE sqlite_schema SET sql = replace(sql, '{}', '{}') WHERE name = 'payloads'"
    )
    tamper(files.database, schema.format(") STRICT", ")"))
    tamper(files.database, "UPDATE payloads SET salt = 'salt' WHERE seq = 2")

    found = findings_after(files, schema.format("\n)", "\n) STRICT"))

    assert found[-1] == "Event 2 is not what was written."


def test_a_table_that_is_made_otherwise_is_found(files: Files) -> None:
    found = findings_after(files, "CREATE TABLE more (anything)")

    assert found == ["SQLite: more is not made as it should be."]


def test_a_tombstone_that_was_changed_is_found(files: Files) -> None:
    found = findings_after(files, "UPDATE tombstones SET reason = 'nobody asked'")

    assert found == ["SQLite: tombstone 3 is not what was written."]


def test_a_file_that_cannot_be_read_is_one_finding(files: Files) -> None:
    store = open_store(files.database, engine.look(files.home), lambda _store: None)

    ruin(files.database)
    found = verify(store, None)
    store.close()

    (told,) = found.findings
    assert told.startswith(f"{files.database} is damaged")
    assert (found.head.seq, found.events, found.bodies, found.erased, found.lost) == (0,) * 5


def tamper_with_thirty(files: Files) -> None:
    """Take thirty events in, and change all but the last three."""
    written(files, 30)
    tamper(files.database, "UPDATE payloads SET body = zeroblob(9) WHERE seq < 28")


def test_findings_without_end_are_cut(empty: Files) -> None:
    tamper_with_thirty(empty)

    found = verified(empty)

    assert len(found.findings) == MOST_FINDINGS


def test_what_was_not_looked_at_any_more_is_not_said_to_be_lost(empty: Files) -> None:
    tamper_with_thirty(empty)

    found = verified(empty)

    assert found.lost == 0


def test_progress_is_told_now_and_then(empty: Files) -> None:
    written(empty, 2500)
    told: list[tuple[int, int]] = []

    with opened(empty) as ledger:
        ledger.verify(lambda at, total: told.append((at, total)))

    assert told == [(1000, 2500), (2000, 2500)]


def test_the_chain_is_checked_some_events_at_a_time_and_begins_again(files: Files) -> None:
    with opened(files) as ledger:
        places = [0]
        for _ in range(4):
            places.append(verify_next(ledger.store, places[-1], 2))

    assert places == [0, 2, 4, 0, 2]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE payloads SET body = zeroblob(3) WHERE seq = 4", "Event 4 .* not what was written"),
        ("DELETE FROM payloads WHERE seq = 4", "Event 4 .* not what was written"),
        ("DELETE FROM events WHERE seq = 4", "Event 5 .* not what was written"),
        ("DELETE FROM events WHERE seq = 1", "Event 2 .* not what was written"),
    ],
)
def test_damage_is_found_where_the_check_comes_by(files: Files, statement: str, told: str) -> None:
    tamper(files.database, statement)
    with opened(files, auto=False) as ledger, pytest.raises(StoreDamaged, match=told):
        verify_next(ledger.store, verify_next(ledger.store, 0, 3), 3)
