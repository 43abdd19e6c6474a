"""The lock: held by one at a time, waited for no longer than said, freed by its holder's death."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tacit.transcript import lock
from unit.transcript.events import descriptors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home

HOLDER = """
import sys
from pathlib import Path
from tacit.transcript import lock
with lock.held(Path(sys.argv[1]), seconds=5) as is_held:
    print(is_held, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def made(home: Home) -> None:
    """Let the home be there."""
    home.path.mkdir(mode=0o700)


@contextmanager
def another_holder(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Let another process hold the lock of a home."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        yield holder
        holder.kill()


def test_a_free_lock_is_had_at_once(home: Home) -> None:
    with lock.held(home.path, seconds=0) as is_held:
        pass

    assert is_held


def test_a_lock_that_another_process_holds_is_not_had(home: Home) -> None:
    with another_holder(home.path), lock.held(home.path, seconds=0) as is_held:
        pass

    assert not is_held


def test_a_lock_that_this_process_holds_elsewhere_is_not_had(home: Home) -> None:
    with lock.held(home.path, seconds=0), lock.held(home.path, seconds=0) as is_held:
        pass

    assert not is_held


def test_a_held_lock_is_waited_for_as_long_as_said(home: Home) -> None:
    with lock.held(home.path, seconds=0):
        started = time.monotonic()
        with lock.held(home.path, seconds=0.1):
            waited = time.monotonic() - started

    assert waited >= 0.1


def test_a_lock_is_had_as_soon_as_its_holder_is_killed(home: Home) -> None:
    with another_holder(home.path) as holder:
        holder.kill()

        with lock.held(home.path, seconds=5) as is_held:
            pass

    assert is_held


def test_a_lock_is_free_again_after_an_error(home: Home) -> None:
    with pytest.raises(ZeroDivisionError), lock.held(home.path, seconds=0):
        raise ZeroDivisionError

    with lock.held(home.path, seconds=0) as is_held:
        pass

    assert is_held


def test_a_lock_that_was_not_had_does_not_free_that_of_its_holder(home: Home) -> None:
    with lock.held(home.path, seconds=0):
        with lock.held(home.path, seconds=0):
            pass

        with lock.held(home.path, seconds=0) as is_held:
            pass

    assert not is_held


def test_a_lock_that_was_let_go_keeps_no_descriptor_open(home: Home) -> None:
    before = descriptors()

    with lock.held(home.path, seconds=0):
        pass

    assert descriptors() == before


def test_a_lock_that_is_a_link_is_refused(home: Home) -> None:
    (home.path / "ingest.lock").symlink_to(home.project / "elsewhere")

    with pytest.raises(OSError, match="symbolic links"), lock.held(home.path, seconds=0):
        pass

    assert not (home.project / "elsewhere").exists()


def test_a_home_that_was_deleted_is_not_made_again(home: Home) -> None:
    home.path.rmdir()

    with pytest.raises(FileNotFoundError), lock.held(home.path, seconds=0):
        pass

    assert not home.path.exists()
