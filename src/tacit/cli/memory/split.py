"""`tacit split`: let a memory that was merged with another stand by itself again."""

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
    """Let MEMORY, which was merged with another, stand by itself again, for good.

    Memories that say the same in other words are merged once a day; `tacit audit` lists what was
    merged, `tacit list --superseded` shows what another one stands for.
    """
    app, chosen = opened(group)
    now = app.split(chosen, memory, owner.caller())
    if now.state != "active":
        click.echo("The owner was asked to split it: `tacit actions`.")
        return
    click.echo(one_line(f"Stands by itself again: {telling.line(now)}"))
