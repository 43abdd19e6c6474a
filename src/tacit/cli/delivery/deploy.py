"""`tacit deploy`: who the agent is and the rules of its system, written for one directory."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli import owner
from tacit.cli.reading import opened_app
from tacit.deliver.curated.deployed import Deployment, checked
from tacit.deliver.curated.names import OS, SOUL

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("deploy")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--soul", type=_FILE, help="Who the agent is: at most 200 lines.")
@click.option("--os", "system", type=_FILE, help="The rules of its system: at most 200 lines.")
@click.option("--version", default="", help="The version of this deployment; default: as before.")
def command(*, directory: Path, soul: Path | None, system: Path | None, version: str) -> None:
    """Write soul.md and os.md for DIRECTORY, read-only; what is not given stays as it is.

    What was never deployed begins as a template. Both belong to the group of DIRECTORY. Nothing in
    the background ever writes them.
    """
    given = ((SOUL, soul), (OS, system))
    texts = {name: checked(name, file.read_bytes()) for name, file in given if file}
    app = opened_app()
    group = app.group(None, str(directory.resolve()))
    deployed = app.deploy(group, Deployment(texts=texts, version=version), owner.caller())
    names = " and ".join(deployed.files) or "nothing new"
    click.echo(f"Deployed {names} for group {group}, version {deployed.version}.")
