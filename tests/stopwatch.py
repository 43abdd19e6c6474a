"""How long something takes: the least CPU of some tries, with the collector of garbage at rest.

A full collection of a process that has run thousands of tests takes longer than what is measured.
"""

from __future__ import annotations

import gc
import time
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_FRESH = count()


def cpu_seconds(work: Callable[[], object], tries: int = 3) -> float:
    """Return the least CPU time that the work took."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return min(_once(work) for _ in range(tries))
    finally:
        if was_on:
            gc.enable()


def grows_within(
    limit: float, small: Callable[[], object], big: Callable[[], object], tries: int = 5
) -> bool:
    """Say whether the big work takes less than so many times the small, as soon as a try shows it.

    What grows faster does so in every try, however busy the machine is.
    """
    least = most = float("inf")
    for _ in range(tries):
        least, most = min(least, cpu_seconds(small, 1)), min(most, cpu_seconds(big, 1))
        if most < limit * least:
            return True
    return False


def anew(work: Callable[[str], object], text: str) -> Callable[[], object]:
    """Return that work on a text that differs each time: what was seen is kept in mind."""
    return lambda: work(f"{next(_FRESH)} {text}")


def _once(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started
