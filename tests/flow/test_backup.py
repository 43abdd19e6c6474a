"""Backups: whole while others write, restored to the same content, kept and let go as promised."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from flow.dying import command, run
from flow.keeping import (
    DAY_NS,
    NOW_NS,
    bodies,
    database,
    drained,
    head,
    keys,
    mark,
    opened,
    rows,
    said,
    segment_lines,
    troubles,
)
from rig import erased
from tacit.errors import NotFound, StoreDamaged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home
    from tacit.transcript.backups import Backup

EVENTS = [said(number) for number in range(40)]
EXPECTED = [each.key for each in EVENTS]


def _digest(file: Path, upto: int) -> str:
    """Return a digest over all rows of events and bodies up to a sequence number."""
    found = rows(file)
    kept = [row for table in ("events", "payloads") for row in found[table] if row[0] <= upto]
    return hashlib.sha256(repr(kept).encode()).hexdigest()


def _backup(home: Path, now_ns: int = NOW_NS) -> Backup:
    with opened(home, lambda: now_ns) as app:
        return app.backup("main")


def _restored(home: Path, name: str | None = None, *, exact: bool = False) -> None:
    with opened(home) as app:
        app.restore("main", name, exact=exact)


@contextmanager
def _meanwhile(home: Home, verb: str, *rest: str) -> Iterator[None]:
    """Let another process do something again and again, until it is told to stop."""
    stop = home.scratch / "stop"
    writer = subprocess.Popen(
        command(verb, home.path, str(stop), *rest),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    try:
        yield
    finally:
        stop.touch()
        _, complaints = writer.communicate()
    assert (writer.returncode, complaints) == (0, "")


def _campaign(home: Home, times: int) -> None:
    drained(home.path, EVENTS)
    made: list[tuple[int, int, Path]] = []
    writing = _meanwhile(home, "keep-writing", str(home.path))
    with writing, opened(home.path, time.time_ns) as app:
        while len(made) < times:
            before = head(home.path)[0]
            backup = app.backup("main")
            kept = home.scratch / f"{len(made)}.db"
            shutil.copy(backup.path, kept)
            made.append((before, backup.seq, kept))
            time.sleep(0.03)

    wrong = {}
    for before, seq, kept in made:
        with opened(home.path) as app:
            app.restore("main", str(kept), exact=True)
            verified = app.verify("main")
            is_sound = verified is not None and verified.is_sound
        same = _digest(database(home.path), seq) == _digest(kept, seq)
        if not (is_sound and same and seq >= before and head(home.path)[0] == seq):
            wrong[kept.name] = (is_sound, same, before, seq)
    assert wrong == {}
    assert len({seq for _, seq, _ in made}) > times / 2


def test_five_backups_while_another_process_writes_are_whole(home: Home) -> None:
    _campaign(home, 5)


@pytest.mark.long
def test_fifty_backups_while_another_process_writes_are_whole(home: Home) -> None:
    _campaign(home, 50)


def test_status_answers_while_another_process_lets_old_backups_go(home: Home) -> None:
    drained(home.path, EVENTS)
    (home.path / "config.toml").write_text("[backup]\nkeep = 1\n", encoding="utf-8")

    with _meanwhile(home, "keep-backing-up"), opened(home.path) as app:
        counts = {app.status().groups[0].backups for _ in range(400)}

    assert counts <= {0, 1, 2}


def test_a_backup_has_the_content_of_its_moment(home: Home) -> None:
    drained(home.path, EVENTS[:20])
    before = _digest(database(home.path), 20)

    made = _backup(home.path)
    drained(home.path, EVENTS[20:])

    assert (made.seq, _digest(made.path, 20)) == (20, before)
    assert _digest(database(home.path), 20) == before


def test_a_restore_replays_what_came_after_the_backup(home: Home) -> None:
    drained(home.path, EVENTS[:20])
    _backup(home.path)
    drained(home.path, EVENTS[20:])
    before = _digest(database(home.path), 40)

    _restored(home.path)

    assert _digest(database(home.path), 40) == before
    assert troubles(home.path, "main", EXPECTED) == []


def test_an_exact_restore_replays_nothing(home: Home) -> None:
    drained(home.path, EVENTS[:20])
    _backup(home.path)
    drained(home.path, EVENTS[20:])

    _restored(home.path, exact=True)

    assert keys(bodies(home.path)) == EXPECTED[:20]
    assert mark(home.path) == head(home.path)


def test_what_an_exact_restore_left_out_stays_out_when_the_transcript_is_damaged(
    home: Home,
) -> None:
    drained(home.path, EVENTS[:20])
    _backup(home.path)
    drained(home.path, EVENTS[20:30])
    _restored(home.path, exact=True)
    drained(home.path, EVENTS[30:34])

    database(home.path).write_bytes(b"no database at all " * 1000)
    with opened(home.path) as app:
        app.status()

    assert keys(bodies(home.path)) == EXPECTED[:20] + EXPECTED[30:34]


def test_what_was_erased_after_an_exact_restore_is_what_was_meant(home: Home) -> None:
    drained(home.path, EVENTS[:20])
    _backup(home.path)
    drained(home.path, EVENTS[20:30])
    with opened(home.path) as app:
        erased(app, "main", matching=f"{EXPECTED[24]} ")
    _restored(home.path, exact=True)
    drained(home.path, EVENTS[30:])

    _restored(home.path)

    assert set(EXPECTED[30:]) <= set(keys(bodies(home.path)))


def test_what_was_erased_after_a_backup_stays_erased_when_it_is_restored(home: Home) -> None:
    drained(home.path, EVENTS[:20])
    made = _backup(home.path)
    own = shutil.copy(made.path, home.scratch / "own.db")
    with opened(home.path) as app:
        erased(app, "main", matching=f"{EXPECTED[8]} ")

    _restored(home.path, str(own))

    assert keys(bodies(home.path)) == EXPECTED[:8] + EXPECTED[9:20]
    assert [row[0] for row in rows(database(home.path))["tombstones"]] == [9]


def test_what_was_erased_long_ago_stays_erased_when_an_old_file_is_restored(home: Home) -> None:
    drained(home.path, EVENTS[:20], NOW_NS)
    made = _backup(home.path)
    own = shutil.copy(made.path, home.scratch / "own.db")
    with opened(home.path, lambda: NOW_NS + DAY_NS) as app:
        erased(app, "main", matching=f"{EXPECTED[8]} ")
    for day in (2, 3, 4):  # each backup lets go the segments that the one before covers
        drained(home.path, EVENTS[day * 5 + 10 : day * 5 + 15], NOW_NS + day * DAY_NS)
        _backup(home.path, NOW_NS + day * DAY_NS)

    _restored(home.path, str(own))

    assert EXPECTED[8] not in keys(bodies(home.path))


def test_as_many_backups_are_kept_as_the_settings_say(home: Home) -> None:
    drained(home.path, EVENTS)
    (home.path / "config.toml").write_text("[backup]\nkeep = 3\n", encoding="utf-8")

    made = [_backup(home.path, NOW_NS + number * DAY_NS).path for number in range(5)]

    kept = sorted((home.path / "backups" / "main").iterdir())
    assert kept == made[-3:]


def test_a_backup_leaves_the_segments_until_an_earlier_one_covers_them(home: Home) -> None:
    days = []
    for day in range(3):
        drained(home.path, EVENTS[day * 10 : day * 10 + 10], NOW_NS + day * DAY_NS)
        _backup(home.path, NOW_NS + day * DAY_NS)
        days.append(min(line["seq"] for line in segment_lines(home.path)))

    assert days == [1, 11, 21]


def test_segments_that_a_damaged_backup_covered_stay(home: Home) -> None:
    drained(home.path, EVENTS[:10], NOW_NS)
    first = _backup(home.path, NOW_NS)
    drained(home.path, EVENTS[10:20], NOW_NS + DAY_NS)
    first.path.write_bytes(first.path.read_bytes()[:-5000])

    _backup(home.path, NOW_NS + DAY_NS)

    assert sorted(line["seq"] for line in segment_lines(home.path)) == list(range(1, 21))


def test_without_a_name_the_newest_backup_that_verifies_is_restored(home: Home) -> None:
    drained(home.path, EVENTS[:20])
    _backup(home.path)
    drained(home.path, EVENTS[20:])
    newest = _backup(home.path, NOW_NS + DAY_NS)
    newest.path.write_bytes(newest.path.read_bytes()[:-5000])

    _restored(home.path)

    assert troubles(home.path, "main", EXPECTED) == []


def test_a_damaged_backup_is_refused_and_the_transcript_left_as_it_is(home: Home) -> None:
    drained(home.path, EVENTS)
    made = _backup(home.path)
    content = bytearray(made.path.read_bytes())
    content[content.index(b"nobody looks") + 3] ^= 1
    made.path.write_bytes(content)
    before = database(home.path).read_bytes()

    with pytest.raises(StoreDamaged):
        _restored(home.path, made.path.name)

    assert database(home.path).read_bytes() == before


def test_a_damaged_transcript_is_not_backed_up(home: Home) -> None:
    drained(home.path, EVENTS)
    content = bytearray(database(home.path).read_bytes())
    content[content.index(b"nobody looks") + 3] ^= 1
    database(home.path).write_bytes(content)

    with pytest.raises(StoreDamaged, match="`tacit"):
        _backup(home.path)

    assert list((home.path / "backups" / "main").iterdir()) == []


def test_a_backup_before_the_first_event_is_refused_in_a_sentence(home: Home) -> None:
    with opened(home.path) as app, pytest.raises(NotFound, match=r"nothing to back up\.$"):
        app.backup("main")

    assert not (home.path / "groups").exists()


def test_a_backup_killed_wherever_it_matters_leaves_no_half_of_it(home: Home) -> None:
    drained(home.path, EVENTS)
    whole = run("backup", shutil.copytree(home.path, home.scratch / "whole"), 0)

    wrong = {}
    for last in whole.points(10):
        copy = shutil.copytree(home.path, home.scratch / "copy")
        run("backup", copy, last)
        with opened(copy) as app:
            sizes = [each.seq for each in app.backups("main")]
            app.backup("main")
        left = [each.name for each in (copy / "backups" / "main").iterdir()]
        if set(sizes) - {40} or not all(name.endswith(".db") for name in left):
            wrong[last] = (sizes, left)
        shutil.rmtree(copy)

    assert wrong == {}
