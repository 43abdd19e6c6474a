"""Alike: memories that say the same in other words, found by their meaning.

Near in meaning is not enough: "port 5432" is near "port 5433". Two are one only where they name the
same values, deny the same, are of one sort and in one place, and differ in no telling word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.rules.kin import values
from tacit.curate.rules.scorer import rarity
from tacit.curate.rules.words import stems, words
from tacit.model.memory import BEHAVIOURAL, trust
from tacit.store.index_port import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.model.memory import Memory
    from tacit.store.sqlite.memory import SqliteMemory

NEAR = 0.85
DIFFERENT = 0.4  # so much of what two say may be said by one alone
_BLOCK = 1024
_NAME = re.compile(r"(?<=[\w,;] )[A-Z]\w+|\w*(?:[a-z][A-Z]|[_./\\]\w|\d)\w*")
_DENIALS = frozenset(
    (
        "not", "no", "never", "don't", "doesn't", "isn't", "aren't", "won't", "can't", "without",
        "instead", "stop", "avoid", "nicht", "kein", "keine", "nie", "ohne", "pas", "jamais",
        "sans", "nunca", "sin", "non", "mai", "senza", "não", "sem", "nie", "bez",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Two memories that say the same: the one that stays, and the one that it stands for."""

    kept: Memory
    merged: Memory
    cosine: float


def pairs(store: SqliteMemory, model: str, apart: frozenset[str] = frozenset()) -> Iterator[Alike]:
    """Yield pairs that are one, each memory in one of them at most; *apart* stand by themselves."""
    numbers = store.index.latest(Scope(layers=("memory",)), -1)
    held, vectors = store.index.vectors(model, numbers)
    names = {row.number: row.subject for row in store.index.rows(held)}
    taken = set(apart)
    for start in range(0, len(held), _BLOCK):
        near = vectors[start : start + _BLOCK] @ vectors.T
        for one, other in zip(*(near > NEAR).nonzero(), strict=True):
            first, second = names[held[start + one]], names[held[other]]
            if start + one >= other or first in taken or second in taken:
                continue
            found = _judged(store, first, second, float(near[one, other]))
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
    if values(one.content) != values(other.content) or _names(one) != _names(other):
        return False
    if _denied(one.content) != _denied(other.content):
        return False
    ours, theirs = stems(one.content), stems(other.content)
    rare = rarity()
    return rare.of(ours ^ theirs) <= DIFFERENT * (rare.of(ours | theirs) or 1.0)


def _names(memory: Memory) -> set[str]:
    """Return the names and identifiers that a memory holds."""
    return {name.casefold() for name in _NAME.findall(memory.content)}


def _denied(text: str) -> int:
    """Return how often a text denies something."""
    return sum(word in _DENIALS for word in words(text))
