"""The lock of a home: whoever drains or mends holds it, for as long as it takes and no longer.

The operating system lets it go when its holder dies, so a stale one is no obstacle.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tacit.capture import state
from tacit.paths import INGEST_LOCK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PAUSE = 0.02


@contextmanager
def held(home: Path, *, seconds: float) -> Iterator[bool]:
    """Hold the lock inside; says whether it could be had in time, and on a disk to write to."""
    # one that was deleted stays so
    root = state.open_home(str(home), is_proven=state.proven, making=False)
    try:
        descriptor = state.open_file(root, INGEST_LOCK, os.O_RDWR | os.O_CREAT)
    except OSError:
        if not state.is_writable(root):
            yield False
            return
        raise
    finally:
        os.close(root)
    try:
        yield _taken(descriptor, time.monotonic() + seconds)
    finally:
        os.close(descriptor)


def _taken(descriptor: int, until: float) -> bool:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(_PAUSE)
        else:
            return True
