"""The gauge: whatever a model's cosines are, unrelated texts are as far for it as for the local."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tacit.embed.local import MODEL, LocalEmbedder
from tacit.recall import gauge
from tacit.recall.gauge import LOCAL, Gauge, measured
from unit.recall.finding import Counting

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.embed.port import Purpose, Vectors
    from unit.curate.saying import Desk


class Crowded:
    """The local model with all that it says moved towards one point, as many models have it."""

    def __init__(self, local: LocalEmbedder, moved: float) -> None:
        self._local = local
        self._moved = moved
        self.model = "crowded/1"

    def embed(self, texts: Sequence[str], purpose: Purpose, tokens: int = 128) -> Vectors:
        """Return a row of length 1 for each text, in order."""
        rows = self._local.embed(texts, purpose, tokens)
        moved = np.full((len(rows), 1), self._moved, dtype=np.float32)
        wide = np.hstack([rows, moved]) / (1 + self._moved**2) ** 0.5
        return np.asarray(wide, np.float32)

    def close(self) -> None:
        """Let go of nothing."""


@pytest.fixture(scope="module")
def local() -> Iterator[LocalEmbedder]:
    embedder = LocalEmbedder()
    yield embedder
    embedder.close()


def test_the_local_one_is_what_all_are_measured_by(local: LocalEmbedder) -> None:
    assert measured(local) == pytest.approx(LOCAL, abs=5e-4)


@pytest.mark.parametrize("moved", [0.5, 1.0, 2.0])
def test_a_model_to_which_all_is_near_is_read_as_the_local_one(
    local: LocalEmbedder, moved: float
) -> None:
    texts = ["the ferry leaves at noon", "when does the boat go", "a recipe for bread"]
    crowded = Crowded(local, moved)
    here, there = local.embed(texts, "query"), crowded.embed(texts, "query")

    scaled = measured(crowded).scaled(there @ there.T)

    assert float((there @ there.T).min()) > 0.15
    np.testing.assert_allclose(scaled, here @ here.T, atol=0.01)


def test_what_is_nearer_stays_nearer() -> None:
    cosines = [-1.0, 0.0, 0.3, 0.31, 0.9, 1.0]

    scaled = [Gauge(0.4, 0.7).scaled(cosine) for cosine in cosines]

    assert scaled == sorted(scaled)


@pytest.mark.parametrize("apart", [0.0, 0.001])
def test_a_model_to_which_everything_is_one_finds_nothing_near(apart: float) -> None:
    blind = Gauge(1.0 - apart, 1.0)

    assert {blind.scaled(cosine) for cosine in (0.2, 0.99, 1.0)} == {LOCAL.usual}


def test_another_model_is_measured_once_and_the_local_one_never(desk: Desk) -> None:
    local, other = Counting(MODEL), Counting("other/1")

    for _ in range(2):
        gauge.see_to(desk.store, local)
        gauge.see_to(desk.store, other)

    assert (local.asked, len(other.asked), len(set(other.asked))) == ([], 64, 64)
    assert gauge.of(desk.store, MODEL) == LOCAL
    assert gauge.of(desk.store, "other/1") == pytest.approx(measured(other), abs=1e-5)


def test_until_it_is_measured_a_model_is_taken_for_the_local_one(desk: Desk) -> None:
    assert gauge.of(desk.store, "unheard/of") == LOCAL
