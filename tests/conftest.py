"""What all tests share: a home of their own, and no network but loopback."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest

from rig import Home

if TYPE_CHECKING:
    from pathlib import Path

# what the surroundings of a test must not decide
_FOREIGN = (
    "TACIT_OFF",
    "TACIT_INTERNAL",
    "TACIT_GROUP",
    "CLAUDECODE",
    "AI_AGENT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CONFIG_DIR",
    "XDG_DATA_HOME",
)
os.environ["TZ"] = "UTC"
time.tzset()
# `make test &` in a script starts us with interrupts ignored, and each program that a test starts
signal.signal(signal.SIGINT, signal.default_int_handler)
_LOOPBACK = ("127.", "::1", "localhost")


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = str(arguments[1][0])
        if not host.startswith(_LOOPBACK):
            raise RuntimeError(f"A test reached for {host}: only loopback is allowed.")


sys.addaudithook(_refuse_network)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Return a home of this test's own, which is also the user's home for this test."""
    for name in _FOREIGN:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    return Home(tmp_path)
