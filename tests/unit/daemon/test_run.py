"""The life of a daemon: alone, at work until told to go, idle or upgraded; if stuck, begun anew."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tacit.capture import wake
from tacit.capture.ask import ask
from tacit.compose import open_app
from tacit.daemon.pulse import health

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rig import Home

    Begin = Callable[..., "Process"]

PATIENCE = 90  # on a machine that is busy with others
LIMITS = {"poll": 0.05, "idle": 60.0, "red": 2.0, "restart": 60.0, "leave": 0.3}
PROGRAM = """
import os, sys, threading, time
from pathlib import Path
import tacit
from tacit.capture import state
from tacit.compose import open_app
from tacit.daemon.run import Daemon, Limits, Services
from tacit.errors import SchemaNewer, StoreBusy
from tacit.log import Log

home = Path(os.environ["TACIT_HOME"])
rounds, answer, backgrounds, rest = (), lambda *asked: None, (), lambda: None
{services}
root = state.open_home(str(home))
limits = {limits}
heavy = dict(backgrounds=backgrounds, shed=limits.pop("shed", 300.0))
daemon = Daemon(root, Log(home / "daemon.log", time.time_ns), Limits(**limits))
services = Services(rounds=rounds, answer=answer, rest=rest, **heavy)
opening = lambda beat: open_app(str(home), beat=beat)
sys.exit(daemon.run(lambda: (opening, services)))
"""
ONCE = """
def once():
    if not (home / "marker").exists():
        (home / "marker").touch()
        {deed}
rounds = (once,)
"""
COUNTING = """
def count():
    with (home / "counted").open("a", encoding="utf-8") as file:
        file.write("x")
rounds = (*rounds, count)
"""
# as `Understanding` does: gets ready while there is something to be ready for
HEAVY = """
class Background:
    name = "embedder"
    is_ready = False
    trouble = {trouble!r}
    def run(self, stop, is_active):
        while not stop.wait(0.02):
            if is_active() and {is_heavy}:
                self.is_ready = True
backgrounds = (Background(),)
answer = lambda *asked: ("s-1", b"hello")
"""
ASKED = ("UserPromptSubmit", "main", b"{}")


def heavy(*, trouble: str | None = None, is_heavy: bool = True) -> str:
    return HEAVY.format(trouble=trouble, is_heavy=is_heavy)


def within(seconds: float, is_so: Callable[[], bool]) -> bool:
    """Say whether it becomes so in time."""
    end = time.monotonic() + seconds
    while not (found := is_so()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


class Process:
    """A daemon in a process of its own."""

    def __init__(self, home: Path, services: str, limits: dict[str, float]) -> None:
        self._home = home
        self._errors = home.parent / "errors"
        program = PROGRAM.format(services=services, limits=LIMITS | limits)
        with self._errors.open("ab") as errors:
            self.process = subprocess.Popen([sys.executable, "-P", "-c", program], stderr=errors)

    @property
    def told(self) -> list[dict[str, Any]]:
        """Return the lines of its log."""
        file = self._home / "daemon.log"
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    @property
    def events(self) -> list[str]:
        """Return what its log told, by name."""
        return [line["event"] for line in self.told]

    @property
    def counted(self) -> int:
        """Return how many rounds were counted."""
        file = self._home / "counted"
        return file.stat().st_size if file.exists() else 0

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until it is so."""
        is_in_time = within(PATIENCE, is_so)
        assert is_in_time, (self.events, self._errors.read_text(encoding="utf-8"))

    def until_told(self, event: str, count: int = 1) -> None:
        """Wait until the log told it so often."""
        self.until(lambda: self.events.count(event) >= count)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Tell it to go; return its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture
def begin(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Return what starts a daemon; none outlives the test."""
    monkeypatch.chdir(tmp_path)
    begun: list[Process] = []

    def start(services: str = "", **limits: float) -> Process:
        begun.append(Process(home.path, services, limits))
        return begun[-1]

    yield start
    for each in begun:
        each.process.kill()
        each.process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_daemon_that_is_told_to_go_goes_and_says_so(
    number: int, home: Home, root: int, begin: Begin
) -> None:
    daemon = begin()
    daemon.until_told("started")

    code = daemon.stop(number)

    assert (code, daemon.events, daemon.told[-1]["why"]) == (0, ["started", "stopped"], "told to")
    assert (wake.is_running(root), (home.path / "daemon.sock").exists()) == (False, False)


def test_a_running_daemon_is_healthy_under_its_own_pid(root: int, begin: Begin) -> None:
    daemon = begin()

    daemon.until_told("started")

    found = health(root)
    assert (found.state, found.pid) == ("healthy", daemon.process.pid)


def test_a_second_daemon_ends_at_once_and_leaves_the_first_alone(root: int, begin: Begin) -> None:
    first = begin()
    first.until_told("started")

    second = begin()
    code = second.process.wait(PATIENCE)

    assert (code, first.events, health(root).pid) == (0, ["started"], first.process.pid)


def test_events_are_taken_in_while_it_runs(home: Home, begin: Begin) -> None:
    daemon = begin()
    daemon.until_told("started")

    home.hook("UserPromptSubmit", {"prompt": "hi"})
    daemon.until_told("drained")
    daemon.stop()

    app = open_app(str(home.path))
    assert ([each.first_prompt for each in app.sessions("main")], home.spooled) == (["hi"], [])
    app.close()


def test_questions_are_answered_while_it_runs(root: int, begin: Begin) -> None:
    daemon = begin('answer = lambda event, group, payload: ("s-1", payload)')
    daemon.until_told("started")

    answer = ask(root, "UserPromptSubmit", "main", b"hello")

    assert answer == ("s-1", b"hello")


def test_a_daemon_with_nothing_to_do_leaves(begin: Begin) -> None:
    daemon = begin(idle=0.3, red=0.8)

    code = daemon.process.wait(PATIENCE)

    assert (code, daemon.told[-1]["why"]) == (0, "idle")


def test_a_daemon_that_is_asked_stays(root: int, begin: Begin) -> None:
    daemon = begin('answer = lambda *asked: ("s-1", b"hello")', idle=0.5, red=0.4)
    daemon.until_told("started")

    for _ in range(9):
        ask(root, "UserPromptSubmit", "main", b"{}")
        time.sleep(0.1)

    assert daemon.process.poll() is None


def test_a_daemon_whose_package_changed_leaves(home: Home, begin: Begin) -> None:
    package = home.scratch / "package.py"
    package.touch()
    daemon = begin(f"tacit.__file__ = {str(package)!r}")
    daemon.until_told("started")

    os.utime(package, ns=(1, 1))

    assert (daemon.process.wait(PATIENCE), daemon.told[-1]["why"]) == (0, "upgraded")


def test_a_daemon_leaves_to_a_newer_one(begin: Begin) -> None:
    daemon = begin(ONCE.format(deed='raise SchemaNewer("Newer.")'))

    code = daemon.process.wait(PATIENCE)

    assert (code, daemon.told[-1]["why"]) == (0, "a newer Tacit has been here")


def test_a_round_that_fails_is_told_without_its_text_and_the_next_is_done(
    root: int, begin: Begin
) -> None:
    daemon = begin(ONCE.format(deed='raise OSError(28, "secret")') + COUNTING, red=5.0)

    daemon.until(lambda: daemon.counted > 0)

    failed = [(line["error"], line["code"]) for line in daemon.told if line["event"] == "failed"]
    assert (failed, health(root).last_failure) == ([("OSError", 28)], "OSError")
    assert "secret" not in str(daemon.told)


def test_a_pulse_that_cannot_be_written_does_not_end_the_work(begin: Begin) -> None:
    deed = '(home / "daemon.json").unlink(); (home / "daemon.json").mkdir(); raise OSError(28)'

    daemon = begin(ONCE.format(deed=deed) + COUNTING, red=5.0)
    daemon.until_told("started")

    is_counted = within(2.5, lambda: daemon.counted > 0)

    assert is_counted


def test_stuck_work_is_told_and_ends_in_a_fresh_start_of_the_same_process(
    home: Home, root: int, begin: Begin
) -> None:
    daemon = begin(ONCE.format(deed="time.sleep(600)"), red=0.3, restart=0.8)

    daemon.until_told("started", 2)

    home.hook("UserPromptSubmit", {"prompt": "hi"})
    daemon.until_told("drained")  # it works again

    starts = [line["pid"] for line in daemon.told if line["event"] == "started"]
    assert daemon.events[:4] == ["started", "wedged", "restarting", "started"]
    assert {*starts, health(root).pid} == {daemon.process.pid}


def test_stuck_work_that_goes_on_is_told_once_and_not_started_anew(begin: Begin) -> None:
    daemon = begin(ONCE.format(deed="time.sleep(0.8)") + COUNTING, red=0.3)

    daemon.until(lambda: daemon.counted > 0)

    assert daemon.events == ["started", "wedged"]


def test_stuck_work_does_not_keep_a_daemon_from_going(begin: Begin) -> None:
    daemon = begin(ONCE.format(deed="time.sleep(600)"), red=0.3)
    daemon.until_told("wedged")

    assert daemon.stop() == 0


def test_stuck_work_does_not_keep_questions_waiting(root: int, begin: Begin) -> None:
    services = 'answer = lambda *asked: ("s-1", b"hello")' + ONCE.format(deed="time.sleep(600)")
    daemon = begin(services, red=0.3)
    daemon.until_told("wedged")

    assert ask(root, "UserPromptSubmit", "main", b"{}") == ("s-1", b"hello")


def test_a_stuck_answer_does_not_keep_a_daemon_from_going(root: int, begin: Begin) -> None:
    daemon = begin("answer = lambda *asked: time.sleep(600)")
    daemon.until_told("started")
    ask(root, "UserPromptSubmit", "main", b"{}")

    daemon.process.terminate()
    daemon.until_told("stopped")
    is_gone = within(2, lambda: daemon.process.poll() is not None)

    assert is_gone


def test_a_killed_daemon_is_no_obstacle_to_the_next(root: int, begin: Begin) -> None:
    first = begin()
    first.until_told("started")
    first.stop(signal.SIGKILL)

    second = begin()
    second.until_told("started", 2)

    assert health(root).pid == second.process.pid


def test_a_heavy_process_that_is_long_idle_begins_anew_once_and_stays_light(
    root: int, begin: Begin
) -> None:
    daemon = begin(heavy(), shed=0.6, red=0.4)
    daemon.until_told("started")
    ask(root, *ASKED)

    daemon.until_told("started", 2)
    time.sleep(2.0)

    assert daemon.events == ["started", "restarting", "started"]
    assert [each["why"] for each in daemon.told if each["event"] == "restarting"] == ["idle"]


def test_it_is_the_same_process_and_answers(root: int, begin: Begin) -> None:
    daemon = begin(heavy(), shed=0.6, red=0.4)
    daemon.until_told("started")
    ask(root, *ASKED)

    daemon.until_told("started", 2)

    assert within(5, lambda: ask(root, *ASKED) == ("s-1", b"hello"))
    assert health(root).pid == daemon.process.pid


def test_a_light_process_is_left_alone(root: int, begin: Begin) -> None:
    daemon = begin(heavy(is_heavy=False), shed=0.3, red=0.4)
    daemon.until_told("started")
    ask(root, *ASKED)

    time.sleep(1.5)

    assert daemon.events == ["started"]


def test_a_heavy_process_that_is_busy_is_left_alone(root: int, begin: Begin) -> None:
    daemon = begin(heavy(), shed=1.0, red=0.4)
    daemon.until_told("started")

    for _ in range(15):
        ask(root, *ASKED)
        time.sleep(0.1)

    assert daemon.events == ["started"]


def test_an_event_that_comes_is_something_to_be_ready_for(home: Home, begin: Begin) -> None:
    daemon = begin(heavy(), shed=0.6, red=0.4)
    daemon.until_told("started")

    home.hook("UserPromptSubmit", {"prompt": "hi"})

    daemon.until_told("restarting")
    assert "drained" in daemon.events


def test_a_daemon_that_begins_anew_leaves_in_the_end(root: int, begin: Begin) -> None:
    daemon = begin(heavy(), shed=0.5, idle=1.5, red=0.4)
    daemon.until_told("started")
    ask(root, *ASKED)

    code = daemon.process.wait(15)

    assert (code, daemon.told[-1]["why"]) == (0, "idle")


def test_a_daemon_that_nothing_comes_to_rests(home: Home, begin: Begin) -> None:
    daemon = begin('rest = (home / "rested").touch', rest=0.1)

    daemon.until((home.path / "rested").exists)

    assert daemon.process.poll() is None
