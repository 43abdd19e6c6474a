"""`tacit surface`: what a prompt would be answered with, and why."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.hooked import nothing_yet
from tacit.cli.reading import group_option, json_option, opened
from tacit.deliver.brief import printed
from tacit.deliver.surfacing import weight
from tacit.guard.normalise import normalise, one_line
from tacit.verbs.surfacing import Prompt

if TYPE_CHECKING:
    from tacit.deliver.surfacing import Surfacing


@click.command("surface")
@click.argument("text", nargs=-1, required=True)
@click.option("--session", default="", help="As in this session: what it has heard is left out.")
@group_option
@json_option
def command(*, text: tuple[str, ...], session: str, group: str | None, as_json: bool) -> None:
    """Show what a prompt of TEXT would be answered with here, and why the rest would not.

    Meaning needs the daemon: without it, or while its model is loading, words find alone.
    """
    from tacit.daemon.asking import search

    app, chosen = opened(group)
    here = os.getcwd()  # noqa: PTH109  (a string is wanted)
    prompt = Prompt(text=" ".join(text), session=session, directory=here)
    question = app.asked(chosen, prompt)
    answer = search(app.root, chosen, question) or app.search(chosen, question)
    told = app.surfacing(chosen, prompt, answer.hits)
    shown = printed(told.text, time.time_ns())
    if as_json:
        output.as_json({**output.plain(told), "text": shown, "by": answer.by})
    else:
        _show(told, shown)
    groups = app.groups()
    if note := answer.note if chosen in groups else nothing_yet(chosen, groups):
        click.echo(note, err=True)


def _show(told: Surfacing, text: str) -> None:
    click.echo(normalise(text) if text else "Nothing would be added.")
    if told.hits:
        click.echo(f"At most {told.tokens} tokens. Told:", err=True)
    for hit in told.hits:
        click.echo(f"  {weight(hit):4.2f}  {output.short(hit.content, 100)}", err=True)
    if told.passed:
        click.echo("Found and not told:", err=True)
    for each in told.passed:
        said = f"{output.short(each.hit.content, 80)} ({each.why})"
        click.echo(f"  {each.weight:4.2f}  {one_line(said)}", err=True)
