"""Files that are deleted, renamed or replaced under a program that goes on taking events in.

It is noticed before anything is written: the orphan stays as it was, byte for byte, and every event
is in the transcript that lies where it should.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from flow.dying import command
from flow.keeping import (
    bodies,
    database,
    drained,
    keys,
    opened,
    said,
    spool,
    tacit,
    troubles,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rig import Home

EVENTS = [said(number) for number in range(40)]
EXPECTED = [each.key for each in EVENTS]
SUFFIXES = ("", "-wal", "-shm")


def _with(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)


def _lost_log(file: Path, _aside: Path) -> None:
    _with(file, "-wal").unlink()


def _lost_both(file: Path, _aside: Path) -> None:
    _with(file, "-wal").unlink()
    _with(file, "-shm").unlink()


def _renamed(file: Path, aside: Path) -> None:
    file.rename(aside / "renamed.db")


def _moved(file: Path, aside: Path) -> None:
    for suffix in SUFFIXES:
        _with(file, suffix).rename(_with(aside / "moved.db", suffix))


def _deleted(file: Path, _aside: Path) -> None:
    for suffix in SUFFIXES:
        _with(file, suffix).unlink()


def _by_older(file: Path, aside: Path) -> None:
    (aside / "older.db").rename(file)


def _by_foreign(file: Path, aside: Path) -> None:
    _deleted(file, aside)
    (aside / "foreign.db").rename(file)


def _by_garbage(file: Path, aside: Path) -> None:
    (aside / "garbage").write_bytes(b"no database at all " * 1000)
    (aside / "garbage").rename(file)


def _by_nothing(file: Path, aside: Path) -> None:
    (aside / "nothing").touch()
    (aside / "nothing").rename(file)


LOG_ONLY = (_lost_log, _lost_both)
SWAPS: dict[str, Callable[[Path, Path], None]] = {
    "its log deleted": _lost_log,
    "its log and shared memory deleted": _lost_both,
    "renamed": _renamed,
    "moved away with its log": _moved,
    "deleted with its log": _deleted,
    "replaced by an older copy": _by_older,
    "replaced by another transcript": _by_foreign,
    "replaced by garbage": _by_garbage,
    "replaced by an empty file": _by_nothing,
}


def _prepared(home: Home) -> Path:
    """Return a directory with an older copy of the transcript and one of another home."""
    aside = home.scratch / "aside"
    aside.mkdir()
    other = home.scratch / "other"
    drained(other, [said(number, text=f"strange {number}") for number in range(60)])
    shutil.copy(database(other), aside / "foreign.db")
    drained(home.path, EVENTS[:10])
    shutil.copy(database(home.path), aside / "older.db")
    return aside


def _linked(file: Path, aside: Path, suffixes: tuple[str, ...]) -> dict[str, Path]:
    """Return second names for files in use, so that what becomes of them can be read."""
    names = {suffix: _with(aside / "linked", suffix) for suffix in suffixes}
    for suffix, name in names.items():
        os.link(_with(file, suffix), name)
    return names


def _is_at_its_place(file: Path, name: Path) -> bool:
    return file.exists() and file.samefile(name)


@pytest.mark.parametrize("swap", SWAPS.values(), ids=SWAPS.keys())
def test_a_transcript_swapped_under_a_live_program_loses_nothing(
    home: Home, swap: Callable[[Path, Path], None]
) -> None:
    aside = _prepared(home)
    file = database(home.path)
    spool(home.path, EVENTS[10:20])
    with opened(home.path) as app:
        app.drain(seconds=None)
        app.backup("main")
        spool(home.path, EVENTS[20:30])
        app.drain(seconds=None)

        swap(file, aside)
        spool(home.path, EVENTS[30:])
        app.drain(seconds=None)

    assert troubles(home.path, "main", EXPECTED) == []


@pytest.mark.parametrize("swap", SWAPS.values(), ids=SWAPS.keys())
def test_nothing_is_written_to_an_orphan(home: Home, swap: Callable[[Path, Path], None]) -> None:
    aside = _prepared(home)
    file = database(home.path)
    spool(home.path, EVENTS[10:30])
    with opened(home.path) as app:
        app.drain(seconds=None)
        linked = _linked(file, aside, ("-wal",) if swap in LOG_ONLY else ("", "-wal"))
        before = {suffix: name.read_bytes() for suffix, name in linked.items()}

        swap(file, aside)
        orphans = [each for each in linked if not _is_at_its_place(_with(file, each), linked[each])]
        spool(home.path, EVENTS[30:])
        app.drain(seconds=None)

    assert orphans
    assert [each for each in orphans if linked[each].read_bytes() != before[each]] == []


def test_a_program_that_was_refused_once_goes_on_when_all_is_well_again(home: Home) -> None:
    aside = _prepared(home)
    (home.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    with opened(home.path) as app:
        app.drain(seconds=None)
        app.backup("main")
        _by_garbage(database(home.path), aside)
        spool(home.path, EVENTS[10:20])

        refused = [app.drain(seconds=None).waiting for _ in range(2)]
        ended = tacit(home.path, "restore", "--yes")
        app.drain(seconds=None)

    assert refused == [10, 10]
    assert ended.returncode == 0, ended.stderr
    assert keys(bodies(home.path)) == EXPECTED[:20]


def test_a_swap_is_told(home: Home) -> None:
    aside = _prepared(home)
    with opened(home.path) as app:
        app.drain(seconds=None)

        _by_garbage(database(home.path), aside)
        spool(home.path, EVENTS[10:20])
        app.drain(seconds=None)

        assert "recovered" in str(app.status().groups[0].recovered)


def test_two_programs_lose_nothing_when_the_shared_memory_is_deleted_between_them(
    home: Home,
) -> None:
    spool(home.path, EVENTS[:10])
    with opened(home.path) as app:
        app.drain(seconds=None)
        _with(database(home.path), "-shm").unlink()
        spool(home.path, EVENTS[10:25])
        subprocess.run(command("drain", home.path), check=True, capture_output=True)

        spool(home.path, EVENTS[25:])
        app.drain(seconds=None)

    assert troubles(home.path, "main", EXPECTED) == []


def test_another_program_restores_while_one_goes_on_taking_in(home: Home) -> None:
    spool(home.path, EVENTS[:10])
    with opened(home.path) as app:
        app.drain(seconds=None)
        app.backup("main")
        spool(home.path, EVENTS[10:20])
        app.drain(seconds=None)

        ended = tacit(home.path, "restore", "--yes")
        spool(home.path, EVENTS[20:])
        app.drain(seconds=None)

    assert ended.returncode == 0, ended.stderr
    assert troubles(home.path, "main", EXPECTED) == []
