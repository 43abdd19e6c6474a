"""Batches: which turns of which session are due to be read by a model, and why now.

Turns of one session wait until there are enough of them, the session ends or is compacted, nothing
has come for ten minutes, or one of them says "remember" or corrects something. What could not be
read is tried again in smaller batches, so that in the end one turn spoils no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from tacit.transcript.turns import IDLE_NS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.store.port import Store
    from tacit.store.unasked_port import Unasked


MAX_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Turns of one session that are due, and whether the session is over."""

    session: str
    turns: tuple[Unasked, ...]
    is_final: bool


def due(waiting: Sequence[Unasked], transcript: Store, most: int, now_ns: int) -> Iterator[Due]:
    """Yield the turns that are due, of each session the first ones."""
    for session, rows in groupby(waiting, key=lambda each: each.session):
        turns = list(rows)
        is_over = transcript.has_ended(session, transcript.head().seq)
        is_idle = now_ns - max(each.at for each in turns) >= IDLE_NS
        is_urgent = any(each.is_urgent for each in turns)
        if is_over or is_idle or is_urgent or len(turns) >= most:
            chosen = _first(turns, most)
            is_final = is_over and len(chosen) == len(turns)
            yield Due(session=session, turns=chosen, is_final=is_final)


def _first(turns: Sequence[Unasked], most: int) -> tuple[Unasked, ...]:
    """Return the first turns, the fewer the more often one of them was tried.

    What is tried for the last time is tried alone, however many turns a batch may have.
    """
    halvings = max(1, -(-(most.bit_length() - 1) // (MAX_TRIES - 1)))  # for each try
    chosen: list[Unasked] = []
    for each in turns:
        tries = max(one.tries for one in (*chosen, each))
        if len(chosen) >= max(1, most >> halvings * tries):
            break
        chosen.append(each)
    return tuple(chosen)
