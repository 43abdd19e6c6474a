"""The life of a daemon: the only one of its home, working until told to go or long idle.

The main thread only watches: for a signal, for idleness, for a package that changed under it, and
for work that is stuck. Work and answers have threads of their own. Stuck work is told after a
minute and ends in a fresh start of the whole process after two.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import tacit
from tacit import heap, paths
from tacit.capture import wake
from tacit.daemon import hold
from tacit.daemon.line import Line
from tacit.daemon.pulse import RED_SECONDS, Pulse
from tacit.daemon.rest import Rest, be_small
from tacit.daemon.work import Work
from tacit.errors import SchemaNewer, TacitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.app import App
    from tacit.daemon.line import Answer
    from tacit.daemon.work import Service
    from tacit.log import Log

    Opening = Callable[[Callable[[], object]], App]  # given what to call while long work goes on
    Prepare = Callable[[], tuple[Opening, "Services"]]

_TURN = 0.0005  # seconds that a thread at work keeps one waiting that has a prompt to answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long things may take, in seconds."""

    poll: float = 0.25
    seldom: float = 1.0  # instead, when nothing has come for a while
    idle: float = 1800.0
    red: float = RED_SECONDS
    restart: float = 110.0
    leave: float = 4.0
    rest: float = 30.0  # longer than a busy session takes between two events


class Background(Protocol):
    """Work in a thread of its own, beside taking events in."""

    @property
    def name(self) -> str:
        """Return what its trouble is told as: `embedder` or `model`."""
        ...

    @property
    def is_ready(self) -> bool:
        """Say whether it holds something large in memory."""
        ...

    @property
    def trouble(self) -> str | None:
        """Return why it cannot work, in a sentence."""
        ...

    def run(self, stop: threading.Event, is_active: Callable[[], bool]) -> None:
        """Work until told to stop; *is_active*: whether sessions are under way."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What a daemon does beside taking events in: rounds, answers, backgrounds, rest."""

    rounds: tuple[Service, ...] = ()
    answer: Answer = lambda _event, _group, _payload: None
    backgrounds: tuple[Background, ...] = ()
    rest: Service = lambda: None  # when nothing has come for a while
    shed: float = 300.0  # seconds, after which an idle process lets go what backgrounds hold


