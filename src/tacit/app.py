"""The façade: one page of verbs. Every surface calls these and nothing below them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import settings
from tacit.capture import compile as capture_conf
from tacit.capture import hooklog
from tacit.capture.entry import Entry, parse
from tacit.errors import NothingToResume

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.capture.spool import Spool
    from tacit.guard.redact import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How things stand in one home."""

    home: str
    recording: bool
    paused: list[str]
    excluded: list[str]
    events_waiting: int
    oldest_waiting_ns: int | None
    hook_failures: int
    last_hook_failure: str | None
    temporary_files_removed: int


class App:
    """The verbs, on one home that is open."""

    def __init__(
        self, *, home: str, root: int, spool: Spool, redactor: Callable[[], Redactor]
    ) -> None:
        self._home = home
        self._root = root
        self._spool = spool
        self._redactor = redactor

    def status(self, *, now_ns: int) -> Status:
        """Say how things stand; whatever killed hooks left behind an hour ago is swept away."""
        chosen = settings.load(self._home)
        capture_conf.refresh(self._root, self._home)
        removed = self._spool.sweep(now_ns - 3600 * 1_000_000_000)
        waiting = self._spool.waiting()
        failures = hooklog.lines(self._root)
        paused = capture_conf.pauses(self._root)
        return Status(
            home=self._home,
            recording=[] not in paused,
            paused=[directory[0] for directory in paused if directory],
            excluded=chosen.exclude,
            events_waiting=len(waiting),
            oldest_waiting_ns=int(waiting[0].partition("-")[0]) if waiting else None,
            hook_failures=len(failures),
            last_hook_failure=failures[-1] if failures else None,
            temporary_files_removed=removed,
        )

    def waiting(self) -> list[Entry]:
        """Return the events that wait in the spool, oldest first."""
        return [parse(self._spool.read(name)) for name in self._spool.waiting()]

    def pause(self, directory: str | None) -> None:
        """Record nothing from now on, in one directory or anywhere."""
        place = [directory] if directory else []
        paused = [each for each in capture_conf.pauses(self._root) if each != place]
        self._set_pauses([*paused, place])

    def resume(self, directory: str | None) -> None:
        """Record again what was paused: one directory, or everything."""
        place = [directory] if directory else []
        paused = capture_conf.pauses(self._root)
        if place not in paused:
            where = f"in {directory}" if directory else "everywhere"
            raise NothingToResume(
                f"Recording is not paused {where}. See `tacit status` for what is."
            )
        self._set_pauses([each for each in paused if each != place])

    def redact(self, text: bytes) -> bytes:
        """Return *text* without secrets."""
        return self._redactor().redact(text)

    def close(self) -> None:
        """Let the home go."""
        self._spool.close()
        os.close(self._root)

    def _set_pauses(self, paused: list[list[str]]) -> None:
        capture_conf.set_pauses(self._root, paused)
        capture_conf.refresh(self._root, self._home)
