"""The named statements of one SQL file, run on one connection; troubles are told in our words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.store.sqlite import queries
from tacit.store.sqlite.connection import told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tacit.store.sqlite.connection import Connection


class Statements:
    """What one part of a store can ask of its database."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._sql = queries.load(name)

    def rows(
        self, name: str, bindings: Mapping[str, object] | None = None
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement."""
        with told(self._connection.path):
            yield from self._connection.rows(self._sql[name], bindings)

    def value(self, name: str, bindings: Mapping[str, object] | None = None) -> Any:
        """Return the first column of the first row; None if there is no row."""
        with told(self._connection.path):
            return self._connection.value(self._sql[name], bindings)

    def run(self, name: str, bindings: Mapping[str, object] | None = None) -> None:
        """Run a statement for what it does."""
        self.value(name, bindings)

    def run_all(self, name: str, bindings: Iterable[Mapping[str, object]]) -> None:
        """Run a statement for what it does, once for each of these."""
        with told(self._connection.path):
            self._connection.run_all(self._sql[name], bindings)
