"""`tacit review`: candidates and doubts, one by one, until the owner has judged them."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from tacit.cli import output, owner
from tacit.cli.memory import telling
from tacit.cli.reading import group_option, json_option, opened
from tacit.guard.normalise import one_line
from tacit.verbs.decisions import Said

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.model.memory import Memory
    from tacit.verbs.review import Doubt, Review

_OF_CANDIDATES = "[a]ccept  [e]dit  [r]eject  [s]kip  [q]uit"
_OF_DOUBTS = "[n]ewer holds  [o]lder holds  [b]oth hold  [s]kip  [q]uit"


@click.command("review")
@click.option("--accept", multiple=True, metavar="ID", help="Accept this candidate; repeatable.")
@click.option("--reject", multiple=True, metavar="ID", help="Reject this candidate; repeatable.")
@click.option("--archived", is_flag=True, help="Show candidates that were archived unconfirmed.")
@group_option
@json_option
def command(
    *,
    accept: tuple[str, ...],
    reject: tuple[str, ...],
    archived: bool,
    group: str | None,
    as_json: bool,
) -> None:
    """Review what may be worth remembering, and what may contradict it.

    A candidate is searchable, but delivered to no session until you accept it or say it again in
    another session. Without a terminal, or with --json, the list is printed.
    """
    app, chosen = opened(group)
    for judge, names in ((app.accept, accept), (app.reject, reject)):
        for name in names:
            now = judge(chosen, name, owner.caller())
            click.echo(one_line(f"{now.state.capitalize()}: {telling.line(now)}"), err=as_json)
    if (accept or reject) and not as_json:
        return
    found = app.review(chosen, archived=archived)
    if as_json:
        output.as_json(found)
    elif not found.candidates and not found.doubts:
        click.echo("Nothing waits for review.")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _ask(app, chosen, found)
    else:
        _list(found)


def _list(found: Review) -> None:
    """Print what waits, a line each."""
    if found.candidates:
        names = output.ids(each.id for each in found.candidates)
        rows = [
            (name, each.kind, output.age(each.created_at, time.time_ns()), each.content)
            for name, each in zip(names, found.candidates, strict=True)
        ]
        output.table(("candidate", "kind", "since", "content"), rows)
    for doubt in found.doubts:
        click.echo(one_line(f"Do both hold? {doubt.newer.content} / {doubt.older.content}"))


def _ask(app: App, group: str, found: Review) -> None:
    """Ask about one after the other, a key each."""
    count = len(found.candidates) + len(found.doubts)
    for nth, candidate in enumerate(found.candidates, 1):
        click.echo(f"\n{nth} of {count}  [{candidate.kind}] {one_line(candidate.content)}")
        click.secho(f"  said: {output.short(candidate.quote, 200)}", dim=True)
        if not _judge_candidate(app, group, candidate):
            return
    for nth, doubt in enumerate(found.doubts, 1 + len(found.candidates)):
        click.echo(f"\n{nth} of {count}  Do both hold?")
        click.echo(f"  newer: {one_line(doubt.newer.content)}")
        click.echo(f"  older: {one_line(doubt.older.content)}")
        if not _judge_doubt(app, group, doubt):
            return


def _judge_candidate(app: App, group: str, candidate: Memory) -> bool:
    """Do what the owner says about a candidate; return whether to go on."""
    key = _key(_OF_CANDIDATES, "aersq")
    if key == "a":
        app.accept(group, candidate.id, owner.caller())
    elif key == "e":
        text = click.prompt("Remember", default=candidate.content)
        app.correct(group, candidate.id, Said(text=text), owner.caller())
        if text == candidate.content:
            app.accept(group, candidate.id, owner.caller())
    elif key == "r":
        app.reject(group, candidate.id, owner.caller())
    return key != "q"


def _judge_doubt(app: App, group: str, doubt: Doubt) -> bool:
    """Do what the owner says about a doubt; return whether to go on."""
    key = _key(_OF_DOUBTS, "nobsq")
    newer, older = doubt.newer.id, doubt.older.id
    if key == "n":
        app.choose(group, newer, older, owner.caller())
    elif key == "o":
        app.choose(group, older, newer, owner.caller())
    elif key == "b":
        app.keep(group, newer, older, owner.caller())
    return key != "q"


def _key(keys: str, allowed: str) -> str:
    """Return the key that the owner presses, of those allowed."""
    click.echo(f"  {keys} ", nl=False)
    while (key := click.getchar().lower()) not in allowed:
        if key in {"\x03", "\x04", "\x1b"}:
            key = "q"
            break
    click.echo(key)
    return key
