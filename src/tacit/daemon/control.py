"""Starting and stopping the daemon of a home, from outside."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit.capture import state, wake
from tacit.daemon.pulse import health
from tacit.errors import DaemonSilent
from tacit.paths import DAEMON_STOPPED, REMADE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.daemon.pulse import Health

PATIENCE = 10.0
LOADING = 60.0  # seconds that a start may take on a busy machine, while its process lives
# what a daemon that the user starts is handed; one that a hook starts gets nothing
OF_USER = (
    b"ANTHROPIC_API_KEY",
    b"OPENAI_API_KEY",
    b"HOME",
    b"PATH",
    b"USER",
    b"LOGNAME",
    b"LANG",
    b"TZ",
    b"TMPDIR",
    b"XDG_DATA_HOME",
    b"XDG_RUNTIME_DIR",
)
_PAUSE = 0.05


def allow(root: int) -> None:
    """Let hooks start the daemon from now on."""
    with suppress(FileNotFoundError):
        os.unlink(DAEMON_STOPPED, dir_fd=root)


def start(root: int, home: str, patience: float = LOADING) -> tuple[Health, bool]:
    """Start a daemon unless one runs, and let hooks start it from now on; (health, is it new)."""
    allow(root)
    if wake.is_running(root):
        return health(root), False
    environment = {name: value for name, value in os.environb.items() if name in OF_USER}
    pid = wake.start(root, wake.command(home, sys.executable), environment)
    _until(lambda: _is_healthy(root) or _is_over(root, pid), patience)
    if not _is_healthy(root):
        raise DaemonSilent("The daemon did not start. See logs/daemon.log in the home.")
    return health(root), True


def _is_healthy(root: int) -> bool:
    return health(root).state == "healthy"


def _is_over(root: int, pid: int) -> bool:
    """Return whether the process has ended and no other daemon is in its place."""
    try:
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return not wake.is_running(root)
    return ended is not None and not wake.is_running(root)


def stop(root: int, patience: float = PATIENCE) -> bool:
    """Stop the daemon and let no hook start it again; return whether there was one.

    One that is only just starting finds out itself, as soon as it could do something.
    """
    _forbid(root)
    if not wake.is_running(root):
        return False
    _until(lambda: health(root).pid is not None or not wake.is_running(root), patience)
    for number in (signal.SIGTERM, signal.SIGKILL):
        pid = health(root).pid
        if pid is not None and wake.is_running(root):
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        if _until(lambda: not wake.is_running(root), patience):
            return True
    raise DaemonSilent("The daemon did not stop. See logs/daemon.log in the home.")


def _forbid(root: int) -> None:
    """Let no hook start the daemon; where no file can be made, a spare one becomes the note."""
    try:
        os.close(state.open_file(root, DAEMON_STOPPED, os.O_WRONLY | os.O_CREAT))
    except OSError as error:
        spare = next((name for name in REMADE if state.is_there(root, name)), None)
        if error.errno not in {errno.ENOSPC, errno.EDQUOT} or spare is None:
            raise
        os.rename(spare, DAEMON_STOPPED, src_dir_fd=root, dst_dir_fd=root)


def _until(is_so: Callable[[], bool], patience: float) -> bool:
    until = time.monotonic() + patience
    while not is_so():
        if time.monotonic() >= until:
            return False
        time.sleep(_PAUSE)
    return True
