"""What a workspace knows of its cards and its files, in SQLite.

No words are kept here but names: what a card says stands in the transcript, what a document says in
the document. A commit waits for the disk: what was written to a file must never be newer than what
is known of it.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from tacit.store.sqlite.connection import Connection, told
from tacit.store.sqlite.migrate import migrate, refuse_newer, steps
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tacit.store.sqlite.engine import Engine

OPEN, CLOSED = "open", "closed"
MOST = 10_000  # so many files a rule finds at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card: its file below `projects/`, and which events said what stands on it."""

    card: str
    state: str = OPEN
    path: str | None = None
    titled: str | None = None
    filled: str | None = None
    at: int
    digest: str | None = None  # of what it last said to its file
    intended: str | None = None  # of what it is about to say
    beside: str | None = None  # where that lies, if the file was changed by hand
    is_due: bool = True
    trouble: str | None = None  # why its file cannot be written


class Lying(NamedTuple):
    """A file as it was seen: where it lies, by what it is known, how large and how old it is."""

    area: str
    folder: str
    name: str
    stem: str
    alike: str
    word: str
    size: int
    modified: int
    first: int


class Named(NamedTuple):
    """A document that may be named in a text: by its stem."""

    folder: str
    name: str
    stem: str


class Unread(NamedTuple):
    """A document of which it is not known what it holds."""

    folder: str
    name: str
    size: int
    modified: int


class Found(NamedTuple):
    """A file that a rule has found, when it was changed, and what it was found by."""

    folder: str
    name: str
    modified: int
    by: str = ""


_CARD = tuple(field.name for field in fields(Card))


class SqliteWorkspace:
    """The cards and files of one workspace."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._ask = Statements(connection, "workspace")

    def transaction(self) -> AbstractContextManager[None]:
        """Do all or nothing of what happens inside."""
        return self.connection.transaction()

    def close(self) -> None:
        """Let it go."""
        self.connection.close()

    def followed(self) -> tuple[int, bytes]:
        """Return up to where the transcript was followed: sequence number and chain value."""
        for seq, chain in self._ask.rows("followed"):
            return seq, chain
        return 0, b""

    def follow(self, seq: int, chain: bytes) -> None:
        """Remember up to where the transcript was followed."""
        with self.transaction():
            self._ask.run("follow", {"seq": seq, "chain": chain})

    def card(self, card: str) -> Card | None:
        """Return one card."""
        return next(iter(self._cards("card", {"card": card})), None)

    def cards(self) -> list[Card]:
        """Return all cards."""
        return self._cards("cards")

    def due(self) -> list[Card]:
        """Return the cards whose files may have to be written."""
        return self._cards("due")

    def beside(self) -> list[Card]:
        """Return the cards whose words were put beside their file."""
        return self._cards("beside")

    def troubled(self) -> list[Card]:
        """Return the cards whose file cannot be written."""
        return self._cards("troubled")

    def said_by(self, events: Collection[str]) -> list[Card]:
        """Return the cards whose words one of these events has said."""
        return self._cards("said_by", {"events": json.dumps(list(events))})

    def put(self, card: Card) -> None:
        """Write one as it stands now."""
        bindings = {name: getattr(card, name) for name in _CARD}
        with self.transaction():
            self._ask.run("put_card", bindings | {"is_due": int(card.is_due)})

    def holder(self, path: str) -> str | None:
        """Return the card that a file belongs to."""
        found = self._ask.value("holder", {"path": path})
        return None if found is None else str(found)

    def _cards(self, statement: str, bindings: dict[str, object] | None = None) -> list[Card]:
        rows = [dict(zip(_CARD, row, strict=True)) for row in self._ask.rows(statement, bindings)]
        return [Card(**row | {"is_due": bool(row["is_due"])}) for row in rows]

    def in_folder(self, area: str, folder: str) -> dict[str, tuple[int, int]]:
        """Return what was seen in one folder: of each file its size and age."""
        rows = self._ask.rows("in_folder", {"area": area, "folder": folder})
        return {name: (size, modified) for name, size, modified in rows}

    def see(self, area: str, folder: str, files: Collection[Lying], gone: Collection[str]) -> None:
        """Take note of files that are new or changed, and of those that have gone."""
        place = {"area": area, "folder": folder}
        if not files and not gone:
            return
        with self.transaction():
            self._ask.run_all("put_seen", [each._asdict() for each in files])
            self._ask.run_all("drop_seen", [place | {"name": name} for name in gone])

    def keep_folders(self, area: str, kept: Collection[str]) -> None:
        """Take note that no other folders are left."""
        gone = [row[0] for row in self._ask.rows("folders", {"area": area}) if row[0] not in kept]
        if gone:
            with self.transaction():
                rows = [{"area": area, "folder": folder} for folder in gone]
                self._ask.run_all("drop_folder", rows)

    def has_documents(self) -> bool:
        """Say whether any document was seen."""
        return bool(self._ask.value("has_documents"))

    def named(self, words: Collection[str]) -> list[Named]:
        """Return the documents that one of these words may name."""
        rows = self._ask.rows("named", {"words": json.dumps(list(words)), "limit": MOST})
        return [Named._make(row) for row in rows]

    def mention(self, documents: Iterable[Named], at: int) -> None:
        """Take note that somebody has named documents."""
        with self.transaction():
            rows = [{"folder": each.folder, "name": each.name, "at": at} for each in documents]
            self._ask.run_all("mention", rows)

    def unread(self, limit: int) -> list[Unread]:
        """Return documents that others may be the same as, and nobody has compared yet."""
        return [Unread._make(row) for row in self._ask.rows("unread", {"limit": limit})]

    def read(self, documents: Iterable[tuple[Unread, str]]) -> None:
        """Take note of what documents hold, by their digests."""
        with self.transaction():
            rows = [each._asdict() | {"digest": digest} for each, digest in documents]
            self._ask.run_all("read", rows)

    def orphaned(self, before: int) -> list[Found]:
        """Return documents without text and extraction that nobody has named since."""
        rows = self._ask.rows("orphaned", {"before": before, "limit": MOST})
        return [Found(folder, name, modified) for folder, name, modified in rows]

    def stale(self) -> list[Found]:
        """Return documents that are newer than their text, and where that lies."""
        return [
            Found(folder, name, modified, f"{at}/{text}" if at else text)
            for folder, name, modified, at, text in self._ask.rows("stale", {"limit": MOST})
        ]

    def same(self) -> list[Found]:
        """Return documents that hold the same, in order of what they hold."""
        return [_found(row) for row in self._ask.rows("same", {"limit": MOST})]

    def alike(self, area: str) -> list[Found]:
        """Return files whose names say the same, wherever they lie, in order of these."""
        rows = self._ask.rows("alike", {"area": area, "limit": MOST})
        return [_found(row) for row in rows]


def _found(row: tuple[Any, ...]) -> Found:
    by, folder, name, modified = row
    return Found(folder, name, modified, by)


def open_workspace(path: Path, engine: Engine) -> SqliteWorkspace:
    """Open what a workspace knows of its cards and files, making or upgrading it."""
    known = steps("workspace")
    with ExitStack() as stack, told(path):
        connection = Connection(path, engine)
        stack.callback(connection.close)
        refuse_newer(connection, known)
        connection.prepare()
        migrate(connection, known, lambda: None)
        connection.settle()
        stack.pop_all()
    return SqliteWorkspace(connection)
