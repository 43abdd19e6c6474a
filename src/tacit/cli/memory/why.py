"""`tacit why`: where a memory came from."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, opened
from tacit.errors import NotFound
from tacit.guard.normalise import normalise, one_line

if TYPE_CHECKING:
    from tacit.curate.views import Cited, Why
    from tacit.store.told_port import Heard

_SHOWN = 10
_SURFACES = {
    "brief": "told in the brief of",
    "agent": "told to a subagent of",
    "prompt": "told with a prompt of",
    "held": "held back from",
}


@click.command("why")
@click.argument("memory")
@group_option
@json_option
def command(*, memory: str, group: str | None, as_json: bool) -> None:
    """Show where MEMORY came from: the words it was made of, its chain, and who decided.

    MEMORY is an id that `tacit list` or `tacit search` shows; its beginning is enough.
    """
    app, chosen = opened(group)
    if memory.startswith("evt-"):
        raise NotFound(f"{memory!r} was said, and is no memory: see `tacit show {memory}`.")
    told = app.why(chosen, memory)
    if as_json:
        output.as_json(told)
    else:
        _print(told)


def _print(told: Why) -> None:
    now_ns = time.time_ns()
    memory = told.memory
    click.secho(one_line(memory.content), bold=True)
    state = f"{memory.state} ({memory.reason})" if memory.reason else memory.state
    pinned = ", pinned" if memory.pinned else ""
    click.echo(
        one_line(
            f"{memory.id}  {memory.kind}, {state}{pinned}, importance {memory.importance}, "
            f"confidence {memory.confidence:.2f}"
        )
    )
    for each in told.cited:
        click.echo(_cited(each, now_ns))
    if len(told.chain) > 1:
        click.echo("Over time:")
        for one in told.chain:
            sign = "→" if one.id == memory.id else " "
            since = output.age(one.valid_from, now_ns)
            click.echo(f"{sign} " + one_line(f"{since}: {one.content}"))
    for link in told.links:
        if link.relation != "supersedes":
            other = link.target if link.source == memory.id else link.source
            click.echo(one_line(f"{link.relation}: {other}"))
    for line in _told(told.told, now_ns):
        click.echo(line)
    for decided in told.decisions:
        when = output.age(decided.at, now_ns)
        click.echo(one_line(f"{decided.decision.verb} by {decided.origin}, {when}"))


def _told(told: list[Heard], now_ns: int) -> list[str]:
    """Return the lines that say where a memory was told: the last times."""
    lines = [one_line(_heard(each, now_ns)) for each in told[:_SHOWN]]
    more = len(told) - _SHOWN
    return [*lines, f"and {more} times more"] if more > 0 else lines


def _heard(each: Heard, now_ns: int) -> str:
    """Return where a memory was told, and what came of it."""
    where = _SURFACES.get(each.surface, each.surface)
    came = ["used"] if each.used else []
    came += ["said again by the user"] if each.repeated else []
    result = f": {', '.join(came)}" if came else ""
    return f"{where} session {each.session[:8]}, {output.age(each.at, now_ns)}{result}"


def _cited(each: Cited, now_ns: int) -> str:
    """Return one quote with the words around it, and whose they are."""
    row = each.evidence
    before, after = normalise(each.before), normalise(each.after)
    quote = f"…{before}" if before else ""
    quote += click.style(f"«{one_line(row.quote)}»", bold=True) + after
    where = f"session {row.session[:8]}, turn {row.turn[:8]}" if row.turn else "by hand"
    head = f"{row.origin} ({row.via}), {output.age(row.at, now_ns)}, {where}, {row.extractor}:"
    return f"{one_line(head)}\n  {' '.join(quote.split())}"
