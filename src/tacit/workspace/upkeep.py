"""Upkeep: what somebody should look at in a workspace is asked about; nothing is changed.

Missing folders are made, and that is all that is ever done here by itself. What the rules find
depends on what lies in the folders and on what was said, and on the clock only for how long nobody
has named a document.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tacit.curate.attention import CORRECTED, Rule
from tacit.transcript.wire import TOOL_KINDS
from tacit.workspace import layout, rules
from tacit.workspace.looking import SAMPLED, Looker
from tacit.workspace.rules import Reason, bounded, several, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tacit.settings import Settings
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.sqlite.workspace import Card, Found, SqliteWorkspace
    from tacit.workspace.raising import Raiser

_HOUR_NS = 3600 * 1_000_000_000
_TOUCHED = b"extractions/"


def conflicts(raiser: Raiser, cards: Iterable[Card]) -> None:
    """Ask about the files that were changed by hand while their card changed as well."""
    reasons = [
        Reason(
            card.beside,
            card.at,
            rules.CONFLICT.text.format(
                what=shown(f"{layout.PROJECTS}/{card.path}"),
                other=shown(f"{layout.PROJECTS}/{card.beside}"),
            ),
        )
        for card in cards
        if card.beside
    ]
    raiser.settle(rules.CONFLICT, bounded(rules.CONFLICT, reasons, "cards"))


def unwritten(raiser: Raiser, cards: Iterable[Card]) -> None:
    """Ask about the files that cannot be written."""
    reasons = [
        Reason(
            card.path or card.card,
            card.at,
            rules.UNWRITTEN.text.format(
                what=shown(f"{layout.PROJECTS}/{card.path or card.card}"), why=card.trouble
            ),
        )
        for card in cards
    ]
    raiser.settle(rules.UNWRITTEN, bounded(rules.UNWRITTEN, reasons, "cards"))


class Upkeep:
    """Looks after one workspace."""

    def __init__(
        self,
        workspace: Path,
        store: SqliteWorkspace,
        transcript: Store,
        memory: SqliteMemory,
        chosen: Settings,
    ) -> None:
        self._workspace = workspace
        self._store = store
        self._transcript = transcript
        self._memory = memory
        self._hours = int(chosen.value("upkeep.orphaned_hours"))
        self._corrections = int(chosen.value("upkeep.corrections"))

    def steps(self, raiser: Raiser, now_ns: int) -> Iterator[None]:
        """Look after everything once, step by step."""
        layout.fill(self._workspace)
        yield
        looker = Looker(self._workspace, self._store, now_ns)
        yield from looker.steps()
        text = rules.CROWDED.text.format(count=rules.CROWDED.threshold)
        raiser.settle(rules.CROWDED, [Reason("files", 0, text)] if looker.is_cut else [])
        for rule, reasons, what in (
            (rules.ORPHANED, self._orphaned(now_ns), "documents"),
            (rules.STALE, self._stale(), "documents"),
            (rules.SAME, self._groups(self._store.same(), rules.SAME), "documents"),
            (rules.ALIKE, self._alike(), "documents"),
            (rules.PROJECTS, self._projects(), "projects"),
            (rules.EXTRACTION, self._corrected(), "topics"),
        ):
            raiser.settle(rule, bounded(rule, reasons, what))
            yield

    def _orphaned(self, now_ns: int) -> Iterator[Reason]:
        """Yield documents that nobody has read, and nobody has named for long."""
        for each in self._store.orphaned(now_ns - self._hours * _HOUR_NS):
            path = _path(layout.DOCUMENTS, each)
            text = rules.ORPHANED.text.format(what=shown(path), hours=self._hours)
            yield Reason(path, each.modified, text)

    def _stale(self) -> Iterator[Reason]:
        """Yield documents that were changed after they were read."""
        for each in self._store.stale():
            path = _path(layout.DOCUMENTS, each)
            text = rules.STALE.text.format(what=shown(path), other=shown(f"{layout.OCR}/{each.by}"))
            yield Reason(path, each.modified, text)

    def _alike(self) -> list[Reason]:
        """Return documents of like names; those that hold the same are asked about as such."""
        same = {(each.folder, each.name) for each in self._store.same()}
        found = [
            each
            for each in self._store.alike(layout.DOCUMENTS)
            if (each.folder, each.name) not in same
        ]
        return self._groups(found, rules.ALIKE)

    def _projects(self) -> list[Reason]:
        return self._groups(
            self._store.alike(layout.PROJECTS), rules.PROJECTS, area=layout.PROJECTS
        )

    def _groups(
        self, found: Iterable[Found], rule: Rule, area: str = layout.DOCUMENTS
    ) -> list[Reason]:
        """Return a reason for each group of files that were found by the same."""
        groups: dict[str, list[Found]] = defaultdict(list)
        for each in found:
            groups[each.by].append(each)
        return [
            Reason(
                paths[0],
                max(each.modified for each in group),
                (rules.SEEMING if by.startswith(SAMPLED) else rule.text).format(
                    what=several(paths)
                ),
            )
            for by, group in groups.items()
            if len(group) >= rule.threshold
            for paths in [[_path(area, each) for each in group]]
        ]

    def _corrected(self) -> list[Reason]:
        """Return what was corrected again and again in turns that touched extractions."""
        asked = {
            each.quote for each in self._memory.actions.found("event", f"rule:{CORRECTED.name}")
        }
        turns: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
        for topic, session, turn, at in self._memory.evidence.corrected(self._corrections):
            if topic not in asked and self._touches(session, turn):
                turns[topic].setdefault((session, turn), at)
        often = [topic for topic, where in turns.items() if len(where) >= self._corrections]
        # the same turns may be about several topics: one of these is enough
        topics = {frozenset(turns[topic]): topic for topic in sorted(often, reverse=True)}
        return [
            Reason(
                topic,
                sorted(turns[topic].values())[self._corrections - 1],
                rules.EXTRACTION.text.format(count=len(where), topic=shown(topic)),
            )
            for where, topic in topics.items()
        ]

    def _touches(self, session: str, turn: str) -> bool:
        """Say whether a tool had to do with an extraction in a turn."""
        records = self._transcript.of_session(session, turn) if turn else []
        return any(
            record.kind in TOOL_KINDS and _TOUCHED in (record.body or b"") for record in records
        )


def _path(area: str, found: Found) -> str:
    return "/".join(part for part in (area, found.folder, found.name) if part)
