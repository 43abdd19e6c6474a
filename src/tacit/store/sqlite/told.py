"""What sessions are told, in SQLite."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from tacit.model.memory import ASKED, BEHAVIOURAL, DAY_NS, FRESH_DAYS, OLD_DAYS
from tacit.store.sqlite.statements import Statements
from tacit.store.told_port import (
    HELD,
    PLACES,
    UNVERIFIED,
    Candidates,
    Heard,
    MemoryUse,
    Outcome,
    Part,
    SurfaceUse,
    Telling,
    Wording,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tacit.store.sqlite.connection import Connection

_COLUMNS = tuple(field.name for field in fields(Telling))
_KEPT = {
    "told": ("id", "surface", "project", "session", "made", "tokens", "memories", "held", "heard"),
    "surfaced": (
        "memory", "session", "told", "surface", "at", "tokens", "used", "repeated",
    ),
    "usage": ("memory", "accessed", "last", "shown", "hits", "repeats"),
}  # fmt: skip
_RECENT_DAYS = 30  # so long a correction comes before everything else


class SqliteTold:
    """What the sessions of one group are told."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ask = Statements(connection, "told")

    def put(self, telling: Telling) -> None:
        """Write down what may be told; what is known already stays."""
        bindings = {name: getattr(telling, name) for name in _COLUMNS}
        bindings |= {"memories": json.dumps(telling.memories), "held": json.dumps(telling.held)}
        with self._connection.transaction():
            self._ask.run("put", bindings)

    def get(self, telling: str) -> Telling | None:
        """Return one by its id."""
        for row in self._ask.rows("get", {"id": telling}):
            return _telling(row)
        return None

    def made_for(self, session: str) -> list[Telling]:
        """Return the surfacings that were made for a session, in order."""
        return [_telling(row) for row in self._ask.rows("of_session", {"session": session})]

    def hear(self, telling: str, session: str, at: int) -> bool:
        """Say that a session was told this; False if nobody knows what it is."""
        known = self.get(telling)
        if known is None:
            return False
        rows = [(memory, known.surface, tokens) for memory, tokens in known.memories]
        rows += [(memory, HELD, 0) for memory in known.held]
        with self._connection.transaction():
            self._ask.run("hear", {"id": telling})
            for memory, surface, tokens in rows:
                bindings = {"memory": memory, "session": session, "told": telling, "at": at}
                bindings |= {"surface": surface, "tokens": tokens}
                if self._ask.value("surface", bindings) and surface != HELD:
                    self._ask.run("show", {"memory": memory})
        return True

    def is_any_heard(self) -> bool:
        """Say whether any session was told anything."""
        return bool(self._ask.value("any_heard"))

    def heard_in(self, session: str) -> list[Heard]:
        """Return what a session was told, in order."""
        return [_heard(row) for row in self._ask.rows("heard_in", {"session": session})]

    def heard_of(self, memory: str, limit: int = -1) -> list[Heard]:
        """Return where a memory was told, the latest first."""
        bindings = {"memory": memory, "limit": limit}
        return [_heard(row) for row in self._ask.rows("heard_of", bindings)]

    def use(self, memory: str, session: str, *, used: bool, repeated: bool) -> None:
        """Say that a session made use of a memory, or that its user had to say it again."""
        told = {"used": int(used), "repeated": int(repeated), "memory": memory}
        with self._connection.transaction():
            if list(self._ask.rows("use", told | {"session": session})):
                self._ask.run("count_use", told)

    def uses(self, limit: int = -1) -> list[MemoryUse]:
        """Return what each memory has cost and brought, the most expensive first."""
        return [MemoryUse(*row) for row in self._ask.rows("stats", {"limit": limit})]

    def totals(self, before: int) -> list[SurfaceUse]:
        """Return what each surface came to; what was not heard *before* then was too late."""
        return [SurfaceUse(*row) for row in self._ask.rows("totals", {"before": before})]

    def outcomes(self) -> list[Outcome]:
        """Return how often what was told came up, beside what was held back."""
        rows = self._ask.rows("outcomes")
        return [Outcome(bool(is_held), *counts) for is_held, *counts in rows]

    def forget_old(self, before: int, kept: Collection[str]) -> None:
        """Let go what was made before a time, but for these."""
        with self._connection.transaction():
            self._ask.run("old", {"before": before, "kept": json.dumps(list(kept))})

    def keep(self, other: SqliteTold) -> None:
        """Take over what another store knows of use, for the memories that are here."""
        with self._connection.transaction():
            for table, columns in _KEPT.items():
                rows = (dict(zip(columns, row, strict=True)) for row in other.all_of(table))
                self._ask.run_all(f"keep_{table}", rows)

    def all_of(self, table: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a table of use."""
        return self._ask.rows(f"all_{table}")

    def changes(self) -> dict[str, int]:
        """Return how often what each project's brief is made of has changed; `*`: of all."""
        return dict(self._ask.rows("changes"))

    def candidates(
        self,
        projects: Sequence[str],
        now: int,
        limit: int,
        as_of: int | None = None,
        agent: str = UNVERIFIED,
    ) -> dict[Part, Candidates]:
        """Return what may stand in each part of a brief of projects, so many of each at most."""
        states = ("active",) if as_of is None else ("active", "superseded")
        bindings = {
            "states": json.dumps(states),
            "projects": json.dumps(projects),
            "behavioural": json.dumps(BEHAVIOURAL),
            "asked": json.dumps(ASKED),
            "as_of": as_of,
            "agent": agent,
            "now": now,
            "fresh": FRESH_DAYS * DAY_NS,
            "old": OLD_DAYS * DAY_NS,
            "limit": limit,
        }
        parts: dict[int, list[Wording]] = {code: [] for code in range(4)}
        totals = dict.fromkeys(parts, 0)
        for code, total, *row in self._ask.rows("candidates", bindings):
            parts[code].append(_wording(row))
            totals[code] = total
        return {
            Part(bool(code & 1), bool(code & 2)): Candidates(parts[code], totals[code])
            for code in parts
        }

    def curated(
        self, projects: Sequence[str] | None, now: int, limit: int
    ) -> dict[str, Candidates]:
        """Return what may stand in each part of the curated files; None is every project."""
        bindings = {
            "projects": None if projects is None else json.dumps(projects),
            "asked": json.dumps(ASKED),
            "now": now,
            "recent": now - _RECENT_DAYS * DAY_NS,
            "fresh": FRESH_DAYS * DAY_NS,
            "old": OLD_DAYS * DAY_NS,
        }
        found: list[list[int]] = [[] for _ in PLACES]
        for number, part in self._ask.rows("curated", bindings):
            found[part].append(number)
        shown = [number for numbers in found for number in numbers[:limit]]
        numbered = {"numbers": json.dumps(shown), "asked": bindings["asked"]}
        rows = self._ask.rows("wordings", numbered)
        words = {number: _wording(row) for number, *row in rows}
        return {
            part: Candidates(
                [words[each] for each in numbers[:limit] if each in words], len(numbers)
            )
            for part, numbers in zip(PLACES, found, strict=True)
        }

    def standing(self) -> int:
        """Return how many memories hold in the group."""
        return int(self._ask.value("standing"))


def _telling(row: tuple[Any, ...]) -> Telling:
    columns = dict(zip(_COLUMNS, row, strict=True))
    columns["memories"] = tuple((each, tokens) for each, tokens in json.loads(columns["memories"]))
    columns["held"] = tuple(json.loads(columns["held"]))
    return Telling(**columns)


def _heard(row: tuple[Any, ...]) -> Heard:
    return Heard._make((*row[:-2], bool(row[-2]), bool(row[-1])))


def _wording(row: Sequence[Any]) -> Wording:
    tags = tuple(json.loads(row[3])) if row[3] != "[]" else ()
    return Wording._make((*row[:3], tags, *row[4:-3], *map(bool, row[-3:])))
