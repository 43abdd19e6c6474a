"""The matrix: the vectors of one model in mind, so that a search reads none from the disk.

Exact up to a hundred thousand; beyond, the signs alone are kept (48 bytes instead of 1,536) and
tell which few are worth a close look. It only grows: whoever removes a vector starts a fresh one.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

    import numpy.typing as npt

    from tacit.store.index_port import Vector

EXACT = 100_000
_CHUNK = 10_000
_WORD = 64


class Matrix:
    """Vectors side by side, each with the number of its passage."""

    def __init__(self, stamp: tuple[str, str]) -> None:
        self.stamp = stamp  # of which model, and of which state of the file
        self.serial = 0
        self.is_exact = True
        self._numbers: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self._vectors: npt.NDArray[Any] = np.empty((0, 0), np.float32)
        self._size = 0
        self._order: npt.NDArray[np.int64] = np.empty(0, np.int64)  # rows by their numbers

    def add(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Take in (serial, number, vector) as they are kept, in order of serial."""
        left = iter(rows)
        while chunk := list(islice(left, _CHUNK)):
            vectors = np.frombuffer(b"".join(row[2] for row in chunk), np.float16)
            self._append(
                np.array([row[1] for row in chunk], np.int64),
                vectors.reshape(len(chunk), -1).astype(np.float32),
            )
            self.serial = chunk[-1][0]

    def nearest(
        self, vector: Vector, among: Sequence[int] | None, limit: int
    ) -> list[tuple[int, float]]:
        """Return (number, likeness) of the nearest, of these or of all, the nearest first.

        The likeness is the cosine where the matrix is exact, else how many signs agree.
        """
        numbers, vectors = self._numbers[: self._size], self._vectors[: self._size]
        if among is not None:
            chosen = np.flatnonzero(np.isin(numbers, np.fromiter(among, np.int64)))
            numbers, vectors = numbers[chosen], vectors[chosen]
        if not len(numbers):
            return []
        likeness = vectors @ vector if self.is_exact else _agreeing(vectors, vector)
        best = np.argpartition(-likeness, min(limit, len(likeness)) - 1)[:limit]
        best = best[np.lexsort((numbers[best], -likeness[best]))]
        return [(int(numbers[at]), float(likeness[at])) for at in best]

    def of(self, numbers: Collection[int]) -> tuple[list[int], Vector]:
        """Return those of these that are here, and their vectors row by row."""
        if len(self._order) != self._size:
            self._order = np.argsort(self._numbers[: self._size], kind="stable")
        if not self._size:
            return [], np.empty((0, 0), np.float32)
        asked = np.fromiter(numbers, np.int64, len(numbers))
        at = np.searchsorted(self._numbers[: self._size], asked, sorter=self._order)
        rows = self._order[np.minimum(at, self._size - 1)]
        is_here = self._numbers[rows] == asked
        return asked[is_here].tolist(), self._vectors[rows[is_here]]

    def _append(self, numbers: npt.NDArray[np.int64], vectors: npt.NDArray[np.float32]) -> None:
        size = self._size + len(numbers)
        if self.is_exact and size > EXACT:
            self._vectors = _signs(self._vectors[: self._size])
            self.is_exact = False
        rows = vectors if self.is_exact else _signs(vectors)
        if not self._size:
            self._vectors = np.empty((0, rows.shape[1]), rows.dtype)
        if size > len(self._vectors):
            room = max(size, len(self._vectors) * 3 // 2)
            self._numbers = _grown(self._numbers, room, self._size)
            self._vectors = _grown(self._vectors, room, self._size)
        self._numbers[self._size : size] = numbers
        self._vectors[self._size : size] = rows
        self._size = size


def packed(vector: Vector) -> bytes:
    """Return a vector as it is kept."""
    return vector.astype(np.float16).tobytes()


def unpacked(rows: Sequence[tuple[int, bytes]]) -> tuple[list[int], Vector]:
    """Return the numbers of these rows, and their vectors row by row."""
    if not rows:
        return [], np.empty((0, 0), np.float32)
    vectors = np.frombuffer(b"".join(row[1] for row in rows), np.float16)
    return [row[0] for row in rows], vectors.reshape(len(rows), -1).astype(np.float32)


def _signs(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.uint64]:
    """Return the signs of vectors, 64 to a number."""
    missing = -vectors.shape[1] % _WORD
    bits = np.pad(vectors > 0, ((0, 0), (0, missing)))
    return np.packbits(bits, axis=1).view(np.uint64)


def _agreeing(signs: npt.NDArray[np.uint64], vector: Vector) -> npt.NDArray[np.float32]:
    """Return how many signs of each row agree with those of a vector."""
    asked = _signs(vector.reshape(1, -1))[0]
    likeness = np.full(len(signs), signs.shape[1] * _WORD, np.float32)
    for column in range(signs.shape[1]):
        likeness -= np.bitwise_count(signs[:, column] ^ asked[column])
    return likeness


def _grown(array: npt.NDArray[Any], room: int, used: int) -> npt.NDArray[Any]:
    """Return an array with more room, and what is in it."""
    grown = np.empty((room, *array.shape[1:]), array.dtype)
    grown[:used] = array[:used]
    return grown
