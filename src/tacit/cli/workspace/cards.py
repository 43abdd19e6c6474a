"""`tacit cards`: which card is mirrored to which file."""

from __future__ import annotations

import time

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, opened
from tacit.workspace.layout import PROJECTS


@click.command("cards")
@group_option
@json_option
def command(*, group: str | None, as_json: bool) -> None:
    """Show the cards of a workspace, each with its file and what lies beside it."""
    app, chosen = opened(group)
    found = app.cards(chosen)
    if as_json:
        output.as_json(found)
    elif found:
        now_ns = time.time_ns()
        rows = [
            (
                each.card,
                each.state,
                output.age(each.at, now_ns),
                "changed by hand" if each.beside else "",
                f"{PROJECTS}/{each.path}" if each.path else "",
            )
            for each in found
        ]
        output.table(("card", "state", "changed", "note", "file"), rows)
    else:
        click.echo("No card was seen yet.")
