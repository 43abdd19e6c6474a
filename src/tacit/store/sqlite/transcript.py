"""The transcript in SQLite: the port's verbs over named queries, every read checked."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import apsw

from tacit.errors import NotFound, StoreDamaged
from tacit.guard import fastjson
from tacit.model.event import GENESIS, TOLD, VOCABULARY, Record, link
from tacit.store.port import Counts, Head, ProjectRow, RootRow, SessionRow
from tacit.store.sqlite import queries
from tacit.store.sqlite.connection import told
from tacit.store.sqlite.migrate import refuse_newer
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from contextlib import AbstractContextManager

    from tacit.guard.fastjson import Json
    from tacit.model.event import Event, Place
    from tacit.store.sqlite.connection import Connection
    from tacit.store.sqlite.migrate import Steps

_COLUMNS = ["seq", *TOLD, "digest", "chain", "salt", "body"]
_MOST_IN_MIND, _LARGEST_IN_MIND = 64, 16_384  # rows, and bytes of a body


class SqliteStore:
    """One group's transcript, open."""

    def __init__(self, connection: Connection, known: Steps) -> None:
        self.connection = connection
        self._known = known
        self._ask = Statements(connection, "transcript")
        self._path = connection.path
        self._sound: dict[int, tuple[tuple[Any, ...], Record]] = {}

    def rest(self) -> None:
        """Let go what is only kept to be read again."""
        self._sound.clear()
        self.connection.rest()

    def transaction(self) -> AbstractContextManager[None]:
        """Do all or nothing of what happens inside."""
        return self.connection.transaction()

    def close(self) -> None:
        """Let it go."""
        self.connection.close()

    def append(self, events: Sequence[Event]) -> list[Record]:
        """Append those whose id is not known yet, in order; return the records of these."""
        added = []
        places: dict[str, Place] = {}
        with self.transaction():
            refuse_newer(self.connection, self._known)  # it may have been upgraded under us
            head = self.head()
            for event in events:
                if self._ask.value("is_known", {"id": event.id}) is None:
                    record = _following(head, event)
                    self._write(record)
                    added.append(record)
                    places |= {event.place.directory: event.place} if event.place else {}
                    head = Head(record.seq, record.chain)
            self.locate(places.values())
        return added

    def head(self) -> Head:
        """Return how far the transcript reaches."""
        for seq, chain in self._ask.rows("head"):
            if not isinstance(seq, int) or not isinstance(chain, bytes):
                raise StoreDamaged(f"The last event in {self._path} is none. Run `tacit verify`.")
            return Head(seq, chain)
        return Head(0, GENESIS)

    def find(self, ids: Sequence[str]) -> list[Record]:
        """Return the records with these event ids, in order of sequence."""
        rows = [row for each in ids for row in self._ask.rows("find", {"id": each})]
        return sorted((self._checked(row) for row in rows), key=lambda record: record.seq)

    def records(self, after: int = 0) -> Iterator[Record]:
        """Yield all records behind a sequence number, in order, unchecked: for `verify`."""
        for row in self._ask.rows("records", {"after": after}):
            yield Record(**dict(zip(_COLUMNS, row, strict=True)))

    def behind(self, seq: int, limit: int) -> list[Record]:
        """Return the next records behind a sequence number, checked."""
        rows = self._ask.rows("behind", {"seq": seq, "limit": limit})
        return [self._checked(row) for row in rows]

    def decisions(self, session: str | None = None) -> list[Record]:
        """Return what owner and agents have decided, in order, checked."""
        rows = self._ask.rows("decisions", {"session": session})
        return [self._checked(row) for row in rows]

    def about_models(self, since: int) -> list[Record]:
        """Return what is written down about models from a time on, in order, checked."""
        return [self._checked(row) for row in self._ask.rows("about_models", {"since": since})]

    def of_session(self, session: str, turn: str | None = None) -> list[Record]:
        """Return the records of a session, or of one of its turns, in order, checked."""
        rows = self._ask.rows("of_session", {"session": session, "turn": turn})
        return self._in_order([self._checked(row) for row in rows], session)

    def _in_order(self, found: list[Record], session: str) -> list[Record]:
        """Return the records of one session; refuse if an index gives others, or one twice."""
        seqs = [record.seq for record in found]
        if seqs != sorted(set(seqs)) or any(record.session != session for record in found):
            raise StoreDamaged(f"An index of {self._path} is damaged. Run `tacit verify`.")
        return found

    def lately(self, session: str, before: int, limit: int) -> list[Record]:
        """Return the last prompts and replies of a session before a sequence number, in order."""
        bindings = {"session": session, "before": before, "limit": limit}
        rows = self._ask.rows("lately", bindings)
        return self._in_order([self._checked(row) for row in rows][::-1], session)

    def has_ended(self, session: str, upto: int) -> bool:
        """Say whether the last that a session told, up to a sequence number, is its end."""
        return bool(self._ask.value("last_word", {"session": session, "upto": upto}) == "end")

    def last_turn(self, session: str) -> str | None:
        """Return the turn that the last prompt of a session opened."""
        found = self._ask.value("last_turn", {"session": session})
        return str(found) if found is not None else None

    def sessions(self, project: str | None = None) -> list[SessionRow]:
        """Return all sessions, the last active first."""
        names = SessionRow.__slots__
        rows = self._ask.rows("sessions", {"project": project})
        found = [SessionRow(**dict(zip(names, row, strict=True))) for row in rows]
        if not all(_is_timed(each) for each in found):
            raise StoreDamaged(f"{self._path} holds times that are none. Run `tacit verify`.")
        return found

    def last_recorded(self) -> int | None:
        """Return when the last event of a session was received, in nanoseconds; None for none."""
        found = self._ask.value("last_recorded")
        return found if isinstance(found, int) else None

    def first_prompts(self) -> dict[str, Record]:
        """Return the first prompt of each session, checked."""
        records = [self._checked(row) for row in self._ask.rows("first_prompts")]
        return {record.session: record for record in records}

    def named(self, name: str) -> tuple[str | None, str | None]:
        """Return (session, turn) of the one session or turn whose id begins with *name*."""
        bindings = {"name": name, "beyond": name + "\U0010ffff"}
        found = list(self._ask.rows("named", bindings)) if name else []
        exact = [row for row in found if name == (row[1] or row[0])]
        found = exact or found
        if len(found) > 1:
            raise NotFound(f"{name!r} begins more than one id: say more of it.")
        return (found[0][0], found[0][1]) if found else (None, None)

    def counts(self) -> Counts:
        """Return how many rows stand in each table."""
        (row,) = self._ask.rows("counts")
        return Counts(**dict(zip(Counts.__slots__, row, strict=True)))

    def bury(self, seqs: Sequence[int], *, at: int, reason: str) -> int:
        """Tombstone these and delete their bodies; return how many bodies went."""
        went = 0
        self._sound.clear()
        with self.transaction():
            for seq in seqs:
                self._ask.run("bury", {"seq": seq, "at": at, "reason": reason})
                went += self._ask.value("drop_payload", {"seq": seq}) is not None
        return went

    def buried(self) -> dict[int, tuple[int, str]]:
        """Return all tombstones: sequence number to (when, why)."""
        return {seq: (at, reason) for seq, at, reason in self._ask.rows("buried")}

    def matching(self, text: str) -> list[int]:
        """Return which bodies hold *text* in one of their strings."""
        written = fastjson.encoded(text)[1:-1]  # as it stands between its quotes
        rows = self._ask.rows("matching", {"text": written})
        return [seq for seq, body in rows if _holds(fastjson.loads(body), text)]

    def of_projects(self, keys: Sequence[str]) -> list[int]:
        """Return which events belong to these projects."""
        rows = [list(self._ask.rows("of_project", {"project": key})) for key in keys]
        return sorted(row[0] for each in rows for row in each)

    def of_origin(self, origin: str) -> list[int]:
        """Return which events are somebody's words; `tool` means those of all tools."""
        return [row[0] for row in self._ask.rows("of_origin", {"origin": origin})]

    def before(self, at: int) -> list[int]:
        """Return which events came before a time."""
        return [row[0] for row in self._ask.rows("before", {"at": at})]

    def restore(self, records: Sequence[Record]) -> int:
        """Append records as they once stood, behind the head; return how many fitted the chain."""
        fitted = 0
        with self.transaction():
            head = self.head()
            for record in sorted(records, key=lambda each: each.seq):
                if record.seq == head.seq + 1 and record.is_sound(head.chain):
                    self._write_again(record)
                    head = Head(record.seq, record.chain)
                    fitted += 1
        return fitted

    def reseat(self, records: Sequence[Record]) -> int:
        """Append records whose place in the chain is lost, each once; return how many came back."""
        seated = 0
        with self.transaction():
            head = self.head()
            for record in records:
                is_known = self._ask.value("is_known", {"id": record.id}) is not None
                if not is_known and record.has_its_body:
                    seq = head.seq + 1
                    chain = link(head.chain, seq, record, record.digest)
                    self._write_again(replace(record, seq=seq, chain=chain))
                    head = Head(seq, chain)
                    seated += 1
        return seated

    def ids(self, seqs: Collection[int]) -> dict[int, str]:
        """Return which events stand at these sequence numbers."""
        found = {seq: self._ask.value("id_of", {"seq": seq}) for seq in sorted(seqs)}
        return {seq: str(name) for seq, name in found.items() if name is not None}

    def seq_of(self, event_id: str) -> int | None:
        """Return where an event stands."""
        found = self._ask.value("seq_of", {"id": event_id})
        return found if isinstance(found, int) else None

    def chain_at(self, seq: int) -> bytes | None:
        """Return the chain value of an event; None if there is none."""
        found = self._ask.value("chain_at", {"seq": seq})
        return found if isinstance(found, bytes) else None

    def projects(self) -> list[ProjectRow]:
        """Return all projects, the most used first."""
        names = ProjectRow.__slots__
        return [
            ProjectRow(**dict(zip(names, row, strict=True))) for row in self._ask.rows("projects")
        ]

    def roots(self) -> list[RootRow]:
        """Return where all projects lie and what they are called, the oldest first."""
        return [RootRow(*row) for row in self._ask.rows("roots")]

    def places(self) -> list[tuple[str, str]]:
        """Return which project each directory was last seen to belong to, the shortest first."""
        return [(directory, project) for directory, project in self._ask.rows("places")]

    def last_of(self, projects: Sequence[str], after: int = 0) -> Record | None:
        """Return the last event of these projects, of those behind a sequence number."""
        bindings = {"projects": json.dumps(projects), "after": after}
        found = self._ask.value("last_of", bindings)
        return next(iter(self.find([found])), None) if found else None

    def place(self, directory: str) -> str | None:
        """Return the project that a directory was last seen to belong to."""
        found = self._ask.value("place", {"directory": directory})
        return str(found) if found is not None else None

    def locate(self, places: Collection[Place]) -> None:
        """Remember which project a directory belongs to."""
        with self.transaction():
            for place in places:
                bindings = {name: getattr(place, name) for name in place.__slots__}
                self._ask.run("add_project", bindings)
                self._ask.run("add_place", bindings)

    def rename(self, key: str, name: str) -> None:
        """Call a project so from now on."""
        with self.transaction():
            self._ask.run("rename", {"key": key, "name": name})

    def join(self, key: str, into: str | None) -> None:
        """Count a project's events as those of another; None undoes it."""
        with self.transaction():
            self._ask.run("join", {"key": key, "into": into})

    def integrity(self) -> list[str]:
        """Return what SQLite's own check says: `ok`, or what is wrong."""
        with told(self._path):
            lines = [str(row[0]) for row in self.connection.rows("PRAGMA integrity_check(20)")]
            lines += [f"row {row[1]} of {row[0]} points nowhere" for row in self._orphans()]
            lines += [f"{row[0]} is not what was written" for row in self._ask.rows("unsealed")]
            changed = dict(self._ask.rows("schema")).items() ^ expected_schema(self._known).items()
            return lines + [f"{name} is not made as it should be" for name, _ in sorted(changed)]

    def compact(self) -> None:
        """Write the file anew without anything that was deleted, and empty the log."""
        self.connection.watch()
        with told(self._path):
            self.connection.value("VACUUM")
        self.connection.checkpoint()

    def _orphans(self) -> list[tuple[Any, ...]]:
        return list(self.connection.rows("PRAGMA foreign_key_check"))

    def _write(self, record: Record) -> None:
        bindings = {name: getattr(record, name) for name in _COLUMNS}
        self._ask.run("add_event", bindings)
        if record.body is not None:
            self._ask.run("add_payload", bindings)

    def _write_again(self, record: Record) -> None:
        """Write what stood here once; an index may still remember what its table does not."""
        try:
            self._write(record)
        except apsw.ConstraintError as error:
            raise StoreDamaged(f"{self._path} is damaged ({error}). Run `tacit verify`.") from error

    def _checked(self, row: tuple[Any, ...]) -> Record:
        """Return the record of a row that ends with the chain before it and its tombstone.

        A row that is the same, byte for byte, as one that was found sound lately needs no more.
        """
        sound = self._sound.get(row[0])
        if sound is not None and sound[0] == row:
            return sound[1]
        *columns, before, buried = row
        record = Record(**dict(zip(_COLUMNS, columns, strict=True)))
        is_whole = (record.body is None) == (buried is not None)
        if not is_whole or not _is_typed(record) or not record.is_sound(before or GENESIS):
            raise StoreDamaged(
                f"Event {record.seq} in {self._path} is not what was written. Run `tacit verify`."
            )
        self._keep_in_mind(row, record)
        return record

    def _keep_in_mind(self, row: tuple[Any, ...], record: Record) -> None:
        """Remember a row that is sound: the curator reads what it was just fed."""
        if record.body is not None and len(record.body) <= _LARGEST_IN_MIND:
            if len(self._sound) >= _MOST_IN_MIND:
                self._sound.clear()
            self._sound[record.seq] = row, record


