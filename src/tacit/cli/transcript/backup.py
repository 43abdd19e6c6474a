"""`tacit backup`: a verified copy of a group's transcript."""

from __future__ import annotations

import time

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, opened


@click.command("backup")
@group_option
@click.option("--list", "listing", is_flag=True, help="Only show what backups there are.")
@json_option
def command(*, group: str | None, listing: bool, as_json: bool) -> None:
    """Make a backup, verify it, and let the oldest go (`backup.keep`).

    Uses SQLite's own backup: a plain copy of a database in use can be torn.
    """
    app, chosen = opened(group, draining=not listing)
    if listing:
        kept = app.backups(chosen)
        if as_json:
            output.as_json(kept)
        elif kept:
            now_ns = time.time_ns()
            rows = [
                (
                    each.path.name,
                    output.age(each.made_ns, now_ns),
                    output.size(each.size),
                    str(each.seq),
                )
                for each in kept
            ]
            output.table(("backup", "made", "size", "events"), rows)
        else:
            click.echo(f"Group {chosen} has no backup yet. `tacit backup` makes one.")
        return
    with output.progress("Verifying the copy") as progress:
        made = app.backup(chosen, progress)
    if as_json:
        output.as_json(made)
    else:
        click.echo(f"{output.count(made.seq, 'event')}, verified: {made.path}")
