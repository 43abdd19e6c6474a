"""The desk: all that the pages of one group are made with, and the four pages made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.deliver.curated import gather, scan
from tacit.deliver.curated.gather import Scope
from tacit.deliver.curated.ledger import Marker
from tacit.deliver.curated.names import PAGES, RENDERED
from tacit.deliver.curated.sheet import Entry, Sheet, laid_out

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tacit.deliver.curated.selection import Selection
    from tacit.store.port import RootRow, Store
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.transcript.files import Files


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a home gives to all its groups: its key, what takes secrets out, what is private."""

    key: bytes
    clean: Callable[[str], str]
    private: tuple[str, ...] = ()
    threshold: float = 0.45  # of relevance to the last prompt

    @property
    def marker(self) -> Marker:
        """Return what makes the digests of this home."""
        return Marker(self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One group as its pages need it: where they lie, what is remembered, and when that is."""

    files: Files
    surroundings: Surroundings
    store: SqliteMemory
    transcript: Store
    now: int

    @property
    def marker(self) -> Marker:
        """Return what makes the digests of this home."""
        return self.surroundings.marker

    def words(self, name: str) -> str | None:
        """Return the words of a memory or an action; None if there is none any more."""
        is_action = name.startswith("act-")
        found = self.store.actions.get(name) if is_action else self.store.memories.get(name)
        return found.content if found else None

    def scope(self, projects: tuple[str, ...] | None = None) -> Scope:
        """Return what pages are about; if that is several projects, each is told by its name."""
        roots = self.transcript.roots()
        names = {row.key: row.name for row in roots}
        is_one = projects is not None or len({row.joined or row.key for row in roots}) <= 1
        labels = {} if is_one else {row.key: names[row.joined or row.key] for row in roots}
        return Scope(projects=projects, now=self.now, labels=labels)


def sheets(
    desk: Desk,
    projects: tuple[str, ...] | None = None,
    selected: Mapping[str, Selection] | None = None,
) -> dict[str, Sheet]:
    """Return the four pages as they are now, of these projects or of all."""
    parts = gather.parts(desk.store, desk.scope(projects), selected)
    levels = _levels(desk, desk.transcript.roots(), projects)
    parts["levels"] = gather.listed([Entry(desk.surroundings.clean(line)) for line in levels])
    return {name: laid_out(PAGES[name], parts) for name in RENDERED}


def _levels(desk: Desk, roots: Sequence[RootRow], projects: tuple[str, ...] | None) -> list[str]:
    """Return what lies at the top levels of a workspace, or of the projects, the newest first."""
    private = desk.surroundings.private
    if desk.files.workspace:
        return scan.lines([str(desk.files.workspace)], private)
    chosen = [each.root for each in roots if projects is None or each.key in projects]
    return scan.lines([*dict.fromkeys(reversed(chosen))], private)
