"""Waking the daemon: start one if none is running, and never wait for it.

One that never comes to work is tried at most once a minute. A daemon that runs holds an OS lock for
life, so a stale or reused process id is no obstacle. What is started is the interpreter that was
written at install with this package: `sys.executable` follows variables of the environment, which
may be a repository's. The new process is detached, gets no variable of the client and is none of
its children.
"""

from __future__ import annotations

import posix
import time

from tacit.capture import state
from tacit.paths import DAEMON_LOCK, DAEMON_TRIED

_SIGTERM = 15
PAUSE_NS = 60 * 1_000_000_000


def command(home: str, interpreter: str) -> list[str]:
    """Return the command that starts the daemon of a home with this package."""
    package = __file__.rpartition("/capture/")[0]
    program = [interpreter, "-P", "-Xutf8", f"{package}/__main__.py"]
    return [*program, "daemon", "run", "--woken", "--home", home]


def wake(root: int, words: list[str]) -> bool:
    """Start the daemon by its command unless one runs or was just tried; return whether it was."""
    from fcntl import LOCK_EX, LOCK_NB, flock

    if is_running(root):
        return False
    tried = state.open_file(root, DAEMON_TRIED, posix.O_RDWR | posix.O_CREAT)
    try:
        flock(tried, LOCK_EX | LOCK_NB)
        if (
            posix.fstat(tried).st_size
            and abs(time.time_ns() - posix.fstat(tried).st_mtime_ns) < PAUSE_NS
        ):
            return False
        if is_running(root):  # by now: one that is not needed would never say that it works
            return False
        posix.ftruncate(tried, 0)
        state.write_all(tried, b"tried\n")
        start(root, words)
    except BlockingIOError:  # another hook is at it
        return False
    finally:
        posix.close(tried)
    return True


def worked(root: int) -> None:
    """Note that what was started works: if it is killed, the next hook starts another at once."""
    try:
        tried = state.open_file(root, DAEMON_TRIED, posix.O_WRONLY)
    except FileNotFoundError:
        return
    posix.ftruncate(tried, 0)
    posix.close(tried)


def failed(root: int) -> None:
    """Note that it ends by a fault of its own: for a minute no hook starts another."""
    tried = state.open_file(root, DAEMON_TRIED, posix.O_WRONLY | posix.O_CREAT)
    state.write_all(tried, b"tried\n")
    posix.close(tried)


def is_running(root: int) -> bool:
    """Say whether a daemon holds the home's lock."""
    from fcntl import LOCK_NB, LOCK_SH, flock

    try:
        lock = state.open_file(root, DAEMON_LOCK, posix.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        flock(lock, LOCK_SH | LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        posix.close(lock)
    return False


def start(root: int, words: list[str], environment: dict[bytes, bytes] | None = None) -> int:
    """Start a program in the home and return its process id; without variables unless given."""
    actions = [(posix.POSIX_SPAWN_OPEN, each, "/dev/null", posix.O_RDWR, 0) for each in range(3)]
    closed = [(posix.POSIX_SPAWN_CLOSE, each) for each in _inherited()]
    posix.fchdir(root)
    return posix.posix_spawn(
        words[0],
        words,
        environment or {},
        file_actions=[*actions, *closed],
        setsid=True,
        setsigdef=[_SIGTERM],  # the hook ignores it, its daemon must not
    )


def _inherited() -> list[int]:
    """Return the descriptors beyond stderr that a new process would get from us."""
    found = []
    for name in posix.listdir("/dev/fd"):
        try:
            if int(name) > 2 and posix.get_inheritable(int(name)):  # noqa: PLR2004
                found.append(int(name))
        except OSError:  # the one that listed them
            continue
    return found
