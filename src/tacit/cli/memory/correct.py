"""`tacit correct`: put a better statement in the place of a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line
from tacit.model.memory import kind_of
from tacit.verbs.decisions import Said

if TYPE_CHECKING:
    from tacit.model.memory import Memory


@click.command("correct")
@click.argument("memory")
@click.argument("text")
@click.option("--kind", default="", help="Of this kind from now on.")
@click.option("--tag", "tags", multiple=True, help="With these tags from now on.")
@click.option("--importance", type=int, default=None, help="As important as this from now on.")
@group_option
@json_option
def command(*, memory: str, group: str | None, as_json: bool, **said: Any) -> None:
    """Let TEXT stand in the place of MEMORY; the old statement is kept for `tacit why`."""
    app, chosen = opened(group)
    now = app.correct(chosen, memory, Said(**said), owner.caller())
    is_asked = owner.origin() == "agent" and not _is_so(app.memory(chosen, memory), now, said)
    if as_json:
        output.as_json(now)
    if is_asked:
        click.echo(
            "It still stands: the owner was asked to correct it, see `tacit actions`.", err=True
        )
    elif not as_json:
        click.echo(one_line(f"Now it is {telling.line(now)}"))


def _is_so(old: Memory, now: Memory, said: dict[str, Any]) -> bool:
    """Say whether what was to be corrected is: by another, or by itself as it was said."""
    if old.id != now.id:
        return old.state != "active"
    is_kind = not said["kind"] or kind_of(said["kind"]) == now.kind
    is_weight = said["importance"] in {None, now.importance}
    is_tagged = not said["tags"] or {*said["tags"]} <= {*now.tags}
    return is_kind and is_weight and is_tagged and now.content == one_line(said["text"])
