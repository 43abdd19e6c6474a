"""`tacit demo`: two sample sessions, through the real hook program, in a throw-away home."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.compose import open_app, open_embedder
from tacit.deliver.brief import printed
from tacit.deliver.surfacing import line as line_of
from tacit.guard.normalise import one_line
from tacit.install.command import hook_command, write_launcher
from tacit.policy import Caller
from tacit.recall.question import Question
from tacit.shipped import shipped
from tacit.store.memory_port import Wanted
from tacit.verbs.decisions import Said
from tacit.verbs.surfacing import Prompt

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.capture.entry import Entry

SHOWN = 76
PROJECT = "/srv/shop"  # of the samples
NEXT = "c8a1f6d2-90b4-4e6a-8c3d-5d7e2b1f0a32"


@click.command("demo")
@click.option("--keep", is_flag=True, help="Keep the throw-away home and say where it is.")
def command(*, keep: bool) -> None:
    """Run sample sessions through the hook that a client would run, and show what came of them.

    Uses a home of its own in the temporary directory; yours is not touched.
    """
    scratch = Path(tempfile.mkdtemp(prefix="tacit-demo-"))
    try:
        run(scratch)
    finally:
        if keep:
            click.echo(f"\nKept in {scratch}.")
        else:
            shutil.rmtree(scratch)


def run(scratch: Path) -> None:
    """Play the session and show each part of the way."""
    home = scratch / "home"
    launcher = write_launcher(scratch / "hook.py", home)
    click.secho("1. A session happens. For each event the client runs our hook:", bold=True)
    for event, payload in sample():
        click.echo(f"   {_hook(launcher, event, payload)}")
    app = open_app(str(home), embedder=open_embedder(str(home)))
    try:
        _spooled(app)
        _taken_in(app)
        _remembered(app)
        _changed(app, launcher)
        _found(app)
        _decided(app)
        _paused(app, launcher)
        _told(app, launcher)
        _surfaced(app)
    finally:
        app.close()


def _spooled(app: App) -> None:
    """Show what the hook has written."""
    click.secho(
        "\n2. What is on disk now; secrets and private spans never got there:",
        bold=True,
    )
    for entry in app.waiting():
        click.echo(f"   {entry.event:<18} {_gist(entry)}")


def _taken_in(app: App) -> None:
    """Show the transcript: taken in, read back turn by turn, verified."""
    click.secho("\n3. Taken into the transcript, each event once:", bold=True)
    taken = app.drain(seconds=None).taken
    for session in app.sessions("main"):
        click.echo(f"   session {session.id[:8]}, project {session.project}, {session.state}")
        for turn in app.show("main", session.id):
            click.echo(f"   {turn.state:<9} {_short(turn.prompt)}")
            for step in turn.steps:
                click.echo(
                    f"             {'✗' if step.failed else '✓'} {step.tool}: {_short(step.given)}"
                )
    found = app.verify("main")
    if found:
        sound = "all as they were written" if found.is_sound else found.findings[0]
        click.echo(f"   {taken} events taken in, {found.events} verified: {sound}")


def _remembered(app: App) -> None:
    """Show what was made of the session, and where one memory came from."""
    click.secho("\n4. What is remembered, and why:", bold=True)
    for memory in app.list("main", Wanted()):
        click.echo(f"   [{memory.kind}] {_short(memory.content)}")
        for each in app.why("main", memory.id).cited:
            words = f"{each.before}«{each.evidence.quote}»{each.after}"
            click.echo(f"             {each.evidence.origin} said: {_short(words)}")


def _changed(app: App, launcher: Path) -> None:
    """Play a later session, and show what it replaced, what it has done and what it came to."""
    click.secho("\n5. In a later session things change, and things get done:", bold=True)
    waiting = {action.id for action in app.actions("main")}
    for event, payload in sample("later"):
        _hook(launcher, event, payload)
    app.drain(seconds=None)
    for memory in app.list("main", Wanted()):
        chain = [each.content for each in app.why("main", memory.id).chain]
        if len(chain) > 1:
            click.echo(f"   replaced  {_short(chain[0])}")
            click.echo(f"   by        {_short(chain[-1])}")
    for action in app.actions("main", status=None):
        if action.id in waiting:
            click.echo(f"   {action.status.replace('_', ' '):<9} {_short(action.content)}")
    summary = app.summaries("main")[0]
    for name in ("request", "completed", "files_edited"):
        told = getattr(summary, name)
        line = told if isinstance(told, str) else ", ".join(told)
        click.echo(f"   {name.partition('_')[0]:<9} {_short(line)}")


def _found(app: App) -> None:
    """Show a search: in the words that were used, and in others."""
    click.secho("\n6. Found again, by words and by meaning:", bold=True)
    app.understand("main")
    for text in ("staging deploy", "on which day of the week do we release"):
        answer = app.search("main", Question(text=text, limit=2), meaning=app.meaning(text))
        click.echo(f"   search    {text}")
        for hit in answer.hits:
            kind = hit.kind if hit.layer == "memory" else hit.layer
            click.echo(f"             {hit.relevance:.2f} [{kind}] {_short(hit.content)}")


def _decided(app: App) -> None:
    """Show what the owner can do about it: remember, correct, diff, undo, rebuild."""
    click.secho("\n7. The owner's word counts, and is kept:", bold=True)
    owner = Caller()
    said = Said(text="The shop API listens on port 8080", tags=("api",))
    memory = app.remember("main", said, owner)
    click.echo(f"   remember  {_short(memory.content)}")
    better = app.correct("main", memory.id, Said(text="The shop API listens on port 9090"), owner)
    chain = [each.content for each in app.why("main", better.id).chain]
    click.echo(f"   correct   {_short(' → '.join(chain))}")
    session = app.sessions("main")[0]
    found = app.diff("main", session.id)
    for sign, memories in (("+", found.added), ("~", found.superseded)):
        for each in memories:
            click.echo(f"   diff      {sign} {_short(each.content)}")
    app.undo("main", session.id, owner)
    left = ", ".join(each.content for each in app.list("main", Wanted()))
    click.echo(f"   undo      what that session taught is gone; left: {_short(left)}")
    told = app.rebuild("main")
    same = "the same" if told.is_same else "not the same"
    click.echo(f"   rebuild   from {told.events} events: {same}")


def _paused(app: App, launcher: Path) -> None:
    click.secho("\n8. Paused, nothing is written:", bold=True)
    app.pause(None)
    click.echo(f"   {_hook(launcher, 'UserPromptSubmit', {'prompt': 'off the record'})}")
    status = app.status()
    click.echo(f"   {status.events_waiting} events wait, {status.hook_failures} hook failures")
    app.resume(None)


def _told(app: App, launcher: Path) -> None:
    """Show the brief, as the hook prints it when the next session starts."""
    click.secho("\n9. What the next session is told, before its first word:", bold=True)
    app.drain(seconds=None)
    event, payload = sample()[0]
    answer = _run(launcher, event, payload | {"session_id": NEXT}).stdout
    told = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    for line in filter(None, told.splitlines()):
        click.echo(f"   {_short(line)}")


def _surfaced(app: App) -> None:
    """Show what a prompt is answered with in a session that has not heard it, and why that is."""
    click.secho("\n10. What a prompt is answered with, if its session has not heard it:", bold=True)
    session = str(sample("later")[0][1]["session_id"])
    prompt = Prompt(text="On which port does the shop API listen?", session=session)
    click.echo(f"   prompt    {prompt.text}")
    answer = app.surface("main", prompt, lambda: app.meaning(prompt.text))
    for hit in answer.hits:
        click.echo(f"   answer    {_short(printed(line_of(hit), time.time_ns()))}")
        for each in app.why("main", hit.id).chain:
            click.echo(f"   why       {_short(each.content)} ({each.origin}, {each.state})")


def sample(name: str = "first") -> list[tuple[str, dict[str, Any]]]:
    """Return a sample session, the `first` or the `later` one: (event, payload), in order."""
    file = shipped("tacit.cli.running", f"demo_{name}.json")
    text = file.read_text(encoding="utf-8")
    session: list[dict[str, Any]] = json.loads(text)
    return [(payload["hook_event_name"], payload) for payload in session]


def _hook(launcher: Path, event: str, payload: dict[str, Any]) -> str:
    """Run the hook as a client does; return a line about it."""
    started = time.perf_counter()
    ended = _run(launcher, event, payload)
    taken = (time.perf_counter() - started) * 1000
    return (
        f"{event:<18} exit {ended.returncode}, {len(ended.stdout)} bytes answered, {taken:.0f} ms"
    )


def _run(launcher: Path, event: str, payload: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
    """Run the hook in the sample's project, which lies beside it."""
    project = launcher.with_name(Path(PROJECT).name)
    project.mkdir(exist_ok=True)
    return subprocess.run(  # noqa: S603  (our own hook)
        hook_command(launcher, event),
        cwd=project,
        input=json.dumps(payload).replace(PROJECT, str(project)).encode(),
        env={name: value for name, value in os.environ.items() if not name.startswith("TACIT_")},
        capture_output=True,
        check=False,
    )


def _gist(entry: Entry) -> str:
    """Return what an event says, on one line."""
    payload = json.loads(entry.payload)
    response = payload.get("tool_response")
    parts = (
        payload.get("prompt"),
        (payload.get("tool_input") or {}).get("command"),
        response.get("stdout") if isinstance(response, dict) else response,
        payload.get("last_assistant_message"),
        payload.get("source") or payload.get("reason"),
    )
    return _short(" → ".join(str(part) for part in parts if part))


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
