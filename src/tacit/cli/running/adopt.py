"""`tacit adopt`: use a home again that was moved or copied."""

from __future__ import annotations

from pathlib import Path

import click

from tacit import policy
from tacit.cli import owner
from tacit.errors import HomeRefused
from tacit.guard.normalise import one_line


@click.command("adopt")
@click.argument("directory", metavar="DIR")
def command(*, directory: str) -> None:
    """Use the home in DIR, which was moved or copied there.

    A home belongs to its directory, so that nobody can put another one in its place. Adopt only
    what you moved there yourself: its settings can name programs that Tacit runs.
    """
    from tacit.capture import state
    from tacit.capture.home import adopt
    from tacit.compose import refusal

    policy.check(owner.caller(), "adopt")
    if not directory.strip():
        raise HomeRefused("Name the directory of a home: `tacit adopt DIR`.")
    place = Path(directory).expanduser().absolute()
    try:
        adopt(str(place))
    except FileNotFoundError as error:
        raise HomeRefused(f"{place} does not exist. Name the directory of a home.") from error
    except state.Refused as error:
        raise HomeRefused(f"{error}. Name the directory of a home.") from error
    except OSError as error:
        raise refusal(str(place), error) from error
    click.echo(one_line(f"{place} is a home of Tacit again."))
    click.echo("Set TACIT_HOME to it for your commands; `tacit install` lets hooks record in it.")
