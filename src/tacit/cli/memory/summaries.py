"""`tacit summaries`: what sessions came to."""

from __future__ import annotations

import time

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, meant, opened
from tacit.guard.normalise import one_line

_FIELDS = ("request", "investigated", "learned", "completed", "next_steps", "notes")


@click.command("summaries")
@click.option("--project", metavar="NAME", help="Only of this project: name, key or directory.")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="So many.")
@group_option
@json_option
def command(*, project: str | None, limit: int, group: str | None, as_json: bool) -> None:
    """Show what sessions came to, the latest first."""
    app, chosen = opened(group)
    found = app.summaries(chosen, meant(project) if project else None)[:limit]
    if as_json:
        output.as_json(found)
        return
    if not found:
        click.echo("No session has a summary yet.")
    now_ns = time.time_ns()
    for each in found:
        state = "" if each.is_final else ", not ended"
        head = f"{each.session[:8]}  {output.age(each.updated_at, now_ns)}{state}"
        click.secho(one_line(head), bold=True)
        for name in _FIELDS:
            if getattr(each, name):
                click.echo(one_line(f"{name.replace('_', ' ')}: {getattr(each, name)}"))
        for name, files in (("read", each.files_read), ("edited", each.files_edited)):
            if files:
                click.echo(one_line(f"{name}: {', '.join(files)}"))
