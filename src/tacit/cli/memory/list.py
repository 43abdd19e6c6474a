"""`tacit list`: what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tacit.cli import output
from tacit.cli.hooked import nothing_yet
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, meant, opened
from tacit.model.memory import kind_of
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from tacit.app import App


@click.command("list")
@click.option("--kind", "kinds", multiple=True, help="Only of this kind; may be said again.")
@click.option("--tag", help="Only with this tag.")
@click.option("--project", metavar="NAME", help="Only of this project: name, key or directory.")
@click.option("--everywhere", is_flag=True, help="Only those that are about you.")
@click.option("--origin", help="Only from: user, owner, assistant, agent, tool, tool:NAME.")
@click.option("--session", metavar="ID", help="Only what this session has taught.")
@click.option("--matching", metavar="TEXT", help="Only those with exactly this text in them.")
@click.option("--pinned", is_flag=True, help="Only pinned ones.")
@click.option("--candidates", is_flag=True, help="Only candidates: see `tacit review`.")
@click.option("--superseded", is_flag=True, help="Also those that were superseded.")
@click.option("--forgotten", is_flag=True, help="Only forgotten ones.")
@click.option("--as-of", type=telling.Day(is_end=True), help="What was true on that day.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="So many."
)
@click.option(
    "--page", type=click.IntRange(1, 1_000_000), default=1, show_default=True, help="Which of them."
)
@group_option
@json_option
def command(*, group: str | None, as_json: bool, **asked: Any) -> None:
    """List what is remembered, the newest first.

    Signs: * pinned, ? candidate, ~ superseded, - forgotten, . archived.
    """
    app, chosen = opened(group)
    memories = app.list(chosen, _wanted(app, chosen, asked))
    if as_json:
        output.as_json(memories)
        return
    if not memories:
        click.echo(_nothing(app, chosen))
        return
    telling.table(memories, {each.key: each.name for each in app.projects(chosen)})
    if len(memories) == asked["limit"]:
        click.echo(f"There may be more: add --page {asked['page'] + 1}.", err=True)


def _nothing(app: App, group: str) -> str:
    """Return what to say where nothing was found: what comes next."""
    if app.list(group, Wanted(limit=1)):
        return "Nothing that fits is remembered. `tacit list` without options shows all."
    if app.sessions(group):
        return "Nothing is remembered yet. `tacit remember TEXT` adds something."
    return nothing_yet(group, app.groups())


def _wanted(app: App, group: str, asked: dict[str, Any]) -> Wanted:
    """Return which memories were asked for."""
    if "" in asked.values():
        raise click.UsageError("An empty value fits nothing. Say what is looked for.")
    is_tool, origin = asked["origin"] == "tool", asked["origin"]  # all tools are meant
    project, session, limit = asked["project"], asked["session"], asked["limit"]
    return Wanted(
        kinds=tuple(kind_of(kind) for kind in asked["kinds"]) or None,
        states=_states(asked),
        origins=(origin,) if origin and not is_tool else None,
        origin_prefix="tool:" if is_tool else None,
        projects=app.keys_of(group, meant(project)) if project else None,
        is_everywhere=asked["everywhere"] or None,
        session=app.session_named(group, session) if session else None,
        tag=asked["tag"],
        text=asked["matching"],
        as_of=asked["as_of"],
        is_pinned=asked["pinned"] or None,
        limit=limit,
        offset=(asked["page"] - 1) * limit,
    )


def _states(asked: dict[str, Any]) -> tuple[str, ...]:
    if asked["forgotten"]:
        return ("forgotten",)
    if asked["candidates"]:
        return ("candidate",)
    if asked["superseded"] or asked["as_of"] is not None:
        return ("active", "superseded")
    return ("active",)
