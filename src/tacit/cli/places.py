"""The option that names a project by its directory."""

from __future__ import annotations

from pathlib import Path

import click


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
