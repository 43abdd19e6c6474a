"""The lock of a daemon: the only one of its home, for as long as its holder lives."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tacit.capture import wake
from tacit.capture.state import Refused
from tacit.daemon import hold

if TYPE_CHECKING:
    from rig import Home

HOLDER = """
import fcntl, sys
lock = open(sys.argv[1], "w", encoding="utf-8")
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def taken(root: int) -> int:
    """Take the lock, which must be free."""
    held = hold.take(root)
    assert held is not None
    return held


def test_the_lock_of_a_home_can_be_taken_once(root: int) -> None:
    held = taken(root)

    second = hold.take(root)
    os.close(held)

    assert second is None


def test_whoever_holds_it_is_seen_to_run(root: int) -> None:
    held = taken(root)

    while_held = wake.is_running(root)
    os.close(held)

    assert (while_held, wake.is_running(root)) == (True, False)


def test_what_was_let_go_can_be_taken_again(root: int) -> None:
    os.close(taken(root))

    again = hold.take(root)

    assert again is not None
    os.close(again)


def test_somebody_who_only_looks_for_an_instant_does_not_keep_it(home: Home, root: int) -> None:
    os.close(taken(root))
    looking = os.open(home.path / "daemon.lock", os.O_RDWR)
    fcntl.flock(looking, fcntl.LOCK_SH)
    done = threading.Timer(0.05, os.close, (looking,))
    done.start()

    held = hold.take(root)
    done.join()

    assert held is not None
    os.close(held)


def test_a_holder_that_was_killed_is_no_obstacle(home: Home, root: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", HOLDER, str(home.path / "daemon.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        while_alive = hold.take(root)
        holder.kill()

    held = hold.take(root)

    assert (while_alive, held is None) == (None, False)
    os.close(held or 0)


def test_the_lock_is_not_left_to_programs_that_its_holder_starts(root: int) -> None:
    held = taken(root)

    is_left = os.get_inheritable(held)
    os.close(held)

    assert is_left is False


def test_nothing_stays_open_when_another_has_it(root: int) -> None:
    held = taken(root)
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208  (a count of names)

    hold.take(root)

    after = len(os.listdir("/dev/fd"))  # noqa: PTH208
    os.close(held)
    assert after == before


def test_a_link_in_the_place_of_the_lock_is_refused(home: Home, root: int) -> None:
    (home.path / "real").touch()
    os.link(home.path / "real", home.path / "daemon.lock")

    with pytest.raises(Refused):
        hold.take(root)
