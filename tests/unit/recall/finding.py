"""What a search is tested with: passages, rows, candidates, and an embedder that counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from hypothesis import strategies as st

from contract.memories import fact, put
from tacit.errors import EmbedderUnavailable
from tacit.recall.analyse import tokens
from tacit.recall.fuse import Candidate
from tacit.recall.question import Answer, Meaning, Question
from tacit.recall.search import search
from tacit.store.index_port import Passage, Row
from unit.curate.saying import NOON

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.embed.port import Purpose, Vectors
    from tacit.store.index_port import Vector
    from unit.curate.saying import Desk

DAY_NS = 86_400 * 1_000_000_000
# every string there is: half pairs and the zero among them
ANY_TEXT = st.text(alphabet=st.characters(), max_size=60)
_SIZE = 256


def row(number: int, text: str = "", **fields: Any) -> Row:
    """Return a passage as it stands in the index; by default a memory of noon."""
    found = tokens(text)
    made: dict[str, Any] = {
        "number": number,
        "layer": "memory",
        "subject": f"mem-{number}",
        "session": "s-1",
        "turn": None,
        "project": None,
        "role": "memory",
        "speaker": "",
        "place": None,
        "at": NOON,
        "size": len(found),
        "tokens": " ".join(found),
        "importance": 3,
    }
    return Row(**(made | fields))


def heard(number: int, text: str = "", **fields: Any) -> Row:
    """Return a message as it stands in the index; by default the user's."""
    made: dict[str, Any] = {"layer": "message", "role": "user", "place": number, "turn": "t-1"}
    return row(number, text, **(made | fields))


def candidate(found: Row, alone: float = 0.0, **fields: Any) -> Candidate:
    """Return a passage that may be a hit."""
    return Candidate(row=found, alone=alone, **fields)


def message(name: str, text: str, **fields: Any) -> Passage:
    """Return a message as it is put into an index; by default the user's, of noon."""
    made: dict[str, Any] = {
        "layer": "message",
        "subject": name,
        "session": "s-1",
        "turn": "t-1",
        "project": None,
        "role": "user",
        "at": NOON,
        "text": text,
        "is_placed": True,
    }
    return Passage(**(made | fields))


def remember(desk: Desk, *contents: str, **fields: Any) -> list[str]:
    """Put memories that say these, numbered on from those there are; return their ids."""
    first = desk.store.index.stats().passages + 1
    names = [f"mem-{first + step}" for step in range(len(contents))]
    made = {"created_at": NOON, "project": None} | fields
    put(
        desk.store,
        *(fact(name, content=said, **made) for name, said in zip(names, contents, strict=True)),
    )
    return names


def ask(desk: Desk, text: str, meaning: Meaning | None = None, **fields: Any) -> Answer:
    """Ask a question at noon."""
    question = Question(text=text, **fields)
    return search(question, desk.store, desk.transcript.find, lambda: meaning, NOON)


def found(desk: Desk, text: str, meaning: Meaning | None = None, **fields: Any) -> list[str]:
    """Ask a question at noon; return the ids of the hits."""
    return [hit.id for hit in ask(desk, text, meaning, **fields).hits]


def direction(text: str) -> Vector:
    """Return a vector that is near another if their texts share words."""
    vector = np.zeros(_SIZE, np.float32)
    vector[0] = 0.01  # no text has no direction at all
    for token in tokens(text):
        vector[crc32(token.encode()) % (_SIZE - 1) + 1] += 1.0
    return vector / np.float32(np.linalg.norm(vector))


class Counting:
    """An embedder that keeps what it was asked, and fails as long as it is told to."""

    def __init__(self, model: str = "counting/1") -> None:
        self.model = model
        self.asked: list[str] = []
        self.lengths: dict[str, int] = {}
        self.fails_after: int | None = None

    def embed(self, texts: Sequence[str], purpose: Purpose, tokens: int = 128) -> Vectors:
        """Return a row of length 1 for each text, in order."""
        assert purpose in {"query", "document"}
        if self.fails_after is not None and len(self.asked) >= self.fails_after:
            raise EmbedderUnavailable("It has gone.")
        self.asked += texts
        self.lengths |= dict.fromkeys(texts, tokens)
        return np.stack([direction(text) for text in texts])

    def close(self) -> None:
        """Let go of nothing."""

    def meaning(self, text: str) -> Meaning:
        """Return what a question means."""
        return Meaning(model=self.model, vector=direction(text))
