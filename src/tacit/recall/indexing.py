"""Indexing: the messages of the transcript become passages that can be found.

Reads behind a cursor of its own, which goes on in the same transaction as what was read, so each
message is in the index once, whatever is killed when. What an older analyser indexed is done anew.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from tacit.recall.analyse import VERSION
from tacit.store.index_port import Passage
from tacit.transcript.prompt.spans import own_words_first
from tacit.transcript.turns import payload_of, shown, text_of

if TYPE_CHECKING:
    from tacit.model.event import Record
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory

CURSOR, ANALYSER = "indexed", "analyser"
CHUNK = 64
# kind of event -> who is heard in it; prompts that the client made itself are nobody's
_ROLES = {
    "prompt": "user",
    "reply": "assistant",
    "agent_reply": "assistant",
    "message": "tool",
    "tool_use": "tool",
    "tool_failure": "tool",
}
_LONGEST = {"user": 8000, "assistant": 3000, "tool": 1000}
_SPEAKER = re.compile(r"\s*([^\W\d_][\w .'-]{0,30}?)\s*:\s")


class Indexer:
    """Keeps one group's index in step with its transcript."""

    def __init__(self, transcript: Store, store: SqliteMemory) -> None:
        self._transcript = transcript
        self._store = store

    def waiting(self) -> int:
        """Return how many events are not in the index yet."""
        return max(0, self._transcript.head().seq - self._store.jobs.number(CURSOR))

    def advance(self, until: float | None = None) -> None:
        """Index what has come, until then at most, by the clock that never jumps."""
        if not self._is_current():
            self._begin_anew()
        while self.waiting() and (until is None or time.monotonic() < until):
            self.go_on()

    def go_on(self) -> None:
        """Index the next stretch; inside another transaction it costs no second commit."""
        if not self._is_current():
            return
        with self._store.transaction():
            seq = self._store.jobs.number(CURSOR)
            records = self._transcript.behind(seq, CHUNK)
            self._store.index.put(*filter(None, map(_passage, records)))
            seq = records[-1].seq if records else seq
            self._store.jobs.set_number(CURSOR, seq)

    def _is_current(self) -> bool:
        """Say whether what is indexed was taken apart by this analyser."""
        return self._store.jobs.number(ANALYSER) == VERSION

    def _begin_anew(self) -> None:
        """Empty the index, and fill it with what stands in the memory itself."""
        with self._store.transaction():
            self._store.index.empty()
            memories, sessions = self._store.index.unfound()
            for memory in memories:
                self._store.memories.find_again(memory)
            for session in sessions:
                for summary in self._store.actions.summaries(session):
                    self._store.actions.put_summary(summary)
            self._store.jobs.set_number(CURSOR, 0)
            self._store.jobs.set_number(ANALYSER, VERSION)


def _passage(record: Record) -> Passage | None:
    """Return what is found of an event; None if nothing is."""
    role = _ROLES.get(record.kind)
    if role is None or record.body is None:
        return None
    text = said(record, role)
    if not text.strip():
        return None
    speaker = _SPEAKER.match(text) if record.via != "live" else None
    return Passage(
        layer="message",
        subject=record.id,
        session=record.session,
        turn=record.turn,
        project=record.project or None,
        role=role,
        at=record.at,
        text=text,
        speaker=speaker.group(1).casefold() if speaker else "",
        is_placed=role != "tool",
    )


def said(record: Record, role: str) -> str:
    """Return what of an event is found again: what was said, or what a tool was given and gave."""
    if record.kind in {"tool_use", "tool_failure"}:
        payload = payload_of(record)
        given = shown(payload.get("tool_input"))
        told = shown(payload.get("tool_response", payload.get("error")))
        half = _LONGEST[role] // 2
        return f"{record.tool or ''} {given[:half]} {told[:half]}"
    text = text_of(record)
    return (own_words_first(text) if role == "user" else text)[: _LONGEST[role]]
