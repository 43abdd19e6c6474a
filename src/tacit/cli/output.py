"""How the command line writes: tables, ages, sizes, progress. Plain when piped."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

json_option = click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))
_GAP = "  "
_FOLLOWING = ("behavioral",)  # of a memory, from its kind
_ROOM, _LINES = 60, 2  # for what is said: less is no line, more than so many is too much
_TELLING = 22  # so much of an id is its moment, and enough of what was said then


def as_json(value: Any) -> None:
    """Print a value, or a list of them, for programs."""
    text = json.dumps(value, indent=2, default=_plain, ensure_ascii=False)
    click.echo(text.encode("utf-8", "backslashreplace"))  # a lone surrogate as its escape


def plain(value: Any) -> dict[str, Any]:
    """Return what a value consists of, by name, and what follows from that."""
    known = [each.name for each in dataclasses.fields(value)]
    known += [name for name in _FOLLOWING if hasattr(value, name)]
    return {name: getattr(value, name) for name in known}


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain(value)
    if isinstance(value, bytes):
        return value.hex()
    return str(value)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their heading, the last column as wide as the terminal leaves it.

    Where that is too little for what it says, it has a line of its own.
    """
    lines = [[one_line(cell) for cell in row] for row in rows]
    widths = [
        max(len(line[column]) for line in [list(head), *lines]) for column in range(len(head) - 1)
    ]
    room = max(20, width() - sum(widths) - len(_GAP) * len(widths))
    is_tight = room < _ROOM and any(len(line[-1]) > room for line in lines)
    click.secho(_front(head, widths) if is_tight else _row(head, widths, room), bold=True)
    for line in lines:
        if is_tight:
            click.echo(_front(line, widths))
            click.echo(_GAP + short(line[-1], _LINES * width() - len(_GAP)))
        else:
            click.echo(_row(line, widths, room))


def _row(cells: Sequence[str], widths: Sequence[int], room: int) -> str:
    return f"{_front(cells, widths, fill=True)}{_GAP}{short(cells[-1], room)}".rstrip()


def _front(cells: Sequence[str], widths: Sequence[int], *, fill: bool = False) -> str:
    """Return all columns but the last."""
    padded = [cell.ljust(width) for cell, width in zip(cells[:-1], widths, strict=True)]
    line = _GAP.join(padded)
    return line if fill else line.rstrip()


def width() -> int:
    """Return how many characters fit on a line."""
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 200


def short(text: str, room: int) -> str:
    """Return the text on one line, cut where there is no more room."""
    line = one_line(text)
    return line if len(line) <= room else line[: room - 1] + "…"


def ids(named: Iterable[str]) -> list[str]:
    """Return ids as they are shown: on a terminal no more of each than tells it from the others."""
    known = list(named)
    if not sys.stdout.isatty():
        return known
    length = _TELLING
    while len({each[:length] for each in known}) < len({*known}):
        length += 1
    return [each[:length] for each in known]


def age(when_ns: int, now_ns: int) -> str:
    """Return how long ago something was; what lies in the future was just now."""
    seconds = max(0, now_ns - when_ns) // 1_000_000_000
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return "now"


def size(count: int) -> str:
    """Return a number of bytes as people say it."""
    amount = float(count)
    for unit in ("B", "KB", "MB"):
        if amount < 1000:  # noqa: PLR2004
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], object] | None]:
    """Show how far long work has come, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return

    def told(done: int, total: int) -> None:
        click.echo(f"\r{what}: {done} of {total}", nl=False, err=True)

    try:
        yield told
    finally:
        click.echo("\r\033[K", nl=False, err=True)
