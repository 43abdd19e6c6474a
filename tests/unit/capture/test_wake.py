"""Waking the daemon: one process, at most once a minute, detached, and never two."""

from __future__ import annotations

import fcntl
import json
import os
import posix
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tacit.capture import state
from tacit.capture.wake import command, failed, is_running, wake, worked
from tacit.install.command import packages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home

MINUTE_NS = 60 * 1_000_000_000
VARIABLES = """
ANTHROPIC_API_KEY CLAUDECODE HOME PATH USER LOGNAME LANG TZ TMPDIR XDG_DATA_HOME XDG_RUNTIME_DIR
TACIT_HOME PYTHONPATH PYTHONSTARTUP PYTHONEXECUTABLE __PYVENV_LAUNCHER__ OPENSSL_CONF
LD_LIBRARY_PATH
""".split()

DAEMON = """
import json, os, sys
def is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False
devices = [os.fstat(number).st_rdev for number in range(3)]
told = {"pid": os.getpid(), "session": os.getsid(0), "environment": dict(os.environ),
        "devices": devices, "arguments": sys.argv[2:], "cwd": os.getcwd(),
        "inherited": [number for number in range(3, 256) if is_open(number)]}
with open(sys.argv[1] + "/" + str(os.getpid()) + ".part", "w", encoding="utf-8") as file:
    json.dump(told, file)
os.rename(file.name, file.name.removesuffix(".part") + ".json")
"""

HOLDER = """
import fcntl, sys
lock = open(sys.argv[1], "w", encoding="utf-8")
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


class Recorder:
    """A daemon's program that writes down how it was started."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        directory.mkdir()
        script = directory / "daemon.py"
        script.write_text(DAEMON, encoding="utf-8")
        self.command = [sys.executable, "-I", "-S", str(script), str(directory), "an argument"]

    def starts(self, count: int) -> list[dict[str, Any]]:
        """Wait for so many starts; return what each wrote down."""
        until = time.monotonic() + 10
        while len(files := sorted(self._directory.glob("*.json"))) < count:
            assert time.monotonic() < until, f"{len(files)} starts instead of {count}"
            time.sleep(0.005)
        told = [json.loads(file.read_text(encoding="utf-8")) for file in files]
        for start in told:
            _reap(start["pid"])
        return told


def _reap(pid: int) -> None:
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:  # reaped before
        return


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back from the home, into which waking leads."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder(tmp_path / "recorder")


@pytest.fixture
def held_lock(home: Home, root: int) -> Iterator[None]:
    """Let another process hold the daemon's lock."""
    del root  # the home exists
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", HOLDER, str(home.path / "daemon.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        holder.stdout.readline()
        yield
        holder.stdin.close()


def stamp(home: Home, age_ns: int) -> None:
    """Let the last try be so old."""
    when = time.time_ns() - age_ns
    (home.path / "daemon.tried").write_bytes(b"tried\n")
    os.utime(home.path / "daemon.tried", ns=(when, when))


def test_the_daemon_is_started_with_its_arguments(root: int, recorder: Recorder) -> None:
    woken = wake(root, recorder.command)

    starts = recorder.starts(1)
    assert (woken, [start["arguments"] for start in starts]) == (True, [["an argument"]])


def test_the_started_process_has_a_session_of_its_own(root: int, recorder: Recorder) -> None:
    wake(root, recorder.command)

    start = recorder.starts(1)[0]
    assert start["session"] == start["pid"]


def test_the_started_process_hears_and_says_nothing(root: int, recorder: Recorder) -> None:
    wake(root, recorder.command)

    nothing = Path("/dev/null").stat().st_rdev
    assert recorder.starts(1)[0]["devices"] == [nothing] * 3


def test_the_started_process_stands_in_the_home(home: Home, root: int, recorder: Recorder) -> None:
    wake(root, recorder.command)

    assert recorder.starts(1)[0]["cwd"] == str(home.path.resolve())


def test_the_started_process_inherits_no_descriptor_of_the_client(
    root: int, recorder: Recorder
) -> None:
    reading, writing = os.pipe()
    for descriptor in (reading, writing):
        os.set_inheritable(descriptor, True)  # noqa: FBT003  (the system's own signature)

    wake(root, recorder.command)

    os.close(reading)
    os.close(writing)
    assert recorder.starts(1)[0]["inherited"] == []


