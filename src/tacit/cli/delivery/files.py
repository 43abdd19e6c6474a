"""`tacit files`: the six curated files, what was edited in them, and what becomes of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from tacit.cli import output, owner
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.deliver.curated.edits import Edited

_VERBS = {
    "remember": "remember",
    "correct": "correct",
    "forget": "forget",
    "dismiss": "dismiss",
    "pass": "pass over",
}
_STATES = {"kept": "", "edited": "edited by hand", "missing": "not there", "refused": "refused"}


@click.group("files", invoke_without_command=True)
@group_option
@json_option
@click.pass_context
def command(context: click.Context, *, group: str | None, as_json: bool) -> None:
    """Show the six files with their lines, their limits, and whether they were edited by hand."""
    if context.invoked_subcommand:
        return
    app, chosen = opened(group)
    found = app.files(chosen)
    if as_json:
        output.as_json(found)
        return
    if not found:
        click.echo("There are no files yet: nothing is known, and nothing is deployed.")
        return
    rows = [
        (
            each.name,
            str(each.lines),
            str(each.limit),
            "; ".join(filter(None, (_STATES[each.state], each.trouble))),
            each.path,
        )
        for each in found
    ]
    output.table(("file", "lines", "at most", "state", "path"), rows)
    if any(each.state == "edited" for each in found):
        click.echo("An edit counts once it is accepted: see `tacit files diff`.", err=True)


@command.command("diff")
@click.argument("file", required=False)
@group_option
@json_option
def diff(*, file: str | None, group: str | None, as_json: bool) -> None:
    """Show what was edited by hand, in FILE or in all, and what accepting it would mean."""
    app, chosen = opened(group)
    found = app.edits(chosen, file, seen_by=owner.caller())
    if as_json:
        output.as_json(found)
    elif found:
        for each in found:
            _show(each)
    else:
        click.echo("Nothing was edited by hand.")


@command.command("accept")
@click.argument("file")
@group_option
def accept(*, file: str, group: str | None) -> None:
    """Let what was edited in FILE count, on your word: it is remembered, corrected, forgotten.

    Exactly what `tacit files diff` has shown you last: what has changed since is refused.
    """
    app, chosen = opened(group)
    edit = app.accept_edits(chosen, file, owner.caller())
    click.echo(f"Accepted {edit.name}: {_meaning(edit)}.")
    _show_lines(edit)


@command.command("reject")
@click.argument("file")
@group_option
def reject(*, file: str, group: str | None) -> None:
    """Let FILE say again what it said before it was edited."""
    app, chosen = opened(group)
    edit = app.reject_edits(chosen, file, owner.caller())
    click.echo(f"Rejected the edit of {edit.name}.")


def _show(edit: Edited) -> None:
    click.secho(edit.name, bold=True)
    if edit.trouble:
        click.echo(f"  {one_line(edit.trouble)}")
    _show_lines(edit)
    click.echo(f"  Accepting it means: {_meaning(edit)}.", err=True)


def _show_lines(edit: Edited) -> None:
    """Show which lines went and came, and those that go because nothing can be made of them."""
    for sign, colour, lines in (("-", "red", edit.removed), ("+", "green", edit.added)):
        for line in lines:
            click.secho(f"  {sign} {one_line(line)}", fg=colour)
    for step in edit.steps:
        if step.verb == "pass":
            click.echo(f"  ! goes, nothing is made of it ({step.was}): {one_line(step.text)}")


def _meaning(edit: Edited) -> str:
    """Say what accepting an edit decides."""
    if not edit.steps:
        return "this is deployed" if not edit.trouble else "nothing"
    counts = Counter(step.verb for step in edit.steps)
    return ", ".join(f"{_VERBS[verb]} {count}" for verb, count in counts.items())
