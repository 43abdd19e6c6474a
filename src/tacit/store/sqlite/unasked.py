"""The turns that wait for a model, in SQLite."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from tacit.store.sqlite.statements import Statements
from tacit.store.unasked_port import LONGEST_NS, Unasked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.store.sqlite.connection import Connection

_COLUMNS = tuple(field.name for field in fields(Unasked))
_FLAGS = ("is_urgent", "is_dead")


class SqliteUnasked:
    """The turns of one group that no model has read yet."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ask = Statements(connection, "unasked")

    def put(self, turn: Unasked) -> None:
        """Let a turn wait; one that waits already waits as it is now."""
        with self._connection.transaction():
            self._ask.run("put", asdict(turn) | {name: int(getattr(turn, name)) for name in _FLAGS})

    def drop(self, session: str, turn: str, upto: int) -> None:
        """Let a turn wait no more, unless more of it has come since."""
        with self._connection.transaction():
            self._ask.run("drop", {"session": session, "turn": turn, "upto": upto})

    def waiting(self, now: int) -> list[Unasked]:
        """Return those that may be asked about now, by session, in order."""
        found = self._ask.rows("waiting", {"now": now, "latest": now + LONGEST_NS})
        return [_unasked(row) for row in found]

    def listed(self, limit: int = -1) -> list[Unasked]:
        """Return all that wait or were given up, the oldest first."""
        return [_unasked(row) for row in self._ask.rows("listed", {"limit": limit})]

    def fail(self, turns: Sequence[Unasked], reason: str, due: int | None) -> None:
        """Say that asking about these failed: to be tried again when due, or never."""
        with self._connection.transaction():
            for each in turns:
                self._ask.run(
                    "fail",
                    {
                        "session": each.session,
                        "turn": each.turn,
                        "reason": reason,
                        "due": due or 0,
                        "is_dead": int(due is None),
                    },
                )

    def put_off(self, turns: Sequence[Unasked], due: int) -> None:
        """Let these wait until then, whatever they were waiting for; no try was made."""
        with self._connection.transaction():
            for each in turns:
                place = {"session": each.session, "turn": each.turn}
                self._ask.run("put_off", place | {"due": due})

    def retry(self, now: int) -> int:
        """Give those that were given up another chance; return how many."""
        with self._connection.transaction():
            return len(list(self._ask.rows("retry", {"now": now})))

    def forget_old(self, before: int) -> int:
        """Let those wait no more that are older; return how many."""
        with self._connection.transaction():
            return len(list(self._ask.rows("forget_old", {"before": before})))


def _unasked(row: tuple[Any, ...]) -> Unasked:
    columns = dict(zip(_COLUMNS, row, strict=True))
    return Unasked(**columns | {name: bool(columns[name]) for name in _FLAGS})
