"""The client on a screen, in a terminal of its own: typed at and read as a person would."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING, Self

from realclient.client import PATIENCE, SEARCHED

if TYPE_CHECKING:
    from collections.abc import Callable

    from realclient.client import Client

_READY = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
_PAUSE = 0.05
_SETTLED = 0.3


class Terminal:
    """One client on one screen, both gone at the end."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def __enter__(self) -> Self:
        surroundings = [f"{name}={value}" for name, value in self._client.environment().items()]
        command = ["env", "-i", *surroundings, str(self._client.program)]
        where = str(self._client.home.project)
        self._tmux("new-session", "-d", "-x", "120", "-y", "40", "-c", where, *command)
        self.until(lambda: _READY in self.screen(), "a prompt to type at")
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server")

    def type(self, line: str) -> None:
        """Type a line and send it when the screen shows it."""
        time.sleep(_SETTLED)
        self._tmux("send-keys", "-l", line)
        self.until(lambda: line in self.screen(), f"{line!r} on the screen")
        time.sleep(_SETTLED)
        self._tmux("send-keys", "Enter")

    def screen(self) -> str:
        """Return what the screen shows."""
        return self._tmux("capture-pane", "-p")

    def is_gone(self) -> bool:
        """Say whether the client has ended, and the screen with it."""
        return self._tmux("list-sessions") == ""

    def until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for something to be so; fail, saying *what* was waited for, when it never is."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, f"never came: {what}; the screen shows\n{self.screen()}"
            time.sleep(_PAUSE)

    def _tmux(self, *arguments: str) -> str:
        # a relative socket: its whole path may be too long for one
        ended = subprocess.run(
            ["tmux", "-S", "tmux.sock", "-f", "/dev/null", *arguments],
            cwd=self._client.home.scratch,
            env={"PATH": SEARCHED, "LANG": "C.UTF-8", "TERM": "xterm-256color"},
            capture_output=True,
            text=True,
            check=False,
        )
        return ended.stdout
