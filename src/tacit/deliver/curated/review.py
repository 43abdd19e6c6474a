"""Reviewing: how the six files stand, what was edited in them, and what becomes of it.

Only the owner's word lets an edit count, and only of an edit that was shown. Accepted, the lines of
a page become decisions, which are events, so that a rebuild keeps them; rejected, the file says
again what it is to say. What is written meanwhile is neither: it stays, and waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.deliver.curated import deployed, edits, keep, place, selection
from tacit.deliver.curated import ledger as ledgers
from tacit.deliver.curated.desk import sheets
from tacit.deliver.curated.edits import Edited
from tacit.deliver.curated.gather import MOST
from tacit.deliver.curated.names import DEPLOYED, LIMITS, SIX
from tacit.deliver.curated.sheet import Entry
from tacit.errors import FileRefused

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tacit.deliver.curated.desk import Desk
    from tacit.deliver.curated.edits import Hunk
    from tacit.deliver.curated.ledger import Ledger
    from tacit.deliver.curated.selection import Selection
    from tacit.deliver.curated.sheet import Sheet

_UNKNOWN = "(a line that is no longer known)"
_REMOVED = "it was removed"
_TRIES = 3
_LOST = "and what was deployed is not known any more: deploy it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStatus:
    """How one of the six files stands."""

    name: str
    path: str
    lines: int
    limit: int
    state: str  # kept, edited, missing or refused
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file as it was read once: the edit in it, where it differs, and what lay there."""

    edit: Edited
    hunks: Sequence[Hunk] = ()
    disk: place.Disk


def changed(name: str) -> FileRefused:
    """Return the refusal of an edit that nobody was shown."""
    return FileRefused(
        f"{name} was not shown as it is now, or changed meanwhile: look again with "
        f"`tacit files diff {name}`."
    )


def status(desk: Desk) -> list[FileStatus]:
    """Return how each of the six files stands."""
    if not place.exists(desk.files):
        return [_status(desk, Edited(name=name), place.Disk()) for name in SIX]
    with place.opened(desk.files) as folder:
        return [_status(desk, each.edit, each.disk) for each in _all(desk, folder)]


def edited(desk: Desk) -> list[Edited]:
    """Return what was changed by hand and waits for the owner."""
    return [each.edit for each in readings(desk)]


def readings(desk: Desk) -> list[Reading]:
    """Return each file that was changed by hand, as it is read now."""
    if not place.exists(desk.files):
        return []
    with place.opened(desk.files) as folder:
        return [each for each in _all(desk, folder) if each.edit]


def show(desk: Desk, name: str | None = None) -> list[Edited]:
    """Return what was changed by hand, in one file or in all, and note that the owner saw it."""
    found = [each for each in readings(desk) if name in {None, each.edit.name}]
    for each in found:
        desk.store.jobs.set_number(f"shown {each.edit.name}", _fingerprint(desk, each))
    return [each.edit for each in found]


def is_shown(desk: Desk, reading: Reading) -> bool:
    """Say whether exactly this edit is the last one that the owner saw of a file."""
    known = desk.store.jobs.number(f"shown {reading.edit.name}")
    return known == _fingerprint(desk, reading)


def _fingerprint(desk: Desk, reading: Reading) -> int:
    """Return what tells an edit from any other; of a deployed file all of it counts."""
    edit = reading.edit
    said = [edit.removed, edit.added, edit.steps, edit.trouble]
    text = reading.disk.text if edit.name in DEPLOYED else ""
    return int(desk.marker.seal(repr((edit.name, said, text)))[:15], 16)


def settle(desk: Desk, name: str, reading: Reading | None = None) -> None:
    """Let a file say again what it is to say; what was edited in it is gone.

    Only what was read, if that is given: what was edited since stays.
    """
    with place.alone(desk.files) as folder:
        if name in DEPLOYED:
            _settle_deployed(desk, folder, name, reading)
            return
        for _ in range(_TRIES):
            if _settle_page(desk, folder, name, reading):
                return
    raise changed(name)


def _settle_page(desk: Desk, folder: int, name: str, reading: Reading | None) -> bool:
    """Write a page without what was read in it; say whether nobody came in between."""
    ledger = ledgers.read(folder, desk.marker)
    sheet = sheets(desk, selected=ledger.selected)[name]
    now = _edit(desk, folder, ledger, name, sheet)
    left = edits.left(now.hunks, reading.hunks) if reading else []
    text = edits.kept(left, sheet.lines, desk.marker) if left else sheet.text
    record = desk.marker.record(sheet.lines, text)
    over = {name: now.disk} if now.disk.text is not None else {}
    return keep.write(desk, folder, ledger, keep.Due({name: text}, {name: record}, over))


def _settle_deployed(desk: Desk, folder: int, name: str, reading: Reading | None) -> None:
    ledger = ledgers.read(folder, desk.marker)
    text = deployed.told(folder, desk.marker, ledger, name)
    if reading and place.look(folder, name) != reading.disk:
        raise changed(name)
    if text is None:
        place.remove(folder, name)
    else:
        place.write(folder, name, text, place.READ_ONLY)


