"""`tacit verify`: whether the transcript is what was written."""

from __future__ import annotations

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, opened
from tacit.errors import StoreDamaged


@click.command("verify")
@group_option
@json_option
def command(*, group: str | None, as_json: bool) -> None:
    """Read a group's whole transcript: chain, digests, high-water mark, structure, counts.

    Exit code 11 if something is not what was written.
    """
    app, chosen = opened(group)
    mending = f"`tacit restore --group {chosen}` brings it back and replays what came later."
    try:
        with output.progress("Verifying") as progress:
            found = app.verify(chosen, progress)
    except StoreDamaged as error:
        raise StoreDamaged(f"{str(error).partition(' Run `')[0]} {mending}") from error
    if as_json:
        output.as_json(found)
    elif found is None:
        click.echo(f"Group {chosen} has no transcript yet.")
    elif found.is_sound:
        erased = f", {found.erased} of them erased" if found.erased else ""
        click.echo(f"{output.count(found.events, 'event')}{erased}: all as they were written.")
    else:
        for finding in found.findings:
            click.echo(finding)
    if found and not found.is_sound:
        raise StoreDamaged(f"Group {chosen} is damaged. {mending}")