class Daemon:
    """One process, serving one home."""

    def __init__(self, root: int, log: Log, limits: Limits) -> None:
        self._root = root
        self._log = log
        self._limits = limits
        self._stop = threading.Event()
        self._why = ""
        self._pulse = Pulse(root)
        self._package = _package()
        self._chosen = _stamp(root)
        self._active = time.monotonic()
        self._is_wanted = False  # not before something came: begun anew, it stays small
        self._has_worked = False
        self._again = _as_started()

    def run(self, prepare: Prepare, may: Callable[[], bool] = lambda: True) -> int:
        """Live; return the exit code. The lock goes with the process, not before it.

        Whether it *may* is asked with the lock held: who forbids it sees the lock, or is heard.
        Only then does it *prepare*, which loads much: of many that begin at once, one does. It is
        asked again after that, which takes a moment.
        """
        if hold.take(self._root) is None or not may():
            return 0
        heap.share()
        sys.setswitchinterval(_TURN)
        open_app, services = prepare()
        if not may():
            return 0
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._leave("told to"))
        threading.excepthook = self._died
        line = Line(self._root, services.answer)
        worker = threading.Thread(
            target=self._work, args=(open_app, services), name="work", daemon=True
        )
        self._pulse.tell()
        self._log.line("started", pid=os.getpid())
        line.start()
        worker.start()
        self._begin(services)
        self._watch(line, services)
        line.close()
        worker.join(self._limits.leave)
        self._log.line("stopped", why=self._why, taken=self._pulse.taken)
        self._pulse.tell()
        return 0

    def _begin(self, services: Services) -> None:
        """Begin the work in the background; it dies with the process."""
        for each in services.backgrounds:
            arguments = (self._stop, lambda: self._is_wanted and self._idle() < services.shed)
            threading.Thread(
                target=each.run, args=arguments, name="background", daemon=True
            ).start()

    def _stir(self) -> None:
        """Take note that something came."""
        self._active, self._is_wanted = time.monotonic(), True

    def _idle(self) -> float:
        return time.monotonic() - self._active

    def _work(self, open_app: Opening, services: Services) -> None:
        """Do round after round; what fails is told and tried again."""
        app = open_app(self._pulse.beat)
        rest = Rest((app.rest, services.rest, be_small), self._limits.rest)
        work = Work(app, self._pulse, self._log, services.rounds, rest)
        try:
            while not self._stop.is_set():
                self._round(work)
        finally:
            app.close()

    def _round(self, work: Work) -> None:
        try:
            if work.round():
                self._stir()
            self._pulse.beat()
            if not self._has_worked:
                self._has_worked = True
                wake.worked(self._root)
        except SchemaNewer:
            self._leave("a newer Tacit has been here")
        except (TacitError, OSError) as error:
            self._pulse.fail(type(error).__name__)
            self._log.line("failed", error=type(error).__name__, code=getattr(error, "errno", None))
            self._stop.wait(1.0)
        self._stop.wait(self._limits.seldom if work.is_at_rest else self._limits.poll)

    def _watch(self, line: Line, services: Services) -> None:
        """Wait until it is time to go; start afresh if the work is stuck, or to be small again."""
        is_red = False
        while not self._stop.wait(min(1.0, self._limits.red / 4)):
            if line.asked.is_set():
                line.asked.clear()
                self._stir()
            is_red = self._look_at_work(is_red=is_red)
            self._look_at(services)
            if self._idle() >= self._limits.idle:
                self._leave("idle")
            if _package() != self._package:
                self._leave("upgraded")
            if not os.fstat(self._root).st_nlink:
                self._leave("its home is deleted")
            if _stamp(self._root) != self._chosen:
                self._restart("other settings", 0)

    def _look_at(self, services: Services) -> None:
        """Tell troubles; long idle, start afresh: what a model took, only an end gives back."""
        for each in services.backgrounds:
            self._pulse.troubles[each.name] = each.trouble
        if any(each.is_ready for each in services.backgrounds) and self._idle() >= services.shed:
            self._restart("idle", self._idle())

    def _look_at_work(self, *, is_red: bool) -> bool:
        """Say whether the work is stuck; told once, and in the end started afresh."""
        age = self._pulse.age()
        if age >= self._limits.red and not is_red:
            self._log.line("wedged", seconds=round(age))
        if age >= self._limits.restart:
            self._restart("stuck", age)
        return age >= self._limits.red

    def _restart(self, why: str, seconds: float) -> None:
        self._log.line("restarting", why=why, seconds=round(seconds))
        os.execv(sys.executable, self._again)  # noqa: S606  (ourselves, as we were started)

    def _died(self, told: threading.ExceptHookArgs) -> None:
        """Leave when a thread ends in what nobody foresaw; the next hook starts a fresh process."""
        self._log.line("died", error=told.exc_type.__name__)
        if told.thread is None or told.thread.name == "work":
            with suppress(OSError):
                wake.failed(self._root)
            self._leave("work died")

    def _leave(self, why: str) -> None:
        self._why = why
        self._stop.set()


def _as_started() -> list[str]:
    """Return the command that this process was started by, wherever it goes from here."""
    program = sys.argv[0]
    is_file = Path(program).is_file()
    whole = str(Path(program).absolute())
    return [whole if is_file and word == program else word for word in sys.orig_argv]


def _stamp(root: int) -> tuple[int, int] | None:
    """Return what tells one version of the settings from another."""
    try:
        found = os.stat(paths.CONFIG, dir_fd=root)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _package() -> tuple[int, int] | None:
    """Return what tells one installed package from another."""
    try:
        found = Path(tacit.__file__).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino
