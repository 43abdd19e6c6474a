"""How memories are written on the command line, and how days are read from it."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import click

from tacit.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model.memory import Memory

_FIRST, _LAST = 0, (1 << 63) - 1  # what a row can hold, in nanoseconds
_SIGNS = {
    "superseded": "~",
    "forgotten": "-",
    "quarantined": "!",
    "candidate": "?",
    "archived": ".",
}


class Day(click.ParamType[int]):
    """A day or a moment: 2026-05-31, or 2026-05-31T14:00; without a zone, the machine's own.

    A day is its beginning, or its end if that is asked for.
    """

    name = "date"

    def __init__(self, *, is_end: bool = False) -> None:
        self._is_end = is_end

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the moment in nanoseconds."""
        try:
            said = datetime.fromisoformat(str(value))
            is_past = self._is_end and _is_day(str(value))
            said = said + timedelta(days=1) if is_past else said
            moment = int(said.astimezone(UTC).timestamp()) * 1_000_000_000 - is_past
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is no date: write it like 2026-05-31.", param, ctx)
        if not _FIRST <= moment <= _LAST:
            self.fail(f"{value!r} is beyond all memory: say a year from 1970 on.", param, ctx)
        return moment


def _is_day(value: str) -> bool:
    """Say whether a whole day is meant, not a moment of it."""
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def table(memories: Sequence[Memory], names: dict[str, str]) -> None:
    """Print memories, one line each."""
    now_ns = time.time_ns()
    rows = [
        (
            name,
            each.kind,
            _SIGNS.get(each.state, "*" if each.pinned else ""),
            output.age(each.created_at, now_ns),
            each.origin,
            output.short(where(each, names), 24),
            each.content,
        )
        for name, each in zip(output.ids(each.id for each in memories), memories, strict=True)
    ]
    output.table(("memory", "kind", "", "since", "origin", "project", "content"), rows)


def where(memory: Memory, names: dict[str, str]) -> str:
    """Return the name of a memory's project; nothing if it is about the user."""
    return "everywhere" if memory.project is None else names.get(memory.project, memory.project)


def line(memory: Memory) -> str:
    """Return one memory on a line."""
    return f"[{memory.kind}] {memory.content} ({memory.id})"
