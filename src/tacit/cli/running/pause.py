"""`tacit pause`: record nothing, everywhere or in one project."""

from __future__ import annotations

import click

from tacit.cli.reading import opened_app, project_option
from tacit.guard.normalise import one_line


@click.command("pause")
@project_option
def command(project: str | None) -> None:
    """Stop recording at once. Nothing of what happens meanwhile is kept or can be learned later."""
    opened_app().pause(project)
    where = f"in {project}" if project else "everywhere"
    again = f" --project {project}" if project else ""
    click.echo(one_line(f"Recording is paused {where}. `tacit resume{again}` to go on."))
