"""What transcripts are made of in tests: events, the files of a group, and ways to do them harm."""

from __future__ import annotations

import json
import os
import posix
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.compose import redactor
from tacit.model.event import GENESIS, TOLD, Event, Place, Record, link
from tacit.store.sqlite import engine
from tacit.transcript import backups, bad, projects, recovery, segments
from tacit.transcript.files import Files
from tacit.transcript.ingest import Ingest
from tacit.transcript.ledger import Ledger
from tacit.transcript.ledgers import Ledgers
from tacit.transcript.segments import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tacit.guard.redact import Redactor
    from tacit.transcript.ingest import Drained

NOON = 1_790_000_000_000_000_000
DAY_NS = 24 * 3600 * 1_000_000_000
PLACE = Place(directory="/srv/shop/api", project="prj-shop", root="/srv/shop", name="shop")
OTHER = Place(directory="/srv/till", project="prj-till", root="/srv/till", name="till")
TOKEN = "ghp_" + "Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4o"
_REDACTOR = redactor(b"k" * 32)
# where flushing costs nothing, for properties that are not about it
_IN_MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108


def event(number: int, **changes: Any) -> Event:
    """Return the prompt "word NUMBER", with fields changed as asked."""
    fields: dict[str, Any] = {
        "id": f"evt-{number}",
        "at": NOON + number,
        "received": NOON + number,
        "session": "s-1",
        "project": PLACE.project,
        "client": "claude-code",
        "turn": f"evt-{number}",
        "kind": "prompt",
        "tool": None,
        "agent": None,
        "origin": "user",
        "via": "live",
        "salt": bytes([number % 256]) * 16,
        "body": f'{{"prompt":"word {number}"}}'.encode(),
    }
    return Event(**(fields | changes))


def events(count: int, first: int = 1) -> list[Event]:
    """Return so many prompts, numbered on from *first*."""
    return [event(number) for number in range(first, first + count)]


def chained(given: Sequence[Event]) -> list[Record]:
    """Return the records that these events become in a transcript of their own."""
    records: list[Record] = []
    for seq, each in enumerate(given, 1):
        previous = records[-1].chain if records else GENESIS
        fields = {name: getattr(each, name) for name in (*TOLD, "salt", "body")}
        chain = link(previous, seq, each, each.digest)
        records.append(Record(seq=seq, **fields, digest=each.digest, chain=chain))
    return records


def files_in(home: Path, group: str = "main") -> Files:
    """Return the files of a group, its directories made."""
    files = Files(home, group)
    files.prepare()
    return files


@contextmanager
def fresh_files() -> Iterator[Files]:
    """Give a group in a home that is thrown away: one for each example."""
    with TemporaryDirectory(dir=_IN_MEMORY) as directory:
        yield files_in(Path(directory))


@contextmanager
def opened(
    files: Files, *, now_ns: int = NOON, auto: bool = True, keep: int = 7
) -> Iterator[Ledger]:
    """Open a group's ledger, and let it go in the end."""
    ledger = Ledger(files, engine.look(files.home), now_ns=now_ns, auto=auto, keep=keep)
    try:
        yield ledger
    finally:
        ledger.close()


def written(files: Files, count: int, first: int = 1) -> None:
    """Take so many events in."""
    with opened(files) as ledger:
        ledger.append(events(count, first), now_ns=NOON)


def erased(files: Files, *seqs: int) -> None:
    """Erase the bodies of these events."""
    with opened(files) as ledger:
        ledger.erase(seqs, now_ns=NOON, reason="asked")


def backed_up(files: Files) -> Path:
    """Make a backup; return where it lies."""
    with opened(files) as ledger:
        return ledger.back_up(now_ns=NOON).path


def copied(files: Files) -> Path:
    """Make a copy of the transcript of which nobody here knows; return where it lies."""
    return Path(shutil.copy(backed_up(files), files.home / "copy.db"))


def put_back(files: Files, copy: Path) -> None:
    """Put an old copy in the place of the transcript: shorter, as a damaged log leaves it."""
    shutil.copy(copy, files.database)


def change(ledger: Ledger, verb: str, which: str, value: str) -> None:
    """Let the owner change a project, as the façade does it."""
    wanted = projects.change(ledger.store, verb, which, value, origin="owner")
    event = projects.event(wanted, now_ns=NOON, random=os.urandom)
    ledger.append([event], now_ns=NOON)
    projects.apply(ledger.store, wanted)


def restored(files: Files) -> None:
    """Bring a group back from its last backup, as another program would."""
    source = backups.chosen(files, engine.look(files.home), None)
    recovery.recover(files, engine.look(files.home), now_ns=NOON, source=source)


