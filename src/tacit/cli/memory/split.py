"""`tacit split`: restore a memory that was merged with or replaced by another."""

from __future__ import annotations

import click

from tacit.cli import owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, opened
from tacit.guard.normalise import one_line


@click.command("split")
@click.argument("memory")
@group_option
def command(*, memory: str, group: str | None) -> None:
    """Restore MEMORY, which was merged with or replaced by another.

    Both are active then. `tacit list --superseded` shows what was replaced, `tacit audit` what was
    merged.
    """
    app, chosen = opened(group)
    now = app.split(chosen, memory, owner.caller())
    if now.state != "active":
        click.echo("The owner was asked to split it: `tacit actions`.")
        return
    click.echo(one_line(f"Stands by itself again: {telling.line(now)}"))
