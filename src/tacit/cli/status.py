"""`tacit status`: does it record, what waits, what went wrong."""

from __future__ import annotations

import dataclasses
import json
import time
from typing import TYPE_CHECKING

import click

from tacit.compose import open_app
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.app import Status


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
def command(*, as_json: bool) -> None:
    """Show whether Tacit records, how much waits in the spool, and what the hook could not do."""
    now_ns = time.time_ns()
    status = open_app().status(now_ns=now_ns)
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(status), indent=2))
        return
    for name, value in _lines(status, now_ns):
        click.echo(f"{name:<12}{one_line(value)}")


def _lines(status: Status, now_ns: int) -> list[tuple[str, str]]:
    lines = [
        ("home", status.home),
        ("recording", "yes" if status.recording else "paused: `tacit resume` to go on"),
    ]
    lines += [("paused in", directory) for directory in status.paused]
    lines += [("excluded", directory) for directory in status.excluded]
    lines.append(("waiting", _waiting(status, now_ns)))
    if status.hook_failures:
        lines.append(
            ("hook", f"{status.hook_failures} failures, the last: {status.last_hook_failure}")
        )
    else:
        lines.append(("hook", "no failures"))
    return lines


def _waiting(status: Status, now_ns: int) -> str:
    if status.oldest_waiting_ns is None:
        return "no events"
    minutes = max(0, now_ns - status.oldest_waiting_ns) // 60_000_000_000
    noun = "event" if status.events_waiting == 1 else "events"
    return f"{status.events_waiting} {noun} in the spool, the oldest {minutes} min old"
