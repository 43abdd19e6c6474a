"""`tacit deploy`: who the agent is and the rules of its system, written for one directory."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import paths
from tacit.cli import owner
from tacit.cli.reading import group_option, opened_app
from tacit.deliver.curated.deployed import Deployment, checked
from tacit.deliver.curated.names import OS, SOUL
from tacit.errors import WorkspaceRefused

if TYPE_CHECKING:
    from tacit.app import App

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("deploy")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--soul", type=_FILE, help="Who the agent is: at most 200 lines.")
@click.option("--os", "system", type=_FILE, help="The rules of its system: at most 200 lines.")
@click.option("--version", default="", help="The version of this deployment; default: as before.")
@group_option
def command(
    *, directory: Path, soul: Path | None, system: Path | None, version: str, group: str | None
) -> None:
    """Write soul.md and os.md for DIRECTORY, read-only; what is not given stays as it is.

    What was never deployed begins as a template. Both belong to the workspace, or to the group of
    your settings, that DIRECTORY lies in; for all other directories say `--group main`. Nothing in
    the background ever writes them.
    """
    given = ((SOUL, soul), (OS, system))
    texts = {name: checked(name, file.read_bytes()) for name, file in given if file}
    app = opened_app()
    chosen = app.group(group, str(directory.resolve()))
    if group is None:
        _check_own(app, chosen, directory.resolve())
    deployed = app.deploy(chosen, Deployment(texts=texts, version=version), owner.caller())
    names = " and ".join(deployed.files) or "nothing new"
    click.echo(f"Deployed {names} for group {chosen}, version {deployed.version}.")


def _check_own(app: App, group: str, directory: Path) -> None:
    """Refuse a directory that is no workspace, and in no group but the one for everything."""
    if group == paths.MAIN_GROUP or str(directory) in app.unregistered(str(directory)):
        raise WorkspaceRefused(
            f"{directory} is no workspace. `tacit init {shlex.quote(str(directory))}` makes it "
            f"one; to deploy for the group {group}, say `--group {group}`."
        )
