"""How long something takes: the least CPU of some tries, with the collector of garbage at rest.

A full collection of a process that has run thousands of tests takes longer than what is measured.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def cpu_seconds(work: Callable[[], object], tries: int = 3) -> float:
    """Return the least CPU time that the work took."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return min(_once(work) for _ in range(tries))
    finally:
        if was_on:
            gc.enable()


def _once(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started
