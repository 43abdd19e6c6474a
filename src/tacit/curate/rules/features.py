"""Features of a clause: what the scorer sees of it and of the turn it stands in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tacit.curate.rules.cues import cues
from tacit.curate.rules.words import stem, stems, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.rules.segment import Clause

_SHAPES = {
    name: re.compile(pattern)
    for name, pattern in (
        ("number", r"\d"),
        ("path", r"\b\w+[./_]\w+"),
        ("name", r"(?<!^)(?<![.!?] )\b[A-Z][a-z]{2,}"),
        ("identifier", r"\b[a-z]+[A-Z]\w+|\b\w+_\w+"),
        ("quote", r"[\"\u201c'\u2018\u00ab\u201e]\w.*\w[\"\u201d'\u2019\u00bb\u201c]"),
        ("question", r"[?\uff1f]"),
        ("shout", r"!"),
        ("capitals", r"\b[A-Z]{3,}\b"),
        ("comma-not", r",\s*(?:not|nicht|pas|no|non|n\u00e3o|nie)\b"),
    )
}
_LENGTHS = (3, 5, 8, 13, 20)
_SHARES = (0.0, 0.25, 0.5, 0.75)
EDITS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
_SHORT, _SHORTISH = 5, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What stands around a clause: the words before and after it, and what was done."""

    before: str = ""  # what the agent had said last
    reply: str = ""
    did: tuple[str, ...] = ()  # each "Tool: input -> output", in short


@lru_cache(maxsize=8)
def features(pieces: tuple[Clause, ...], around: Around) -> list[set[str]]:
    """Return the features of each clause of a message."""
    shared = _of_turn(around)
    contents = [stems(text) for text in (around.reply, " ".join(around.did), around.before)]
    found = []
    for at, clause in enumerate(pieces):
        said = words(clause.text)
        each = set(_of_words(said)) | set(_of_shape(clause.text, said))
        each.update(_of_place(at, len(pieces)))
        each.update(_of_overlap(stems(clause.text), contents))
        each.update("cue=" + name for name in cues(clause.text))
        found.append(each | shared)
    return found


def _of_words(said: Sequence[str]) -> Iterator[str]:
    short = [stem(word) for word in said]
    for each in short:
        yield "u=" + each
    for one, two in pairwise(short):
        yield f"b={one}_{two}"
    for one, two, three in zip(said, said[1:], said[2:], strict=False):
        if len(one) < _SHORT and len(two) < _SHORTISH:
            yield f"t={one}_{two}_{three}"
    if said:
        yield "first=" + said[0]
        yield "last=" + said[-1]
    if len(said) > 1:
        yield f"first={said[0]}_{said[1]}"


def _of_shape(text: str, said: Sequence[str]) -> Iterator[str]:
    for name, pattern in _SHAPES.items():
        if pattern.search(text):
            yield "has=" + name
    yield f"words={sum(len(said) >= length for length in _LENGTHS)}"


def _of_place(at: int, count: int) -> Iterator[str]:
    yield "place=first" if at == 0 else "place=after"
    if count == 1:
        yield "place=only"
    if at == count - 1:
        yield "place=last"


def _of_overlap(content: frozenset[str], others: Sequence[frozenset[str]]) -> Iterator[str]:
    """Tell how much of a clause is said in the reply, was done, and had been said before."""
    if not content:
        return
    for name, other in zip(("reply", "did", "before"), others, strict=True):
        share = len(content & other) / len(content)
        yield f"{name}-share={sum(share > limit for limit in _SHARES)}"


def _of_turn(around: Around) -> set[str]:
    """Return what all clauses of a message share."""
    tools = [each.split(":", 1)[0] for each in around.did]
    reply = words(around.reply[:200])
    found = {f"tools={min(2, len(tools))}"}
    found.update("reply=" + word for word in reply[:3])
    found.update(f"reply={a}_{b}" for a, b in pairwise(reply[:6]))
    if not reply:
        found.add("reply=none")
    if around.before.rstrip().endswith("?"):
        found.add("before=question")
    elif not around.before:
        found.add("before=none")
    if any(tool in EDITS for tool in tools):
        found.add("tools=edits")
    return found
