"""What came of a conversation: as the product tells it, and as SQLite alone reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flow.keeping import database, rows, tacit

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig import Home

    Fields = dict[str, Any]

TOOL_RESULTS = ("tool_use", "tool_failure")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One event of the transcript."""

    seq: int
    received: int
    session: str
    turn: str | None
    kind: str
    tool: str | None
    agent: str | None
    payload: Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A home, and how to wait until all that its hooks recorded stands in the transcript."""

    home: Home
    settle: Callable[[], object]


def ask(home: Home, *arguments: str) -> Any:
    """Return what a verb of the command line prints for programs."""
    surroundings = {"TACIT_HOME": str(home.path), "HOME": str(home.scratch), "LANG": "C.UTF-8"}
    ended = tacit(home.path, *arguments, "--json", env=surroundings, cwd=home.project)
    assert (ended.returncode, ended.stderr) == (0, "")
    return json.loads(ended.stdout)


def sessions(home: Home) -> list[Fields]:
    """Return the sessions, the first one first."""
    found: list[Fields] = ask(home, "sessions")
    return sorted(found, key=lambda each: int(each["started"]))


def turns(home: Home, session: str) -> list[Fields]:
    """Return the turns of a session."""
    found: list[Fields] = ask(home, "show", session)
    return found


def kept(home: Home, session: str | None = None) -> list[Kept]:
    """Return the events in the order in which the client told of them: of a session, or all."""
    tables = rows(database(home.path))
    bodies = {row[0]: json.loads(row[2]) for row in tables["payloads"]}
    found = [
        Kept(
            seq=row[0],
            received=row[3],
            session=row[4],
            turn=row[7],
            kind=row[8],
            tool=row[9],
            agent=row[10],
            payload=bodies[row[0]],
        )
        for row in tables["events"]
    ]
    mine = [each for each in found if session in {None, each.session}]
    return sorted(mine, key=lambda each: each.received)


def told(events: list[Kept]) -> list[str]:
    """Return what happened: the kind of each event, and its tool if it has one."""
    return [f"{each.kind} {each.tool}" if each.tool else each.kind for each in events]
