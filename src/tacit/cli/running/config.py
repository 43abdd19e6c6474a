"""`tacit config`: every setting, and where its value comes from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.reading import json_option, opened_app
from tacit.errors import SettingsUnreadable
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.app import App

_VARIABLES = ("TACIT_HOME", "TACIT_GROUP", "TACIT_OFF")


@click.command("config")
@json_option
def command(*, as_json: bool) -> None:
    """Show every setting with its value and its source; `config.toml` in the home changes them.

    A setting that cannot be read is named with what was probably meant, and the exit code is 3.
    """
    app = opened_app()
    _show(app, as_json=as_json)
    problems = app.status().settings_problems
    for problem in problems:
        click.echo(f"tacit: {one_line(problem)}", err=True)
    if problems:
        raise click.exceptions.Exit(SettingsUnreadable.exit_code)


def _show(app: App, *, as_json: bool) -> None:
    """Print the settings."""
    rows = [(name, value, source) for name, value, source in app.config()]
    rows += [(name, os.environ[name], "environment") for name in _VARIABLES if name in os.environ]
    if as_json:
        output.as_json([{"setting": n, "value": v, "source": s} for n, v, s in rows])
        return
    output.table(
        ("setting", "source", "value"),
        [(name, source, _shown(value)) for name, value, source in rows],
    )


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(str(each) for each in value) or "none"
    return str(value) or "none"
