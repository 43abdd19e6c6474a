"""The ledger beside the curated files: what we wrote there, line by line, as keyed digests.

By it every later edit is known, whoever made it. It holds no words, so nothing has to be erased
from it; and nobody can write one without the home's own key, so a ledger that came with somebody
else's directory counts as none.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from tacit.deliver.curated import place
from tacit.deliver.curated.selection import Selection
from tacit.digest import blake2b

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.deliver.curated.sheet import Entry

NAME = "files.ledger"
_DIGEST, _SEAL = 8, 16  # bytes


@dataclass(frozen=True, slots=True)
class Line:
    """A line that we wrote: its digest, and the memory or the action that it tells."""

    mark: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """What a file said when we wrote it, and the digest of the text as it was written."""

    lines: tuple[Line, ...] = ()
    wrote: str = ""

    @property
    def marks(self) -> list[str]:
        """Return the digests of its lines."""
        return [each.mark for each in self.lines]


@dataclass(slots=True)
class Ledger:
    """What we wrote into each file; and before it, as long as the new text may not be there yet."""

    files: dict[str, Record] = field(default_factory=dict)
    before: dict[str, Record] = field(default_factory=dict)
    selected: dict[str, Selection] = field(default_factory=dict)

    def record(self, name: str, wrote: str) -> Record | None:
        """Return what we know of a file, given the digest of what it says now."""
        earlier = self.before.get(name)
        return earlier if earlier and earlier.wrote == wrote else self.files.get(name)


class Marker:
    """Makes the digests of one home."""

    def __init__(self, key: bytes) -> None:
        self._key = key[:64]

    def mark(self, text: str) -> str:
        """Return the digest of a line, or of a text."""
        return self._digest(text.strip(), _DIGEST)

    def marked(self, text: str) -> list[tuple[str, str]]:
        """Return (digest, line) of each line that says anything."""
        lines = (line.rstrip() for line in text.split("\n"))
        return [(self.mark(line), line) for line in lines if line.strip()]

    def record(self, entries: Iterable[Entry], wrote: str) -> Record:
        """Return the record of a page, of which *wrote* is what is written down."""
        lines = [Line(self.mark(each.line), each.id) for each in entries if each.line.strip()]
        return Record(tuple(lines), self.mark(wrote))

    def seal(self, text: str) -> str:
        """Return the digest that only this home can make of a whole ledger."""
        return self._digest(text, _SEAL)

    def _digest(self, text: str, size: int) -> str:
        said = text.encode("utf-8", "replace")
        return blake2b(said, digest_size=size, key=self._key).hexdigest()


def read(folder: int, marker: Marker) -> Ledger:
    """Return the ledger; an empty one if there is none, or none of ours."""
    seal, _, body = (place.look(folder, NAME).text or "").partition("\n")
    if not body or seal != marker.seal(body):
        return Ledger()
    said = json.loads(body)
    return Ledger(
        files=_records(said["files"]),
        before=_records(said["before"]),
        selected={name: _selection(each) for name, each in said["selected"].items()},
    )


def write(folder: int, marker: Marker, ledger: Ledger) -> None:
    """Write the ledger down."""
    told: dict[str, Any] = {
        "files": {name: _plain(each) for name, each in ledger.files.items()},
        "before": {name: _plain(each) for name, each in ledger.before.items()},
        "selected": {name: asdict(each) for name, each in ledger.selected.items()},
    }
    body = json.dumps(told, separators=(",", ":"))
    place.write(folder, NAME, f"{marker.seal(body)}\n{body}")


def _plain(record: Record) -> dict[str, object]:
    return {"lines": [[each.mark, each.id] for each in record.lines], "wrote": record.wrote}


def _records(said: dict[str, Any]) -> dict[str, Record]:
    return {
        name: Record(tuple(Line(mark, id_) for mark, id_ in each["lines"]), each["wrote"])
        for name, each in said.items()
    }


def _selection(said: dict[str, Any]) -> Selection:
    return Selection(tuple(said["chosen"]), tuple(said["left"]), said["at"])