def ids(ledger: Ledger) -> list[str]:
    """Return the ids of all events in a transcript, in order."""
    return [record.id for record in ledger.store.records()]


def bodies(ledger: Ledger) -> dict[str, bytes | None]:
    """Return the bodies of all events by their id."""
    return {record.id: record.body for record in ledger.store.records()}


def standing(files: Files) -> list[str]:
    """Return the ids of all events, and whatever verification finds wrong."""
    with opened(files) as ledger:
        return ids(ledger) + ledger.verify().findings


def said(files: Files) -> dict[str, bytes | None]:
    """Return the bodies of all events."""
    with opened(files) as ledger:
        return bodies(ledger)


def lines(files: Files) -> list[str]:
    """Return the ids of the records in the segments."""
    return [line.record.id for line in segments.read(files) if isinstance(line, Kept)]


def lose_lines(files: Files, *numbers: int) -> None:
    """Take lines out of the first segment, counted from one."""
    file = segments.listed(files)[0]
    held = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(line for at, line in enumerate(held, 1) if at not in numbers))


def tamper(database: Path, statements: str) -> None:
    """Change a transcript that nobody has open, past everything that forbids it."""
    connection = apsw.Connection(str(database))
    triggers = list(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type='trigger'"))
    connection.execute("PRAGMA foreign_keys = OFF")
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statements)
    for _, made in triggers:
        connection.execute(made)
    connection.close()


def ruin(database: Path) -> None:
    """Make a file that SQLite cannot read of a transcript that nobody has open."""
    database.write_bytes(b"no database at all\n" * 500)


def descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(list(Path("/dev/fd").iterdir()))


@contextmanager
def flushed() -> Iterator[set[int]]:
    """Give the files and directories, by inode, that are flushed to disk meanwhile."""
    found: set[int] = set()

    def flush(descriptor: int) -> None:
        found.add(os.fstat(descriptor).st_ino)

    with pytest.MonkeyPatch.context() as patch:
        for module in (os, posix):
            patch.setattr(module, "fsync", flush)
        yield found


def bytes_below(place: Path) -> bytes:
    """Return every byte of every file below a directory."""
    return b"\n".join(file.read_bytes() for file in sorted(place.rglob("*")) if file.is_file())


class Desk:
    """A home with its spool, and the ingest that drains it."""

    def __init__(self, home: Path, root: int) -> None:
        self.home = home
        self.spool = Spool(root)
        self.ledgers = Ledgers(home, now_ns=lambda: NOON, auto=True, keep=7)
        self.before_each: Callable[[], object] = lambda: None
        self._ingest = Ingest(
            home=home,
            spool=self.spool,
            redactor=self._redactor,
            ledger=self.ledgers.held,
            random=os.urandom,
            limit=lambda _group, _tool: 300,
        )

    def _redactor(self) -> Redactor:
        self.before_each()
        return _REDACTOR

    def publish(self, payload: dict[str, Any] | bytes, event: str = "Stop", **header: Any) -> str:
        """Put one event into the spool as it is, past the hook and its redaction."""
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        chosen: dict[str, Any] = {"received_ns": NOON, "client": "claude-code"} | header
        return self.spool.publish(raw, event=event, **chosen)

    def put(self, data: bytes) -> Path:
        """Put any bytes into the spool."""
        file = self.home / "spool" / "new" / f"{NOON:020d}-000001-7-{os.urandom(4).hex()}"
        file.write_bytes(data)
        return file

    def drain(self, **options: Any) -> Drained:
        """Take in what waits."""
        return self._ingest.drain(now_ns=lambda: NOON, **options)

    def records(self, group: str = "main") -> list[Record]:
        """Return what was taken in."""
        return list(self.ledgers.held(group).store.records())

    def bodies(self) -> list[Any]:
        """Return what the bodies say."""
        return [json.loads((record.body or b"").decode()) for record in self.records()]

    def turns(self, *said: tuple[str, dict[str, str]], apart: bool) -> list[str | None]:
        """Return the turns of events that come together, or each by itself."""
        for at, (event, payload) in enumerate(said):
            self.publish({"session_id": "s"} | payload, event, received_ns=NOON + at)
            if apart:
                self.drain()
        self.drain()
        return [record.turn for record in self.records()]

    def put_aside(self) -> list[bytes]:
        """Return what could not be understood."""
        return [file.read_bytes() for file in bad.listed(self.home)]


@contextmanager
def fresh_desk() -> Iterator[Desk]:
    """Give a desk in a home that is thrown away: one for each example."""
    with fresh_files() as files:
        root = state.open_home(str(files.home))
        desk = Desk(files.home, root)
        try:
            yield desk
        finally:
            desk.ledgers.close()
            desk.spool.close()
            os.close(root)
