"""What the tests of the daemon share: its processes, and a home in need.

No process outlives its test, whoever started it. A home can be made read-only, missing or full.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from flow.keeping import bodies, database, keys, tacit
from rig import Home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 90.0  # for a hundred processes on a machine that is busy with others
SIZE, ROOM = 48 << 20, 250 << 10

# A daemon that takes its work for stuck much sooner than others do.
HASTY = """
import sys, time
from pathlib import Path
from tacit.capture import state
from tacit.compose import open_app
from tacit.daemon.run import Daemon, Limits, Services
from tacit.log import Log

home = Path(sys.argv[1])
(home / "logs").mkdir(exist_ok=True)
log = Log(home / "logs" / "daemon.log", time.time_ns)
daemon = Daemon(state.open_home(str(home)), log, Limits(poll=0.05, red=0.5, restart=1.0))
opening = lambda beat: open_app(str(home), beat=beat)
sys.exit(daemon.run(lambda: (opening, Services())))
"""
# One that takes its time to end after its last word.
SLOW_TO_GO = HASTY.replace("red=0.5, restart=1.0", "").replace("sys.exit(", "(") + "time.sleep(1.5)"
# One that looks for damage every moment instead of every minute.
CHECKING = HASTY.replace("red=0.5, restart=1.0", "").replace(
    "home = Path", "from tacit.daemon import work; work.CHORES_EVERY = 0.2\n\nhome = Path"
)


def until(is_so: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Wait for something to be so; fail, saying *what* was waited for, when it never is."""
    end = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < end, f"never came: {what}"
        time.sleep(0.03)


