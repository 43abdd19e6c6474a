"""`tacit restore`: a group's transcript back from a backup."""

from __future__ import annotations

import click

from tacit.cli import output, owner
from tacit.cli.reading import group_option, json_option, opened
from tacit.transcript.recovery import loss_text


@click.command("restore")
@click.argument("backup", required=False)
@group_option
@click.option("--exact", is_flag=True, help="Do not replay what came after the backup.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def command(
    *, backup: str | None, group: str | None, exact: bool, yes: bool, as_json: bool
) -> None:
    """Bring a group back from BACKUP (a name of `tacit backup --list`, or a file), or the newest.

    The transcript that is there is put aside, never deleted. What was taken in after the backup is
    replayed, and what was erased after it stays erased.
    """
    app, chosen = opened(group, draining=False)
    owner.confirm(f"Put the transcript of group {chosen} aside and restore it?", is_sure=yes)
    told = app.restore(chosen, backup, exact=exact)
    if as_json:
        output.as_json(told)
        return
    replayed = output.count(told.replayed, "event")
    click.echo(f"Restored from {told.backup}, {replayed} replayed, {loss_text(told)}.")
    if told.quarantine:
        click.echo(f"What was there before is in {told.quarantine}.")
