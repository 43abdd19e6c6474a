"""Windows: of a long text the stretches that may be worth reading, as they stand.

A stretch is about five hundred tokens and shares about a hundred with the next, so that no
statement is cut in two. The first and the last are always among them, then those that tell most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE, SHARED = 1800, 360  # characters: about 500 and 100 tokens
CUT = "\n[...]\n"
_ENDS = 2  # the first and the last: where no more has room, half of it is for each


def stretches(text: str) -> list[tuple[int, int]]:
    """Return where the stretches of a text begin and end."""
    if len(text) <= SIZE:
        return [(0, len(text))]
    step = SIZE - SHARED
    starts = range(0, len(text) - SHARED, step)
    return [(start, min(len(text), start + SIZE)) for start in starts]


def chosen(text: str, most: int, telling: Callable[[str], float]) -> str:
    """Return as much of a text as may be sent, the most telling stretches of it, in order."""
    if len(text) <= most:
        return text
    count = (most - len(CUT)) // (SIZE + len(CUT))
    if count < _ENDS:
        half = max(0, (most - len(CUT)) // 2)
        return text[:half] + CUT + text[len(text) - half :]
    found = stretches(text)
    ranked = sorted(range(len(found)), key=lambda at: (-_rank(at, found, text, telling), at))
    return joined(text, [found[at] for at in sorted(ranked[:count])])


def _rank(
    at: int, found: list[tuple[int, int]], text: str, telling: Callable[[str], float]
) -> float:
    if at in {0, len(found) - 1}:
        return float("inf")
    start, stop = found[at]
    return telling(text[start:stop])


def joined(text: str, kept: list[tuple[int, int]]) -> str:
    """Return these stretches as one text; what is left out between them is marked."""
    parts, end = [], 0
    for start, stop in kept:
        if start > end:
            parts.append(CUT)
        parts.append(text[max(start, end) : stop])
        end = stop
    return "".join(parts) + (CUT if end < len(text) else "")
