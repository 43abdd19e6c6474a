"""`tacit unpin`: let a pinned memory be one among others again."""

from __future__ import annotations

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line


@click.command("unpin")
@click.argument("memory")
@group_option
@json_option
def command(*, memory: str, group: str | None, as_json: bool) -> None:
    """Let MEMORY be one among others again."""
    app, chosen = opened(group)
    now = app.unpin(chosen, memory, owner.caller())
    if now.pinned is not False:
        click.echo("The owner was asked to unpin it: `tacit actions`.", err=as_json)
    if as_json:
        output.as_json(now)
        return
    if now.pinned is not False:
        return
    click.echo(one_line(f"No longer pinned: {telling.line(now)}"))
