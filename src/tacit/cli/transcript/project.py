"""`tacit project`: what projects there are, and what they are called."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli import output, owner
from tacit.cli.hooked import nothing_yet
from tacit.cli.reading import group_option, json_option, meant, opened
from tacit.guard.normalise import one_line


@click.group("project")
def command() -> None:
    """List, rename, join and move projects.

    A project is a git repository with all its worktrees, else a directory. A PROJECT is meant by
    its key, its directory or its name.
    """


@command.command("list")
@group_option
@json_option
def listing(*, group: str | None, as_json: bool) -> None:
    """List the projects of a group, the most used first."""
    app, chosen = opened(group)
    found = app.projects(chosen)
    if as_json:
        output.as_json(found)
    elif found:
        rows = [
            (each.key, each.name, str(each.events), " + ".join([each.root, *each.joined]))
            for each in found
        ]
        output.table(("key", "name", "events", "where"), rows)
    else:
        click.echo(nothing_yet(chosen, app.groups()))


@command.command("rename")
@click.argument("project")
@click.argument("name")
@group_option
def rename(*, project: str, name: str, group: str | None) -> None:
    """Call PROJECT by another NAME."""
    _change("rename", project, name, group)


@command.command("join")
@click.argument("project")
@click.argument("into")
@group_option
def join(*, project: str, into: str, group: str | None) -> None:
    """Count PROJECT as a part of INTO from now on."""
    _change("join", project, meant(into), group)


@command.command("move")
@click.argument("project")
@click.argument("directory")
@group_option
def move(*, project: str, directory: str, group: str | None) -> None:
    """Say that PROJECT now lies in DIRECTORY: what happens there belongs to it."""
    _change("move", project, str(Path(directory).expanduser().resolve()), group)


def _change(verb: str, project: str, value: str, group: str | None) -> None:
    app, chosen = opened(group)
    now = app.project(chosen, verb, meant(project), value, origin=owner.origin())
    click.echo(one_line(f"{now.name} ({now.key}): {' + '.join([now.root, *now.joined])}"))
