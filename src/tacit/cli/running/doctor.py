"""`tacit doctor`: everything that can go wrong, each with the command that mends it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import paths
from tacit.cli import output
from tacit.cli.reading import json_option, opened_app, opened_with_model
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.install.standing import Around


@click.command("doctor")
@click.option("--group", metavar="NAME", help="Only this group; default: all of them.")
@click.option(
    "--prove",
    is_flag=True,
    help="Play a turn through the installed hooks, curator, search and brief, then remove it.",
)
@json_option
def command(*, group: str | None, prove: bool, as_json: bool) -> None:
    """Check settings, permissions, engine, spool, hook, groups, embedder, model and each client.

    A model that you have chosen is asked something small. Of a client it looks at the settings that
    are yours and those of the current directory: hooks that are missing, stale, doubled or switched
    off, and a server that cannot run. Exit code 1 if something needs you.
    """
    if prove:
        _prove(as_json=as_json)
        return
    from tacit.daemon.pulse import health

    app, why = opened_with_model()
    told = health(app.root)
    checks = app.doctor(group, _around(), told.embedder_trouble)
    checks.append(app.check_model(told.model_trouble, os.environ, why=why))
    if as_json:
        output.as_json(checks)
    else:
        for check in checks:
            _show(check.is_fine, check.name, check.text, check.fix)
    if not all(check.is_fine for check in checks):
        raise click.exceptions.Exit(1)


def _around() -> Around:
    """Return where a client is looked at from."""
    from tacit.install.standing import Around

    return Around(environment=os.environ, directory=Path.cwd(), home=Path(paths.home()))


def _prove(*, as_json: bool) -> None:
    """Show each step of a proof as it comes out."""
    from tacit.cli.running.proving import Proof
    from tacit.install.clients import CLIENTS
    from tacit.install.registered import registered

    hooks = filter(None, (registered(client, _around()) for client in CLIENTS.values()))
    found = []
    for step in Proof(opened_app(), next(hooks, None)).steps():
        found.append(step)
        if not as_json:
            _show(step.is_fine, step.name, f"{step.text} ({step.milliseconds} ms)", step.fix)
    if as_json:
        output.as_json(found)
    if not all(step.is_fine for step in found):
        raise click.exceptions.Exit(1)


def _show(is_fine: bool, name: str, text: str, fix: str | None) -> None:  # noqa: FBT001  (a row)
    sign = click.style("ok  ", fg="green") if is_fine else click.style("fix ", fg="red")
    click.echo(f"{sign}{name:<13} {one_line(text)}")
    if fix:
        click.echo(f"    {'':<14}→ {one_line(fix)}")
