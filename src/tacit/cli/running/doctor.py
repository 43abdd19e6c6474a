"""`tacit doctor`: everything that can go wrong, each with the command that mends it."""

from __future__ import annotations

import click

from tacit.cli import output
from tacit.cli.reading import json_option, opened_app
from tacit.guard.normalise import one_line


@click.command("doctor")
@click.option("--group", metavar="NAME", help="Only this group; default: all of them.")
@json_option
def command(*, group: str | None, as_json: bool) -> None:
    """Check settings, permissions, engine, spool, hook and every group's transcript.

    Exit code 1 if something needs you.
    """
    checks = opened_app().doctor(group)
    if as_json:
        output.as_json(checks)
    else:
        for check in checks:
            sign = (
                click.style("ok  ", fg="green") if check.is_fine else click.style("fix ", fg="red")
            )
            click.echo(f"{sign}{check.name:<14}{one_line(check.text)}")
            if check.fix:
                click.echo(f"    {'':<14}→ {one_line(check.fix)}")
    if not all(check.is_fine for check in checks):
        raise click.exceptions.Exit(1)
