"""Ingest: from the spool into the transcript, each event exactly once.

In order, under a lock: parse, redact completely, find out who said it and where, derive the id,
trim tool text, append; and only when that is on disk does the spool file go. Killed anywhere, the
next drain goes on where this one stopped, and an event seen twice is one event.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tacit.capture.entry import EntryUnreadable, parse
from tacit.errors import StoreDamaged, StoreError
from tacit.guard import fastjson
from tacit.guard.names import is_name
from tacit.guard.payload import clean, clean_json
from tacit.model.event import SALT_BYTES, Event
from tacit.transcript import bad, lock, place
from tacit.transcript.files import Files
from tacit.transcript.identity import event_id
from tacit.transcript.trim import trimmed
from tacit.transcript.wire import is_echo, understand

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.capture.entry import Entry
    from tacit.capture.spool import Spool
    from tacit.guard.redact import Redactor
    from tacit.model.event import Place
    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.transcript.ledger import Ledger
    from tacit.transcript.wire import Payload, Wire

Answer = TypeVar("Answer")

UNANSWERED = "-"
BATCH = 256
BATCH_BYTES = 8 << 20


class Unreadable(ValueError):  # noqa: N818  (a state, not a mishap)
    """A spool entry that cannot be understood; the text says why."""


class Skipped(Exception):  # noqa: N818  (a state, not a mishap)
    """A spool entry that is gone meanwhile, or is no file of ours."""


class HeldUp(StoreError):  # noqa: N818  (a state, not a mishap)
    """An entry of a group that is in trouble: it waits for the next drain."""


class Answered(NamedTuple):
    """An event that its hook has answered: which session was told what."""

    group: str
    session: str
    at: int
    told: str


@dataclass(slots=True)
class Drained:
    """What one drain did."""

    taken: int = 0
    known: int = 0
    bad: int = 0
    echoes: int = 0
    waiting: int = 0
    held: int = 0
    uncurated: int = 0
    troubles: list[StoreError] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)


@dataclass(slots=True)
class _Batch:
    """Events on their way into one group's transcript, and the files they came in."""

    events: list[Event] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    size: int = 0

    def take(self, name: str, entry: Entry, event: Event | None) -> None:
        """Take one file, its event unless it is an echo, and what its hook has answered."""
        self.names.append(name)
        if event is None:
            return
        self.events.append(event)
        self.size += len(event.body)
        if entry.answered != UNANSWERED:
            told = Answered(entry.group, event.session, event.at, entry.answered)
            self.answered.append(told)


