"""`tacit pin`: keep a memory in sight."""

from __future__ import annotations

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line


@click.command("pin")
@click.argument("memory")
@group_option
@json_option
def command(*, memory: str, group: str | None, as_json: bool) -> None:
    """Keep MEMORY in sight: it comes first, and no agent can take it away."""
    app, chosen = opened(group)
    now = app.pin(chosen, memory, owner.caller())
    if now.pinned is not True:
        click.echo("The owner was asked to pin it: `tacit actions`.", err=as_json)
    if as_json:
        output.as_json(now)
        return
    if now.pinned is not True:
        return
    click.echo(one_line(f"Pinned {telling.line(now)}"))
