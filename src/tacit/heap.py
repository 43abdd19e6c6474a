"""The heap: memory that was freed goes back to the system, and threads do not hoard it.

Only glibc holds on to what was freed, and only it is asked. Elsewhere nothing happens.
"""

from __future__ import annotations

import ctypes

_MOST_HEAPS = -8  # glibc's M_ARENA_MAX


def give_back() -> None:
    """Have the C library return what was freed; it would keep it for later."""
    _ask("malloc_trim", 0)


def share() -> None:
    """Let all threads take from one heap, before there are any: each would keep its own."""
    _ask("mallopt", _MOST_HEAPS, 1)


def _ask(name: str, *numbers: int) -> None:
    function = getattr(ctypes.CDLL(None), name, None)
    if function is not None:
        function(*numbers)