def test_the_started_process_gets_no_variable_of_the_hook(
    root: int, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.setitem(posix.environ, name.encode(), b"/evil")

    wake(root, recorder.command)

    environment = recorder.starts(1)[0]["environment"]
    assert set(environment) <= {"LC_CTYPE"}  # which the interpreter sets itself


def test_the_command_is_the_given_interpreter_with_this_package_for_one_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/evil/python")  # it follows PYTHONEXECUTABLE

    assert command("/srv/home", "/usr/bin/python3") == [
        "/usr/bin/python3",
        "-P",
        "-Xutf8",
        str(packages() / "tacit" / "__main__.py"),
        *("daemon", "run", "--woken", "--home", "/srv/home"),
    ]


def test_a_daemon_is_not_started_twice_within_a_minute(root: int, recorder: Recorder) -> None:
    wake(root, recorder.command)

    again = wake(root, recorder.command)

    assert (again, len(recorder.starts(1))) == (False, 1)


@pytest.mark.usefixtures("held_lock")
def test_a_daemon_that_runs_is_not_started_again(home: Home, root: int, recorder: Recorder) -> None:
    woken = wake(root, recorder.command)

    assert (woken, (home.path / "daemon.tried").exists()) == (False, False)


def test_a_lock_that_nobody_holds_any_more_is_no_obstacle(
    home: Home, root: int, recorder: Recorder
) -> None:
    (home.path / "daemon.lock").write_text("4711", encoding="utf-8")

    woken = wake(root, recorder.command)

    assert (woken, len(recorder.starts(1))) == (True, 1)


@pytest.mark.parametrize("age_ns", [MINUTE_NS + 1, 24 * 60 * MINUTE_NS, -2 * MINUTE_NS])
def test_a_daemon_is_started_again_when_the_last_try_is_old_or_in_the_future(
    age_ns: int, home: Home, root: int, recorder: Recorder
) -> None:
    stamp(home, age_ns)

    woken = wake(root, recorder.command)

    assert (woken, len(recorder.starts(1))) == (True, 1)


@pytest.mark.parametrize("age_ns", [0, MINUTE_NS // 2, -MINUTE_NS // 2])
def test_a_try_of_the_last_minute_is_enough(
    age_ns: int, home: Home, root: int, recorder: Recorder
) -> None:
    stamp(home, age_ns)

    woken = wake(root, recorder.command)

    assert woken is False


def test_a_new_try_is_remembered(home: Home, root: int, recorder: Recorder) -> None:
    stamp(home, 2 * MINUTE_NS)
    wake(root, recorder.command)

    again = wake(root, recorder.command)

    assert (again, len(recorder.starts(1))) == (False, 1)


def test_a_hook_does_not_wait_for_another_that_is_at_it(
    home: Home, root: int, recorder: Recorder
) -> None:
    with (home.path / "daemon.tried").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)

        woken = wake(root, recorder.command)

    assert woken is False


def test_a_program_that_is_missing_is_told_and_not_tried_again_at_once(
    root: int, recorder: Recorder
) -> None:
    with pytest.raises(FileNotFoundError):
        wake(root, ["/nowhere/python"])

    again = wake(root, recorder.command)

    assert again is False


def test_a_home_without_a_lock_has_no_daemon(root: int) -> None:
    assert is_running(root) is False


def test_a_daemon_that_comes_to_life_meanwhile_is_not_taken_for_one_that_never_works(
    home: Home, root: int, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, held = state.open_file, []

    def coming(directory: int, name: str, flags: int) -> int:
        if name == "daemon.tried":  # just then another takes its lock, and works
            lock = (home.path / "daemon.lock").open("w", encoding="ascii")
            fcntl.flock(lock, fcntl.LOCK_EX)
            held.append(lock)
        return opened(directory, name, flags)

    monkeypatch.setattr(state, "open_file", coming)
    woken = wake(root, recorder.command)

    assert (woken, (home.path / "daemon.tried").read_bytes()) == (False, b"")
    held[0].close()


@pytest.mark.usefixtures("held_lock")
def test_a_lock_that_is_held_is_a_daemon(root: int) -> None:
    assert is_running(root) is True


def test_asking_for_a_daemon_does_not_keep_a_starting_one_from_its_lock(
    home: Home, root: int
) -> None:
    (home.path / "daemon.lock").touch()
    is_running(root)

    with (home.path / "daemon.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

        running = is_running(root)

    assert running is True


def test_one_that_has_worked_is_started_again_at_once(root: int, recorder: Recorder) -> None:
    wake(root, recorder.command)
    recorder.starts(1)
    worked(root)

    is_started = wake(root, recorder.command)

    assert is_started
    assert len(recorder.starts(2)) == 2


def test_one_that_ended_by_its_own_fault_is_let_be_for_a_minute(
    root: int, recorder: Recorder
) -> None:
    wake(root, recorder.command)
    recorder.starts(1)
    worked(root)
    failed(root)

    is_started = wake(root, recorder.command)

    assert not is_started
    assert len(recorder.starts(1)) == 1


def test_one_that_no_hook_has_started_has_nothing_to_note(root: int) -> None:
    worked(root)

    assert "daemon.tried" not in os.listdir(root)
