"""`tacit undo`: take back all that one session has taught."""

from __future__ import annotations

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, opened


@click.command("undo")
@click.argument("session")
@group_option
@json_option
def command(*, session: str, group: str | None, as_json: bool) -> None:
    """Take back all that SESSION has taught; what it had superseded is true again."""
    app, chosen = opened(group)
    taken = app.undo(chosen, session, owner.caller())
    if as_json:
        output.as_json(taken)
    elif taken:
        telling.table(taken, {each.key: each.name for each in app.projects(chosen)})
        click.echo("Taken back. What these had superseded is true again.")
    elif owner.origin() != "agent" or not app.diff(chosen, session).added:
        click.echo("This session has taught nothing that still stands.")
    if owner.origin() == "agent" and app.diff(chosen, session).added:
        click.echo("The owner was asked to undo what still stands: see `tacit actions`.", err=True)
