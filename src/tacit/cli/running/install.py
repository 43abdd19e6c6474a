"""`tacit install`: Tacit in a client, in one command, by a plan that is shown first."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

import click

from tacit import paths
from tacit.errors import InstallRefused
from tacit.install.clients import CLIENTS, PLUGIN, SCOPES, place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.install.installing import Step, Wanted

NEXT = """
From now on {title} records what happens, and each new session starts knowing.
Work as always, and look again after your next session:
  tacit                 how things stand
  tacit list            what is remembered; `tacit why ID` where it came from
  tacit brief           what the next session here will be told
  tacit doctor --prove  see it work now: plays a turn all the way, then removes it
  tacit uninstall       take all of this back; what is remembered stays unless you say --purge"""

LOADED = """
{program} loads it for one session:
  {program} --plugin-dir {directory}
or for all of them:
  {program} plugin marketplace add {directory}
  {program} plugin install {plugin}@{marketplace}"""
ALLOWED = """
To let agents search without being asked, put this rule into permissions.allow of its settings:
  "{permission}"
"""

KEY = """The daemon is started by hooks and is handed no keys. Which command prints your key,
such as `pass show anthropic`? (Enter: set llm.key_command later)"""

PROFILES = ("none", "reader")

client_option = click.option(
    "--client", type=click.Choice(list(CLIENTS)), default="claude-code", show_default=True
)
scope_option = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="user",
    show_default=True,
    help="For all your projects, or in the settings of the current one.",
)


plugin_option = click.option(
    "--plugin",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="A plugin in this directory instead of the client's settings.",
)


@click.command("install")
@client_option
@scope_option
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="reader",
    show_default=True,
    help="Whether agents may search the memory themselves, through a server that only reads.",
)
@plugin_option
@click.option(
    "--imports",
    is_flag=True,
    help="Have your own instructions (CLAUDE.md) import the six curated files of the group main, "
    "in all sessions, also those of workspaces.",
)
@click.option("--dry-run", is_flag=True, help="Show the plan and write nothing.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
def command(*, dry_run: bool, yes: bool, **chosen: Any) -> None:
    """Let a client record and be told: its hooks run Tacit from now on.

    Everything else in its settings stays as it is, byte for byte. Run it again to mend what an
    upgrade or an edit has broken; `tacit uninstall` takes it back. `--plugin` leaves the settings
    alone and writes a directory that the client loads.
    """
    from tacit.compose import check_home, open_home
    from tacit.daemon import control
    from tacit.install import installing

    check_home()
    plugin: Path | None = chosen["plugin"]
    wanted = asked(**chosen)
    steps = installing.plan(wanted)
    _show(wanted, steps)
    if dry_run:
        return
    if not _is_agreed(steps, yes=yes):
        click.echo("Nothing was changed.")
        return
    os.umask(0o077)
    root, _ = open_home()
    try:
        installing.install(wanted, steps)
        control.allow(root)
    finally:
        os.close(root)
    click.echo("Installed." if steps else "Everything was in its place already.")
    if not yes and sys.stdin.isatty():
        _offer_models(wanted.home)
    click.echo(_next(wanted, plugin))


def asked(
    client: str,
    scope: str,
    profile: str = "none",
    plugin: Path | None = None,
    *,
    imports: bool = False,
) -> Wanted:
    """Return what is to be installed, for the user that runs this, in the current directory."""
    from tacit.install import plugin as plugins
    from tacit.install.command import server_command
    from tacit.install.installing import Wanted

    row, home = CLIENTS[client], Path(paths.home())
    server = server_command(home) if profile == "reader" else ()
    if plugin is not None:
        if scope != "user":
            raise click.UsageError("A plugin has no scope: leave --scope out.")
        return plugins.wanted(plugin, row, home, server)
    here = place(row, scope, os.environ, Path.cwd())
    wanted = Wanted(client=row, place=here, home=home, server=server)
    return replace(wanted, imports=_told(wanted)) if imports else wanted


def _told(wanted: Wanted) -> tuple[Path, ...]:
    """Return the files that instructions may import: what is told, and no edit that waits."""
    from tacit.deliver.curated import imported
    from tacit.deliver.curated import place as places
    from tacit.deliver.curated.names import SIX

    if wanted.place.instructions is None:
        raise click.UsageError("Imports are for your own instructions: leave --scope out.")
    group = wanted.home / paths.GROUPS / paths.MAIN_GROUP
    return tuple(group / places.FOLDER / imported.FOLDER / name for name in SIX)


def _offer_models(home: Path) -> None:
    """Let the user choose a model that is at hand, or none: rules read alone then."""
    from tacit.install import models

    found = [] if models.is_chosen(home) else models.offers(os.environ, which, models.ollama_models)
    if not found:
        return
    click.echo("\nWithout a model rules make the memories: free, offline. A model finds more:")
    for each in found:
        click.echo(f"  {each.name:<12}{each.title}. A day costs {each.cost}.")
    names = ["none", *(each.name for each in found)]
    name = click.prompt("Which one?", type=click.Choice(names), default="none")
    for each in found:
        if each.name == name:
            command = click.prompt(KEY, default="", show_default=False) if each.needs_key else ""
            click.echo(models.choose(home, each, models.resolved(shlex.split(command), which)))


def _show(wanted: Wanted, steps: Sequence[Step]) -> None:
    """Print what will be written, and where."""
    click.echo(f"Tacit for {wanted.client.title}, everything it keeps in {wanted.home}")
    for step in steps:
        click.echo(f"  {step.file}: {step.what}")
    if steps:
        kept = wanted.home / paths.INSTALLED
        click.echo(f"What a file held before is kept in {kept}.")
        click.echo("Nothing else is written outside that home.")
    if not wanted.place.settings.parent.exists() and not shutil.which(wanted.client.program):
        click.echo(f"{wanted.client.title} was not found here: nothing is recorded until it is.")


def _next(wanted: Wanted, plugin: Path | None) -> str:
    """Return what can be done from now on."""
    from tacit.install.plugin import MARKETPLACE

    row = wanted.client
    if plugin is None:
        return NEXT.format(title=row.title)
    directory = shlex.quote(str(wanted.place.launcher.parent))
    told = LOADED.format(
        program=row.program, directory=directory, plugin=PLUGIN, marketplace=MARKETPLACE
    )
    allowed = ALLOWED.format(permission=row.plugin_permission) if wanted.server else ""
    return f"{told}{allowed}".rstrip()


def _is_agreed(steps: Sequence[Step], *, yes: bool) -> bool:
    if yes or not steps:
        return True
    if not sys.stdin.isatty():
        raise InstallRefused("Nobody is here to agree to this plan: run it again with --yes.")
    return click.confirm("Do it?", default=True)
