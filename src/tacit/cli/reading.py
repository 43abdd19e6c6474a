"""What verbs that read share: which group is meant, and the spool drained first."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import paths
from tacit.capture import state
from tacit.cli.output import json_option
from tacit.errors import ModelUnavailable
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.app import App

__all__ = [
    "expanded",
    "group_option",
    "home_option",
    "json_option",
    "meant",
    "opened",
    "opened_app",
    "project_option",
]

group_option = click.option(
    "--group",
    envvar="TACIT_GROUP",
    metavar="NAME",
    help="The group meant; default: $TACIT_GROUP, else the group of the current directory.",
)

home_option = click.option(
    "--home",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="The home, as it was written at install; default: $TACIT_HOME, else the usual one.",
)


def meant(project: str) -> str:
    """Return how a project was named, a path from here or from ~ made absolute."""
    is_path = project in {".", "..", "~"} or project.startswith(("./", "../", "~/", "/"))
    return str(Path(project).expanduser().resolve()) if is_path else project


def expanded(directory: str) -> str:
    """Return a directory as it was named, from ~ made absolute; an empty name stays one."""
    return str(Path(directory).expanduser()) if directory else directory


def said_before(group: str | None) -> str | None:
    """Return the group that was said behind the verb, else the one said before it."""
    outer = click.get_current_context().parent
    return outer.params.get("group") if group is None and outer else group


def opened_app(home: str | None = None, *, with_model: bool = False) -> App:
    """Open the home for as long as the verb runs; with the user's model where one is asked."""
    # what only takes its options from here loads no store
    from tacit.compose import open_app, open_model

    chosen = home or paths.home()
    app = open_app(home, llm=open_model(chosen, is_users_program=True) if with_model else None)
    click.get_current_context().call_on_close(app.close)
    return app


def opened_with_model() -> tuple[App, str | None]:
    """Open the home with the user's model; without it if that cannot be had, and why."""
    try:
        return opened_app(with_model=True), None
    except ModelUnavailable as error:
        return opened_app(), str(error)


def opened(
    group: str | None, *, draining: bool = True, with_model: bool = False
) -> tuple[App, str]:
    """Open the home, take in what waits for at most two seconds, and return the group meant."""
    app = opened_app(with_model=with_model)
    group = said_before(group)
    chosen = app.group(group, os.getcwd())  # noqa: PTH109  (a string is wanted)
    if draining:
        done = app.drain()
        waiting = done.waiting
        told = {str(trouble) for trouble in done.troubles}
        for each in told:
            click.echo(f"tacit: {one_line(each)}", err=True)
        if isinstance(printed := click.get_current_context().obj, set):
            printed |= told
        if not state.is_writable(app.root):
            left = f" {waiting} events wait until it can be written to." if waiting else ""
            click.echo(f"The home is read-only: it is shown as it was.{left}", err=True)
        elif waiting:
            noun = "event is" if waiting == 1 else "events are"
            click.echo(f"{waiting} {noun} still waiting; ask again to take them in.", err=True)
    return app, chosen


def _resolved(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> str | None:
    if value == "":
        raise click.BadParameter("The directory is empty: name one, or leave the value out.")
    return str(Path(value).expanduser().resolve()) if value else None


project_option = click.option(
    "--project",
    is_flag=False,
    flag_value=".",
    metavar="[DIRECTORY]",
    callback=_resolved,
    help="Only in this directory and below; without a value, the current one.",
)