class Ingest:
    """Takes in what waits in one home's spool."""

    def __init__(
        self,
        *,
        home: Path,
        spool: Spool,
        redactor: Callable[[], Redactor],
        ledger: Callable[[str], Ledger],
        random: Callable[[int], bytes],
        limit: Callable[[str, str | None], int],
    ) -> None:
        self._home = home
        self._spool = spool
        self._redactor = redactor
        self._ledger = ledger
        self._random = random
        self._limit = limit  # how much is kept of each text of a group's tool
        self._places: dict[tuple[str, str], Place] = {}
        self._turns: dict[tuple[str, str], str | None] = {}
        self._prompts: set[str] = set()
        self._now_ns = 0
        self._held_up: set[str] = set()

    def drain(
        self,
        *,
        now_ns: Callable[[], int],
        seconds: float | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Drained:
        """Take in what waits, for at most *seconds*; without them, all of it."""
        done = Drained()
        if not self._spool.waiting():  # what another takes in just now goes last from the spool
            return done
        until = None if seconds is None else time.monotonic() + seconds
        with lock.held(self._home, seconds=30.0 if seconds is None else seconds) as is_held:
            names = self._spool.waiting()
            position = 0
            self._places.clear()
            self._turns.clear()
            self._prompts.clear()
            self._held_up.clear()
            while is_held and position < len(names):
                if until is not None and time.monotonic() >= until:
                    break
                self._now_ns = now_ns()
                position += self._batch(names[position : position + BATCH], done, self._now_ns)
                if progress:
                    progress(position, len(names))
        done.waiting = len(names) - position + done.held
        return done

    def _batch(self, names: list[str], done: Drained, now_ns: int) -> int:
        """Take in one batch; return how many spool files were dealt with."""
        batches: dict[str, _Batch] = {}
        dealt = 0
        for name in names:
            dealt += 1
            try:
                entry, event = self._event(name)
            except Skipped:
                continue
            except StoreError as error:
                done.troubles += [] if isinstance(error, HeldUp) else [error]
                done.held += 1
                continue
            except (Unreadable, RecursionError) as error:
                reason = str(error) if isinstance(error, Unreadable) else "It is nested too deeply."
                self._put_aside(name, reason)
                done.bad += 1
                continue
            batch = batches.setdefault(entry.group, _Batch())
            batch.take(name, entry, event)
            done.echoes += event is None
            if batch.size > BATCH_BYTES:
                break
        for group, batch in batches.items():
            self._append(group, batch, done, now_ns)
        return dealt

    def _append(self, group: str, batch: _Batch, done: Drained, now_ns: int) -> None:
        """Take in what belongs to one group; its troubles hold up no other."""
        try:
            added = self._ledger(group).append(batch.events, now_ns=now_ns)
        except StoreError as error:
            done.troubles.append(error)
            done.held += len(batch.names)
            self._held_up.add(group)
            return
        done.taken += len(added)
        done.known += len(batch.events) - len(added)
        done.answered += batch.answered
        for name in batch.names:
            self._spool.remove(name)

    def _entry(self, name: str) -> Entry:
        """Return a spool file, parsed; one of a proof that is over is removed instead."""
        try:
            entry = parse(self._spool.read(name))
        except OSError as error:  # gone, or a link, a directory: no file of ours
            raise Skipped from error
        except EntryUnreadable as error:
            raise Unreadable(str(error)) from error
        if not is_name(entry.group):
            raise Unreadable("The group in the header is no name of a group.")
        if Files(self._home, entry.group).is_removed:
            self._spool.remove(name)
            raise Skipped
        return entry

    def _event(self, name: str) -> tuple[Entry, Event | None]:
        """Return what a spool file holds; no event for the echo of a compaction."""
        entry = self._entry(name)
        if entry.group in self._held_up:
            raise HeldUp
        payload = self._cleaned(entry.payload)
        if is_echo(entry, payload):
            return entry, None
        wire = understand(entry, payload)
        identity = event_id(wire, payload, entry.client)
        here = self._place(entry.group, wire.directory)
        body = fastjson.encoded(payload)
        limit = self._limit(entry.group, wire.tool)
        if len(body) > limit:  # else no text of it is longer
            body = fastjson.encoded(trimmed(payload, wire.kind, limit))
        return entry, Event(
            id=identity,
            at=wire.at,
            received=entry.received_ns,
            session=wire.session,
            project=here.project,
            client=entry.client,
            turn=self._turn(entry.group, wire, identity),
            kind=wire.kind,
            tool=wire.tool,
            agent=wire.agent,
            origin=wire.origin,
            via=wire.via,
            salt=self._random(SALT_BYTES),
            body=body,
            place=here,
        )

    def _cleaned(self, raw: bytes) -> Payload:
        """Return the payload, completely redacted."""
        try:
            payload = fastjson.loads(raw)
            cleaned = clean_json(payload, self._redactor(), raw)
            if cleaned is not raw:
                payload = fastjson.loads(cleaned)
        except (ValueError, RecursionError) as error:
            raise Unreadable("The payload is not JSON.") from error
        if not isinstance(payload, dict):
            raise Unreadable("The payload is not a JSON object.")
        return payload

    def _place(self, group: str, directory: str) -> Place:
        """Return the place of a directory; one that is gone belongs where it was last seen."""
        if (group, directory) not in self._places:
            here = place.locate(directory)
            if directory and not place.exists(directory):
                here = self._ask(group, lambda store: _last_seen(store, here))
            self._places[group, directory] = here
        return self._places[group, directory]

    def _turn(self, group: str, wire: Wire, identity: str) -> str | None:
        """Return the turn of an event: the client's prompt id, else that of the last prompt."""
        key = (group, wire.session)
        if wire.opens_turn and self._is_new(group, identity):
            self._turns[key] = wire.prompt or identity
        if wire.prompt or wire.opens_turn:
            return wire.prompt or identity
        if not wire.belongs_to_turn:
            return None
        if key not in self._turns:
            self._turns[key] = self._ask(group, lambda store: store.last_turn(wire.session))
        return self._turns[key]

    def _is_new(self, group: str, identity: str) -> bool:
        """Say whether a prompt comes for the first time."""
        seq = self._ask(group, lambda store: store.seq_of(identity))
        if identity in self._prompts or seq is not None:
            return False
        self._prompts.add(identity)
        return True

    def _ask(self, group: str, question: Callable[[SqliteStore], Answer]) -> Answer:
        """Ask a group's store; one that turns out damaged is mended first."""
        ledger = self._ledger(group)
        try:
            return question(ledger.store)
        except StoreDamaged:
            ledger.mend(now_ns=self._now_ns)
            return question(ledger.store)

    def _put_aside(self, name: str, reason: str) -> None:
        """Keep what cannot be understood, redacted as the text that it is."""
        bad.keep(self._home, name, reason, clean(self._spool.read(name), self._redactor()))
        self._spool.remove(name)


def _last_seen(store: SqliteStore, here: Place) -> Place:
    """Return where a directory that is gone was last seen to belong."""
    key = store.place(here.directory) or here.project
    rows = {row.key: row for row in store.projects()}
    return place.at(here.directory, key, rows[key].root, rows[key].name) if key in rows else here
