"""`tacit status`: does it record, what is kept, what waits, what went wrong."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tacit.cli import output
from tacit.cli.hooked import home_elsewhere, hooked_here, nothing_yet
from tacit.cli.reading import json_option, opened_app
from tacit.errors import StoreError
from tacit.guard.normalise import one_line
from tacit.health import LEAST_FREE, loss_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.health import GroupStatus, MemoryStatus, Status


@click.command("status")
@click.option("--group", metavar="NAME", help="Only this group; default: all of them.")
@json_option
def command(*, group: str | None, as_json: bool) -> None:
    """Show whether Tacit records, what is kept and how big it is, what waits and what went wrong.

    Takes in what waits in the spool first, for at most two seconds.
    """
    app = opened_app()
    with suppress(StoreError, OSError):  # what is wrong with a store is what status shows
        app.drain()
    status = _with_daemon(app.status(group), app.root)
    files = [str(file) for file in hooked_here()]
    if as_json:
        output.as_json({**output.plain(status), "hooked": files})
        return
    for name, value in lines(status, time.time_ns(), files):
        click.echo(f"{name:<12}{one_line(value)}")
    if not status.groups:
        click.echo(f"\n{nothing_yet()}")


def _with_daemon(status: Status, root: int) -> Status:
    """Return the same with what the daemon says of its model."""
    from tacit.daemon.pulse import health

    told = health(root)
    return replace(
        status,
        embedder_trouble=status.embedder_trouble or told.embedder_trouble,
        llm_trouble=told.model_trouble,
    )


def lines(status: Status, now_ns: int, hooked: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return what people are told: (word, text); *hooked* are the files that run our hooks."""
    elsewhere = home_elsewhere()
    recording = "not in this home" if elsewhere else _recording(status, hooked)
    found = [("home", status.home), ("recording", recording)]
    if elsewhere:
        found.append(("elsewhere", f"hooks record in {elsewhere}; only commands use this home"))
    found += [("hooked in", file) for file in hooked]
    found += [("paused in", directory) for directory in status.paused]
    found += [("excluded", directory) for directory in status.excluded]
    found.append(("waiting", _waiting(status, now_ns)))
    if status.events_bad:
        found.append(("bad", f"{status.events_bad} events not understood: see `tacit doctor`"))
    hook = f"{status.hook_failures} failures, the last: {status.last_hook_failure}"
    found.append(("hook", hook if status.hook_failures else "no failures"))
    found += [("lost", loss_text(each)) for each in status.lost]
    found += [("settings", each) for each in status.settings_problems]
    if status.daemon_stopped:
        found.append(("daemon", "stopped by hand; `tacit daemon start` lets hooks start it again"))
    for group in status.groups:
        found += _group(group, now_ns)
    found += [("memory", _memory(each)) for each in status.memories]
    for each in status.workspaces:
        trouble = f" ({each.trouble})" if each.trouble else ""
        found.append(("workspace", f"{each.name}: {each.directory}{trouble}"))
    found.append(("meaning", _meaning(status)))
    found.append(("reading", _reading(status)))
    reason = f": {status.journal_reason}" if status.journal_reason else ""
    found.append(("engine", f"{status.engine}, journal {status.journal}{reason}"))
    if status.free < LEAST_FREE:
        found.append(("disk", f"full: {output.size(status.free)} left. Free some space."))
    kept = ", ".join(f"{name} {output.size(size)}" for name, size in status.sizes.items() if size)
    found.append(("sizes", kept or "nothing"))
    return found


def _recording(status: Status, hooked: Sequence[str]) -> str:
    if status.is_read_only:
        return "no: the home is read-only; what is remembered can be read"
    if not status.recording:
        return "paused: `tacit resume` to go on"
    return "yes" if hooked else "no client runs our hooks: `tacit install` lets Claude Code"


def _group(group: GroupStatus, now_ns: int) -> list[tuple[str, str]]:
    """Return the lines about one group."""
    if group.trouble:
        return [("group", f"{group.name}: {group.trouble}")]
    counts = [output.count(group.events, "event"), output.count(group.sessions, "session")]
    counts += [f"{group.erased} erased"] if group.erased else []
    backup = (
        f"last backup {output.age(group.last_backup_ns, now_ns)}"
        if group.last_backup_ns is not None
        else "no backup yet"
    )
    lines = [("group", f"{group.name}: {', '.join(counts)}, {backup}")]
    return lines + ([("recovery", f"{group.name}: {group.recovered}")] if group.recovered else [])


def _memory(memory: MemoryStatus) -> str:
    """Return the line about one group's memory."""
    if memory.trouble:
        return f"{memory.group}: {memory.trouble}"
    noun = "memory" if memory.active == 1 else "memories"
    parts = [f"{memory.active} {noun}"]
    parts += [f"{memory.quarantined} held: `tacit quarantine`"] if memory.quarantined else []
    parts += [f"{output.count(memory.actions, 'action')} pending"] if memory.actions else []
    parts += [f"{memory.waiting} to be done"] if memory.waiting else []
    parts += [f"{memory.dead} failed: `tacit queue`"] if memory.dead else []
    return f"{memory.group}: {', '.join(parts)}"


def _meaning(status: Status) -> str:
    """Return whether, and how far, passages are found by what they mean."""
    if status.embedder_trouble:
        return f"search goes on by words: {status.embedder_trouble}"
    if status.embedder == "none":
        return "search by words alone: embed.provider is none"
    passages = sum(each.passages for each in status.memories)
    left = passages - sum(each.understood for each in status.memories)
    told = f"{left} of {passages} passages still to be understood" if left else "all understood"
    return f"{status.embedder}, {told if passages else 'nothing to understand yet'}"


def _reading(status: Status) -> str:
    """Return which model reads turns, and whether it does."""
    if status.llm == "none":
        return "by rules alone: llm.provider is none"
    left = sum(each.unasked for each in status.memories)
    given_up = sum(each.unread for each in status.memories)
    parts = [f"{status.llm}, {output.count(left, 'turn')} to be read"]
    parts += [f"{given_up} could not be read: `tacit queue`"] if given_up else []
    parts += [f"not asked now: {status.llm_trouble}"] if status.llm_trouble else []
    return ", ".join(parts)


def _waiting(status: Status, now_ns: int) -> str:
    if status.oldest_waiting_ns is None:
        return "no events"
    minutes = max(0, now_ns - status.oldest_waiting_ns) // 60_000_000_000
    return (
        f"{output.count(status.events_waiting, 'event')} in the spool, the oldest {minutes} min old"
    )
