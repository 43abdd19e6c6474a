"""Judging: a cheap model says which chunks of turns are worth the better one's time.

Every turn is judged, in as many calls as that takes; what a model does not judge counts as worth
it: a gate may let too much through, not too little. Of a turn that passes, the better model reads
what the user said, what tools gave, and of an agent's words the chunks that passed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tacit.curate.model.request import ASKED, shortened
from tacit.curate.model.windows import SIZE, joined, stretches
from tacit.curate.reading import WORKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.model.request import Batch
    from tacit.curate.reading import Said, TurnText

_OF_TOOL = 160
_OF_WORDS = 4 * SIZE
MOST = 60  # chunks of one call


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of what was said in a turn: where it stands in that."""

    turn: str
    start: int
    stop: int
    text: str


def chunks(batch: Batch) -> list[Chunk]:
    """Return the turns of a batch in pieces."""
    found = []
    for turn, text in batch.turns:
        told = "".join(line for _, line in _lines(text))
        found += [Chunk(turn.turn, *at, told[slice(*at)]) for at in stretches(told)]
    return found


def parts(found: Sequence[Chunk]) -> Iterator[Sequence[Chunk]]:
    """Yield chunks as they are judged, so many in one call."""
    for at in range(0, len(found), MOST):
        yield found[at : at + MOST]


def _lines(turn: TurnText) -> list[tuple[Said, str]]:
    """Return what is judged of each event: what tells most, of a tool's words the beginning."""
    return [(said, f"{said.tool or said.kind}: {_seen(said)}\n") for said in turn.said if said.text]


def _seen(said: Said) -> str:
    return said.text[:_OF_TOOL] if said.kind in WORKED else shortened(said.text, _OF_WORDS)


def passed(value: Any, text: str, judged: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks that are worth reading, by what the model has answered."""
    empty = _refused(value, text)
    return [each for at, each in enumerate(judged, 1) if f"c{at}" not in empty]


def _refused(value: Any, text: str) -> set[str]:
    """Return the chunks that were judged, and found empty."""
    if value is None:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return set()
    listed = value.get("chunks") if isinstance(value, dict) else None
    return {
        str(each.get("id"))
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, dict) and each.get("worth") is False
    }


def narrowed(batch: Batch, worth: Sequence[Chunk]) -> Batch:
    """Return a batch with what has passed; a turn of which something was found stays whole."""
    turns = []
    for turn, text in batch.turns:
        own = [each for each in worth if each.turn == turn.turn]
        if own:
            turns.append((turn, replace(text, said=tuple(_read(text, own)))))
        elif batch.drafts.get(turn.turn):
            turns.append((turn, text))
    return replace(batch, turns=turns)


def _read(turn: TurnText, worth: Sequence[Chunk]) -> Iterator[Said]:
    """Yield what is read of a turn: of an agent's words only what stands in these chunks."""
    end = 0
    for said, line in _lines(turn):
        end += len(line)
        if said.kind in WORKED | ASKED:
            yield said
            continue
        seen = _seen(said)
        first = end - 1 - len(seen)  # behind the name of who speaks
        cut = [(max(each.start, first) - first, min(each.stop, end - 1) - first) for each in worth]
        if kept := [(left, right) for left, right in cut if left < right]:
            yield replace(said, text=joined(seen, kept))
