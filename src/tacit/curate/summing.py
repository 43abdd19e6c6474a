"""Summing up: what a session came to, as things stand.

What was forgotten since is told in no part of it; what holds no longer is not what was learned. A
summary is made anew with the same job that changes what it tells, so a rebuild makes the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.curate.rules.words import stems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.curate.extract import Extractor
    from tacit.model.action import Note
    from tacit.store.sqlite.memory import SqliteMemory


class Summing:
    """Keeps one group's summaries in step with its notes and memories."""

    def __init__(self, store: SqliteMemory, extractor: Extractor) -> None:
        self._store = store
        self._summarise = extractor.summarise

    def write(self, session: str, project: str | None, *, is_final: bool) -> None:
        """Write down what a session came to so far; nothing if it came to nothing."""
        actions = self._store.actions
        notes = actions.notes(session)
        actions.drop_stale(session)
        if self._summarise is None or not notes:
            actions.remove_summary(session)
            return
        forgotten = self._store.evidence.forgotten_in(session)
        waiting = [each for each in actions.found("session", session) if each.status == "pending"]
        learned = self._store.memories.learned_in(session)
        made = self._summarise(without(notes, forgotten), learned, waiting)
        actions.put_summary(replace(made, project=project, is_final=is_final))

    def catch_up(self) -> None:
        """Make the summaries anew that tell what holds no longer."""
        for session in self._store.actions.stale():
            for known in self._store.actions.summaries(session):
                self.write(session, known.project, is_final=known.is_final)
            self._store.actions.drop_stale(session)


def without(notes: Sequence[Note], forgotten: Sequence[str]) -> list[Note]:
    """Return what turns came to, but for what tells something that was forgotten."""
    return [
        replace(
            each,
            asked="" if tells(each.asked, forgotten) else each.asked,
            done="" if tells(each.done, forgotten) else each.done,
        )
        for each in notes
    ]


def tells(text: str, forgotten: Sequence[str]) -> bool:
    """Say whether a text says all that one of the statements says, in whatever order."""
    said = stems(text)
    return any(words and words <= said for words in map(stems, forgotten))
