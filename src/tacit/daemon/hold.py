"""The lock that makes a daemon the only one of its home, held for life.

The operating system lets it go when its holder dies: a stale or reused process id is no obstacle.
"""

from __future__ import annotations

import fcntl
import os
import time

from tacit.capture import state
from tacit.paths import DAEMON_LOCK

_TRIES, _PAUSE = 10, 0.02


def take(root: int) -> int | None:
    """Return the descriptor that holds the lock; None if another daemon has it.

    Tried a few times: a hook that looks whether a daemon runs holds it for an instant.
    """
    descriptor = state.open_file(root, DAEMON_LOCK, os.O_RDWR | os.O_CREAT)
    for _ in range(_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        else:
            os.ftruncate(descriptor, 0)
            state.write_all(descriptor, f"{os.getpid()}\n".encode())
            return descriptor
    os.close(descriptor)
    return None
