"""Names as paths: whatever a group, a session, a tool or a directory is called, we stay at home.

Every name is tried in a process of its own, in which Python's audit events and SQLite's own way to
the disk are traced: nothing outside the home is opened for writing, made, renamed or removed, no
program is started, and nothing is raised but a refusal in words.
"""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flow.dying import forked
from flow.keeping import (
    DAY_NS,
    NOW_NS,
    opened,
    said,
    spool,
)
from flow.tracing import CHOSEN, PIECES, Trace
from rig import erased
from tacit.errors import TacitError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rig import Home
    from tacit.app import App

HOSTILE_FILES = [
    b"gitdir: /nowhere/\xff/.git",
    b"gitdir: ../../../../outside",
    b"gitdir: nul\0byte",
    b"gitdir: " + b"x" * 70_000,
    b"gitdir: .git",
    b'project = "../../outside"',
    b'project = "\xff"',
    b"project = " + b"[" * 20_000,
    b"\xff\xfe\x00",
    b"",
]
MOST_TOLD = 20
CHUNK = 150


def _payload(name: str) -> bytes:
    """Return a tool event in which everything is called so."""
    fields = ("session_id", "prompt_id", "agent_id", "tool_name", "tool_use_id", "cwd", "session")
    payload = dict.fromkeys(fields, name)
    return json.dumps(payload | {"tool_input": {name: name}, "tool_response": name}).encode()


def _deliver(home: Path, name: str, number: int) -> None:
    """Put events into the spool that name a session, a tool, a directory so, or else a group."""
    group, client = [("main", "claude-code"), (name, "claude-code"), ("main", name)][number % 3]
    header = f"tacit1 {NOW_NS + number} PostToolUse {client} 1 {group} -".encode("utf-8", "replace")
    place = {"cwd": f"/{name}", "session_id": "somewhere", "prompt": name}
    for serial, payload in enumerate((_payload(name), json.dumps(place).encode())):
        file = f"{NOW_NS + number:020d}-{serial:06d}-1-abcdef"
        (home / "spool" / "new" / file).write_bytes(header + b"\n" + payload)


def _verbs(app: App, name: str) -> dict[str, Callable[[], object]]:
    """Return every verb that takes a name from outside, with this one."""
    return {
        "drain": lambda: app.drain(seconds=None),
        "sessions of a group": lambda: app.sessions(name),
        "sessions of a project": lambda: app.sessions("main", name),
        "show in a group": lambda: app.show(name, "x"),
        "show": lambda: app.show("main", name),
        "projects": lambda: app.projects(name),
        "project": lambda: app.project("main", "rename", name, "harmless", origin="owner"),
        "join": lambda: app.project("main", "join", _first(app), name, origin="owner"),
        "group": lambda: app.group(name, "/"),
        "group of a directory": lambda: app.group(None, name),
        "verify": lambda: app.verify(name),
        "backup": lambda: app.backup(name),
        "backups": lambda: app.backups(name),
        "is_backup_due": lambda: app.is_backup_due(name),
        "restore a group": lambda: app.restore(name, None),
        "restore a name": lambda: app.restore("main", name),
    }


def _rare(app: App, name: str) -> dict[str, Callable[[], object]]:
    """Return the verbs that take too long to be tried ten thousand times."""
    return {
        "erase in a group": lambda: erased(app, name, matching="x"),
        "erase a session": lambda: erased(app, "main", session=name),
        "erase a text": lambda: erased(app, "main", matching=name),
        "rename": lambda: app.project("main", "rename", _first(app), name, origin="owner"),
        "move": lambda: app.project("main", "move", _first(app), name, origin="owner"),
        "status": app.status,
        "pause": lambda: app.pause(name),
        "resume": lambda: app.resume(name),
        "doctor": app.doctor,
    }


def _first(app: App) -> str:
    return app.projects("main")[0].key


def _raised(verbs: dict[str, Callable[[], object]], name: str) -> list[str]:
    """Call all verbs; return what they raise beside refusals."""
    found = []
    for verb, call in verbs.items():
        try:
            with suppress(TacitError):
                call()
        except Exception as error:  # noqa: BLE001  (whatever it is, it is the finding)
            found.append(f"{verb} of {name!r:.60}: {type(error).__name__}: {error!s:.120}")
    return found


