"""`tacit show`: one session, turn by turn, or one turn in full."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.memory.telling import Day
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import normalise, one_line

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from tacit.transcript.turns import Step, Turn

_STEP = 100


@click.command("show")
@click.argument("name")
@click.option(
    "--as-of", type=Day(is_end=True), help="Of a memory: what stood in its place on that day."
)
@group_option
@json_option
def command(*, name: str, as_of: int | None, group: str | None, as_json: bool) -> None:
    """Show a session, a turn or a memory; the beginning of its id is enough.

    Of a message that `tacit search` has found, the whole id shows the turn in which it was said.
    """
    app, chosen = opened(group)
    if name.startswith("mem-"):
        memory = app.memory(chosen, name, as_of=as_of)
        output.as_json(memory) if as_json else _print_memory(memory)
        return
    turns = app.show(chosen, name)
    if as_json:
        output.as_json(turns)
        return
    if not turns:
        click.echo("This session has no turn yet.")
    now_ns = time.time_ns()
    is_whole = len(turns) == 1
    for turn in turns:
        _print(turn, now_ns, is_whole=is_whole)


def _print_memory(memory: Memory) -> None:
    """Print a memory, field by field."""
    click.secho(one_line(memory.content), bold=True)
    for field in dataclasses.fields(memory):
        value = getattr(memory, field.name)
        if field.name != "content" and value not in {None, "", ()}:
            shown = ", ".join(value) if isinstance(value, tuple) else str(value)
            click.echo(one_line(f"{field.name.replace('_', ' ')}: {shown}"))
    click.echo(f"behavioral: {memory.behavioral}")


def _print(turn: Turn, now_ns: int, *, is_whole: bool) -> None:
    head = f"{one_line(turn.id)[:8]}  {turn.state}, {output.age(turn.started, now_ns)}"
    compacted = f", compacted {turn.compactions} times" if turn.compactions else ""
    click.secho(head + compacted, bold=True)
    said = turn.prompt or "(no prompt)"
    click.echo(_block(f"{turn.origin}: {said}", is_whole=is_whole))
    for step in turn.steps:
        click.echo(_block(_told(step), is_whole=is_whole))
    if turn.reply:
        click.echo(_block(f"assistant: {turn.reply}", is_whole=is_whole))
    click.echo()


def _told(step: Step) -> str:
    sign = "✗" if step.failed else "✓"
    who = f" [{step.agent[:8]}]" if step.agent else ""
    return f"{sign} {step.tool}{who}: {step.given} → {step.result}"


def _block(text: str, *, is_whole: bool) -> str:
    """Return a text with its lines indented; shortened unless it is all that is shown."""
    if not is_whole:
        return "  " + output.short(text, _STEP)
    clean = normalise(text)
    return "\n".join(f"  {line}" for line in clean.splitlines())
