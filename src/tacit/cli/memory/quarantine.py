"""`tacit quarantine`: what is held, until the owner accepts or rejects it."""

from __future__ import annotations

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line


@click.group("quarantine", invoke_without_command=True)
@group_option
@json_option
@click.pass_context
def command(context: click.Context, *, group: str | None, as_json: bool) -> None:
    """Show what is held because of where it came from, with the reason."""
    if context.invoked_subcommand:
        return
    app, chosen = opened(group)
    held = app.quarantine(chosen)
    if as_json:
        output.as_json(held)
    elif held:
        names = output.ids(each.id for each in held)
        rows = [
            (name, each.kind, each.origin, each.reason or "", each.content)
            for name, each in zip(names, held, strict=True)
        ]
        output.table(("memory", "kind", "origin", "reason", "content"), rows)
    else:
        click.echo("Nothing is held.")


@command.command("accept")
@click.argument("memory")
@group_option
@json_option
def accept(*, memory: str, group: str | None, as_json: bool) -> None:
    """Let MEMORY stand, on your word."""
    app, chosen = opened(group)
    now = app.accept(chosen, memory, owner.caller())
    output.as_json(now) if as_json else click.echo(one_line(f"Accepted {telling.line(now)}"))


@command.command("reject")
@click.argument("memory")
@group_option
@json_option
def reject(*, memory: str, group: str | None, as_json: bool) -> None:
    """Let MEMORY go; it is not learned again from what was said before."""
    app, chosen = opened(group)
    now = app.reject(chosen, memory, owner.caller())
    output.as_json(now) if as_json else click.echo(one_line(f"Rejected {telling.line(now)}"))
