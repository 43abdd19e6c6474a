"""Starting and stopping the daemon of a home, from outside."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit.capture import compile as capture_conf
from tacit.capture import state, wake
from tacit.capture.conf import Conf
from tacit.daemon.pulse import health
from tacit.errors import DaemonSilent
from tacit.paths import CAPTURE_CONF

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.daemon.pulse import Health

PATIENCE = 10.0
OF_USER = (b"ANTHROPIC_API_KEY", b"OPENAI_API_KEY", b"HOME", b"PATH")
_PAUSE = 0.05


def command() -> list[str]:
    """Return the command that runs a daemon with this installation, if it still may then."""
    return [sys.executable, "-P", "-m", "tacit", "daemon", "run", "--woken"]


def is_allowed(root: int) -> bool:
    """Say whether a daemon that was not started by hand may run: nobody has stopped it since."""
    try:
        text = state.read(root, CAPTURE_CONF).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return False
    return bool(Conf(text).daemon)


def start(root: int, home: str, patience: float = PATIENCE) -> tuple[Health, bool]:
    """Start a daemon unless one runs, and let hooks start it from now on; (health, is it new)."""
    capture_conf.set_daemon(root, home, command())
    if wake.is_running(root):
        return health(root), False
    wake.start(root, command(), home, OF_USER)
    if not _until(lambda: health(root).state == "healthy", patience):
        raise DaemonSilent("The daemon did not start. See logs/daemon.log in the home.")
    return health(root), True


def stop(root: int, home: str, patience: float = PATIENCE) -> bool:
    """Stop the daemon and let no hook start it again; say whether there was one.

    One that is only just starting finds out itself, as soon as it could do something.
    """
    capture_conf.set_daemon(root, home, [])
    if not wake.is_running(root):
        return False
    _until(lambda: health(root).pid is not None or not wake.is_running(root), patience)
    for number in (signal.SIGTERM, signal.SIGKILL):
        pid = health(root).pid
        if pid is not None and wake.is_running(root):
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        if _until(lambda: not wake.is_running(root), patience):
            capture_conf.set_daemon(root, home, [])  # its last words may have brought it back
            return True
    raise DaemonSilent("The daemon did not stop. See logs/daemon.log in the home.")


def _until(is_so: Callable[[], bool], patience: float) -> bool:
    until = time.monotonic() + patience
    while not is_so():
        if time.monotonic() >= until:
            return False
        time.sleep(_PAUSE)
    return True
