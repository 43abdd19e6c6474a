"""Search at scale: CPU and wall of a hybrid search among 1k, 10k, 100k and 1M memories.

    python bench/search.py [--sizes 1000 10000 100000 1000000] [--queries 100]

Beside it the floor in the same run: plain FTS5 (stop words out) and a matrix of numpy over the same
texts and vectors. Texts follow Zipf's law; vectors are synthetic, in clusters. Printed
as well: what the query's own vector costs, a cold index, memory, and reads while curating.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import apsw
import numpy as np

from tacit.compose import one_thread
from tacit.embed.local import LocalEmbedder
from tacit.model.memory import Memory
from tacit.recall.analyse import tokens
from tacit.recall.question import Meaning, Question
from tacit.recall.search import search
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.memory import open_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from tacit.store.sqlite.memory import SqliteMemory

NOW = 1_790_000_000_000_000_000
MODEL, DIMENSIONS = "bench/1", 384
WORDS, LEAST, MOST = 30_000, 8, 30
CHUNK = 2000
EMBEDDER = LocalEmbedder()
HOSTILE = [
    '"', "'", "*", "a*", "^a", "NEAR(a b)", "a AND", "OR", "NOT NOT", "(", "((((", "a:b", "{a b}:c",
    "-a", "+", "\0", "\x00a\x00", "\ud800", "%", "_", "; DROP TABLE passages", "the of and to",
    '"' * 5000, "a " * 5000, "a" * 50_000, "(" * 5000, "NEAR(" * 1000, "\u202e" * 100, "é" * 9999,
    "日本" * 5000, "a" * 64 + "*", "\\" * 2000, "...",
]  # fmt: skip
KINDS = ("fact", "preference", "decision", "discovery")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its vector."""

    text: str
    vector: npt.NDArray[np.float32]


