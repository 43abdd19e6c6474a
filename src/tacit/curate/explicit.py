"""The smallest curator: what the user asks outright to be remembered, and nothing else.

A secret or a personal number is not remembered, whoever asks for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.extract import Draft, Extracted, Extractor
from tacit.curate.rules.private import is_private
from tacit.curate.rules.segment import own_lines
from tacit.curate.rules.tables import choice
from tacit.mind import in_mind
from tacit.model.memory import EXPLICIT as NAME
from tacit.model.memory import LONGEST_CONTENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.curate.extract import Context
    from tacit.curate.reading import Said, TurnText
    from tacit.curate.rules.segment import Clause

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
    for start, words in _asked_in(said.text):
        yield Draft(
            kind="instruction" if _is_order(words) else "fact",
            content=words[0].upper() + words[1:],
            said=said,
            start=start,
            quote=words,
            importance=4,
            extractor=NAME,
        )


@in_mind(4)
def _asked_in(text: str) -> tuple[tuple[int, str], ...]:
    """Return what a message asks to be remembered, and where it stands."""
    found = []
    for asked in _ASKED.finditer(text):
        if not any(first <= asked.start("asked") < last for first, last in own_lines(text)):
            continue  # pasted, quoted, or code: not the user's own word
        start, most = asked.end(), asked.end() + LONGEST_CONTENT
        end = _END.search(text, start, most + 1)
        if end is None and len(text) > most:
            continue
        words = text[start : end.start() if end else most].rstrip()
        if words and not is_private(words):
            found.append((start, words))
    return tuple(found)


def covers(draft: Draft, clause: Clause) -> bool:
    """Say whether a clause asks to remember something: it is that memory, and nothing else."""
    return clause.start < draft.start + len(draft.quote) and draft.start < clause.stop


def _is_order(words: str) -> bool:
    """Say whether the words tell somebody what to do, rather than how something is."""
    first = words.split(maxsplit=1)[0].casefold()
    return first in {"always", "never", "use", "do", "don't", "avoid", "prefer", "to", "not"}


EXPLICIT = Extractor(name=NAME, extract=extract)
