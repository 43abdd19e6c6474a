"""Vectors in SQLite: what passages mean, by the model that says so.

The rows are the truth; `matrix.py` keeps those of one model in mind for the search. Spaces of
different models are never mixed: each question names its model.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tacit.store.index_port import Unread
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tacit.store.index_port import Vector
    from tacit.store.sqlite.connection import Connection
    from tacit.store.sqlite.matrix import Matrix

RERANKED = 400  # so many by their signs alone are looked at closely


class SqliteVectors:
    """What the passages of one group mean."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ask = Statements(connection, "vectors")
        self._matrix: Matrix | None = None
        self._nothing_since: tuple[str, str, int] | None = None

    def nearest(
        self, vector: Vector, model: str, among: Sequence[int] | None, limit: int
    ) -> list[tuple[int, float]]:
        """Return the passages nearest in meaning, of these or of all, the nearest first."""
        matrix = self._current(model)
        if matrix.is_exact:
            return matrix.nearest(vector, among, limit)
        near = matrix.nearest(vector, among, max(limit, RERANKED))
        numbers, vectors = self.of(model, [number for number, _ in near])
        exact = zip(numbers, (vectors @ vector).tolist(), strict=True)
        return sorted(exact, key=lambda each: (-each[1], each[0]))[:limit]

    def of(self, model: str, numbers: Collection[int]) -> tuple[list[int], Vector]:
        """Return those of these passages whose meaning is known, and what they mean, row by row."""
        from tacit.store.sqlite import matrix  # noqa: PLC0415  (numpy, which only this needs)

        current = self._current(model)
        if current.is_exact:
            return current.of(numbers)
        asked = {"model": model, "numbers": json.dumps(list(numbers))}
        return matrix.unpacked(list(self._ask.rows("of_passages", asked)))

    def unread(self, model: str, limit: int) -> list[Unread]:
        """Return passages whose meaning is not known yet; what was learned before what was said."""
        state = model, str(self._ask.value("stamp", {"model": model})), self._ask.value("last") or 0
        if state == self._nothing_since:
            return []
        asked = {"model": model, "limit": limit}
        found = [Unread(*row) for row in self._ask.rows("waiting", asked)]
        self._nothing_since = state if limit and not found else None
        return found

    def understand(self, model: str, vectors: Iterable[tuple[Unread, Vector]]) -> None:
        """Write down what passages mean; one that says something else by now is passed over."""
        from tacit.store.sqlite import matrix  # noqa: PLC0415

        with self._connection.transaction():
            for passage, vector in vectors:
                self._put(model, passage, matrix.packed(vector))

    def recognise(self, model: str, passages: Sequence[Unread]) -> list[Unread]:
        """Take what the same words were found to mean; return those that are really new."""
        fresh = []
        with self._connection.transaction():
            for passage in passages:
                same = {"model": model, "digest": passage.digest}
                vector = self._ask.value("of_words", same)
                if vector is None:
                    fresh.append(passage)
                else:
                    self._put(model, passage, vector)
        return fresh

    def counted(self, model: str) -> tuple[int, int]:
        """Return how many passages can mean something, and of how many a model has said it."""
        ((passages, vectors),) = self._ask.rows("counted", {"model": model})
        return passages, vectors

    def keep(self, other: SqliteVectors) -> None:
        """Take over what another index knows of the same words."""
        with self._connection.transaction():
            self._ask.run_all("put_by_digest", other.rows())

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield all that is known, by the words it was made of."""
        for digest, model, vector in self._ask.rows("kept"):
            yield {"digest": digest, "model": model, "vector": vector}

    def _put(self, model: str, passage: Unread, vector: bytes) -> None:
        """Write what a passage means, if it still says the same."""
        row = {"number": passage.number, "digest": passage.digest}
        self._ask.run("let_go", row)
        self._ask.run("put", row | {"model": model, "vector": vector})

    def _current(self, model: str) -> Matrix:
        """Return the matrix of a model, with all that has come since it was last asked."""
        from tacit.store.sqlite.matrix import Matrix  # noqa: PLC0415

        stamp = model, str(self._ask.value("stamp", {"model": model}))
        if self._matrix is None or self._matrix.stamp != stamp:
            self._matrix = Matrix(stamp)
        self._matrix.add(self._ask.rows("behind", {"model": model, "serial": self._matrix.serial}))
        return self._matrix