class World:
    """Texts and vectors by a seed, as many as are asked for."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311  (the same world each time)
        self._numbers = np.random.default_rng(seed)
        letters = "bcdfghjklmnprstvwz", "aeiou"
        self._words = sorted({self._word(letters) for _ in range(WORDS * 2)})[:WORDS]
        self._random.shuffle(self._words)
        self._weights = [1 / (rank + 3) for rank in range(len(self._words))]
        self._centres = self._unit(500)

    def _word(self, letters: tuple[str, str]) -> str:
        return "".join(
            self._random.choice(letters[at % 2]) for at in range(self._random.randint(4, 9))
        )

    def _unit(self, count: int) -> npt.NDArray[np.float32]:
        rows = self._numbers.standard_normal((count, DIMENSIONS), dtype=np.float32)
        return _normal(rows)

    def texts(self, count: int) -> list[str]:
        """Return so many texts."""
        sizes = [self._random.randint(LEAST, MOST) for _ in range(count)]
        drawn = iter(self._random.choices(self._words, self._weights, k=sum(sizes)))
        return [" ".join(next(drawn) for _ in range(size)) for size in sizes]

    def vectors(self, count: int) -> npt.NDArray[np.float32]:
        """Return so many vectors."""
        near = self._centres[self._numbers.integers(0, len(self._centres), count)]
        rows = near + 0.8 * self._unit(count)
        return _normal(rows)

    def questions(self, count: int) -> list[Asked]:
        """Return so many questions of three to eight words."""
        texts = [" ".join(text.split()[: self._random.randint(3, 8)]) for text in self.texts(count)]
        return [Asked(text, row) for text, row in zip(texts, self.vectors(count), strict=True)]


def _normal(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / lengths, np.float32)


class Floor:
    """What anybody has in forty lines: FTS5 over the texts, and a matrix."""

    def __init__(self, path: Path) -> None:
        self._database = apsw.Connection(str(path))
        self._database.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61')")
        self._rows: list[npt.NDArray[np.float32]] = []
        self._matrix: npt.NDArray[np.float32] | None = None

    def add(self, texts: list[str], vectors: npt.NDArray[np.float32]) -> None:
        """Take texts and vectors in."""
        with self._database:
            self._database.executemany("INSERT INTO t VALUES (?)", [(text,) for text in texts])
        self._rows.append(vectors)
        self._matrix = None

    def search(self, asked: Asked) -> list[int]:
        """Return the best twenty by the sum of both ranks."""
        if self._matrix is None:
            self._matrix = np.concatenate(self._rows)
        query = " OR ".join(f'"{word}"' for word in asked.text.split())
        found = self._database.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT 100", (query,)
        )
        words = [row[0] - 1 for row in found]
        cosines = self._matrix @ asked.vector
        near = np.argpartition(-cosines, 100)[:100]
        near = near[np.argsort(-cosines[near])]
        scores: dict[int, float] = {}
        for ranked in (words, near.tolist()):
            for rank, number in enumerate(ranked):
                scores[number] = scores.get(number, 0.0) + 1 / (60 + rank)
        return sorted(scores, key=lambda number: -scores[number])[:20]


def memory(number: int, text: str) -> Memory:
    """Return a memory that says this."""
    at = NOW - number % 200 * 86_400 * 10**9
    return Memory(
        id=f"mem-{number:09d}", kind=KINDS[number % 4], content=text, importance=1 + number % 5,
        confidence=1.0, tags=(), project=f"p{number % 20}", origin="user", via="live",
        session=f"s{number // 50}", turn=f"t{number}", quote=text, topic="", extractor="bench-1",
        created_at=at, valid_from=at,
    )  # fmt: skip


def fill(store: SqliteMemory, floor: Floor, world: World, have: int, want: int) -> None:
    """Take in memories until there are so many."""
    for start in range(have, want, CHUNK):
        texts = world.texts(min(CHUNK, want - start))
        vectors = world.vectors(len(texts))
        floor.add(texts, vectors)
        with store.transaction():
            for at, text in enumerate(texts):
                made = memory(start + at, text)
                store.memories.put(made, made.id.encode())
        unread = store.index.unread(MODEL, len(texts))
        store.index.understand(MODEL, zip(unread, reversed(vectors), strict=True))


def timed(run: Callable[[Asked], object], asked: list[Asked]) -> tuple[list[float], list[float]]:
    """Return CPU and wall of each question, in milliseconds."""
    cpu, wall = [], []
    for one in asked:
        began, clock = time.process_time(), time.perf_counter()
        run(one)
        cpu.append((time.process_time() - began) * 1e3)
        wall.append((time.perf_counter() - clock) * 1e3)
    return cpu, wall


def shown(name: str, times: tuple[list[float], list[float]]) -> float:
    """Print a line; return the median CPU."""
    cpu, wall = times
    high = [quantiles(each, n=20)[18] for each in (cpu, wall)]
    print(
        f"  {name:<28} cpu p50 {median(cpu):7.2f} p95 {high[0]:7.2f} ms"
        f"   wall p50 {median(wall):7.2f} p95 {high[1]:7.2f} ms"
    )
    return median(cpu)


def hybrid(store: SqliteMemory, one: Asked) -> None:
    """Search by words and meaning, the vector given."""
    meaning = Meaning(model=MODEL, vector=one.vector)
    search(Question(text=one.text), store, lambda _: [], lambda: meaning, NOW)


def computed(store: SqliteMemory, one: Asked) -> None:
    """Search by words and meaning, the vector of the question made first."""
    (vector,) = EMBEDDER.embed([one.text], "query")
    hybrid(store, Asked(one.text, vector))


def measure(store: SqliteMemory, floor: Floor, world: World, size: int, count: int) -> None:
    """Print how long a search takes among so many memories."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{size:,} memories, peak memory so far {peak:,.0f} MB")
    asked = world.questions(count)
    began = time.process_time()
    hybrid(store, asked[0])
    print(f"  the first search, cold       cpu {(time.process_time() - began) * 1e3:.0f} ms")
    floor.search(asked[0])
    computed(store, asked[0])
    alone = timed(partial(hybrid, store), asked)
    ours = shown("hybrid, vector given", alone)
    shown("hybrid, vector computed", timed(partial(computed, store), asked))
    shown("words alone", timed(lambda one: by_words(store, one), asked))
    base = shown("floor: FTS5 and a matrix", timed(floor.search, asked))
    print(f"  ratio to the floor: {ours / base:.2f}")
    hostile = [replace(one, text=text) for one, text in zip(asked, HOSTILE, strict=False)]
    worst = max(timed(partial(hybrid, store), hostile)[0])
    print(f"  the slowest of {len(hostile)} hostile texts: {worst / ours:.1f} times the median")
    with writing(store, world):
        beside = timed(partial(hybrid, store), asked)
    shown("hybrid, beside a writer", beside)
    high = [quantiles(each[0], n=20)[18] for each in (beside, alone)]
    print(f"  p95 of CPU beside a writer: {high[0] / high[1]:.2f} times")


@contextmanager
def writing(store: SqliteMemory, world: World) -> Iterator[None]:
    """Let another program write memories into the same file meanwhile, one after the other."""
    texts = world.texts(CHUNK)
    if (writer := os.fork()) == 0:
        try:
            beside = open_memory(store.connection.path, look(store.connection.path.parent), tokens)
            for number, text in enumerate(texts * 1000):
                made = memory(10**8 + number % CHUNK, f"{text} {number}")
                beside.memories.put(made, made.id.encode())
        finally:
            os._exit(0)
    try:
        time.sleep(1.0)
        yield
    finally:
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)


def by_words(store: SqliteMemory, one: Asked) -> None:
    """Search by words alone."""
    search(Question(text=one.text), store, lambda _: [], lambda: None, NOW)


def main() -> None:
    """Measure at each size, growing one store."""
    if "OPENBLAS_NUM_THREADS" not in os.environ:  # as the daemon has it, before numpy is loaded
        one_thread()
        os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606  (the very same program)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--queries", type=int, default=100)
    given = parser.parse_args()
    with TemporaryDirectory() as place:
        path = Path(place)
        store, floor, world = (
            open_memory(path / "memory.db", look(path), tokens),
            Floor(path / "floor.db"),
            World(7),
        )
        have = 0
        for size in sorted(given.sizes):
            fill(store, floor, world, have, size)
            have = size
            measure(store, floor, world, size, given.queries)
        store.close()


if __name__ == "__main__":
    main()
