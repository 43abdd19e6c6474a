"""The pulse: when the daemon last finished a piece of work.

That, and not whether its socket answers, says whether it lives. Told in `daemon.json`, in the
system's monotonic time, so that no clock that jumps makes it look dead or alive.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from tacit.capture import state, wake
from tacit.paths import DAEMON_LOCK, DAEMON_PULSE
from tacit.version import VERSION

RED_SECONDS = 60.0
_EVERY = 5.0
_LENGTH = 800  # always as long, so that it can be written in place


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a daemon says of itself."""

    pid: int
    version: str
    started_ns: int
    beat_ns: int
    taken: int
    failures: int
    last_failure: str | None
    embedder_trouble: str | None = None
    model_trouble: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How a daemon is."""

    state: str
    pid: int | None
    version: str | None
    beat_seconds: float | None
    taken: int
    failures: int
    last_failure: str | None
    embedder_trouble: str | None = None
    model_trouble: str | None = None


class Pulse:
    """The pulse of this process."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._started_ns = self._beat_ns = time.monotonic_ns()
        self._told_ns = 0
        self.taken = 0
        self.failures = 0
        self.last_failure: str | None = None
        self.troubles: dict[str, str | None] = {}  # of what works in the background, by its name

    def beat(self) -> None:
        """Say that a piece of work is finished."""
        self._beat_ns = time.monotonic_ns()
        if self._beat_ns - self._told_ns >= _EVERY * 1e9:
            self.tell()

    def fail(self, what: str) -> None:
        """Say that a piece of work could not be finished."""
        self.failures += 1
        self.last_failure = what
        self.tell()

    def age(self) -> float:
        """Return how many seconds ago work was last finished."""
        return (time.monotonic_ns() - self._beat_ns) / 1e9

    def tell(self) -> None:
        """Write it down for others."""
        self._told_ns = time.monotonic_ns()
        told = Told(
            pid=os.getpid(),
            version=VERSION,
            started_ns=self._started_ns,
            beat_ns=self._beat_ns,
            taken=self.taken,
            failures=self.failures,
            last_failure=self.last_failure,
            embedder_trouble=self.troubles.get("embedder"),
            model_trouble=self.troubles.get("model"),
        )
        text = _written(told)
        with suppress(OSError):  # whatever is wrong with the disk must not end the work
            try:
                state.replace(self._root, DAEMON_PULSE, text)
            except OSError:  # a full one still takes what is no longer than what was there
                _overwrite(self._root, text)


def _written(told: Told) -> bytes:
    """Return what is written, always as long: of a long trouble only the beginning."""
    text = json.dumps(asdict(told)).encode()
    while len(text) > _LENGTH and (told.embedder_trouble or told.model_trouble):
        told = replace(
            told,
            embedder_trouble=_shorter(told.embedder_trouble),
            model_trouble=_shorter(told.model_trouble),
        )
        text = json.dumps(asdict(told)).encode()
    return text.ljust(_LENGTH)


def _shorter(trouble: str | None) -> str | None:
    return trouble[: len(trouble) * 3 // 4] if trouble else None


def _overwrite(root: int, text: bytes) -> None:
    descriptor = state.open_file(root, DAEMON_PULSE, os.O_WRONLY)
    try:
        os.pwrite(descriptor, text, 0)
    finally:
        os.close(descriptor)


def health(root: int) -> Health:
    """Return how the daemon of a home is: `healthy`, `wedged` or `stopped`."""
    is_running = wake.is_running(root)
    told = _read(root)
    if told is None or not is_running or told.pid != _holder(root):  # of one before it
        return Health(
            state="starting" if is_running else "stopped",
            pid=None,
            version=None,
            beat_seconds=None,
            taken=0,
            failures=told.failures if told else 0,
            last_failure=told.last_failure if told else None,
        )
    age = max(0.0, (time.monotonic_ns() - told.beat_ns) / 1e9)
    return Health(
        state="healthy" if age < RED_SECONDS else "wedged",
        pid=told.pid,
        version=told.version,
        beat_seconds=round(age, 1),
        taken=told.taken,
        failures=told.failures,
        last_failure=told.last_failure,
        embedder_trouble=told.embedder_trouble,
        model_trouble=told.model_trouble,
    )


def _read(root: int) -> Told | None:
    try:
        told = Told(**json.loads(state.read(root, DAEMON_PULSE)))
        return told if isinstance(told.beat_ns + told.pid, int) else None
    except (OSError, ValueError, TypeError):
        return None


def _holder(root: int) -> int | None:
    """Return the process that took the lock last."""
    try:
        return int(state.read(root, DAEMON_LOCK))
    except (OSError, ValueError):
        return None
