"""What the tests of understanding share: a home that is told events, one after the other."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rig import ROOT
from tacit.capture import message, state
from tacit.capture.conf import Conf
from tacit.capture.message import Message
from tacit.capture.spool import Spool
from tacit.compose import open_app
from tacit.store.sqlite import engine
from tacit.store.sqlite.opening import open_existing
from tacit.transcript.files import Files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.model.event import Record
    from tacit.transcript.ingest import Drained
    from tacit.transcript.turns import Turn

NOON = 1_790_000_000_000_000_000
SECOND_NS = 1_000_000_000
HOUR_NS = 3600 * SECOND_NS
GOLDEN = ROOT / "tests" / "golden"


class Teller:
    """Says events to a home, a second apart, and takes them in."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.now_ns = NOON
        self.app = open_app(str(home), now_ns=lambda: self.now_ns)
        self._root = state.open_home(str(home), is_proven=state.proven)
        self._spool = Spool(self._root)

    def publish(self, payload: bytes, event: str, **header: str) -> None:
        """Put a payload into the spool, as its client wrote it."""
        self.now_ns += SECOND_NS
        chosen: dict[str, str] = {"client": "claude-code"} | header
        self._spool.publish(payload, event=event, received_ns=self.now_ns, **chosen)

    def say(self, event: str, /, **fields: Any) -> None:
        """Put an event of session s-1 into the spool."""
        common = {"session_id": "s-1", "cwd": "/srv/orchard", "hook_event_name": event}
        self.publish(json.dumps(common | fields).encode(), event)

    def message(
        self, name: str, role: str, text: str, *, source: str = "bridge", **more: str
    ) -> None:
        """Put a message of session s-1 into the spool, as a bridge does."""
        self.now_ns += SECOND_NS
        fields = {"session": "s-1", "at": "2026-01-02T03:04:05Z"} | more
        message.record(
            Message(id=name, role=role, text=text, **fields),
            root=self._root,
            conf=Conf(""),
            spool=self._spool,
            source=source,
            received_ns=self.now_ns,
        )

    def wait(self, nanoseconds: int) -> None:
        """Let time pass."""
        self.now_ns += nanoseconds

    def drain(self) -> Drained:
        """Take in all that was said."""
        return self.app.drain(seconds=None)

    def turns(self, name: str = "s-1") -> list[Turn]:
        """Take in all that was said, and return the turns of a session."""
        self.drain()
        return self.app.show("main", name)

    def sessions(self) -> dict[str, str]:
        """Take in all that was said, and return the state of each session."""
        self.drain()
        return {each.id: each.state for each in self.app.sessions("main")}

    def records(self, group: str = "main") -> list[Record]:
        """Take in all that was said, and return every record of a group."""
        self.drain()
        store = open_existing(Files(self.home, group).database, engine.look(self.home))
        try:
            return list(store.records())
        finally:
            store.close()

    def close(self) -> None:
        self.app.close()
        self._spool.close()
        os.close(self._root)


@contextmanager
def telling(home: Path) -> Iterator[Teller]:
    """Open a home for a while, leaving the umask as it was."""
    before = os.umask(0o077)
    teller = Teller(home)
    try:
        yield teller
    finally:
        teller.close()
        os.umask(before)


def golden() -> list[tuple[str, bytes]]:
    """Return one payload of each event, in the order in which a session has them."""
    lines = (GOLDEN / "payloads.jsonl").read_bytes().splitlines()
    return [(json.loads(line)["hook_event_name"], line) for line in lines]


def golden_rows() -> list[dict[str, Any]]:
    """Return what is to become of each of them."""
    rows: list[dict[str, Any]] = json.loads((GOLDEN / "rows.json").read_text(encoding="utf-8"))
    return rows


def body(record: Record) -> Any:
    """Return what a record's body says."""
    assert record.body is not None
    return json.loads(record.body)


def essence(record: Record) -> tuple[object, ...]:
    """Return all that must not depend on how often, when or by whom an event was delivered."""
    return (
        record.id,
        record.session,
        record.project,
        record.kind,
        record.turn or "",
        record.tool or "",
        record.agent or "",
        record.origin,
        record.via,
        json.dumps(body(record), sort_keys=True),
    )
