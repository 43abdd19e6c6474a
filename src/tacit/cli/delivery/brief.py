"""`tacit brief`: what a new session is told, and of what use that was."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.hooked import nothing_yet
from tacit.cli.memory.telling import Day
from tacit.cli.reading import group_option, json_option, meant, opened
from tacit.deliver.brief import printed
from tacit.errors import NotFound
from tacit.guard.normalise import normalise

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.deliver.brief import Brief
    from tacit.verbs.delivery import Uses


@click.command("brief")
@click.option(
    "--project", metavar="NAME|DIRECTORY", help="Of this project; default: the current directory."
)
@click.option("--everywhere", is_flag=True, help="What a session in an unknown place is told.")
@click.option("--as-of", type=Day(is_end=True), help="As it would have been then.")
@click.option("--stats", is_flag=True, help="What was told so far, its cost and its use.")
@group_option
@json_option
def command(
    *,
    project: str | None,
    everywhere: bool,
    as_of: int | None,
    stats: bool,
    group: str | None,
    as_json: bool,
) -> None:
    """Show what a new session is told, exactly as it is told."""
    app, chosen = opened(group)
    if stats:
        _show_uses(app.uses(chosen), as_json=as_json)
        return
    made = _brief(app, chosen, None if everywhere else project, as_of, is_here=not everywhere)
    now_ns = time.time_ns()
    text = printed(made.text, min(as_of or now_ns, now_ns))
    if as_json:
        output.as_json({**output.plain(made), "text": text})
    elif text:
        click.echo(normalise(text))
        noun = "memory" if made.entry_count == 1 else "memories"
        told = f"{made.brief_count} of {made.entry_count} {noun}"
        click.echo(f"{told}, at most {made.tokens} tokens.", err=True)
    else:
        click.echo("A new session is told nothing.", err=True)
        is_any = bool(made.entry_count or app.sessions(chosen))
        click.echo(_why_nothing(app, chosen, as_of, is_any=is_any), err=True)


def _why_nothing(app: App, group: str, as_of: int | None, *, is_any: bool) -> str:
    """Return why there is no brief, if anything at all is remembered or recorded."""
    if is_any and as_of is not None:
        return "Nothing that it should know was remembered by then: see `tacit list`."
    if is_any:
        return "Nothing that it should know is remembered: see `tacit list`."
    return nothing_yet(group, app.groups())


def _brief(app: App, group: str, project: str | None, as_of: int | None, *, is_here: bool) -> Brief:
    """Return the brief of the project that is meant; of a place that is unknown, everywhere's."""
    if project is not None:
        return app.brief(group, meant(project), as_of=as_of)
    try:
        here = os.getcwd() if is_here else None  # noqa: PTH109  (a string is wanted)
        return app.brief(group, here, as_of=as_of)
    except NotFound:
        return app.brief(group, as_of=as_of)


def _show_uses(found: Uses, *, as_json: bool) -> None:
    if as_json:
        parts = output.plain(found).items()
        output.as_json({name: [each._asdict() for each in rows] for name, rows in parts})
        return
    if not any(each.heard for each in found.surfaces):
        click.echo("No session was told anything yet.")
        return
    rows = [
        (each.surface, str(each.made), str(each.heard), str(each.tokens), str(each.late))
        for each in found.surfaces
    ]
    output.table(("surface", "made", "told", "tokens", "too late"), rows)
    lines = [
        (str(each.told), str(each.tokens), str(each.used), str(each.repeated), each.content)
        for each in found.memories
    ]
    if lines:
        click.echo()
        output.table(("told", "tokens", "used", "repeated", "memory"), lines)
    for each in found.outcomes:
        what = "held back" if each.is_held else "told"
        click.echo(f"Of {each.memories} {what}, {each.used} came up in their session.")
