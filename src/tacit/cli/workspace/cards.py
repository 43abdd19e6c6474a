"""`tacit cards`: which card is mirrored to which file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, opened
from tacit.workspace.layout import PROJECTS

if TYPE_CHECKING:
    from tacit.store.sqlite.workspace import Card


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
                _note(each),
                f"{PROJECTS}/{each.path}" if each.path else "",
            )
            for each in found
        ]
        output.table(("card", "state", "changed", "note", "file"), rows)
    else:
        click.echo("No card was seen yet.")


def _note(card: Card) -> str:
    if card.trouble:
        return f"cannot be written: {card.trouble}"
    return "changed by hand" if card.beside else ""
