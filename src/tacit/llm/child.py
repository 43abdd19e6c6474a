"""A program of the user's, run for one answer: no shell, one deadline, nothing left behind.

What it is told goes to its standard input, what it answers is read up to a limit, and what it
complains is not read at all. It has a process group of its own, which is killed at the end, however
that came.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from tacit.net.trouble import Late, TooLong, Unreachable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import IO

_PART = 65536
_LOOK = 0.1  # seconds between two looks at whether it still runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a program runs and what it knows of its surroundings."""

    directory: str
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program has ended."""

    code: int
    out: bytes


class Children:
    """The programs that run for one asker."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()

    def run(
        self, command: Sequence[str], told: bytes, place: Place, seconds: float, most: int
    ) -> Ended:
        """Return how a program ended within so many seconds; a `Trouble` if it did not."""
        until = time.monotonic() + seconds
        with self._started(command, place) as child:
            out = _converse(child, told, until, most)
            try:
                return Ended(child.wait(max(until - time.monotonic(), 0)), out)
            except subprocess.TimeoutExpired as error:
                raise Late from error

    def kill(self) -> None:
        """End all that run, from another thread."""
        with self._lock:
            for child in self._running:
                _kill(child)

    @contextmanager
    def _started(self, command: Sequence[str], place: Place) -> Iterator[subprocess.Popen[bytes]]:
        with self._lock:  # whoever kills finds it, or it has not begun
            child = _start(command, place)
            self._running.add(child)
        with child:
            try:
                yield child
            finally:
                _kill(child)
                with self._lock:
                    self._running.discard(child)


def _start(command: Sequence[str], place: Place) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603  (the owner's own choice, without a shell)
            command,
            cwd=place.directory,
            env=dict(place.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise Unreachable(f"cannot be started ({type(error).__name__})") from error


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill the group of a program: what it has started goes with it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


def _converse(child: subprocess.Popen[bytes], told: bytes, until: float, most: int) -> bytes:
    """Tell the program what it is told, and return what it answers until it has ended."""
    rest, out = memoryview(told), bytearray()
    with selectors.DefaultSelector() as waiting:
        to, of = _pipe(child.stdin), _pipe(child.stdout)
        waiting.register(to, selectors.EVENT_WRITE)
        waiting.register(of, selectors.EVENT_READ)
        while True:
            has_ended = child.poll() is not None  # before looking: what it said last is there then
            ready = [key.fileobj for key, _ in waiting.select(0 if has_ended else _LOOK)]
            if time.monotonic() >= until:
                raise Late
            if to in ready:
                rest = rest[_put(to, rest) :]
                if not rest:
                    waiting.unregister(to)
                    to.close()
            part = _got(of) if of in ready else None
            if part == b"" or (part is None and has_ended):
                return bytes(out)
            out += part or b""
            if len(out) > most:
                raise TooLong


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise Unreachable("was started without pipes")
    os.set_blocking(pipe.fileno(), False)
    return pipe


def _got(pipe: IO[bytes]) -> bytes | None:
    """Return what is there, nothing at the end, None if there is nothing yet."""
    try:
        return os.read(pipe.fileno(), _PART)
    except BlockingIOError:
        return None


def _put(pipe: IO[bytes], rest: memoryview) -> int:
    """Return how much was taken; all of it if nobody reads any more."""
    try:
        return os.write(pipe.fileno(), rest[:_PART])
    except BlockingIOError:
        return 0
    except BrokenPipeError:
        return len(rest)
