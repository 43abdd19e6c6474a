"""`tacit rebuild`: make all memories again from the transcript."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from tacit import policy
from tacit.cli import output, owner
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line

if TYPE_CHECKING:
    from tacit.app import App


@click.command("rebuild")
@click.option("--reextract", is_flag=True, help="Ask the extractor again instead of its records.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@group_option
@json_option
def command(*, reextract: bool, yes: bool, group: str | None, as_json: bool) -> None:
    """Make all memories again from the transcript, beside the old ones, then swap them.

    Every decision of the owner is carried out again. What cannot find its memory any more is
    listed.
    """
    policy.check(owner.caller(), "rebuild")
    app, chosen = opened(group, with_model=reextract)
    if reextract:
        _agree(app, chosen, is_sure=yes, as_json=as_json)
        app.read_again(chosen)
    with output.progress("Reading events") as progress:
        told = app.rebuild(chosen, progress)
    while reextract and app.ask_model(chosen):
        click.echo(f"{len(app.queue(chosen).unasked)} turns wait for the model", err=True)
    if as_json:
        output.as_json(told)
        return
    noun = "memory" if told.memories == 1 else "memories"
    same = "the same as before" if told.is_same else "not the same as before"
    click.echo(f"{told.memories} {noun} from {output.count(told.events, 'event')}: {same}.")
    now_ns = time.time_ns()
    for missed in told.missed:
        names = ", ".join(each.id for each in missed.decision.about)
        when = output.age(missed.at, now_ns)
        click.echo(one_line(f"Found nothing for: {missed.decision.verb} {names}, {when}"), err=True)


def _agree(app: App, group: str, *, is_sure: bool, as_json: bool) -> None:
    """Say what reading everything again may cost, and ask."""
    turns = app.queue(group).turns
    price = "No model is asked: it costs nothing."
    if app.has_model:
        usd = app.reading_cost(turns)
        cap = app.cost(1).caps.daily_usd
        price = f"About ${usd:.2f}, within the day's budget of ${cap:.2f}; the rest waits."
    what = f"Read {output.count(turns, 'turn')} again"
    if is_sure or not sys.stdin.isatty():
        click.echo(f"{what}: {price}", err=as_json or not is_sure)
    owner.confirm(f"{what}? {price}", is_sure=is_sure)