def adopt(desk: Desk, name: str, reading: Reading | None = None) -> None:
    """Let what a deployed file says now be what is deployed, if it is what was read."""
    with place.alone(desk.files) as folder:
        disk = place.look(folder, name)
        if reading and disk != reading.disk:
            raise changed(name)
        text = deployed.checked(name, (disk.text or "").encode())
        ledger = ledgers.read(folder, desk.marker)
        deployed.put(folder, desk.marker, ledger, name, text, disk)


def erase(desk: Desk, ids: Collection[str], words: Collection[str]) -> None:
    """Let lines that wait as edits go, if they hold these words or stand for these memories."""
    with place.alone(desk.files) as folder:
        for each in (found.edit for found in _all(desk, folder)):
            stands = {step.text for step in each.steps if step.id in ids}
            doomed = [
                line
                for line in each.added
                if edits.bare(line) in stands or any(word in line for word in words)
            ]
            if doomed and each.name not in DEPLOYED:
                text = place.look(folder, each.name).text or ""
                left = [line for line in text.split("\n") if line.rstrip() not in doomed]
                place.write(folder, each.name, "\n".join(left))


def select(desk: Desk, name: str, ids: Sequence[str]) -> Selection:
    """Let these memories stand on a page in this order; refuse what loses too much of it."""
    with place.alone(desk.files) as folder:
        ledger = ledgers.read(folder, desk.marker)
        found = desk.store.told.curated(None, desk.now, MOST)
        page = sheets(desk, selected=ledger.selected)[name]
        shown = [each.id for each in page.lines if each.id]
        ledger.selected[name] = selection.made(name, found, shown, ids, desk.now)
        ledgers.write(folder, desk.marker, ledger)
        return ledger.selected[name]


def pages(desk: Desk) -> dict[str, tuple[tuple[tuple[str, str], ...], str]]:
    """Return each file as (id, line) of its memories, or its text if it is deployed."""
    if not place.exists(desk.files):
        return {}
    with place.opened(desk.files) as folder:
        ledger = ledgers.read(folder, desk.marker)
        made = sheets(desk, selected=ledger.selected)
        told = {name: deployed.told(folder, desk.marker, ledger, name) for name in DEPLOYED}
    found = {
        name: (tuple((each.id, each.line) for each in sheet.lines if _is_memory(each)), "")
        for name, sheet in made.items()
    }
    return found | {name: ((), text) for name, text in told.items() if text}


def _is_memory(entry: Entry) -> bool:
    return entry.id.startswith("mem-")


def _status(desk: Desk, edit: Edited, disk: place.Disk) -> FileStatus:
    state = "refused" if disk.trouble else "edited" if edit else "kept"
    return FileStatus(
        name=edit.name,
        path=str(place.directory(desk.files) / edit.name),
        lines=len((disk.text or "").splitlines()),
        limit=LIMITS[edit.name],
        state=state if disk.is_there or edit else "missing",
        trouble=edit.trouble,
    )


def _all(desk: Desk, folder: int) -> list[Reading]:
    ledger = ledgers.read(folder, desk.marker)
    pages = sheets(desk, selected=ledger.selected)
    return [_edit(desk, folder, ledger, name, pages.get(name)) for name in SIX]


def _edit(desk: Desk, folder: int, ledger: Ledger, name: str, page: Sheet | None) -> Reading:
    """Return how a file differs from what we wrote, whoever has changed it."""
    disk = place.look(folder, name)
    if disk.text is None:
        is_gone = not disk.trouble and page is None and name in ledger.files
        trouble = _gone(desk, folder, ledger, name) if is_gone else disk.trouble
        return Reading(edit=Edited(name=name, trouble=trouble), disk=disk)
    now = desk.marker.marked(disk.text)
    if len(now) > edits.MOST_LINES:
        edit = Edited(name=name, trouble=f"it has more than {edits.MOST_LINES} lines")
        return Reading(edit=edit, disk=disk)
    lines = page.lines if page else _deployed(desk, folder, ledger, name)
    known = ledger.record(name, desk.marker.mark(disk.text)) or desk.marker.record(lines, "")
    found = edits.hunks(known.lines, now)
    shown = {desk.marker.mark(each.line): each.line for each in lines}

    def worded(id_: str) -> str:
        return desk.words(id_) or _UNKNOWN

    gone = [each for hunk in found for each in hunk.gone]
    edit = Edited(
        name=name,
        removed=[worded(each.id) if each.id else shown.get(each.mark, _UNKNOWN) for each in gone],
        added=[line for hunk in found for line in hunk.came],
        steps=edits.steps(name, found, worded) if page else [],
    )
    return Reading(edit=edit, hunks=found, disk=disk)


def _gone(desk: Desk, folder: int, ledger: Ledger, name: str) -> str:
    """Say what it means that a deployed file is not there."""
    text = deployed.told(folder, desk.marker, ledger, name)
    return _REMOVED if text is not None else f"{_REMOVED}, {_LOST}"


def _deployed(desk: Desk, folder: int, ledger: Ledger, name: str) -> list[Entry]:
    text = deployed.told(folder, desk.marker, ledger, name) or ""
    return [Entry(line) for line in text.split("\n")]
