"""Readings: a model reads batches of turns in the background, when the owner has chosen one.

A thread of its own, with an open home of its own: a server that hangs holds nothing else up. What
it cannot do now it tries later; why is told, never in the words of a turn.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from tacit.errors import ModelUnavailable, TacitError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from tacit.app import App
    from tacit.log import Log

POLL = 2.0
TROUBLED = 30.0
_LONGEST = 300


class Readings:
    """Has a model read what is due, until it is told to stop."""

    name = "model"
    is_ready = False  # nothing large is held in memory

    def __init__(self, open_app: Callable[[], App], log: Log) -> None:
        self._open = open_app
        self._log = log
        self.trouble: str | None = None  # why the model is not asked, in a sentence
        self._unread: dict[str, str] = {}  # why groups are not, in a word

    def run(self, stop: threading.Event, is_active: Callable[[], bool]) -> None:
        """Ask while there is something to ask, also between sessions."""
        del is_active  # a session that has ended is read as well
        while not stop.is_set():
            try:
                app = self._open()
            except ModelUnavailable as error:  # what was chosen cannot work until it is corrected
                self._tell(str(error))
                return
            except (TacitError, OSError) as error:  # a home in need may be mended
                self._log.line("not opened", error=type(error).__name__)
                stop.wait(TROUBLED)
                continue
            with closing(app):
                self._read(app, stop)
            return

    def _read(self, app: App, stop: threading.Event) -> None:
        while not stop.is_set():
            asked = sum(self._asked(app, group) for group in app.groups())
            self._tell(app.model_trouble)
            if not app.has_model:
                return
            stop.wait(0.0 if asked else POLL)

    def _asked(self, app: App, group: str) -> bool:
        """Say whether a batch of a group was read; what cannot be read now is tried again.

        Where it is not known what a group has spent, no other is read either: caps are hard.
        """
        try:
            is_read = app.ask_model(group)
        except (TacitError, OSError) as error:
            self._say_once(group, type(error).__name__)
            return False
        self._unread.pop(group, None)
        if is_read:
            self._log.line("read by a model", group=group)
        return is_read

    def _say_once(self, group: str, error: str) -> None:
        """Tell why a group is not read, once for each reason."""
        if self._unread.get(group) != error:
            self._log.line("not read", group=group, error=error)
        self._unread[group] = error

    def _tell(self, trouble: str | None) -> None:
        trouble = trouble[:_LONGEST] if trouble else None
        if trouble and trouble != self.trouble:
            self._log.line("model trouble")
        self.trouble = trouble
