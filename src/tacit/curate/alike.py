"""Alike: memories that say the same in other words, found by their meaning.

Near in meaning is not enough: "port 5432" is near "port 5433". Two are one only where they are of
one sort, about one topic and in one place, and where `wording.py` finds no word that tells them
apart. What is not clear stays two memories.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate import wording
from tacit.model.memory import BEHAVIOURAL, trust
from tacit.recall import gauge
from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

NEAR = 0.85
_BLOCK = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Two memories that say the same: the one that stays, and the one that it stands for."""

    kept: Memory
    merged: Memory
    cosine: float


def pairs(
    store: SqliteMemory, model: str, apart: frozenset[str] = frozenset(), since: int = 0
) -> Iterator[Alike]:
    """Yield pairs that are one, each memory in one of them at most; *apart* stand by themselves.

    One of each pair has a passage that is newer than *since*.
    """
    numbers = store.index.latest(Scope(layers=("memory",)), -1)
    held, vectors = store.index.vectors(model, numbers)
    names = {row.number: row.subject for row in store.index.rows(held)}
    taken, scale = set(apart), gauge.of(store, model)
    fresh = [at for at, number in enumerate(held) if number > since]
    for start in range(0, len(fresh), _BLOCK):
        block = fresh[start : start + _BLOCK]
        near = scale.scaled(vectors[block] @ vectors.T)
        for row, other in zip(*(near > NEAR).nonzero(), strict=True):
            one = block[row]
            first, second = names[held[one]], names[held[other]]
            is_twice = one > other and held[other] > since
            if one == other or is_twice or first in taken or second in taken:
                continue
            found = _judged(store, first, second, float(near[row, other]))
            if found:
                taken |= {first, second}
                yield found


def _judged(store: SqliteMemory, first: str, second: str, cosine: float) -> Alike | None:
    """Return two memories as one that stays and one that goes; None if they are not one."""
    one, other = store.memories.get(first), store.memories.get(second)
    if one is None or other is None or not is_one(one, other):
        return None
    kept, merged = sorted((one, other), key=_worth, reverse=True)
    is_elsewhere = kept.project is not None and merged.project != kept.project
    return (
        None
        if merged.pinned or is_elsewhere
        else Alike(kept=kept, merged=merged, cosine=round(cosine, 3))
    )


def _worth(memory: Memory) -> tuple[bool, int, bool, int, int, str]:
    """Return by what the one that stays is chosen: kept in sight, trusted, wide, weighty, new."""
    is_wide = memory.project is None
    return (
        memory.pinned, trust(memory.origin), is_wide, memory.importance, memory.created_at,
        memory.id,
    )  # fmt: skip


def is_one(one: Memory, other: Memory) -> bool:
    """Say whether two memories that are near in meaning say the same."""
    if (one.kind in BEHAVIOURAL) != (other.kind in BEHAVIOURAL):
        return False
    if one.topic and other.topic and one.topic != other.topic:
        return False
    return wording.is_same(one.content, other.content, is_wish=one.kind in BEHAVIOURAL)
