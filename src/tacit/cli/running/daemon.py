"""`tacit daemon`: the one background process of a home."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import click

from tacit import paths
from tacit.capture import state, wake
from tacit.cli.output import json_option
from tacit.cli.reading import home_option

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.daemon.run import Background, Opening, Services
    from tacit.log import Log


@click.group("daemon")
def command() -> None:
    """Start, stop and look at the background process of your home.

    It takes events in as they come. Hooks start it when they need it and it leaves when it has been
    idle for half an hour; without it, every reading verb does its work.
    """


@command.command("start")
def start() -> None:
    """Start it, and let hooks start it from now on."""
    from tacit.daemon import control

    root, home = _root()
    health, is_new = control.start(root, home)
    click.echo(f"The daemon {'runs' if is_new else 'was running'} as process {health.pid}.")


@command.command("stop")
def stop() -> None:
    """Stop it, and let no hook start it again until `tacit daemon start`."""
    from tacit.daemon import control

    was_running = control.stop(_root()[0])
    click.echo("The daemon has stopped." if was_running else "No daemon was running.")


@command.command("status")
@json_option
def status(*, as_json: bool) -> None:
    """Say how it is: healthy, wedged (no work finished for a minute) or stopped.

    Exit code 1 if it is wedged.
    """
    from tacit.cli import output
    from tacit.daemon.pulse import health

    found = health(_root()[0])
    if as_json:
        output.as_json(found)
    else:
        who = f", process {found.pid}, version {found.version}" if found.pid else ""
        click.echo(f"{found.state}{who}")
        if found.beat_seconds is not None:
            click.echo(f"work last finished {found.beat_seconds:.0f} s ago")
            click.echo(f"{found.taken} events taken in, {found.failures} failures")
        if found.last_failure:
            click.echo(f"the last failure: {found.last_failure}")
    if found.state == "wedged":
        raise click.exceptions.Exit(1)


@command.command("run")
@click.option("--woken", is_flag=True, help="As hooks start it: end at once if it was stopped.")
@home_option
def run(*, woken: bool, home: str | None) -> None:
    """Run the daemon in the foreground. Ends at once if there is one already."""
    if woken and not os.path.isdir(home or paths.home()):  # noqa: PTH112  (and make none)
        return
    root, home = _root(home)
    if wake.is_running(root):  # before anything heavy is loaded
        return
    from pathlib import Path

    from tacit.daemon.run import Daemon, Limits
    from tacit.log import Log

    os.close(state.open_directory(root, paths.LOGS))
    log = Log(Path(home) / paths.LOGS / paths.DAEMON_LOG, time.time_ns)
    daemon = Daemon(root, log, Limits())
    sys.exit(
        daemon.run(
            lambda: _services(home, log),
            lambda: not (woken and state.is_there(root, paths.DAEMON_STOPPED)),
        )
    )


def _services(home: str, log: Log) -> tuple[Opening, Services]:
    """Return what a daemon of this home does: with a model, if the user has chosen one."""
    from tacit.compose import embed_idle_seconds, open_app, open_embedder, open_model
    from tacit.daemon.answers import Answers
    from tacit.daemon.readings import Readings
    from tacit.daemon.run import Services
    from tacit.daemon.understanding import Understanding
    from tacit.errors import EmbedderUnavailable

    try:
        embedder = open_embedder(home)
    except EmbedderUnavailable as error:
        log.line("no embedder", error=type(error).__name__)
        embedder = None

    def opened() -> App:
        return open_app(home, embedder=embedder)

    def reading() -> App:
        return open_app(home, llm=open_model(home, is_users_program=False))

    backgrounds: list[Background] = [Readings(reading, log)]
    if embedder:
        backgrounds.append(Understanding(opened, embedder, log))
    answers = Answers(opened)
    services = Services(
        answer=answers.answer,
        backgrounds=tuple(backgrounds),
        rest=answers.rest,
        shed=float(embed_idle_seconds(home)),
    )
    return lambda beat: open_app(home, beat=beat, embedder=embedder), services


def _root(home: str | None = None) -> tuple[int, str]:
    """Return the home, open, and where it is; one that is given was written at install."""
    from tacit.compose import open_home

    os.umask(0o077)
    return open_home(home)
