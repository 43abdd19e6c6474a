"""Sharing: how many lines of each section fit into the room there is.

What is wanted first comes first; then every section gets its share, and what one does not need goes
to the others, in their order. So no section starves while another has room to spare, and none grows
beyond what is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def shared(
    needs: Sequence[Sequence[int]],
    shares: Sequence[float],
    room: int,
    first: Sequence[int | None] = (),
    then: Sequence[int | None] = (),
) -> list[int]:
    """Return how many lines of each section are taken; *needs* are the sizes of its lines.

    So many of each as *first* says are wanted before anything else, whatever its share; but they
    leave a section its own for which it says None. Then come so many as *then* says, which leave
    every section half of its own, so that none starves.
    """
    taken = [0] * len(needs)
    kept = sum(int(room * shares[at]) for at, count in enumerate(first) if count is None)
    ahead = [(at, needs[at][: count or 0], room) for at, count in enumerate(first)]
    left = _fill(taken, ahead, room - kept)
    for at, count in enumerate(then):
        others = [each for each in range(len(needs)) if each != at and first[each] is not None]
        spared = sum(_due(needs[each], taken[each], room * shares[each]) for each in others)
        wanted = [(at, needs[at][: count or 0], room)]
        left = _fill(taken, wanted, max(0, left - spared)) + min(left, spared)
    own = [(at, needs[at], int(room * share)) for at, share in enumerate(shares)]
    _fill(taken, [*own, *((at, lines, room) for at, lines in enumerate(needs))], left + kept)
    return taken


def _due(lines: Sequence[int], taken: int, share: float) -> int:
    """Return how much of half its share a section still has to get."""
    return max(0, min(int(share / 2), sum(lines)) - sum(lines[:taken]))


def _fill(taken: list[int], steps: Sequence[tuple[int, Sequence[int], int]], left: int) -> int:
    """Take lines of a section, up to so much of the room, step by step; return what is left."""
    for at, lines, most in steps:
        more = _fitting(lines[taken[at] :], min(left, most - sum(lines[: taken[at]])))
        left -= sum(lines[taken[at] : taken[at] + more])
        taken[at] += more
    return left


def _fitting(lines: Sequence[int], room: int) -> int:
    """Return how many of the first lines fit."""
    for count, size in enumerate(lines):
        room -= size
        if room < 0:
            return count
    return len(lines)
