"""`tacit diff`: what one session has changed."""

from __future__ import annotations

import click

from tacit.cli import output
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line


@click.command("diff")
@click.argument("session")
@group_option
@json_option
def command(*, session: str, group: str | None, as_json: bool) -> None:
    """Show what SESSION has changed: + added, ~ superseded, - forgotten, ? held."""
    app, chosen = opened(group)
    found = app.diff(chosen, session)
    if as_json:
        output.as_json(found)
        return
    signs = (
        ("+", "green", found.added),
        ("~", "yellow", found.superseded),
        ("-", "red", found.forgotten),
        ("?", "magenta", found.quarantined),
    )
    for sign, colour, memories in signs:
        for memory in memories:
            click.secho(one_line(f"{sign} {telling.line(memory)}"), fg=colour)
    if not any(memories for _, _, memories in signs):
        click.echo("This session has changed nothing.")
