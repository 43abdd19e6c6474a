"""`tacit queue`: what is still to be done."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.reading import group_option, json_option, opened
from tacit.errors import NotFound
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.store.unasked_port import Unasked


@click.group("queue", invoke_without_command=True)
@group_option
@json_option
@click.pass_context
def command(context: click.Context, *, group: str | None, as_json: bool) -> None:
    """Show what is still to be done, and what failed for good, with the reason."""
    if context.invoked_subcommand:
        return
    app, chosen = opened(group)
    found = app.queue(chosen)
    if as_json:
        output.as_json(found)
        return
    counts = ", ".join(f"{number} {state}" for state, number in sorted(found.counts.items()))
    click.echo(f"{output.count(found.unread, 'event')} not read yet; jobs: {counts or 'none'}.")
    now_ns = time.time_ns()
    rows = [
        (
            str(each.number),
            each.kind,
            each.state,
            str(each.tries),
            output.age(each.made, now_ns),
            each.turn[:8] if each.kind == "turn" else each.turn[:12],
            each.reason or "",
        )
        for each in found.jobs
    ]
    if rows:
        output.table(("job", "kind", "state", "tries", "since", "what", "reason"), rows)
    _show_unasked(found.unasked)


def _show_unasked(turns: list[Unasked]) -> None:
    """Say which turns wait for the model, and which it could not read."""
    waiting = [each for each in turns if not each.is_dead]
    if waiting:
        click.echo(f"{output.count(len(waiting), 'turn')} wait for the model.")
    for each in turns:
        if each.is_dead:
            click.echo(one_line(f"The model could not read turn {each.turn[:8]}: {each.reason}"))


@command.command("retry")
@click.argument("job", type=click.IntRange(0, (1 << 63) - 1), required=False)
@group_option
@json_option
def retry(*, job: int | None, group: str | None, as_json: bool) -> None:
    """Give all that failed for good another chance, or one JOB of it."""
    app, chosen = opened(group)
    number = app.retry(chosen, job)
    if job is not None and not number:
        raise NotFound(f"There is no job {job} that failed for good. See `tacit queue`.")
    app.curate(chosen)
    app.prepare(chosen)
    if as_json:
        output.as_json({"retried": number})
        return
    click.echo(f"{output.count(number, 'job')} tried again. See `tacit queue`.")
