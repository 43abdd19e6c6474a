"""The scorer: how likely a clause is worth remembering, as what kind, or left to do.

Logistic regression over the features of a clause. Its weights were learned from the invented turns
in `training/`; `training/train.py` makes the file again.
"""

from __future__ import annotations

import gzip
import json
from array import array
from base64 import b64decode
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cache, partial
from math import exp, fsum, log
from sys import byteorder
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tacit.mind import in_mind
from tacit.model.memory import KINDS
from tacit.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

WEIGHTS = "weights.json.gz"
_MOST = 30.0
PARTS = 1000
_IN_MIND = 4096  # features, and words
_PARTED, _REST = 4096, 20  # in so many parts by their first bits, and how many bits are left


@dataclass(frozen=True, slots=True)
class Model:
    """One question: a bias, and a weight for each feature that counts."""

    bias: float
    weights: dict[str, float]

    def chance(self, features: Collection[str]) -> float:
        """Return how likely the answer is yes."""
        weights = self.weights
        told = (weights[name] for name in features if name in weights)
        return _chance(self.bias + fsum(told))  # the same in whatever order a set is walked


@dataclass(frozen=True, slots=True)
class Scorer:
    """All that can be asked about the clauses of one speaker.

    Whether one is worth to be `kept`, is left `todo`, holds `everywhere`, and is of which kind.

    Tens of thousands of features, so they are kept in arrays: the sorted digests of their names,
    and for each question their weights, in thousandths.
    """

    keys: array[int]
    questions: dict[str, tuple[float, array[int]]]
    _row: Callable[[str], int | None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Keep in mind where the features stand that are met again and again."""
        starts = array("I", (bisect_left(self.keys, part << _REST) for part in range(_PARTED + 1)))
        found = partial(_row_of, self.keys, starts)
        object.__setattr__(self, "_row", in_mind(_IN_MIND)(found))

    def chance(self, question: str, features: Collection[str]) -> float:
        """Return how likely the answer to a question is yes."""
        return self._answer(question, self._rows(features))

    def kind(self, features: Collection[str]) -> dict[str, float]:
        """Return how fitting each kind is for a clause that is worth remembering."""
        rows = self._rows(features)
        return {kind: self._answer(kind, rows) for kind in KINDS}

    def _answer(self, question: str, rows: Sequence[int]) -> float:
        bias, weights = self.questions[question]
        return _chance(bias + sum(map(weights.__getitem__, rows)) / PARTS)

    def _rows(self, features: Collection[str]) -> list[int]:
        return [row for row in map(self._row, features) if row is not None]


def _row_of(keys: array[int], starts: array[int], feature: str) -> int | None:
    """Return where a feature stands among those that count; its first bits say about where."""
    key = digest(feature)
    stop = starts[(key >> _REST) + 1]
    row = bisect_left(keys, key, starts[key >> _REST], stop)
    return row if row < stop and keys[row] == key else None


def digest(feature: str) -> int:
    """Return what stands for the name of a feature."""
    return crc32(feature.encode("utf-8", "surrogatepass"))


def _chance(total: float) -> float:
    return 1 / (1 + exp(-max(-_MOST, min(_MOST, total))))


@dataclass(frozen=True, slots=True)
class Rarity:
    """How telling words are: among so many statements, in how many each word is."""

    count: int
    seen: dict[str, int]
    _tells: Callable[[str], float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Keep in mind the words that are met again and again."""
        tells = in_mind(_IN_MIND)(partial(_telling, self.count, self.seen))
        object.__setattr__(self, "_tells", tells)

    def of(self, stems: Collection[str]) -> float:
        """Return how telling words are together."""
        return fsum(map(self._tells, stems))


def _telling(count: int, seen: dict[str, int], word: str) -> float:
    return log((count + 2) / (seen.get(word, 0) + 1))


@dataclass(frozen=True, slots=True)
class _Learned:
    """All that was learned."""

    speakers: dict[str, Scorer]
    kin: dict[str, Model]
    rarity: Rarity


@cache
def _learned() -> _Learned:
    """Read the file, once."""
    told = json.loads(gzip.decompress(shipped(__package__, WEIGHTS).read_bytes()))
    return _Learned(
        speakers={name: _unpacked(packed) for name, packed in told["speakers"].items()},
        kin={name: Model(*model) for name, model in told["kin"].items()},
        rarity=Rarity(*told["rarity"]),
    )


def _unpacked(packed: dict[str, Any]) -> Scorer:
    models = packed["models"].items()
    questions = {name: (bias, _numbers("h", weights)) for name, (bias, weights) in models}
    return Scorer(_numbers("I", packed["keys"]), questions)


def _numbers(code: str, text: str) -> array[int]:
    found = array(code, b64decode(text))
    if byteorder == "big":
        found.byteswap()
    return found


def rarity() -> Rarity:
    """Return how telling words are among all statements that were learned from."""
    return _learned().rarity


def kinship(relation: str) -> Model:
    """Return what tells whether a statement says the `same` as another, or has it `replaced`."""
    return _learned().kin[relation]


def scorer(speaker: str) -> Scorer:
    """Return the scorer for what the `user` says, or for the agent's `reply`."""
    return _learned().speakers[speaker]
