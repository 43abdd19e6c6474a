"""Tending: workspaces are looked after a moment at a time, and seldom if they are large.

A look that takes long goes on in later rounds, and the next one comes the later the longer it took:
a workspace of a hundred thousand files costs a hundredth of one processor at most.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tacit.errors import SchemaNewer, TacitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.app import App
    from tacit.log import Log

SLICE = 0.2  # so long at most before others have a look
PAUSE = 1.0  # until a look goes on
EVERY = 60.0
SHARE = 100  # so many times as long as a look took, nothing is looked at


class Tending:
    """Looks after the workspaces of one home, when it is time."""

    def __init__(self, app: App, log: Log, now: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._log = log
        self._now = now
        self._due: dict[str, float] = {}
        self._spent: dict[str, float] = {}

    def look(self) -> None:
        """Look after what is due."""
        for group in self._app.spaces():
            if self._now() >= self._due.get(group, 0.0):
                self._tend(group)

    def _tend(self, group: str) -> None:
        began = self._now()
        try:
            is_done = self._app.tend(group, seconds=SLICE)
        except SchemaNewer:
            raise
        except TacitError as error:
            self._log.line("not looked after", group=group, error=type(error).__name__)
            self._due[group] = self._now() + EVERY
            return
        spent = self._spent.pop(group, 0.0) + self._now() - began
        if is_done:
            self._due[group] = self._now() + max(EVERY, SHARE * spent)
        else:
            self._spent[group] = spent
            self._due[group] = self._now() + PAUSE
