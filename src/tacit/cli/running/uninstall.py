"""`tacit uninstall`: gone from a client in one command; what is remembered stays unless purged."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from tacit import paths, policy
from tacit.cli import owner
from tacit.cli.running.install import asked, client_option, plugin_option, scope_option
from tacit.errors import InstallRefused
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.install.installing import Wanted


@click.command("uninstall")
@client_option
@scope_option
@plugin_option
@click.option("--purge", is_flag=True, help="Delete all that is remembered as well.")
@click.option("--yes", is_flag=True, help="Purge without asking.")
def command(*, client: str, scope: str, plugin: Path | None, purge: bool, yes: bool) -> None:
    """Take everything back that `tacit install` has written, and stop the daemon.

    A file that nobody has changed since is put back byte for byte; from another one only what is
    ours goes. The daemon goes on as long as hooks of another scope or of a plugin need it. Purging
    takes Tacit out of all scopes, projects and plugins, and says first which files that changes.
    """
    from tacit.compose import check_home
    from tacit.install import installing
    from tacit.install import plugin as plugins

    if purge:
        policy.check(owner.caller(), "uninstall --purge")
    check_home()
    if purge:
        _purge_all(asked(client, scope, plugin=plugin), is_sure=yes)
        return
    wanted = asked(client, scope, plugin=plugin)
    changed = installing.uninstall(wanted)
    if plugin is not None:
        plugins.clear(wanted.place)
    _tell(wanted, changed, plugin)
    if not wanted.home.exists():
        return
    left = installing.installed(wanted.home)
    if left:
        click.echo(f"The daemon goes on: {left[0]} still runs our hooks.")
    else:
        _stop()
    if changed or (wanted.home / paths.GROUPS).exists():
        click.echo(f"What is remembered stays in {wanted.home}; `--purge` deletes it.")


def _purge_all(wanted: Wanted, *, is_sure: bool) -> None:
    """Take Tacit out of everything, then delete the home; what could not be taken out is told."""
    from tacit.install import everywhere

    for file in everywhere.at_stake(wanted.home, wanted.place.asked):
        click.echo(f"  {file}: nothing of ours any more")
    if wanted.home.exists():
        click.echo(f"  {wanted.home}: deleted, with all that is remembered")
    if not is_sure:
        _agree(str(wanted.home))
    taken = everywhere.take_back(wanted.home, wanted.place.asked)
    if wanted.home.exists():
        _stop()
        _purge(wanted.home, but={paths.INSTALLED, paths.HOME_MARKER} if taken.left else set())
    for each in taken.left:
        click.echo(f"{each.file}: {one_line(each.why)}", err=True)
    if taken.left:
        first = taken.left[0]
        raise InstallRefused(f"{first.file} stays as it is. Mend that, then run `{first.command}`.")
    click.echo("Tacit is gone." if taken.changed else "Tacit was not installed anywhere.")


def _tell(wanted: Wanted, changed: list[Path], plugin: Path | None) -> None:
    """Say what is gone."""
    for file in changed:
        click.echo(f"  {file}")
    gone = "is gone from" if changed else "was not installed in"
    where = wanted.client.title if plugin is None else str(wanted.place.launcher.parent)
    click.echo(f"Tacit {gone} {where}.")


def _stop() -> None:
    """Stop the daemon, if one runs, and let no hook start it."""
    from tacit.compose import open_home
    from tacit.daemon import control

    root, _ = open_home()
    try:
        if control.stop(root):
            click.echo("The daemon has stopped.")
    finally:
        os.close(root)


def _purge(home: Path, but: set[str]) -> None:
    """Delete what is ours, and the home itself if nothing else lies in it."""
    names = [name for name in paths.OURS if name not in but]
    half_written = [f".{name}.*" for name in paths.OURS]
    for path in (found for name in (*names, *half_written) for found in home.glob(name)):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    left = sorted(each.name for each in home.iterdir())
    if left:
        click.echo(f"Deleted all that was remembered; {home} stays, it holds {one_line(left[0])}.")
    else:
        home.rmdir()
        click.echo(f"Deleted {home} and all that was remembered.")


def _agree(home: str) -> None:
    if not sys.stdin.isatty():
        raise InstallRefused(f"This deletes {home} for good: run it again with --yes.")
    click.confirm(f"Delete {home} and all that is remembered, for good?", abort=True)
