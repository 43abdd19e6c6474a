"""The gauge: cosines of any embedder, read on the scale of the local one.

Models differ in how near they put texts that have nothing to do with each other: what is close for
one is chance for another. So each is measured once, by prompts and statements of our own that are
unrelated: how near these are on the average, and how near the nearest statement comes to a prompt.
Curves and limits that were fitted to the local model then hold for it too, and as few unrelated
prompts have a hit. One that puts everything in one place tells nothing, and finds nothing.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, NamedTuple

from tacit.shipped import shipped

if TYPE_CHECKING:
    from typing import TypeVar

    import numpy as np
    import numpy.typing as npt

    from tacit.embed.port import Embedder
    from tacit.store.memory_port import MemoryStore

    Cosine = TypeVar("Cosine", float, npt.NDArray[np.float32])

_LOCAL = "minilm"
_USUAL, _NEAREST = "gauge usual", "gauge nearest"
_PARTS = 1_000_000
_SPREAD = 2  # deviations above the mean: one prompt in forty has something nearer
_LEAST = 0.01  # between the two, for a model that tells texts apart


class Gauge(NamedTuple):
    """How near unrelated texts are to a model: on the average, and at the most but for few."""

    usual: float
    nearest: float

    def scaled(self, cosine: Cosine) -> Cosine:
        """Return what a cosine would be to the local model."""
        if self == LOCAL:
            return cosine
        reach = self.nearest - self.usual
        share = (LOCAL.nearest - LOCAL.usual) / reach if reach >= _LEAST else 0.0
        return LOCAL.usual + (cosine - self.usual) * share


LOCAL = Gauge(0.0387, 0.2826)


def measured(embedder: Embedder) -> Gauge:
    """Return the gauge of an embedder."""
    told = tomllib.loads(shipped(__package__, "anchors.toml").read_text(encoding="utf-8"))
    prompts = embedder.embed(told["prompts"], "query")
    near = prompts @ embedder.embed(told["statements"], "document").T
    nearest = near.max(axis=1)
    return Gauge(float(near.mean()), float(nearest.mean() + _SPREAD * nearest.std()))


def of(store: MemoryStore, model: str) -> Gauge:
    """Return the gauge of a model; that of the local one for it, and until another is measured."""
    if not _is_other(model):
        return LOCAL
    usual, nearest = (store.jobs.number(f"{name} {model}") for name in (_USUAL, _NEAREST))
    return Gauge(usual / _PARTS, nearest / _PARTS) if nearest else LOCAL


def see_to(store: MemoryStore, embedder: Embedder) -> None:
    """Measure an embedder, unless that was done."""
    model = embedder.model
    if not _is_other(model) or store.jobs.number(f"{_NEAREST} {model}"):
        return
    gauge = measured(embedder)
    with store.transaction():
        for name, number in zip((_USUAL, _NEAREST), gauge, strict=True):
            store.jobs.set_number(f"{name} {model}", round(number * _PARTS) or 1)


def _is_other(model: str) -> bool:
    return model.partition("-")[0] != _LOCAL
