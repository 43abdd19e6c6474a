"""`tacit watch`: capture and work, live."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.reading import opened_app
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.transcript.sessions import Session

_LATEST = 8
_CLEAR = "\033[H\033[2J"


@click.command("watch")
@click.option(
    "--every", type=click.FloatRange(0.2), default=1.0, show_default=True, help="Seconds."
)
@click.option("--once", is_flag=True, help="Show it once and end.")
def command(*, every: float, once: bool) -> None:
    """Show what comes in and what is done with it, until you press Ctrl-C."""
    app = opened_app()
    is_live = sys.stdout.isatty() and not once
    while True:
        lines = _lines(app)
        click.echo((_CLEAR if is_live else "") + "\n".join(lines))
        if once:
            return
        time.sleep(every)


def _lines(app: App) -> list[str]:
    """Return one screen."""
    from tacit.daemon.pulse import health

    now_ns = time.time_ns()
    status = app.status()
    daemon = health(app.root)
    beat = f", work finished {daemon.beat_seconds:.0f} s ago" if daemon.beat_seconds else ""
    lines = [
        f"daemon    {daemon.state}{beat}",
        f"spool     {output.count(status.events_waiting, 'event')} waiting",
        f"hook      {output.count(status.hook_failures, 'failure')}",
    ]
    for group in status.groups:
        lines.append(
            f"group     {group.name}: {output.count(group.events, 'event')}, "
            f"{output.count(group.sessions, 'session')}, {output.size(group.size)}"
        )
        lines += [_told(each, now_ns) for each in app.sessions(group.name)[:_LATEST]]
    return lines


def _told(session: Session, now_ns: int) -> str:
    ago = output.age(session.last, now_ns)
    counts = f"{session.prompts} turns, {session.tools} tools"
    began = one_line(session.first_prompt)[:60]
    return f"  {one_line(session.id)[:8]}  {session.state:<11} {ago:<12} {counts}  {began}"
