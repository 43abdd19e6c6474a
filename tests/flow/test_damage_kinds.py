"""Damage of each kind that chance rarely hits: schema, types, texts, bodies, indexes, all of it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import apsw
import pytest

from flow.keeping import (
    DAY_NS,
    NOW_NS,
    backups,
    bodies,
    database,
    drained,
    keys,
    opened,
    rows,
    said,
    spool,
    tacit,
    troubles,
)
from rig import erased
from tacit.errors import TacitError

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

EVENTS = [said(number) for number in range(30)]
EXPECTED = [each.key for each in EVENTS]
# how a row of events begins in the file: its number, an id of 36 characters, two times
TYPES = bytes((0, 13 + 2 * 36, 6, 6))
LATER = [said(number) for number in range(30, 34)]


def _settled(home: Path, *, auto: bool = True) -> Path:
    """Fill a home with events of three days, two of them in backups; return the transcript.

    The segments of the first day are gone: the backups cover them.
    """
    for day in range(3):
        now_ns = NOW_NS + day * DAY_NS
        drained(home, EVENTS[day * 10 : day * 10 + 10], now_ns)
        if day < 2:
            with opened(home, lambda now_ns=now_ns: now_ns) as app:  # type: ignore[misc]
                app.backup("main")
    if not auto:
        (home / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    return database(home)


def _is_found(home: Path) -> bool:
    """Say whether verify finds something, in a sentence or a refusal."""
    try:
        with opened(home) as app:
            verified = app.verify("main")
    except TacitError:
        return True
    return verified is not None and not verified.is_sound


def _change(file: Path, *statements: str) -> None:
    """Change a transcript behind its triggers, as another program would."""
    connection = apsw.Connection(str(file))
    triggers = list(
        connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    )
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in (*statements, *(sql for _, sql in triggers)):
        connection.execute(statement)
    connection.close()


def _occurrences(content: bytes, text: bytes) -> list[int]:
    return [place for place in range(len(content)) if content.startswith(text, place)]


@pytest.mark.parametrize("number", range(4))
def test_a_text_that_is_no_text_any_more_is_found(home: Home, number: int) -> None:
    file = _settled(home.path, auto=False)
    content = bytearray(file.read_bytes())
    places = _occurrences(bytes(content), b"session-1-of-main")

    content[places[number * len(places) // 4] + 5] ^= 0x80
    file.write_bytes(content)

    assert _is_found(home.path)


@pytest.mark.parametrize("column", ["chain BLOB", "origin TEXT", "salt BLOB", "reason TEXT"])
def test_a_damaged_schema_is_found(home: Home, column: str) -> None:
    file = _settled(home.path, auto=False)
    content = file.read_bytes()

    file.write_bytes(content.replace(column.encode(), b"x" + column.encode()[1:], 1))

    assert _is_found(home.path)


def test_a_lost_version_number_is_told_in_a_sentence(home: Home) -> None:
    file = _settled(home.path, auto=False)
    content = bytearray(file.read_bytes())

    content[60:64] = bytes(4)  # where SQLite keeps `user_version`
    file.write_bytes(content)

    assert _is_found(home.path)


def test_a_body_that_has_become_another_type_is_found(home: Home) -> None:
    file = _settled(home.path, auto=False)
    content = bytearray(file.read_bytes())
    salt = bytes(rows(file)["payloads"][12][1])

    content[content.index(salt) - 1] ^= 1  # the type of the body stands before the salt
    file.write_bytes(content)

    assert _is_found(home.path)


def test_a_time_that_is_none_any_more_is_refused_in_words(home: Home) -> None:
    file = _settled(home.path, auto=False)
    content = bytearray(file.read_bytes())
    place = content.rindex(TYPES)

    content[place + 3] ^= 0x40  # a number becomes a run of bytes
    file.write_bytes(content)

    with opened(home.path) as app, pytest.raises(TacitError):
        app.sessions("main")


def test_a_row_that_only_its_index_remembers_comes_back(home: Home) -> None:
    file = _settled(home.path)
    content = bytearray(file.read_bytes())
    last = bytes(rows(file)["events"][-1][-1])
    page = content.index(last) // 4096 * 4096

    content[page + 4] -= 1  # where a page of SQLite says how many rows it has
    file.write_bytes(content)
    with opened(home.path) as app:
        status = app.status().groups[0]

    assert "nothing lost" in str(status.recovered)
    assert keys(bodies(home.path)) == EXPECTED


def test_a_body_that_is_gone_is_not_shown_as_an_erased_one(home: Home) -> None:
    file = _settled(home.path, auto=False)

    _change(file, "DELETE FROM payloads WHERE seq = 5")

    with opened(home.path) as app, pytest.raises(TacitError):
        app.show("main", "session-0-of-main")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE projects SET name = 'elsewhere'",
        "UPDATE places SET directory = directory || '/elsewhere'",
        "UPDATE tombstones SET reason = 'nobody asked'",
        "UPDATE tombstones SET at = at + 1",
    ],
)
def test_a_row_changed_beside_the_chain_is_found(home: Home, change: str) -> None:
    file = _settled(home.path, auto=False)
    with opened(home.path) as app:
        erased(app, "main", matching=EXPECTED[3])

    _change(file, change)

    assert _is_found(home.path)


def test_a_transcript_emptied_to_nothing_comes_back_from_its_backups(home: Home) -> None:
    file = _settled(home.path)

    file.write_bytes(b"")
    with opened(home.path) as app:
        status = app.status().groups[0]

    assert keys(bodies(home.path)) == EXPECTED
    assert "nothing lost" in str(status.recovered)


def test_a_transcript_that_is_gone_comes_back_from_its_backups(home: Home) -> None:
    file = _settled(home.path)

    file.unlink()
    with opened(home.path) as app:
        status = app.status().groups[0]

    assert keys(bodies(home.path)) == EXPECTED
    assert "nothing lost" in str(status.recovered)


@pytest.mark.parametrize("content", [b"", b"no database at all " * 1000, bytes(8192)])
def test_without_automatic_recovery_what_is_no_transcript_is_refused_and_left(
    home: Home, content: bytes
) -> None:
    file = _settled(home.path, auto=False)
    file.write_bytes(content)
    spool(home.path, LATER)

    with opened(home.path) as app:
        done = app.drain(seconds=None)

    assert done.waiting == len(LATER)
    assert all("`tacit " in str(each) for each in done.troubles)
    assert file.read_bytes() == content
    assert list((file.parent / "quarantine").iterdir()) == []


@pytest.mark.parametrize("verb", ["verify", "sessions", "status", "doctor"])
def test_without_automatic_recovery_the_way_out_is_named(home: Home, verb: str) -> None:
    file = _settled(home.path, auto=False)
    file.write_bytes(b"no database at all " * 1000)

    ended = tacit(home.path, verb)

    assert "tacit restore" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_events_that_meet_a_damaged_index_are_taken_in_all_the_same(home: Home) -> None:
    file = _settled(home.path)
    content = bytearray(file.read_bytes())
    page = _root_page(file, "sqlite_autoindex_events_1")
    content[page : page + 4096] = bytes(4096)
    file.write_bytes(content)
    spool(home.path, LATER)

    with opened(home.path) as app:
        app.drain(seconds=None)

    assert keys(bodies(home.path)) == EXPECTED + [each.key for each in LATER]


def _root_page(file: Path, name: str) -> int:
    """Return where in the file the first page of an index begins."""
    connection = apsw.Connection(f"file:{file}?immutable=1", flags=apsw.SQLITE_OPEN_URI | 1)
    query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
    ((page,),) = list(connection.execute(query, (name,)))
    connection.close()
    return (int(page) - 1) * 4096


def test_a_damaged_group_does_not_hold_up_the_others(home: Home) -> None:
    file = _settled(home.path, auto=False)
    file.write_bytes(b"no database at all " * 1000)
    others = [said(number, group="work") for number in range(4)]
    spool(home.path, [LATER[0], *others, *LATER[1:]])

    with opened(home.path) as app:
        done = app.drain(seconds=None)

    assert done.waiting == len(LATER)
    assert keys(bodies(home.path, "work")) == [each.key for each in others]


def test_without_any_backup_everything_comes_back_from_the_segments(home: Home) -> None:
    drained(home.path, EVENTS)
    file = database(home.path)
    file.write_bytes(file.read_bytes()[:5000])

    with opened(home.path) as app:
        status = app.status().groups[0]

    assert "nothing lost" in str(status.recovered)
    assert troubles(home.path, "main", EXPECTED) == []


def test_without_any_backup_what_only_verify_finds_can_be_restored(home: Home) -> None:
    drained(home.path, EVENTS)
    content = bytearray(database(home.path).read_bytes())
    content[content.index(b"nobody looks") + 3] ^= 1
    database(home.path).write_bytes(content)

    ended = tacit(home.path, "restore", "--yes")

    assert ended.returncode == 0, ended.stderr
    assert troubles(home.path, "main", EXPECTED) == []


def test_a_damaged_backup_is_passed_over_for_an_older_one(home: Home) -> None:
    file = _settled(home.path)
    oldest, newest = backups(home.path)
    newest.write_bytes(newest.read_bytes()[:-5000])
    file.write_bytes(b"no database at all " * 1000)

    with opened(home.path) as app:
        status = app.status().groups[0]

    assert oldest.name in str(status.recovered)
    assert keys(bodies(home.path)) == EXPECTED


def test_what_cannot_be_brought_back_is_refused_and_left_as_it_is(home: Home) -> None:
    file = _settled(home.path)
    shutil.rmtree(home.path / "backups")
    shutil.rmtree(home.path / "spool" / "done")
    file.write_bytes(b"no database at all " * 1000)
    spool(home.path, LATER)

    with opened(home.path) as app:
        done = app.drain(seconds=None)

    assert "tacit restore" in str(done.troubles[0])
    assert file.read_bytes() == b"no database at all " * 1000
    assert len(list((home.path / "spool" / "new").iterdir())) == len(LATER)


def test_segments_with_a_hole_give_back_all_but_the_hole_and_say_so(home: Home) -> None:
    drained(home.path, EVENTS)
    segment = next((home.path / "spool" / "done" / "main").iterdir())
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join([*lines[:7], lines[7][:40], b"\n", *lines[8:]]))
    database(home.path).write_bytes(b"no database at all " * 1000)

    with opened(home.path) as app:
        status = app.status().groups[0]

    assert "1 event lost" in str(status.recovered)
    assert keys(bodies(home.path)) == EXPECTED[:7] + EXPECTED[8:]
