"""`tacit search`: what was said and learned, found by words and by meaning."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import output
from tacit.cli.hooked import nothing_yet
from tacit.cli.memory.telling import Day
from tacit.cli.reading import group_option, json_option, meant, opened
from tacit.guard.normalise import one_line
from tacit.model.memory import STANDING, kind_of
from tacit.recall.question import LIMIT, MOST, Question
from tacit.store.index_port import LAYERS, Scope

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.recall.question import Answer, Hit, Parts


@click.command("search")
@click.argument("text", nargs=-1)
@click.option("--kind", "kinds", multiple=True, help="Only memories of this kind; may be repeated.")
@click.option("--tag", "tags", multiple=True, help="Only memories with this tag; with all of them.")
@click.option("--project", metavar="NAME|DIRECTORY", help="Of this project, and about you.")
@click.option("--everywhere", is_flag=True, help="Only what is about you, not about a project.")
@click.option("--layer", "layers", multiple=True, type=click.Choice(LAYERS), help="Only these.")
@click.option("--since", type=Day(), help="Only what came on or after this day.")
@click.option("--until", type=Day(), help="Only what came before this day.")
@click.option("--as-of", type=Day(is_end=True), help="As it was known then.")
@click.option("--superseded", is_flag=True, help="What was superseded as well.")
@click.option(
    "--min-score", "least", type=click.FloatRange(0, 1), default=0.0, help="Least relevance."
)
@click.option("--limit", type=click.IntRange(1, MOST), default=LIMIT, show_default=True)
@click.option("--explain", is_flag=True, help="Show how each hit came to its place.")
@group_option
@json_option
def command(
    *, text: tuple[str, ...], group: str | None, explain: bool, as_json: bool, **asked: Any
) -> None:
    """Find what was said and learned, by words and by meaning, the best first.

    Any TEXT is a question; none asks for the newest. Meaning needs the daemon: without it, or while
    its model is loading, words find alone. `tacit why ID` says where a memory came from,
    `tacit show ID` what was said around a message.
    """
    app, chosen = opened(group)
    question = _question(app, chosen, " ".join(text), asked)
    answer = _from_daemon(app, chosen, question) or app.search(chosen, question)
    if as_json:
        output.as_json(answer)
        return
    hits = [hit for hit in answer.hits if explain or hit.is_about or not question.text.strip()]
    if not hits and chosen not in app.groups():
        click.echo(nothing_yet(chosen, app.groups()))
        return
    if not hits:
        click.echo("Nothing was found. Try other words, or `tacit sessions`.")
    names = {each.key: each.name for each in app.projects(chosen)}
    for hit in hits:
        _show(hit, names, explain=explain)
    if answer.note:
        click.echo(answer.note, err=True)


def _from_daemon(app: App, group: str, question: Question) -> Answer | None:
    from tacit.daemon.asking import search

    return search(app.root, group, question)


def _question(app: App, group: str, text: str, asked: dict[str, Any]) -> Question:
    """Return what was asked for."""
    kinds = tuple(kind_of(kind) for kind in asked["kinds"]) or None
    is_past = asked["superseded"] or asked["as_of"] is not None
    is_of_memories = kinds or asked["tags"]
    return Question(
        text=text,
        scope=Scope(
            layers=asked["layers"] or (("memory",) if is_of_memories else None),
            projects=app.keys_of(group, meant(asked["project"])) if asked["project"] else None,
            is_everywhere=asked["everywhere"] or None,
            kinds=kinds,
            tags=asked["tags"],
            states=(*STANDING, "superseded") if is_past else STANDING,
            since=asked["since"],
            until=asked["until"],
            as_of=asked["as_of"],
        ),
        limit=asked["limit"],
        least=asked["least"],
    )


def _show(hit: Hit, names: dict[str, str], *, explain: bool) -> None:
    """Print one hit: how relevant, what it is, what it says, where it is from."""
    head = f"{hit.relevance:4.2f}  {hit.kind if hit.layer == 'memory' else hit.layer:<11}"
    sign = {"superseded": "~ ", "candidate": "? "}.get(hit.state, "")
    room = max(40, output.width() - len(head) - 2)
    click.echo(f"{head} {sign}{output.short(hit.content, room)}")
    where = names.get(hit.project or "", hit.project or "") or "everywhere"
    age = output.age(hit.created_at, time.time_ns())
    origin, name = one_line(hit.origin), one_line(hit.id)
    click.secho(f"      {origin}, {age}, {output.short(where, 40)}  {name}", dim=True)
    if explain:
        click.secho(f"      {one_line(_explained(hit.parts))}", dim=True)


def _explained(parts: Parts) -> str:
    """Return how a hit came to its place."""
    words = f"words {parts.words:.2f}"
    words += f" ({', '.join(parts.matched)})" if parts.matched else ""
    meaning = "meaning not known" if parts.meaning is None else f"meaning {parts.meaning:.2f}"
    rest = [f"context {parts.context:.2f}"] if parts.context else []
    rest += [f"dated {parts.dated:.2f}"] if parts.dated else []
    rest += [f"weight {parts.factor:.2f}"] if parts.factor != 1 else []
    return ", ".join([words, meaning, *rest, f"score {parts.score:.3f}"])
