"""What the tests of quality share: the local model, and shelves of memories that it understands."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from contract.conftest import IN_MEMORY, NOON, sqlite_memory
from contract.memories import fact, put
from rig import corpus
from tacit.embed.local import LocalEmbedder
from tacit.recall.meaning import understand
from tacit.recall.question import MOST, Meaning, Question
from tacit.recall.search import search
from tacit.recall.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tacit.embed.port import Purpose, Vectors
    from tacit.model.memory import Memory
    from tacit.recall.question import Hit
    from tacit.recall.weights import Weights
    from tacit.store.sqlite.memory import SqliteMemory

    Make = Callable[[list[Memory]], "Shelf"]

NOT_FOUND = 1_000_000


class Remembering:
    """The local model, which is asked about each text once."""

    def __init__(self) -> None:
        self._embedder = LocalEmbedder()
        self._known: dict[str, Any] = {}
        self.model = self._embedder.model

    def embed(self, texts: Sequence[str], purpose: Purpose, tokens: int = 128) -> Vectors:
        """Return a row of length 1 for each text, in order."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            vectors = self._embedder.embed(fresh, purpose, tokens)
            self._known |= dict(zip(fresh, vectors, strict=True))
        return np.stack([self._known[text] for text in texts])

    def close(self) -> None:
        """Let the model go."""
        self._embedder.close()


class Shelf:
    """Memories, understood, and a way to ask for them."""

    def __init__(self, store: SqliteMemory, embedder: Remembering) -> None:
        self._store = store
        self._embedder = embedder

    def rank(
        self, text: str, memory: str, weights: Weights = WEIGHTS, *, by_words: bool = False
    ) -> int:
        """Return at which place a question finds a memory."""
        asked = Question(text=text, limit=MOST)
        found = [hit.id for hit in self.hits(asked, weights, by_words=by_words)]
        return found.index(memory) + 1 if memory in found else NOT_FOUND

    def hits(
        self, question: Question, weights: Weights = WEIGHTS, *, by_words: bool = False
    ) -> list[Hit]:
        """Return what a question finds."""
        meaning = None
        if not by_words:
            (vector,) = self._embedder.embed([question.text], "query")
            meaning = Meaning(model=self._embedder.model, vector=vector)
        answer = search(question, self._store, lambda _events: [], lambda: meaning, NOON, weights)
        return answer.hits

    def ranks(self, name: str, weights: Weights = WEIGHTS, *, by_words: bool = False) -> list[int]:
        """Return at which place each question of a set finds its memory."""
        return [
            self.rank(each["query"], each["memory"], weights, by_words=by_words)
            for each in corpus(f"recall/{name}")
        ]


def memories(name: str) -> list[Memory]:
    """Return the memories of a file of the corpus."""
    return [
        fact(each["id"], kind=each["kind"], content=each["text"], project=None)
        for each in corpus(f"recall/{name}")
    ]


@pytest.fixture(scope="session")
def make() -> Iterator[Make]:
    """Return what makes a shelf of memories; the model is loaded once for all."""
    with ExitStack() as stack:
        embedder = stack.enter_context(closing(Remembering()))

        def make(held: list[Memory]) -> Shelf:
            directory = stack.enter_context(TemporaryDirectory(dir=IN_MEMORY))
            store = stack.enter_context(closing(sqlite_memory(Path(directory))))
            with store.transaction():
                put(store, *held)
            understand(store, lambda _events: [], embedder)
            return Shelf(store, embedder)

        yield make


@pytest.fixture(scope="session")
def shelf(make: Make) -> Shelf:
    """Return all memories of the corpus."""
    return make(memories("memories") + memories("foreign"))