def _attempt(app: App, home: Path, name: str, number: int) -> list[str]:
    """Deliver events and call the verbs with one name; return what is wrong."""
    _deliver(home, name, number)
    found = _raised(_verbs(app, name), name)
    return found + _left(home, name)


def _left(home: Path, name: str) -> list[str]:
    """Return what still waits, and let it go: it would hold up what comes after it."""
    files = list((home / "spool" / "new").iterdir())
    for file in files:
        file.unlink()
    return [f"{name!r:.60} still waits"] if files else []


def _traced(home: Path, body: Callable[[App], list[str]]) -> list[str]:
    """Do something in a process of its own; return what went wrong or touched other places."""
    spool(home, [said(0)])

    def work() -> tuple[int, str]:
        trace = Trace(home)
        trace.begin()
        with opened(home, lambda: NOW_NS + DAY_NS) as app:
            app.drain(seconds=None)
            found = body(app)
        told = list(dict.fromkeys(found + trace.outside))
        return 0, "\n".join([*told[:MOST_TOLD], f"{len(told)} in all"] if told else [])

    ended = forked(work)
    assert ended.code == 0, ended.text
    return ended.text.splitlines()


def _snapshot(scratch: Path, home: Path) -> dict[str, bytes | None]:
    """Return everything beside the home."""
    files = [file for file in scratch.rglob("*") if not file.is_relative_to(home)]
    return {str(file): file.read_bytes() if file.is_file() else None for file in files}


@pytest.mark.parametrize("name", CHOSEN, ids=range(len(CHOSEN)))
def test_a_chosen_name_leads_nowhere_and_raises_nothing(home: Home, name: str) -> None:
    outside = home.scratch / "outside"
    outside.mkdir()
    name = name.replace("{outside}", str(outside))
    before = _snapshot(home.scratch, home.path)

    told = _traced(
        home.path,
        lambda app: [
            *(each for number in range(3) for each in _attempt(app, home.path, name, number)),
            *_raised(_rare(app, name), name),
        ],
    )

    assert told == []
    assert _snapshot(home.scratch, home.path) == before


@pytest.mark.parametrize("file", [".git", ".tacit.toml"])
@pytest.mark.parametrize("content", HOSTILE_FILES, ids=range(len(HOSTILE_FILES)))
def test_a_hostile_repository_leads_nowhere_and_raises_nothing(
    home: Home, file: str, content: bytes
) -> None:
    (home.project / file).write_bytes(content)
    before = _snapshot(home.scratch, home.path)
    event = said(1)
    payload = json.dumps(json.loads(event.payload) | {"cwd": str(home.project)})

    def body(app: App) -> list[str]:
        spool(home.path, [replace(event, payload=payload.encode())])
        return _raised({"drain": app.drain}, file) + _left(home.path, file)

    told = _traced(home.path, body)

    assert told == []
    assert _snapshot(home.scratch, home.path) == before


def _guesses(examples: int) -> list[str]:
    """Return so many names, guessed before anything is traced: guessing itself writes files."""
    found: list[str] = []

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join))
    def guess(name: str) -> None:
        found.append(name)

    guess()
    return found


def _guessed(home: Home, examples: int) -> None:
    names = _guesses(examples)
    before = _snapshot(home.scratch, home.path)

    told = []
    for start in range(0, len(names), CHUNK):  # every name is a project, and each is listed often
        chunk = names[start : start + CHUNK]
        told += _traced(home.path, lambda app, chunk=chunk: _attempts(app, home.path, chunk))  # type: ignore[misc]
        shutil.rmtree(home.path)

    assert told == []
    assert _snapshot(home.scratch, home.path) == before


def _attempts(app: App, home: Path, names: list[str]) -> list[str]:
    return [
        each for number, name in enumerate(names, 1) for each in _attempt(app, home, name, number)
    ]


def test_300_guessed_names_lead_nowhere_and_raise_nothing(home: Home) -> None:
    _guessed(home, 300)


@pytest.mark.long
def test_10000_guessed_names_lead_nowhere_and_raise_nothing(home: Home) -> None:
    _guessed(home, 10_000)
