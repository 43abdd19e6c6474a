"""Features of a clause: what the scorer sees of it and of the turn it stands in."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tacit.curate.rules.cues import cues
from tacit.curate.rules.words import stem, stems, words
from tacit.mind import in_mind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.rules.segment import Clause

# a pattern that begins with what it looks for is searched fastest; what stands before comes after
_SHAPES = {
    "has=" + name: re.compile(pattern)
    for name, pattern in (
        ("number", r"\d"),
        ("path", r"[./_](?<=\w.)\w"),
        ("name", r"[A-Z](?<!^.)(?<![.!?] .)(?<!\w.)[a-z]{2}"),
        ("identifier", r"_(?<=\w.)\w|\b[a-z]+[A-Z]\w"),
        ("quote", r"[\"\u201c'\u2018\u00ab\u201e]\w.*\w[\"\u201d'\u2019\u00bb\u201c]"),
        ("question", r"[?\uff1f]"),
        ("shout", r"!"),
        ("capitals", r"[A-Z](?<!\w.)[A-Z]{2,}\b"),
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


@in_mind(8)
def features(pieces: tuple[Clause, ...], around: Around) -> list[set[str]]:
    """Return the features of each clause of a message."""
    shared = _of_turn(around)
    contents = [stems(text) for text in (around.reply, " ".join(around.did), around.before)]
    found = []
    for at, clause in enumerate(pieces):
        said = words(clause.text)
        found.append(
            {
                *_of_words(said),
                *_of_shape(clause.text, said),
                *_of_place(at, len(pieces)),
                *_of_overlap(stems(clause.text), contents),
                *("cue=" + name for name in cues(clause.text)),
                *shared,
            }
        )
    return found


def _of_words(said: Sequence[str]) -> list[str]:
    short = [stem(word) for word in said]
    found = ["u=" + each for each in short]
    found += [f"b={one}_{two}" for one, two in pairwise(short)]
    found += [
        f"t={one}_{two}_{three}"
        for one, two, three in zip(said, said[1:], said[2:], strict=False)
        if len(one) < _SHORT and len(two) < _SHORTISH
    ]
    if said:
        found += ["first=" + said[0], "last=" + said[-1]]
    if len(said) > 1:
        found.append(f"first={said[0]}_{said[1]}")
    return found


def _of_shape(text: str, said: Sequence[str]) -> list[str]:
    found = [name for name, pattern in _SHAPES.items() if pattern.search(text)]
    return [*found, f"words={bisect_right(_LENGTHS, len(said))}"]


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
        yield f"{name}-share={bisect_left(_SHARES, share)}"


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
