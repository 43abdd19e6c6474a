"""A transcript that is damaged while nothing happens: the daemon finds it at its next look.

It is recovered, or told where recovery is off, as if an event had met the damage.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from flow.daemons import CHECKING, Daemons, until
from flow.keeping import (
    DAY_NS,
    NOW_NS,
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
from rig import only_linux

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rig import Home

pytestmark = only_linux

PAGE = 4096
EVENTS = [said(number) for number in range(60)]
EXPECTED = [each.key for each in EVENTS]
LATER = [said(number) for number in range(60, 64)]
AUTO_OFF = "[recovery]\nauto = false\n"


def _overwrite(file: Path, place: int, text: bytes) -> None:
    """Change a file in its place, as a failing disk or another program does."""
    with file.open("r+b") as opened_file:
        opened_file.seek(place)
        opened_file.write(text)


def _flip_a_body(file: Path, _aside: Path) -> None:
    text = file.read_bytes()
    place = text.index(b"main-00007 the quick")
    _overwrite(file, place, bytes([text[place] ^ 1]))


def _flip_a_body_keeping_its_time(file: Path, aside: Path) -> None:
    found = file.stat()
    _flip_a_body(file, aside)
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))


def _zero_a_page(file: Path, _aside: Path) -> None:
    _overwrite(file, 3 * PAGE, bytes(PAGE))


def _ruin_the_header(file: Path, _aside: Path) -> None:
    _overwrite(file, 0, b"no database at all ")


def _cut(file: Path, _aside: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _cut_to_nothing(file: Path, _aside: Path) -> None:
    os.truncate(file, 0)


def _replace_by_garbage(file: Path, aside: Path) -> None:
    (aside / "garbage").write_bytes(b"no database at all " * 1000)
    (aside / "garbage").rename(file)


def _replace_by_older(file: Path, aside: Path) -> None:
    (aside / "older.db").rename(file)


def _replace_by_damaged(file: Path, aside: Path) -> None:
    shutil.copy(file, aside / "damaged.db")
    _flip_a_body(aside / "damaged.db", aside)
    (aside / "damaged.db").rename(file)


def _delete(file: Path, _aside: Path) -> None:
    file.unlink()


DAMAGES: dict[str, Callable[[Path, Path], None]] = {
    "a flipped bit": _flip_a_body,
    "a flipped bit, its time kept": _flip_a_body_keeping_its_time,
    "a page of zeroes": _zero_a_page,
    "no header": _ruin_the_header,
    "cut": _cut,
    "cut to nothing": _cut_to_nothing,
    "replaced by garbage": _replace_by_garbage,
    "replaced by an older copy": _replace_by_older,
    "replaced by a damaged copy": _replace_by_damaged,
    "deleted": _delete,
}


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    """Return the daemons of a home with 60 events, 40 of them in a backup, and an older copy."""
    drained(home.path, EVENTS[:40], NOW_NS)
    with opened(home.path, lambda: NOW_NS) as app:
        app.backup("main")
    (home.scratch / "aside").mkdir()
    shutil.copy(database(home.path), home.scratch / "aside" / "older.db")
    drained(home.path, EVENTS[40:], NOW_NS + DAY_NS)
    with Daemons(home) as started:
        yield started


def _start(daemons: Daemons) -> None:
    """Start one that looks often, and wait until it has looked once."""
    backups = daemons.home.path / "backups" / "main"
    before = len(list(backups.iterdir()))
    daemons.child("-c", CHECKING, str(daemons.home.path))
    until(lambda: len(list(backups.iterdir())) > before, "its first chores, which make a backup")


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_is_found_and_recovered_without_any_event(
    daemons: Daemons, damage: Callable[[Path, Path], None]
) -> None:
    home = daemons.home
    _start(daemons)

    damage(database(home.path), home.scratch / "aside")
    until(lambda: "recovered" in daemons.events(), "the recovery")
    status = tacit(home.path, "status")

    (line,) = [each for each in daemons.log() if each["event"] == "recovered"]
    assert (line["group"], line["lost"]) == ("main", 0)
    assert "recovery    main: recovered" in status.stdout
    assert "nothing lost" in status.stdout
    assert troubles(home.path, "main", EXPECTED) == []


def test_where_recovery_is_off_it_is_told_until_it_is_restored(daemons: Daemons) -> None:
    home = daemons.home
    (home.path / "config.toml").write_text(AUTO_OFF, encoding="utf-8")
    _start(daemons)

    _flip_a_body(database(home.path), home.scratch / "aside")
    until(lambda: "check failed" in daemons.events(), "a line in the log")
    doctor, status = tacit(home.path, "doctor", "--json"), tacit(home.path, "status")
    restored = tacit(home.path, "restore", "--yes")
    after = tacit(home.path, "status")

    (check,) = [each for each in json.loads(doctor.stdout) if each["name"] == "group main"]
    assert (check["is_fine"], check["fix"]) == (False, "tacit restore --group main")
    assert "is damaged: Event 8 is not what was written." in check["text"]
    assert "Run `tacit restore --group main`" in status.stdout
    assert daemons.told()["last_failure"] == "StoreDamaged"
    assert restored.returncode == 0, restored.stderr
    assert "is damaged" not in after.stdout
    assert [each["event"] for each in daemons.log()].count("check failed") == 1
    assert troubles(home.path, "main", EXPECTED) == []


def test_what_cannot_be_recovered_is_told_once_and_the_daemon_goes_on(daemons: Daemons) -> None:
    home = daemons.home
    _start(daemons)
    for place in (home.path / "backups" / "main", home.path / "spool" / "done" / "main"):
        shutil.rmtree(place)
        place.mkdir(mode=0o700)

    _flip_a_body(database(home.path), home.scratch / "aside")
    until(lambda: "check failed" in daemons.events(), "a line in the log")
    spool(home.path, LATER)
    until(lambda: home.spooled == [], "what comes later")
    status = tacit(home.path, "status")

    assert "`tacit restore FILE` takes a backup of yours" in status.stdout
    assert keys(bodies(home.path))[60:] == [each.key for each in LATER]
    assert not {"died", "recovered"} & set(daemons.events())


def test_what_other_programs_write_is_no_damage(daemons: Daemons) -> None:
    home = daemons.home
    _start(daemons)

    for number in range(3):
        spool(home.path, LATER[number : number + 1])
        tacit(home.path, "remember", f"The {number}. lighthouse is painted white.")
    until(lambda: home.spooled == [], "an empty spool")
    before = daemons.told()["beat_ns"]
    until(lambda: daemons.told()["beat_ns"] > before, "more work")

    assert not {"check failed", "recovered"} & set(daemons.events())


@pytest.mark.long
def test_an_idle_daemon_finds_damage_within_its_usual_minute(daemons: Daemons) -> None:
    home = daemons.home
    daemons.start()
    until(lambda: "backup" in daemons.events(), "its first chores")

    _flip_a_body(database(home.path), home.scratch / "aside")

    until(lambda: "recovered" in daemons.events(), "the recovery", patience=75)
    assert troubles(home.path, "main", EXPECTED) == []
