"""`tacit remember`: have something remembered."""

from __future__ import annotations

import os
from typing import Any

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, meant, opened
from tacit.guard.normalise import one_line
from tacit.model.memory import kind_of
from tacit.transcript import place
from tacit.verbs.decisions import Said


@click.command("remember")
@click.argument("text")
@click.option("--kind", default="fact", show_default=True, help="What kind of memory it is.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by; may be said again.")
@click.option("--importance", type=int, default=3, show_default=True, help="From 1 to 5.")
@click.option("--project", metavar="NAME", help="Of this project; default: the one of this place.")
@click.option("--everywhere", is_flag=True, help="About you: it counts in every project.")
@group_option
@json_option
def command(
    *,
    project: str | None,
    everywhere: bool,
    group: str | None,
    as_json: bool,
    **said: Any,
) -> None:
    """Have TEXT remembered, in your own words.

    Kinds that guide behaviour: preference, instruction, correction, pattern. Kinds that inform:
    fact, context, decision, discovery, bugfix, feature, refactor, tool.
    """
    if project and everywhere:
        raise click.UsageError("Say --project or --everywhere, not both.")
    app, chosen = opened(group)
    key = None
    if project:
        key = app.keys_of(chosen, meant(project))[0]
    elif not everywhere:
        key = place.locate(os.getcwd()).project  # noqa: PTH109  (a string is wanted)
    memory = app.remember(chosen, Said(**said, project=key), owner.caller())
    if as_json:
        output.as_json(memory)
    else:
        click.echo(one_line(f"Remembered {telling.line(memory)}"))
    words = said["text"].encode("utf-8", "replace")
    if app.redact(words) != words:
        click.echo("A secret in it was taken out.", err=True)
    if memory.kind != kind_of(said["kind"]):
        how = f"`tacit correct {memory.id} TEXT --kind {kind_of(said['kind'])}` changes that."
        click.echo(f"It was known as a {memory.kind}, and still is: {how}", err=True)