@cache
def expected_schema(known: Steps) -> dict[str, str]:
    """Return how the tables are made by these migrations."""
    made = apsw.Connection(":memory:")
    for step in known:
        for _ in made.execute(step):
            pass
    return dict(made.execute(queries.load("transcript")["schema"]))


def _is_typed(record: Record) -> bool:
    """Say whether every column holds what it should: a flipped bit may change its type."""
    numbers = (record.seq, record.at, record.received)
    blobs = (record.digest, record.chain, record.salt, record.body)
    texts = [getattr(record, name) for name in TOLD if name not in {"at", "received"}]
    return (
        all(isinstance(each, int) for each in numbers)
        and all(each is None or isinstance(each, bytes) for each in blobs)
        and all(each is None or isinstance(each, str) for each in texts)
    )


def _is_timed(row: SessionRow) -> bool:
    return isinstance(row.started, int) and isinstance(row.last, int)


def _holds(value: Json, text: str) -> bool:
    """Say whether a text stands in some string of a JSON value that is somebody's word."""
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, str) and text in each:
            return True
        if isinstance(each, dict):
            left += [*(each.keys() - VOCABULARY), *each.values()]
        elif isinstance(each, list):
            left += each
    return False


def _following(head: Head, event: Event) -> Record:
    """Return the record of an event that comes behind *head*."""
    body_digest = event.digest
    return Record(
        seq=head.seq + 1,
        **{name: getattr(event, name) for name in TOLD},
        digest=body_digest,
        chain=link(head.chain, head.seq + 1, event, body_digest),
        salt=event.salt,
        body=event.body,
    )
