"""Starting and stopping the daemon of a home: one, healthy when said so, and gone when said so."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tacit.capture import wake
from tacit.daemon import control, hold
from tacit.daemon.pulse import Pulse, health
from tacit.errors import DaemonSilent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back from the home, into which starting leads."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def place(home: Home) -> Iterator[str]:
    """Return the home's path; no daemon of it outlives the test, nor what is left of one."""
    yield str(home.path)
    with suppress(FileNotFoundError, ChildProcessError):  # none was started, or none is left
        pid = json.loads((home.path / "daemon.json").read_bytes())["pid"]
        if os.waitpid(pid, os.WNOHANG) == (0, 0):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


@pytest.fixture
def held(root: int) -> Iterator[None]:
    """Hold the lock of the home, as a daemon does."""
    descriptor = hold.take(root)
    assert descriptor is not None
    yield
    os.close(descriptor)


def test_a_daemon_is_started_and_healthy(root: int, place: str) -> None:
    found, is_new = control.start(root, place)

    assert (found.state, is_new, wake.is_running(root)) == ("healthy", True, True)


def test_a_daemon_that_runs_is_left_alone(root: int, place: str) -> None:
    first, _ = control.start(root, place)

    second, is_new = control.start(root, place)

    assert (second.pid, is_new) == (first.pid, False)


def test_one_that_ends_at_once_is_not_waited_for(
    root: int, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wake, "command", lambda _home, _interpreter: ["/bin/false"])

    with pytest.raises(DaemonSilent, match="did not start"):
        control.start(root, place, patience=3600)

    assert os.wait()[1] != 0


def test_a_daemon_is_stopped(home: Home, root: int, place: str) -> None:
    control.start(root, place)

    was_running = control.stop(root)

    assert (was_running, health(root).state) == (True, "stopped")
    assert (home.path / "daemon.sock").exists() is False


def test_a_daemon_may_be_started_and_stopped_again(root: int, place: str) -> None:
    first, _ = control.start(root, place)
    control.stop(root)
    os.waitpid(first.pid or 0, 0)

    second, is_new = control.start(root, place)

    assert (is_new, second.pid != first.pid) == (True, True)


def test_where_none_runs_there_is_none_to_stop(root: int) -> None:
    assert control.stop(root) is False


def test_a_daemon_that_does_not_listen_is_killed(root: int, place: str) -> None:
    found, _ = control.start(root, place)
    os.kill(found.pid or 0, signal.SIGSTOP)

    was_running = control.stop(root, patience=0.2)

    assert (was_running, wake.is_running(root)) == (True, False)


def test_hooks_may_start_it_from_now_on_and_not_when_it_was_stopped(
    home: Home, root: int, place: str
) -> None:
    stopped = home.path / "daemon.stopped"
    control.stop(root)
    before = stopped.exists()
    control.start(root, place)
    started = stopped.exists()

    control.stop(root)

    assert (before, started, stopped.exists()) == (True, False, True)


def test_one_that_is_woken_after_it_was_stopped_ends_at_once(home: Home, root: int) -> None:
    control.stop(root)

    woken = subprocess.run(
        wake.command(str(home.path), sys.executable), cwd=home.project, timeout=60, check=False
    )

    assert (woken.returncode, wake.is_running(root)) == (0, False)
    assert not (home.path / "daemon.json").exists()


def test_one_that_is_woken_where_the_home_is_gone_makes_none(home: Home) -> None:
    woken = subprocess.run(
        wake.command(str(home.path), sys.executable), cwd=home.project, timeout=60, check=False
    )

    assert (woken.returncode, home.path.exists()) == (0, False)


def test_the_command_runs_this_installation_whatever_lies_around(home: Home) -> None:
    (home.project / "tacit.py").write_text("raise SystemExit(9)", encoding="utf-8")

    words = wake.command(str(home.path), sys.executable)

    ended = subprocess.run([*words, "--help"], cwd=home.project, capture_output=True, check=False)

    assert (words[0], ended.returncode) == (sys.executable, 0)


def test_a_daemon_that_does_not_start_is_told(home: Home, root: int, place: str) -> None:
    (home.path / "logs").write_text("in the way", encoding="utf-8")

    with pytest.raises(DaemonSilent):
        control.start(root, place, patience=1.0)


@pytest.mark.usefixtures("held")
def test_a_daemon_that_does_not_say_who_it_is_cannot_be_stopped(root: int) -> None:
    with pytest.raises(DaemonSilent):
        control.stop(root, patience=0.1)


@pytest.mark.usefixtures("held")
def test_a_pid_of_a_daemon_long_gone_is_no_mishap(home: Home, root: int) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    Pulse(root).tell()
    told = json.loads((home.path / "daemon.json").read_bytes()) | {"pid": gone.pid}
    (home.path / "daemon.json").write_text(json.dumps(told), encoding="utf-8")

    with pytest.raises(DaemonSilent):
        control.stop(root, patience=0.1)
