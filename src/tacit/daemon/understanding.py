"""Understanding: what passages mean is found out in the background, when nothing else needs it.

A thread of its own, with an open home of its own and of low priority, so that taking events in
never waits for a model. While sessions are under way the model is kept ready.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING

from tacit.errors import EmbedderUnavailable, TacitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.app import App
    from tacit.embed.port import Embedder
    from tacit.log import Log

SLICE = 1.0
POLL = 1.0
TROUBLED = 60.0  # so long nothing is tried after a failure
_NICE = 10
_LONGEST = 300


class Understanding:
    """Finds out what passages mean, until it is told to stop."""

    name = "embedder"

    def __init__(self, open_app: Callable[[], App], embedder: Embedder, log: Log) -> None:
        self._open = open_app
        self._embedder = embedder
        self._log = log
        self.trouble: str | None = None  # why the model cannot be had, in a sentence
        self.is_ready = False  # whether the model is, or was, in memory

    def run(self, stop: threading.Event, is_active: Callable[[], bool]) -> None:
        """Work while there is something to do; get the model ready while sessions are active."""
        if sys.platform == "linux":  # a thread has a priority of its own there
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        app = self._open()
        try:
            while not stop.is_set():
                stop.wait(0.0 if self._round(app, is_active) else POLL)
                if self.trouble:
                    stop.wait(TROUBLED)
        finally:
            app.close()

    def _round(self, app: App, is_active: Callable[[], bool]) -> int:
        """Do a little; return how much was done."""
        try:
            if not self.is_ready and is_active():
                began = time.monotonic()
                self._embedder.embed(["ready"], "query")
                self.is_ready = True
                self._log.line("model ready", seconds=round(time.monotonic() - began, 2))
            done = sum(_understood(app, group) for group in app.groups())
        except EmbedderUnavailable as error:
            self._tell(str(error)[:_LONGEST], type(error).__name__)
            return 0
        self.trouble = None
        self.is_ready = self.is_ready or bool(done)
        if done:
            self._log.line("understood", passages=done)
        return done

    def _tell(self, trouble: str, name: str) -> None:
        if trouble != self.trouble:
            self._log.line("not understood", error=name)
        self.trouble = trouble


def _understood(app: App, group: str) -> int:
    """Return how much was done for a group; one that cannot be read holds no other up."""
    try:
        return app.understand(group, seconds=SLICE)
    except EmbedderUnavailable:
        raise
    except TacitError:  # the work tells what is wrong with a store
        return 0
