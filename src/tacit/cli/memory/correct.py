"""`tacit correct`: put a better statement in the place of a memory."""

from __future__ import annotations

from typing import Any

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line
from tacit.verbs.decisions import Said


@click.command("correct")
@click.argument("memory")
@click.argument("text")
@click.option("--kind", default="", help="Of this kind from now on.")
@click.option("--tag", "tags", multiple=True, help="With these tags from now on.")
@click.option("--importance", type=int, default=None, help="As important as this from now on.")
@group_option
@json_option
def command(*, memory: str, group: str | None, as_json: bool, **said: Any) -> None:
    """Let TEXT stand in the place of MEMORY; the old statement is kept for `tacit why`."""
    app, chosen = opened(group)
    now = app.correct(chosen, memory, Said(**said), owner.caller())
    if as_json:
        output.as_json(now)
    else:
        click.echo(one_line(f"Now it is {telling.line(now)}"))
