"""`tacit sessions`: what happened, one line a session."""

from __future__ import annotations

import time

import click

from tacit.cli import output
from tacit.cli.hooked import nothing_yet
from tacit.cli.reading import group_option, json_option, meant, opened


@click.command("sessions")
@group_option
@click.option("--project", metavar="NAME", help="Only of this project: its name, key or directory.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="So many.")
@json_option
def command(*, group: str | None, project: str | None, limit: int, as_json: bool) -> None:
    """List the sessions of a group, the last active first.

    A session is active, ended, failed (its last turn ended with an error) or interrupted (no word
    of it for a day).
    """
    app, chosen = opened(group)
    sessions = app.sessions(chosen, meant(project) if project else None)[:limit]
    if as_json:
        output.as_json(sessions)
        return
    if not sessions:
        known = app.sessions(chosen)
        click.echo("No session fits." if known else nothing_yet(chosen, app.groups()))
        return
    now_ns = time.time_ns()
    rows = [
        (
            each.id[:8],
            each.state,
            output.age(each.last, now_ns),
            output.short(each.project, 24),
            str(each.prompts),
            str(each.tools),
            str(each.failures),
            each.first_prompt,
        )
        for each in sessions
    ]
    output.table(
        ("session", "state", "last", "project", "turns", "tools", "failed", "began with"), rows
    )
