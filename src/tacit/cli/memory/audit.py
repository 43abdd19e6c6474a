"""`tacit audit`: who decided what, and when."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, opened

if TYPE_CHECKING:
    from tacit.curate.decisions import Decision


@click.command("audit")
@click.option("--session", metavar="ID", help="Only what was decided in this session.")
@group_option
@json_option
def command(*, session: str | None, group: str | None, as_json: bool) -> None:
    """Show every decision about memories: by whom, through what, about which."""
    app, chosen = opened(group)
    found = app.audit(chosen, session)
    if as_json:
        output.as_json(found)
        return
    if not found:
        click.echo("Nothing has been decided yet.")
        return
    now_ns = time.time_ns()
    rows = [
        (
            output.age(each.at, now_ns),
            each.origin,
            each.decision.surface,
            each.session[:8],
            each.decision.verb,
            _what(each.decision),
        )
        for each in found
    ]
    output.table(("when", "who", "through", "session", "verb", "what"), rows)


def _what(decision: Decision) -> str:
    """Return what was decided about: memories, a session, an origin, and the words."""
    parts = [one.id for one in decision.about]
    parts += [f"session {decision.session}"] if decision.session else []
    parts += [f"origin {decision.whose}"] if decision.whose else []
    parts += [f"{len(decision.erased)} events erased"] if decision.erased else []
    return " ".join([*parts, decision.text])
