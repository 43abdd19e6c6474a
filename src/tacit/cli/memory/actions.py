"""`tacit actions`: what waits for attention."""

from __future__ import annotations

import time

import click

from tacit.cli import output, owner
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line
from tacit.model.action import status_of

_PRIORITIES = ("urgent", "high", "normal")


@click.group("actions", invoke_without_command=True)
@click.option("--status", default="pending", show_default=True, help="Of this status, or `all`.")
@group_option
@json_option
@click.pass_context
def command(context: click.Context, *, status: str, group: str | None, as_json: bool) -> None:
    """Show what waits for attention, the most urgent first."""
    if context.invoked_subcommand:
        return
    wanted = None if status == "all" else status_of(status)
    app, chosen = opened(group)
    found = app.actions(chosen, wanted)
    if as_json:
        output.as_json(found)
    elif found:
        now_ns = time.time_ns()
        rows = [
            (
                name,
                _PRIORITIES[each.priority],
                each.status,
                output.age(each.created_at, now_ns),
                each.content,
            )
            for name, each in zip(output.ids(each.id for each in found), found, strict=True)
        ]
        output.table(("action", "priority", "status", "since", "what"), rows)
    elif wanted == "pending":
        click.echo("Nothing waits for attention.")
    else:
        click.echo(f"No action is {wanted}." if wanted else "There is no action yet.")


@command.command("resolve")
@click.argument("action")
@group_option
@json_option
def resolve(*, action: str, group: str | None, as_json: bool) -> None:
    """Say that ACTION is done."""
    app, chosen = opened(group)
    now = app.resolve(chosen, action, owner.caller())
    output.as_json(now) if as_json else click.echo(one_line(f"Done: {now.content}"))


@command.command("dismiss")
@click.argument("action")
@group_option
@json_option
def dismiss(*, action: str, group: str | None, as_json: bool) -> None:
    """Say that ACTION is not wanted."""
    app, chosen = opened(group)
    now = app.dismiss(chosen, action, owner.caller())
    output.as_json(now) if as_json else click.echo(one_line(f"Dismissed: {now.content}"))
