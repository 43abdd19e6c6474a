"""`tacit resume`: record again."""

from __future__ import annotations

import click

from tacit.cli.reading import opened_app, project_option
from tacit.guard.normalise import one_line


@click.command("resume")
@project_option
def command(project: str | None) -> None:
    """Record again what was paused: everything, or one project."""
    opened_app().resume(project)
    click.echo(one_line(f"Recording goes on {f'in {project}' if project else 'everywhere'}."))