class Daemons:
    """The daemons of one home: started as a user or a hook starts them, and all gone at the end."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._children: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End everything that still runs; what does not go when it is told to is a failure."""
        for number in (signal.SIGCONT, signal.SIGTERM):
            self._send(number)
        end = time.monotonic() + PATIENCE
        while self.alive() and time.monotonic() < end:
            time.sleep(0.03)
        stubborn = self.alive()
        self._send(signal.SIGKILL)
        for child in self._children:
            child.wait()
        until(lambda: not self.alive(), "the end of every process")
        assert stubborn == []

    def start(self, **options: Any) -> int:
        """Start one as a user does, and let hooks start it; return its process id."""
        self.home.wake()
        ended = tacit(self.home.path, "daemon", "start", **options)
        assert ended.returncode == 0, ended.stderr
        return int(self.told()["pid"])

    def stop(self) -> None:
        """Stop it as a user does."""
        ended = tacit(self.home.path, "daemon", "stop")
        assert ended.returncode == 0, ended.stderr

    def child(self, *command: str, cwd: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a child of this test, the daemon itself unless a command is given."""
        child = subprocess.Popen(
            [sys.executable, *(command or ("-P", "-m", "tacit", "daemon", "run"))],
            env=os.environ | {"TACIT_HOME": str(self.home.path)},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
        )
        self._children.append(child)
        return child

    def alive(self) -> list[int]:
        """Return the processes of this home, whoever started them."""
        variable = f"\0TACIT_HOME={self.home.path}\0".encode()
        argument = f"\0--home\0{self.home.path}\0".encode()
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # gone meanwhile
                is_told = variable in b"\0" + (place / "environ").read_bytes()
                if is_told or argument in (place / "cmdline").read_bytes():
                    found.append(int(place.name))
        return found

    def told(self) -> Any:
        """Return what the daemon wrote of itself."""
        return json.loads((self.home.path / "daemon.json").read_bytes())

    def log(self) -> list[dict[str, Any]]:
        """Return the lines of the daemon's log."""
        file = self.home.path / "logs" / "daemon.log"
        text = file.read_text(encoding="ascii") if file.exists() else ""
        return [json.loads(line) for line in text.splitlines()]

    def events(self) -> list[str]:
        """Return what the log tells of, in order."""
        return [line["event"] for line in self.log()]

    def until_taken(self) -> list[str]:
        """Wait until nothing waits in the spool; return what the transcript holds, sorted."""
        until(lambda: self.home.spooled == [], "an empty spool")
        return sorted(keys(bodies(self.home.path)))

    def until_alone(self) -> int:
        """Wait until exactly one process of this home runs and works; return its id."""
        until(self._is_alone, "one daemon that works")
        return self.alive()[0]

    def let_hooks_try(self) -> None:
        """Let a minute pass since a hook last tried to start one."""
        with suppress(FileNotFoundError):  # none has
            os.utime(self.home.path / "daemon.tried", (0, 0))

    def until_working(self) -> None:
        """Wait until the one that a hook has started has done its first round of work."""
        tried = self.home.path / "daemon.tried"
        until(lambda: not tried.exists() or not tried.stat().st_size, "a first round of work")

    def prompt(self, key: str) -> int:
        """Let the real hook record a prompt; return its exit code."""
        return self.home.hook("UserPromptSubmit", {"prompt": f"{key} please"}).code

    def tool(self, key: str) -> int:
        """Let the real hook record the use of a tool; return its exit code."""
        fields = {"tool_name": "Bash", "tool_use_id": key, "tool_response": "done"}
        return self.home.hook("PostToolUse", fields).code

    def _is_alone(self) -> bool:
        alive = self.alive()
        with suppress(FileNotFoundError, IndexError):
            return len(alive) == 1 and self.told()["pid"] == alive[0]
        return False

    def _send(self, number: int) -> None:
        for pid in self.alive():
            with suppress(ProcessLookupError):
                os.kill(pid, number)


class Disk:
    """A home on a small disk of its own, which can be filled; where none may be mounted, on ours.

    There, hooks that may write no more than a few bytes stand in for a disk that is full.
    """

    def __init__(self, place: Path, option: str = f"size={SIZE}") -> None:
        place.mkdir()
        self._mounted = _run("mount", "-t", "tmpfs", "-o", option, "tmpfs", str(place))
        self._place = place
        self._ballast = place / "ballast"
        self.home = Home(place)
        self.daemons = Daemons(self.home)
        self.options: dict[str, Any] = {}

    @property
    def is_small(self) -> bool:
        return self._mounted == 0

    def fill(self, share: float = 0.0) -> None:
        """Leave this share of some room, or nothing at all."""
        if not self.is_small:
            self.options = {"preexec_fn": _no_space}
            return
        while True:
            found = os.statvfs(self._place)
            size = found.f_bavail * found.f_frsize - int(share * ROOM)
            with suppress(OSError), self._ballast.open("wb") as file:  # others write meanwhile
                os.posix_fallocate(file.fileno(), 0, max(1, size))
                return

    def free(self) -> None:
        """Give all the room back."""
        self.options = {}
        self._ballast.unlink(missing_ok=True)

    def close(self) -> None:
        if self.is_small:
            _run("umount", "--lazy", str(self._place))


class Limit:
    """A limit to the files of one process, which stands for a full disk; anybody may set it."""

    def __init__(self, pid: int, home: Home) -> None:
        self._pid = pid
        self._folder = database(home.path).parent
        self._before = resource.prlimit(pid, resource.RLIMIT_FSIZE)

    def fill(self, share: float) -> None:
        """Let no file grow beyond this share of the largest one, and a little more."""
        largest = max((file.stat().st_size for file in self._folder.glob("*")), default=0)
        soft = int(share * 1.2 * largest)
        resource.prlimit(self._pid, resource.RLIMIT_FSIZE, (soft, self._before[1]))

    def free(self) -> None:
        resource.prlimit(self._pid, resource.RLIMIT_FSIZE, self._before)


def _run(*command: str) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


def _no_space() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


@contextmanager
def read_only(disk: Disk) -> Iterator[None]:
    path = disk.home.path
    if disk.is_small:
        assert _run("mount", "--bind", str(path), str(path)) == 0
        assert _run("mount", "-o", "remount,bind,ro", str(path)) == 0
        yield
        assert _run("umount", "--lazy", str(path)) == 0
        return
    closed = [path, path / "spool" / "new", path / "spool" / "tmp"]
    for each in closed:
        each.chmod(0o500)
    yield
    for each in closed:
        each.chmod(0o700)


@contextmanager
def missing(disk: Disk) -> Iterator[None]:
    path, aside = disk.home.path, disk.home.path.with_name("aside")
    path.rename(aside)
    path.touch()  # so that nobody can make it again
    yield
    path.unlink()
    aside.rename(path)


@contextmanager
def full(disk: Disk) -> Iterator[None]:
    disk.fill()
    yield
    disk.free()
