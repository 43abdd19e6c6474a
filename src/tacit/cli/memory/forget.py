"""`tacit forget`: forget memories, and on demand erase the words they came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, meant, opened
from tacit.verbs.chosen import Which

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.verbs.decisions import Forgotten


@click.command("forget")
@click.argument("memories", nargs=-1, metavar="[MEMORY]...")
@click.option("--session", metavar="ID", help="All that this session has taught.")
@click.option("--project", metavar="NAME", help="All of this project: name, key or directory.")
@click.option("--origin", help="All that stands on the words of: assistant, agent, tool:NAME, ….")
@click.option("--matching", metavar="TEXT", help="All with exactly this text in them.")
@click.option("--before", type=telling.Day(), help="All that was learned before this day.")
@click.option("--erase", is_flag=True, help="Let the words go as well, from everything we keep.")
@click.option("--dry-run", is_flag=True, help="Only show what it would be.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@group_option
@json_option
def command(
    *,
    memories: tuple[str, ...],
    erase: bool,
    dry_run: bool,
    yes: bool,
    group: str | None,
    as_json: bool,
    **which: Any,
) -> None:
    """Forget memories: by id, or all that fit.

    What was forgotten is not learned again from what was said before, only from a new statement.
    With --erase the events themselves lose their text: in the transcript, its backups, everywhere.
    """
    asked = _which(memories, which)
    app, chosen = opened(group)
    found = app.forget(chosen, asked, owner.caller(), erase=erase, dry=True)
    is_any = found.memories or found.events or (erase and asked.matching)
    if not dry_run and is_any:
        if erase or not memories or len(found.memories) > 1:
            owner.confirm(_question(found), is_sure=yes, what="This takes memories away.")
        found = app.forget(chosen, asked, owner.caller(), erase=erase)
    _tell(app, chosen, found, as_json=as_json, dry_run=dry_run)


def _which(memories: tuple[str, ...], given: dict[str, Any]) -> Which:
    if "" in given.values():
        raise click.UsageError("An empty value would mean everything. Say what is to be forgotten.")
    project = given["project"]
    which = Which(ids=memories, **given | {"project": meant(project) if project else None})
    if which == Which():
        raise click.UsageError("Say what is to be forgotten: a MEMORY, or one of the options.")
    return which


def _question(found: Forgotten) -> str:
    what = output.count(len(found.memories), "memory").replace("memorys", "memories")
    erased = f" and erase {output.count(found.events, 'event')} for good" if found.events else ""
    return f"Forget {what}{erased}?"


def _tell(app: App, group: str, found: Forgotten, *, as_json: bool, dry_run: bool) -> None:
    if as_json:
        output.as_json(found)
        return
    if found.asked:
        what = output.count(found.asked, "memory").replace("memorys", "memories")
        click.echo(f"The owner was asked to forget {what}: see `tacit actions`.")
    if not found.memories and not found.events:
        if not found.asked:
            click.echo("Nothing fits. See `tacit list`.")
        return
    if found.memories:
        telling.table(found.memories, {each.key: each.name for each in app.projects(group)})
    click.echo(_told(found, dry_run=dry_run))
    if found.replaced:
        click.echo("What was superseded by it stays so: see `tacit list --superseded`.")


def _told(found: Forgotten, *, dry_run: bool) -> str:
    """Return the sentence that says what went, or would go."""
    forget, erase = ("would forget", "would erase") if dry_run else ("forgot", "erased")
    number = len(found.memories)
    parts = [f"{forget} {number} {'memory' if number == 1 else 'memories'}"] if number else []
    if found.events:
        parts.append(f"{erase} {output.count(found.events, 'event')}")
    sentence = ", ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."
