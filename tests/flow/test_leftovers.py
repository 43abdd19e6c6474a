"""Files that killed programs leave half-written are removed; those of live hooks are not."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from flow.keeping import tacit
from rig import needed, only_linux

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

pytestmark = only_linux

DRAINING = (("sessions",), ("status",), ("list",), ("search", "anything"), ("brief",))


def _hook_with(home: Home, fault: str) -> subprocess.Popen[bytes]:
    """Start the real hook so that its first fsync, before the rename, meets a signal."""
    assert home.hook("Stop", {}).code == 0  # the home is there: what is synced first is the event
    tracing = [needed("strace"), "-f", "-o", str(home.scratch / "trace"), f"--inject={fault}"]
    process = subprocess.Popen(
        [*tracing, *home.program("Stop")], stdin=subprocess.PIPE, cwd=home.project
    )
    assert process.stdin is not None
    process.stdin.write(home.payload("Stop", text="half of it"))
    process.stdin.close()
    return process


def _killed(home: Home) -> Path:
    """Kill a hook between creating its file and renaming it; return the file, an hour old."""
    _hook_with(home, "fsync:signal=KILL:when=1").wait()
    (left,) = (home.path / "spool" / "tmp").iterdir()
    return _aged(left)


def _aged(file: Path) -> Path:
    """Return a file as if it had been written long ago."""
    os.utime(file, (1_000_000_000, 1_000_000_000))
    return file


def _half_written(home: Home) -> list[Path]:
    """Return what a killed program leaves of files that are replaced, in all our directories."""
    dead = subprocess.Popen(["true"])
    dead.wait()
    places = ("", "logs", "spool", "spool/bad", "spool/done/main", "groups/main")
    files = [home.path / place / f".some.file.{dead.pid}.0123abcd" for place in places]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_bytes(b"half")
        _aged(file)
    return files


@pytest.mark.parametrize("verb", DRAINING, ids=lambda verb: verb[0])
def test_a_draining_command_removes_what_a_killed_hook_left(
    home: Home, verb: tuple[str, ...]
) -> None:
    left = _killed(home)

    ended = tacit(home.path, *verb)

    assert (ended.returncode, left.exists()) == (0, False)


def test_a_draining_command_removes_half_written_files(home: Home) -> None:
    assert home.hook("Stop", {}).code == 0
    tacit(home.path, "sessions")
    left = _half_written(home)

    ended = tacit(home.path, "sessions")

    assert (ended.returncode, [file for file in left if file.exists()]) == (0, [])


def test_the_daemon_removes_what_killed_programs_left(home: Home) -> None:
    with Daemons(home) as daemons:
        daemons.start()
        left = [_killed(home), *_half_written(home)]

        until(lambda: not any(file.exists() for file in left), "clean directories", 30)


def test_the_file_of_a_live_hook_is_left_alone(home: Home) -> None:
    process = _hook_with(home, "fsync:signal=STOP:when=1")
    temporary = home.path / "spool" / "tmp"
    until(lambda: any(file.stat().st_size for file in temporary.iterdir()), "its file")
    (file,) = temporary.iterdir()
    _aged(file)
    before = len(home.spooled)

    verbs = [tacit(home.path, *verb).returncode for verb in (("sessions",), ("status",))]
    is_there = file.exists()
    os.kill(int(file.name.split("-")[2]), signal.SIGCONT)
    process.wait()

    assert (verbs, is_there) == ([0, 0], True)
    assert (before, len(home.spooled), file.exists()) == (1, 1, False)
