"""`tacit upgrade`: a workspace of an older version brought up to date."""

from __future__ import annotations

import click

from tacit.cli import output, owner
from tacit.cli.reading import expanded, json_option, opened_app
from tacit.guard.normalise import one_line


@click.command("upgrade")
@click.argument("directory", metavar="DIR")
@json_option
def command(*, directory: str, as_json: bool) -> None:
    """Bring the workspace in DIR up to date with this Tacit.

    What it had is kept first: a verified backup of its transcript, and the small files of `.os`.
    """
    done = opened_app().upgrade(expanded(directory), owner.caller())
    if as_json:
        output.as_json(done)
    elif done.kept is None:
        click.echo(one_line(f"{done.name} is up to date: version {done.before}."))
    else:
        click.echo(one_line(f"{done.name} was of version {done.before}, now it is {done.after}."))
        click.echo(one_line(f"What it had is kept in {done.kept}."))
