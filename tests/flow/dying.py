"""Programs that do one thing to a home and can be killed at any step of it.

A step is whatever moves data or names: a sync, a rename, a removal, each write of SQLite. The step
at which a program dies is half done.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from flow.keeping import opened, said, spool
from rig import ROOT, erased
from tacit.errors import TacitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.app import App


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code, negative if it was killed, and what it said."""

    code: int
    text: str

    @property
    def is_killed(self) -> bool:
        return self.code == -signal.SIGKILL

    @property
    def steps(self) -> str:
        """Return the steps of a program that was let live, a letter each."""
        assert self.code == 0, self.text
        return self.text.split()[-1]

    def points(self, most: int) -> list[int]:
        """Return at which steps to kill it: wherever one kind follows another, and others."""
        steps = self.steps
        turns = {
            number
            for number, kind in enumerate(steps, 1)
            if number == 1 or steps[number - 2] != kind
        }
        spread = {1 + number * (len(steps) - 1) // (most - 1) for number in range(most)}
        return sorted(turns | spread)


def run(verb: str, home: Path, last: int, *rest: str) -> Ended:
    """Do one thing to a home in a process of its own, which dies at step *last*; 0: it lives."""
    return forked(lambda: _program(verb, home, last, *rest))


def forked(work: Callable[[], tuple[int, str]]) -> Ended:
    """Do something in a process of its own that returns its exit code and what it has to say."""
    return Process(work).ended()


class Process:
    """Something done in a process of its own, which can be stopped and killed while it runs.

    Forked, since starting anew would take ten times as long; so nothing may be open meanwhile.
    """

    def __init__(self, work: Callable[[], tuple[int, str]]) -> None:
        self._reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            code, text = 1, ""
            signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests
            try:
                code, text = work()
            except BaseException:  # noqa: BLE001  (nothing of this process may run on as the test)
                text = traceback.format_exc()
            finally:
                os.write(writing, text.encode("utf-8", "backslashreplace")[:60_000])
                os._exit(code)
        os.close(writing)

    def send(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def ended(self) -> Ended:
        """Wait for its end."""
        with os.fdopen(self._reading, encoding="utf-8") as answer:
            text = answer.read()
        _, status = os.waitpid(self.pid, 0)
        return Ended(os.waitstatus_to_exitcode(status), text)


def command(verb: str, home: Path, *rest: str) -> list[str]:
    """Return the command that does one thing to a home; it says `ready` before it begins."""
    started = f"import sys; sys.path[:0] = [{str(ROOT / 'tests')!r}]; from flow.dying import main"
    return [sys.executable, "-c", f"{started}; main()", verb, str(home), *rest]


KINDS = {"os.rename": "r", "os.remove": "u", "os.mkdir": "m", "os.rmdir": "m"}


class Steps:
    """Counts everything that moves data or names, and dies at the step it was told to."""

    def __init__(self, last: int) -> None:
        self.taken = ""
        self._last = last

    def step(self, kind: str, before: Callable[[], object] | None = None) -> None:
        """Count one step; at the last one, do half of it and die."""
        self.taken += kind
        if len(self.taken) == self._last:
            if before:
                before()
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Count from now on: syncs, renames, removals, and what SQLite writes."""
        for module in (os, sys.modules["posix"]):
            self._wrap(module, "fsync")
        sys.addaudithook(self._audit)
        self._vfs = Counting(self)  # SQLite forgets it when nobody holds it

    def _wrap(self, module: Any, name: str) -> None:
        original = getattr(module, name)

        def counted(*arguments: Any) -> Any:
            self.step("s")
            return original(*arguments)

        setattr(module, name, counted)

    def _audit(self, event: str, _arguments: tuple[object, ...]) -> None:
        if event in KINDS:
            self.step(KINDS[event])


class Counting(apsw.VFS):
    """SQLite's way to the disk, every write of it a step."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        super().__init__("counting", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: Any) -> Any:  # noqa: N802  (SQLite's name)
        return CountingFile(self._steps, name, flags)

    def xDelete(self, filename: str, syncdir: Any) -> None:  # noqa: N802
        self._steps.step("D")
        super().xDelete(filename, syncdir)


class CountingFile(apsw.VFSFile):
    """One file of it; a step that is the last one writes half."""

    def __init__(self, steps: Steps, name: Any, flags: Any) -> None:
        self._steps = steps
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        whole = super().xWrite
        self._steps.step("W", lambda: whole(data[: len(data) // 2], offset))
        whole(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._steps.step("S")
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._steps.step("T")
        super().xTruncate(newsize)


def _program(verb: str, home: Path, last: int, *rest: str) -> tuple[int, str]:
    """Do one thing to a home; return the exit code and what came of it in which steps.

    It dies at step *last*; at 0 it lives, and at -1 nothing is counted.
    """
    steps = Steps(last)
    if last >= 0:
        steps.watch()
    try:
        with opened(home) as app:
            told = VERBS[verb](app, *rest)
    except TacitError as error:
        return error.exit_code, str(error)
    return 0, f"{told} {steps.taken or '-'}\n"


def _drain(app: App) -> int:
    return app.drain(seconds=None, curating=False).taken


def _keep_draining(app: App, stop: str) -> int:
    """Drain again and again until the file *stop* is there; say how many events were taken in."""
    taken = 0
    while True:
        is_last = Path(stop).exists()
        taken += app.drain(seconds=None, curating=False).taken
        if is_last:
            return taken
        time.sleep(0.001)


def _keep_writing(app: App, stop: str, home: str) -> int:
    """Say an event and take it in, again and again until the file *stop* is there."""
    number = 10_000
    while not Path(stop).exists():
        spool(Path(home), [said(number)])
        app.drain(seconds=None, curating=False)
        number += 1
    return number


def _keep_backing_up(app: App, stop: str) -> int:
    """Make one backup after the other until the file *stop* is there."""
    made = 0
    while not Path(stop).exists():
        app.backup("main")
        made += 1
    return made


def _erase(app: App, text: str) -> int:
    return erased(app, "main", matching=text)


def _back_up(app: App) -> int:
    return app.backup("main").seq


VERBS: dict[str, Callable[..., int]] = {
    "drain": _drain,
    "keep-draining": _keep_draining,
    "keep-writing": _keep_writing,
    "keep-backing-up": _keep_backing_up,
    "erase": _erase,
    "backup": _back_up,
}


def main() -> None:
    """Do what the command line says, saying `ready` first."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    code, text = _program(sys.argv[1], Path(sys.argv[2]), -1, *sys.argv[3:])
    sys.stdout.write(text)
    sys.exit(code)
