"""What the tests of keeping share: events to say, a home opened for a while, rows read without us.

Rows, marks and segments are read here with SQLite and JSON alone, so that what is checked and what
checks it have nothing in common.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import apsw

from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.compose import open_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tacit.app import App

NOW_NS = 1_790_000_000_000_000_000
SECOND_NS = 1_000_000_000
DAY_NS = 86_400 * SECOND_NS
TABLES = ("events", "payloads", "tombstones", "projects", "places")
_LOREM = "the quick brown fox jumps over the lazy dog while nobody looks "


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One event that was put into the spool."""

    key: str
    text: str
    event: str
    payload: bytes
    received_ns: int
    group: str


def said(number: int, *, group: str = "main", text: str = "", session: str = "") -> Said:
    """Return the number-th event: every fourth a prompt, the others what a tool said."""
    key = f"{group}-{number:05d}"
    session = session or f"session-{number // 20}-of-{group}"
    text = text or f"{key} {_LOREM * (1 + number % 7)}"
    fields: dict[str, Any] = {"session_id": session, "cwd": "/nowhere/at/all"}
    turn = f"turn-{group}-{number // 4:05d}"
    if number % 4 == 0:
        event, rest = "UserPromptSubmit", {"prompt": text}
    else:
        event = "PostToolUse"
        rest = {"tool_use_id": key, "tool_name": "Bash", "tool_response": text}
        rest["tool_input"] = {"command": f"echo {key}"}  # type: ignore[assignment]
    payload = json.dumps(fields | {"prompt_id": turn, "hook_event_name": event} | rest)
    return Said(
        key=key,
        text=text,
        event=event,
        payload=payload.encode(),
        received_ns=NOW_NS + number * SECOND_NS,
        group=group,
    )


def spool(home: Path, events: Iterable[Said]) -> None:
    """Put events into the spool of a home, as the hook does."""
    root = state.open_home(str(home), is_proven=state.proven)
    opened_spool = Spool(root)
    for each in events:
        opened_spool.publish(
            each.payload,
            event=each.event,
            received_ns=each.received_ns,
            client="claude-code",
            group=each.group,
        )
    opened_spool.close()
    os.close(root)


@contextmanager
def opened(home: Path, now_ns: Callable[[], int] | None = None) -> Iterator[App]:
    """Open a home for a while, leaving the umask as it was; its clock ticks when it is asked."""
    before = os.umask(0o077)
    ticks = count(NOW_NS + DAY_NS // 2, 1000)
    try:
        app = open_app(str(home), now_ns or (lambda: next(ticks)))
        try:
            yield app
        finally:
            app.close()
    finally:
        os.umask(before)


def drained(home: Path, events: Iterable[Said], now_ns: int | None = None) -> None:
    """Say events and take them in."""
    spool(home, events)
    with opened(home, None if now_ns is None else lambda: now_ns) as app:
        assert app.drain(seconds=None).waiting == 0


def database(home: Path, group: str = "main") -> Path:
    return home / "groups" / group / "transcript.db"


def rows(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of a transcript, read with SQLite alone, and nothing made beside it."""
    log = file.with_name(f"{file.name}-wal")
    immutable = int(not log.exists() or log.stat().st_size == 0)
    connection = apsw.Connection(
        f"file:{file}?immutable={immutable}",
        flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
    )
    try:
        return {
            table: list(connection.execute(f"SELECT * FROM {table} ORDER BY 1"))  # noqa: S608
            for table in TABLES
        }
    finally:
        connection.close()


def bodies(home: Path, group: str = "main") -> list[bytes]:
    """Return the bodies in the order of their sequence."""
    return [bytes(row[2]) for row in rows(database(home, group))["payloads"]]


def keys(bodies_found: Iterable[bytes]) -> list[str]:
    """Return which events these bodies are of; the owner's decisions are left out."""
    found = []
    for body in bodies_found:
        payload = json.loads(body)
        if "verb" in payload:
            continue
        text = payload.get("prompt") or payload.get("tool_response") or ""
        found.append(payload.get("tool_use_id") or str(text).partition(" ")[0])
    return found


def mark(home: Path, group: str = "main") -> tuple[int, bytes] | None:
    """Return the high-water mark."""
    file = home / "groups" / group / "transcript.mark"
    if not file.exists():
        return None
    seq, chain = file.read_text(encoding="ascii").split()[:2]
    return int(seq), bytes.fromhex(chain)


def head(home: Path, group: str = "main") -> tuple[int, bytes]:
    """Return the last sequence number and its chain value, read with SQLite alone."""
    events = rows(database(home, group))["events"]
    return (events[-1][0], bytes(events[-1][-1])) if events else (0, bytes(32))


def segment_lines(home: Path, group: str = "main") -> list[dict[str, Any]]:
    """Return what the segments of a group hold; a torn line is passed over."""
    found = []
    for file in sorted((home / "spool" / "done" / group).glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
    return found


def troubles(home: Path, group: str, expected: list[str]) -> list[str]:
    """Return what is wrong with a group in which exactly these events should stand, in order."""
    table = rows(database(home, group))
    taken = keys(bytes(row[2]) for row in table["payloads"])
    found = []
    if taken != expected:
        missing, strange = set(expected) - set(taken), set(taken) - set(expected)
        twice = len(taken) - len(set(taken))
        found.append(f"missing {sorted(missing)}, strange {sorted(strange)}, twice {twice}, order")
    with opened(home) as app:
        verified = app.verify(group)
    if verified is None or not verified.is_sound:
        found.append(f"verify: {verified.findings if verified else 'no transcript'}")
    if mark(home, group) != head(home, group):
        found.append(f"the mark is {mark(home, group)}, the head is {head(home, group)}")
    stand = {row[0]: bytes(row[2]).decode() for row in table["payloads"]}
    kept = _kept(home, group)
    lacking = [seq for seq, body in stand.items() if kept.get(seq) != body]
    return found + ([f"neither segments nor backups have {lacking}"] if lacking else [])


def _kept(home: Path, group: str) -> dict[int, str]:
    """Return the bodies that the backups and the segments have."""
    kept: dict[int, str] = {}
    for file in backups(home, group):
        with suppress(apsw.Error, UnicodeDecodeError):  # a damaged one has none
            kept |= {row[0]: bytes(row[2]).decode() for row in rows(file)["payloads"]}
    return kept | {
        line["seq"]: line["body"] for line in segment_lines(home, group) if "seq" in line
    }


def backups(home: Path, group: str = "main") -> list[Path]:
    """Return the kept backups, the oldest first."""
    return sorted((home / "backups" / group).glob("[0-9]*.db"))


def waiting(home: Path) -> list[str]:
    """Return the names of what waits in the spool."""
    return sorted(file.name for file in (home / "spool" / "new").iterdir())


def tacit(home: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line on a home."""
    options.setdefault("env", os.environ | {"TACIT_HOME": str(home), "TERM": "dumb"})
    options.setdefault("cwd", home.parent)
    ended: subprocess.CompletedProcess[str] = subprocess.run(
        [sys.executable, "-m", "tacit", *arguments],
        check=False,
        capture_output=True,
        text=True,
        **options,
    )
    return ended
