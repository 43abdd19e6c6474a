"""An embedder for tests: near is what shares words, and it can be slow or fail on purpose."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from tacit.embed.port import TOKENS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.embed.port import Purpose, Vectors
    from tacit.errors import EmbedderUnavailable

SIZE = 64
PATIENCE = 10.0


class Sensing:
    """Texts are as near as they share words; words with one sense are one word."""

    def __init__(self, senses: Mapping[str, str] | None = None) -> None:
        self._senses = senses or {}
        self.model = "minilm-sensing"  # on the scale of the local one
        self.asked: list[str] = []
        self.delay = 0.0  # of each call
        self.trouble: EmbedderUnavailable | None = None
        self.may_go_on = threading.Event()  # without it every text waits
        self.may_go_on.set()

    def embed(self, texts: Sequence[str], purpose: Purpose, tokens: int = TOKENS) -> Vectors:
        """Return a row of length 1 for each text."""
        del purpose, tokens
        self.asked += texts
        time.sleep(self.delay)
        assert self.may_go_on.wait(PATIENCE)
        if self.trouble:
            raise self.trouble
        return np.array([self._vector(text) for text in texts], np.float32).reshape(-1, SIZE)

    def close(self) -> None:
        """Hold nothing."""

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(SIZE, np.float32)
        for word in text.casefold().replace(".", "").split() or [""]:
            vector[crc32(self._senses.get(word, word).encode()) % SIZE] += 1
        return vector / np.float32(np.linalg.norm(vector))


class Blunt(Sensing):
    """To this one everything means the same."""

    def _vector(self, text: str) -> Vectors:
        del text
        return super()._vector("everything")
