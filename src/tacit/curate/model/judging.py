"""Judging: a cheap model says which chunks of turns are worth the better one's time.

What it does not judge counts as worth it: a gate may let too much through, not too little.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tacit.curate.model.windows import SIZE, stretches
from tacit.curate.reading import WORKED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.curate.model.request import Batch
    from tacit.curate.reading import TurnText

_OF_TOOL = 160
_MOST = 60  # chunks of one call


def chunks(batch: Batch) -> list[tuple[str, str]]:
    """Return the turns of a batch in pieces: (turn, text) each."""
    found = []
    for turn, text in batch.turns:
        told = _told(text)
        found += [(turn.turn, told[start:stop]) for start, stop in stretches(told)]
    return found[:_MOST]


def _told(turn: TurnText) -> str:
    lines = []
    for said in turn.said:
        most = _OF_TOOL if said.kind in WORKED else 4 * SIZE
        if said.text.strip():
            lines.append(f"{said.tool or said.kind}: {said.text[:most]}")
    return "\n".join(lines)


def worth(value: Any, text: str, turns: Sequence[str]) -> set[str]:
    """Return the turns of which some chunk is worth reading, by what the model has answered."""
    empty = {f"c{at}" for at in range(1, len(turns) + 1)} & _refused(value, text)
    return {turn for at, turn in enumerate(turns, 1) if f"c{at}" not in empty}


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
