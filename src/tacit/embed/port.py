"""The embedder's port: what the rooms above ask of whatever turns texts into vectors.

Types only: to know the port costs nobody numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt

    Vectors: TypeAlias = npt.NDArray[np.float32]

Purpose = Literal["query", "document"]
TOKENS = 128  # of each text so many are used, unless told


class Embedder(Protocol):
    """Turns texts into vectors; any thread may ask at any time."""

    @property
    def model(self) -> str:
        """Return the id that every vector carries: two vectors compare only under the same."""
        ...

    def embed(self, texts: Sequence[str], purpose: Purpose, tokens: int = TOKENS) -> Vectors:
        """Return a row of length 1 for each text, in order; `EmbedderUnavailable` if it cannot."""
        ...

    def close(self) -> None:
        """Let go of what it holds; the next text takes it up again."""
        ...
