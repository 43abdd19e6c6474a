"""The key of a home: one for all who ask, however many ask first."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import termios
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tacit.capture import intake, state

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

TOLD = "Vq7-tulip-Lamp42"
CROWD = 8


def run_together(home: Home, count: int) -> None:
    """Run so many hooks, each with the same secret; let go when all of them are reading."""
    payload = home.payload("Stop", last_assistant_message=f"The staging password is {TOLD}.")
    pipes = [os.pipe() for _ in range(count)]
    hooks = [subprocess.Popen(home.command("Stop"), stdin=reading) for reading, _ in pipes]
    for _, writing in pipes:
        os.write(writing, payload)
    for reading, writing in pipes:
        wait_until_read(writing)
        os.close(reading)
    for _, writing in pipes:
        os.close(writing)
    for hook in hooks:
        hook.wait(timeout=20)


def wait_until_read(pipe: int) -> None:
    """Wait until nothing is left in the pipe."""
    until = time.monotonic() + 10
    while int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder):
        assert time.monotonic() < until, "the hook does not read"
        time.sleep(0.005)


def marks(home: Home) -> list[bytes]:
    """Return what stands in the place of the secret, event by event."""
    return [entry.payload.partition(b"[redacted:")[2].partition(b"]")[0] for entry in home.entries]


def ask_at_once(path: Path) -> list[bytes]:
    """Let many threads ask for the key of a new home at once; return what each got."""
    root = state.open_home(str(path))
    start = threading.Barrier(CROWD, timeout=10)
    found: list[bytes] = []

    def ask() -> None:
        start.wait()
        found.append(intake.key(root))

    threads = [threading.Thread(target=ask) for _ in range(CROWD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os.close(root)
    return found


def test_the_key_is_made_once(root: int) -> None:
    first = intake.key(root)

    second = intake.key(root)

    assert (len(first), second) == (32, first)


def test_the_key_is_for_its_owner_alone(home: Home, root: int) -> None:
    os.umask(0)

    intake.key(root)

    assert (home.path / "redaction.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("broken", [b"", b"short", b"x" * 33])
def test_a_key_that_is_cut_off_is_made_anew(broken: bytes, root: int) -> None:
    state.replace(root, "redaction.key", broken)

    made = intake.key(root)

    assert (len(made), intake.key(root)) == (32, made)


def test_homes_have_different_keys(root: int, tmp_path: Path) -> None:
    other = state.open_home(str(tmp_path / "other"))

    keys = {intake.key(root), intake.key(other)}
    os.close(other)

    assert len(keys) == 2


def test_hooks_that_start_together_on_a_new_home_use_one_key(home: Home) -> None:
    run_together(home, CROWD)

    found = marks(home)

    assert (len(found), len(set(found)), b"" in found) == (CROWD, 1, False)


def test_threads_that_ask_together_get_one_key(tmp_path: Path) -> None:
    homes = [tmp_path / str(number) for number in range(25)]

    found = [ask_at_once(path) for path in homes]

    assert [(len(keys), len(set(keys))) for keys in found] == [(CROWD, 1)] * len(homes)


def test_a_hook_replaces_a_broken_key_and_redacts(home: Home) -> None:
    home.path.mkdir()
    (home.path / "redaction.key").write_bytes(b"short")

    home.hook("Stop", {"last_assistant_message": f"The staging password is {TOLD}."})

    key = (home.path / "redaction.key").read_bytes()
    assert (len(key), TOLD.encode() in home.bytes_on_disk(), len(home.entries)) == (32, False, 1)
