"""`tacit` alone: how things stand, in a few lines, and what can be done next.

A home that is not there yet is not made: whoever only looks leaves nothing behind.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import paths
from tacit.cli import output
from tacit.cli.hooked import home_elsewhere, hooked_here, wrong_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.app import App
    from tacit.health import Status
    from tacit.model.memory import Memory
    from tacit.transcript.sessions import Session

_NEWEST = 3
_NOT_YET = "Tacit is not installed in Claude Code yet: nothing is recorded."
_BEGINNING = (
    ("tacit install", "let Claude Code record and be told; it shows its plan and asks first"),
    ("tacit demo", "see the whole way of a sample session, in a throw-away home"),
    ("tacit --help", "all commands"),
)
_WAITING = (
    ("tacit doctor --prove", "see it work now: plays a turn all the way, then removes it"),
    ("tacit uninstall", "take it back"),
    ("tacit --help", "all commands"),
)
_GOING_ON = (
    ("tacit list", "all that is remembered; `tacit why ID` where it came from"),
    ("tacit search TEXT", "find something again, in any words"),
    ("tacit brief", "what the next session here is told"),
    ("tacit --help", "all commands"),
)
_AGAIN = ("tacit install", "let Claude Code record again")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """How things stand in one group, seen from one directory."""

    status: Status
    group: str
    here: str
    sessions: Sequence[Session]
    memories: Sequence[Memory]
    is_hooked: bool

    @property
    def is_paused(self) -> bool:
        """Say whether nothing is recorded here, by the user's own word."""
        kept_out = (*self.status.paused, *self.status.excluded)
        is_out = any(paths.is_under(self.here, directory) for directory in kept_out)
        return is_out or not self.status.recording


def show() -> None:
    """Print how things stand, and what can be done next."""
    wrong = wrong_home()
    if not Path(paths.home()).exists() and (wrong or not hooked_here()):
        _print([wrong or _NOT_YET], _BEGINNING)
        return
    from tacit.cli.reading import opened

    app, group = opened(None)
    found = stand(app, group, os.getcwd())  # noqa: PTH109  (a string is wanted)
    _print(lines(found, time.time_ns()), steps(found))


def stand(app: App, group: str, here: str) -> Stand:
    """Return how things stand."""
    from tacit.store.memory_port import Wanted

    return Stand(
        status=app.status(group),
        group=group,
        here=here,
        sessions=app.sessions(group),
        memories=app.list(group, Wanted(limit=_NEWEST)),
        is_hooked=bool(hooked_here()),
    )


def lines(found: Stand, now_ns: int) -> list[str]:
    """Return what people are told: does it record, what is remembered, what needs them."""
    told = [_recording(found, now_ns)]
    count = sum(each.active for each in found.status.memories)
    if count:
        noun = "1 memory" if count == 1 else f"{count} memories"
        told.append(f"{noun}, the newest:" if count > len(found.memories) else f"{noun}:")
        told += [f"  {_memory(each, now_ns)}" for each in found.memories]
    elif found.sessions:
        told.append("Nothing of it is remembered yet; `tacit sessions` shows what happened.")
    needs = _needs(found.status)
    return [*told, f"Needs you: {', '.join(needs)}."] if needs else told


def steps(found: Stand) -> Sequence[tuple[str, str]]:
    """Return what can be done next: (command, what it does)."""
    if not found.sessions and not found.memories:
        return _WAITING if found.is_hooked else _BEGINNING
    return _GOING_ON if found.is_hooked else (_AGAIN, *_GOING_ON)


def _recording(found: Stand, now_ns: int) -> str:
    kept = _kept(found, now_ns)
    if not kept and (wrong := wrong_home()):
        return wrong
    if elsewhere := home_elsewhere():
        return f"Nothing new is recorded in this home: hooks record in {elsewhere}. {kept}"
    if not found.is_hooked:
        gone = "Tacit is not installed in Claude Code: nothing new is recorded."
        return f"{gone} {kept}" if kept else _NOT_YET
    if found.is_paused:
        return f"Nothing is recorded here: see `tacit status`. {kept}".rstrip()
    return f"Tacit records in Claude Code. {kept or 'Work as always, then look again.'}"


def _kept(found: Stand, now_ns: int) -> str:
    if not found.sessions:
        return ""
    last = output.age(max(each.last for each in found.sessions), now_ns)
    group = "" if found.group == "main" else f" of group {found.group}"
    return f"{output.count(len(found.sessions), 'session')}{group} so far, the last {last}."


def _memory(memory: Memory, now_ns: int) -> str:
    age = f" ({output.age(memory.created_at, now_ns)})"
    room = max(40, output.width() - len(memory.kind) - len(age) - 5)
    return f"[{memory.kind}] {output.short(memory.content, room)}{age}"


def _needs(status: Status) -> list[str]:
    """Return what somebody has to look at, each with the command that shows it."""
    actions = sum(each.actions for each in status.memories)
    held = sum(each.quarantined for each in status.memories)
    candidates = sum(each.candidates for each in status.memories)
    dead = sum(each.dead for each in status.memories)
    is_ill = (
        status.is_failing
        or status.events_bad
        or any(each.trouble for each in status.groups)
        or any(each.trouble for each in status.memories)
    )
    needs = (
        (actions, f"{output.count(actions, 'pending action')} (`tacit actions`)"),
        (candidates, f"{output.count(candidates, 'candidate')} (`tacit review`)"),
        (held, f"{held} held back (`tacit quarantine`)"),
        (dead, f"{output.count(dead, 'turn')} that could not be curated (`tacit queue`)"),
        (is_ill, "something went wrong (`tacit doctor`)"),
    )
    return [told for is_so, told in needs if is_so]


def _print(told: Sequence[str], commands: Sequence[tuple[str, str]]) -> None:
    for line in told:
        click.echo(line)
    click.echo()
    width = max(len(command) for command, _ in commands) + 2
    for command, what in commands:
        click.echo(f"  {command:<{width}}{what}")
