"""The smallest curator: what the user asks outright to be remembered, and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.extract import Draft, Extracted, Extractor
from tacit.curate.rules.segment import own_lines
from tacit.curate.rules.tables import choice
from tacit.model.memory import LONGEST_CONTENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.curate.extract import Context
    from tacit.curate.reading import Said, TurnText

_ASKED = re.compile(
    r"(?:^|(?<=[.!?\])]))[^\S\n]*(?P<asked>(?:please[ ,]+)?remember(?:[ ,]+that|[^\S\n]*:)"
    rf"|{choice('remember')}(?:[ ,]+{choice('that')}|[^\S\n]*:))[^\S\n]+",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(r"[.!?]+(?=\s|$)|\n")


def extract(turn: TurnText, _context: Context | None = None) -> Extracted:
    """Return what the user asked to be remembered in this turn."""
    return Extracted(drafts=tuple(draft for said in turn.prompts for draft in _drafts(said)))


def _drafts(said: Said) -> Iterator[Draft]:
    own = list(own_lines(said.text))
    for asked in _ASKED.finditer(said.text):
        if not any(first <= asked.start("asked") < last for first, last in own):
            continue  # pasted, quoted, or code: not the user's own word
        start, most = asked.end(), asked.end() + LONGEST_CONTENT
        end = _END.search(said.text, start, most + 1)
        if end is None and len(said.text) > most:
            continue
        words = said.text[start : end.start() if end else most].rstrip()
        if words:
            yield Draft(
                kind="instruction" if _is_order(words) else "fact",
                content=words[0].upper() + words[1:],
                said=said,
                start=start,
                quote=words,
                importance=4,
            )


def _is_order(words: str) -> bool:
    """Say whether the words tell somebody what to do, rather than how something is."""
    first = words.split(maxsplit=1)[0].casefold()
    return first in {"always", "never", "use", "do", "don't", "avoid", "prefer", "to", "not"}


EXPLICIT = Extractor(name="explicit-1", extract=extract)
