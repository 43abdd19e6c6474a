"""Keeping: four pages are made again when what they say has changed; edits by hand stay in them.

The store counts what changes, so nothing is made for nothing. A file is written in one piece and
only when it changed. What somebody has edited is never taken for ours: the ledger knows every line
that we wrote, and whatever is killed when, it knows still.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zlib import crc32

from tacit.deliver.curated import edits, imported, place, relevant
from tacit.deliver.curated import ledger as ledgers
from tacit.deliver.curated.desk import sheets
from tacit.deliver.curated.names import RENDERED, SIX
from tacit.errors import StoreBusy
from tacit.model.memory import DAY_NS

if TYPE_CHECKING:
    from tacit.deliver.curated.desk import Desk
    from tacit.deliver.curated.edits import Hunk
    from tacit.deliver.curated.ledger import Ledger, Record
    from tacit.deliver.curated.place import Disk
    from tacit.deliver.curated.sheet import Sheet

_CURATED = "curated"


@dataclass(slots=True)
class Due:
    """What is to be written: texts by their file, the records that go with them, and over what."""

    texts: dict[str, str] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    over: dict[str, Disk] = field(default_factory=dict)


def prepare(desk: Desk, until: float | None = None) -> int:
    """Make what has changed again, until then at most; return how much is still due."""
    if not desk.store.told.changes() and not place.exists(desk.files):
        return 0
    if until is not None and time.monotonic() >= until:
        return 1
    with place.opened(desk.files) as folder:
        is_current = desk.store.jobs.number(_CURATED) == _stamp(desk, folder)
    if is_current and not relevant.is_due(desk):
        return 0
    try:
        with place.alone(desk.files, place.PATIENCE if until is None else 0.0) as folder:
            if not _make(desk, folder, is_current=is_current):
                return 1
            desk.store.jobs.set_number(_CURATED, _stamp(desk, folder))
    except StoreBusy:
        if until is None:
            raise
        return 1
    return 0


def write(desk: Desk, folder: int, ledger: Ledger, due: Due) -> bool:
    """Write what is due: first what will be there, then it, then that it is there.

    A file that somebody has just changed stays as it is: say whether there was none.
    """
    is_all = True
    if due.records:
        ledger.before = {name: ledger.files[name] for name in due.records if name in ledger.files}
        ledger.files |= due.records
        ledgers.write(folder, desk.marker, ledger)
    for name, text in due.texts.items():
        try:
            place.write(folder, name, text, place.OPEN, due.over.get(name))
        except place.Changed:
            is_all = False
            _take_back(ledger, name)
    if ledger.before:
        ledger.before = {}
        ledgers.write(folder, desk.marker, ledger)
    return is_all


def _take_back(ledger: Ledger, name: str) -> None:
    """Let what was there before be what we know of a file."""
    if name in ledger.before:
        ledger.files[name] = ledger.before[name]
    else:
        ledger.files.pop(name, None)


def _stamp(desk: Desk, folder: int) -> int:
    """Return a number that changes when what the pages are made of does, or the files do."""
    lying = [*place.stamp(folder, (*RENDERED, ledgers.NAME)), *relevant.stamp(folder)]
    lying += imported.stamp(folder)
    made_of = (desk.store.told.changes(), desk.transcript.roots(), desk.now // DAY_NS)
    return crc32(repr((made_of, desk.surroundings.private, lying)).encode("utf-8", "replace"))


def _make(desk: Desk, folder: int, *, is_current: bool) -> bool:
    """Make all pages; say whether nobody came in between."""
    ledger = ledgers.read(folder, desk.marker)
    due = Due()
    if not is_current:
        place.sweep(folder, (*SIX, ledgers.NAME, relevant.NAME))
        pages = sheets(desk, selected=ledger.selected)
        for sheet in pages.values():
            _compare(desk, folder, ledger, sheet, due)
        imported.keep(desk, folder, ledger, pages)
    is_all = write(desk, folder, ledger, due)
    relevant.keep(desk, folder, ledger)
    return is_all


def _compare(desk: Desk, folder: int, ledger: Ledger, sheet: Sheet, due: Due) -> None:
    """See what is to be written of one page: what is edited stays edited."""
    name, disk = sheet.page.name, place.look(folder, sheet.page.name)
    known = ledger.record(name, desk.marker.mark(disk.text or ""))
    found = _hunks(desk, known, sheet, disk.text)
    if disk.trouble or found is None:  # nothing that we could put in its place
        return
    text = sheet.text
    record = desk.marker.record(sheet.lines, text)
    if found and disk.text is not None:
        is_same = known is not None and known.lines == record.lines
        text = disk.text if is_same else edits.kept(found, sheet.lines, desk.marker)
        record = desk.marker.record(sheet.lines, text)
    if text != disk.text:
        due.texts[name] = text
        due.over[name] = disk
    if record != ledger.files.get(name):
        due.records[name] = record


def _hunks(desk: Desk, known: Record | None, sheet: Sheet, text: str | None) -> list[Hunk] | None:
    """Return where a file differs from what we wrote; None if there is too much of it."""
    if text is None:
        return []
    now = desk.marker.marked(text)
    if len(now) > edits.MOST_LINES:
        return None
    ours = known or desk.marker.record(sheet.lines, sheet.text)
    return [] if [mark for mark, _ in now] == ours.marks else edits.hunks(ours.lines, now)
