"""`tacit boot`: all that an agent is to know before its first word."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, meant, opened
from tacit.errors import NotFound

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.deliver.curated.boot import Boot


@click.command("boot")
@click.option(
    "--project", metavar="NAME|DIRECTORY", help="Of this project; default: the current directory."
)
@click.option("--all-projects", is_flag=True, help="Of the whole group, as the files say it.")
@click.option(
    "--tokens", type=click.IntRange(min=1), help="At most so many; default: `deliver.boot_tokens`."
)
@group_option
@json_option
def command(
    *,
    project: str | None,
    all_projects: bool,
    tokens: int | None,
    group: str | None,
    as_json: bool,
) -> None:
    """Print what was deployed, the curated files, what was learned lately, and what is pending.

    In one piece, to be an agent's system prompt. In a workspace, and in a place that is unknown, it
    is about the whole group.
    """
    if project and all_projects:
        raise click.UsageError("Say --project or --all-projects, not both.")
    app, chosen = opened(group)
    is_whole = all_projects or (project is None and app.is_workspace(chosen))
    made = app.boot(chosen, tokens=tokens) if is_whole else _boot(app, chosen, project, tokens)
    if as_json:
        output.as_json(made)
    elif made.text:
        click.echo(made.text)
        click.echo(f"{len(made.parts)} parts, at most {made.tokens} tokens.", err=True)
    elif made.left_out:
        told = ", ".join(made.left_out)
        click.echo(f"There is no room for anything ({told}): say more `--tokens`.", err=True)
    else:
        click.echo("Nothing is known yet, and nothing is deployed.", err=True)


def _boot(app: App, group: str, project: str | None, tokens: int | None) -> Boot:
    """Return the text of the project that is meant; of a place that is unknown, the group's."""
    if project is not None:
        return app.boot(group, meant(project), tokens=tokens)
    try:
        return app.boot(group, os.getcwd(), tokens=tokens)  # noqa: PTH109  (a string is wanted)
    except NotFound:
        return app.boot(group, tokens=tokens)
