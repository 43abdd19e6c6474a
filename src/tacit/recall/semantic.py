"""Meaning: how near passages are to a question, and the question moved towards its best hits.

What the best hits mean tells more of what is meant than the few words of a question, so the search
looks a second time from there. A passage whose meaning is not known yet is simply not among these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tacit.recall import gauge
from tacit.recall.gauge import LOCAL

if TYPE_CHECKING:
    from collections.abc import Collection

    from tacit.recall.gauge import Gauge
    from tacit.recall.question import Meaning
    from tacit.store.index_port import Vector
    from tacit.store.memory_port import MemoryStore


@dataclass(frozen=True)
class Near:
    """A question's vector beside those of passages."""

    vector: Vector
    numbers: tuple[int, ...]
    vectors: Vector
    gauge: Gauge = LOCAL  # of the model that the vectors are of

    @cached_property
    def cosines(self) -> dict[int, float]:
        """Return the cosine of each passage, on the scale of the local model."""
        if not self.numbers:
            return {}
        near = self.gauge.scaled(self.vectors @ self.vector)
        return dict(zip(self.numbers, near.tolist(), strict=True))

    def towards(self, numbers: Collection[int], share: float) -> Near:
        """Return the same, the question moved by a share towards the mean of some passages."""
        rows = [at for at, number in enumerate(self.numbers) if number in set(numbers)]
        if not rows:
            return self
        moved = self.vector + share * self.vectors[rows].mean(axis=0)
        length = float((moved @ moved) ** 0.5)
        return replace(self, vector=moved / length if length else moved)


def known(meaning: Meaning, store: MemoryStore, numbers: Collection[int]) -> Near:
    """Return a question beside those of these passages whose meaning is known."""
    held, vectors = store.index.vectors(meaning.model, numbers)
    return Near(meaning.vector, tuple(held), vectors, gauge.of(store, meaning.model))
