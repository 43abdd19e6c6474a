"""Of what use it was: what a session was told is looked for in what it did afterwards.

A memory was of use if its words, or a name, a path or a number of it, turn up in a later reply or
in what a tool was given, and the user has not just said them. A user who says it all again was not
heard: that counts as a need for it. Reads the transcript behind a cursor of its own.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tacit.recall.analyse import tokens
from tacit.store.told_port import USES
from tacit.transcript.turns import payload_of, shown, text_in

if TYPE_CHECKING:
    from tacit.model.event import Record
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory

CURSOR = USES
CHUNK = 256
LOOKED_AT = 4000  # letters of each text
_REPEATED, _USED, _FEWEST = 0.7, 0.6, 3
_LEAST_NAME = 4
_LATELY = 6  # prompts and replies back
_TOLD_IN = frozenset(("reply", "agent_reply"))
_DONE_IN = frozenset(("tool_use", "tool_failure"))


def find(store: SqliteMemory, transcript: Store, until: float | None = None) -> None:
    """Look at what has happened since the last time, until then at most."""
    seq, head = store.jobs.number(CURSOR), transcript.head().seq
    if seq < head and not store.told.is_any_heard():
        store.jobs.set_number(CURSOR, head)
        return
    while seq < head and (until is None or time.monotonic() < until):
        records = transcript.behind(seq, CHUNK)
        if not records:
            return
        seen = _Sessions(store, transcript)
        for record in records:
            if record.kind == "prompt" or record.kind in _TOLD_IN or record.kind in _DONE_IN:
                seen.look(record)
        seq = records[-1].seq
        store.jobs.set_number(CURSOR, seq)


class _Sessions:
    """What the sessions of a stretch of the transcript were told, and have just been asked."""

    def __init__(self, store: SqliteMemory, transcript: Store) -> None:
        self._store = store
        self._transcript = transcript
        self._told: dict[str, dict[str, tuple[int, frozenset[str]]]] = {}
        self._asked: dict[str, frozenset[str]] = {}

    def look(self, record: Record) -> None:
        """See whether an event makes use of what its session was told before it."""
        told = self._told_before(record)
        if not told:
            return
        said = frozenset(tokens(_text(record)[:LOOKED_AT]))
        if record.kind == "prompt":
            is_users = record.origin == "user"
            self._asked[record.session] = said if is_users else frozenset()
            for memory, words in told.items() if is_users else ():
                if _share(words, said) >= _REPEATED:
                    self._store.told.use(memory, record.session, used=False, repeated=True)
            return
        said -= self._asked_before(record)
        for memory, words in told.items():
            if _is_used(words, said):
                self._store.told.use(memory, record.session, used=True, repeated=False)

    def _told_before(self, record: Record) -> dict[str, frozenset[str]]:
        """Return the words of what a session was told before an event; the event is no answer."""
        if record.session not in self._told:
            first: dict[str, int] = {}
            for heard in self._store.told.heard_in(record.session):
                first.setdefault(heard.memory, heard.at)
            memories = [self._store.memories.get(name) for name in first]
            self._told[record.session] = {
                each.id: (first[each.id], frozenset(tokens(each.content)))
                for each in memories
                if each
            }
        told = self._told[record.session].items()
        return {memory: words for memory, (at, words) in told if at < record.at}

    def _asked_before(self, record: Record) -> frozenset[str]:
        """Return the words of the last prompt before an event, which may lie far back."""
        if record.session not in self._asked:
            lately = self._transcript.lately(record.session, record.seq, _LATELY)
            prompts = [each for each in lately if each.kind == "prompt" and each.origin == "user"]
            said = _text(prompts[-1])[:LOOKED_AT] if prompts else ""
            self._asked[record.session] = frozenset(tokens(said))
        return self._asked[record.session]


def _is_used(words: frozenset[str], said: frozenset[str]) -> bool:
    """Say whether words turn up: most of them, or one that is a name."""
    common = words & said
    if any(_is_name(word) for word in common):
        return True
    return len(common) >= _FEWEST and _share(words, said) >= _USED


def _is_name(word: str) -> bool:
    """Say whether a token is a path, an identifier or a number rather than a word."""
    has_sign = any(char in "._/:-" or char.isdigit() for char in word)
    return len(word) >= _LEAST_NAME and has_sign


def _share(words: frozenset[str], said: frozenset[str]) -> float:
    return len(words & said) / len(words) if len(words) >= _FEWEST else 0.0


def _text(record: Record) -> str:
    payload = payload_of(record)
    if record.kind not in _DONE_IN:
        return text_in(record, payload)
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return shown(given)
    return " ".join(each for each in given.values() if isinstance(each, str))
