"""The scorer: how likely a clause is worth remembering, as what kind, or left to do.

Logistic regression over the features of a clause. Its weights were learned from the invented turns
in `training/`; `training/train.py` makes the file again.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, fsum, log
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

WEIGHTS = "weights.json.gz"
_MOST = 30.0


@dataclass(frozen=True, slots=True)
class Model:
    """One question: a bias, and a weight for each feature that counts."""

    bias: float
    weights: dict[str, float]

    def chance(self, features: Collection[str]) -> float:
        """Return how likely the answer is yes."""
        weights = self.weights
        told = (weights[name] for name in features if name in weights)
        total = self.bias + fsum(told)  # the same in whatever order a set is walked
        return 1 / (1 + exp(-max(-_MOST, min(_MOST, total))))


@dataclass(frozen=True, slots=True)
class Scorer:
    """All that can be asked about the clauses of one speaker."""

    kept: Model
    todo: Model
    kinds: dict[str, Model]

    def kind(self, features: Collection[str]) -> dict[str, float]:
        """Return how fitting each kind is for a clause that is worth remembering."""
        return {name: model.chance(features) for name, model in self.kinds.items()}


@cache
def _models() -> dict[str, Any]:
    packed = files(__package__).joinpath(WEIGHTS).read_bytes()
    models: dict[str, Any] = json.loads(gzip.decompress(packed))["models"]
    return models


@dataclass(frozen=True, slots=True)
class Rarity:
    """How telling words are: among so many statements, in how many each word is."""

    count: int
    seen: dict[str, int]

    def of(self, stems: Collection[str]) -> float:
        """Return how telling words are together."""
        return fsum(log((self.count + 2) / (self.seen.get(word, 0) + 1)) for word in stems)


@cache
def rarity() -> Rarity:
    """Return how telling words are among all statements that were learned from."""
    return Rarity(*_models()["rarity"])


@cache
def kinship(relation: str) -> Model:
    """Return what tells whether a statement says the `same` as another, or has it `replaced`."""
    return Model(*_models()["kin"][relation])


@cache
def scorer(speaker: str) -> Scorer:
    """Return the scorer for what the `user` says, or for the agent's `reply`."""
    told = _models()[speaker]
    kinds = {name: Model(*model) for name, model in told["kinds"].items()}
    return Scorer(kept=Model(*told["kept"]), todo=Model(*told["todo"]), kinds=kinds)
