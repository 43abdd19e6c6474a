"""Following the transcript: which cards it speaks of, and which documents it names.

Reads behind its own cursor, which is kept with the cards in one transaction, so that whatever is
killed when, nothing is passed over. A transcript that is another one is followed from its
beginning: that changes nothing, since what an event says of a card is always the same.
"""

from __future__ import annotations

import re
import time
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.curate.decisions import KIND as DECISION
from tacit.curate.decisions import decided
from tacit.store.sqlite.workspace import CLOSED, OPEN, Card
from tacit.workspace.canvas import CLOSE, CREATE, said

if TYPE_CHECKING:
    from tacit.model.event import Record
    from tacit.store.sqlite.transcript import SqliteStore
    from tacit.store.sqlite.workspace import SqliteWorkspace
    from tacit.workspace.canvas import Canvas, Said

CHUNK = 64
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|.)")
_WORD = re.compile(r"\w+")
_STATES = {CREATE: OPEN, CLOSE: CLOSED}


class Follower:
    """Follows the transcript of one workspace."""

    def __init__(self, transcript: SqliteStore, store: SqliteWorkspace, canvas: Canvas) -> None:
        self._transcript = transcript
        self._store = store
        self._canvas = canvas

    def advance(self, until: float | None = None) -> bool:
        """Read on, until then at most; say whether all was read."""
        seq = self._begun()
        is_watching = self._store.has_documents()
        while records := self._transcript.behind(seq, CHUNK):
            with self._store.transaction():
                for record in records:
                    self._take(record)
                    if is_watching:
                        self._note_names(record)
                seq = records[-1].seq
                self._store.follow(seq, records[-1].chain)
            if until is not None and time.monotonic() >= until:
                return self._transcript.head().seq <= seq
        return True

    def _begun(self) -> int:
        """Return up to where it was read; nothing counts of a transcript that is another one."""
        seq, chain = self._store.followed()
        return seq if self._transcript.chain_at(seq) == chain else 0

    def _take(self, record: Record) -> None:
        """Take note of what one event says of cards."""
        if record.kind == DECISION:
            told = decided(record)
            gone = told.decision.erased if told and told.origin == "owner" else ()
            for card in self._store.said_by(gone) if gone else ():
                self._store.put(replace(card, is_due=True))
            return
        spoken = said(record, self._canvas)
        if spoken is not None:
            self._store.put(self._changed(spoken, record))

    def _changed(self, spoken: Said, record: Record) -> Card:
        """Return a card as it stands after an event."""
        known = self._store.card(spoken.card) or Card(card=spoken.card, at=record.at)
        return replace(
            known,
            state=_STATES.get(spoken.does, known.state),
            titled=known.titled if spoken.title is None else record.id,
            filled=known.filled if spoken.body is None else record.id,
            at=record.at,
            is_due=True,
        )

    def _note_names(self, record: Record) -> None:
        """Take note of the documents that an event names."""
        if record.body is None:
            return
        text = plain(_ESCAPE.sub(" ", record.body.decode("utf-8", "replace")))
        named = self._store.named(set(_WORD.findall(text)))
        found = [each for each in named if each.stem in text]
        if found:
            self._store.mention(found, record.received)


def plain(text: str) -> str:
    """Return a text as names are compared: one form of each letter, no case."""
    folded = text.casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def telling(stem: str) -> str:
    """Return the word that tells a name from others: one with digits, the last, else the longest.

    Where it does not occur, the name does not.
    """
    words = _WORD.findall(stem)
    numbered = [word for word in words if any(char.isdigit() for char in word)]
    return numbered[-1] if numbered else max(words, key=len, default="")
