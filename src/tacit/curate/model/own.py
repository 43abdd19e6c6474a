"""Own words: a rule that quotes the user, and says it as the user did not, in the user's words.

A model puts what it reads in words of its own, and code cannot vouch for all of them. Where the
quoted sentence is the user's, speaks of the same thing and says enough alone, that sentence is kept
in the place of the model's. It adds nothing to what the user said, so it is as trusted.
Nothing is kept so of a question, a joke, of what was pasted or quoted, or where tools may order
something: there a model may have chosen the words for somebody else's end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.curate.rules.across.pasted import foreign, mail
from tacit.curate.rules.cues import cues
from tacit.curate.rules.phrase import LONGEST, phrase
from tacit.curate.rules.segment import clauses
from tacit.curate.rules.words import stems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.curate.model.cite import Place
    from tacit.curate.reading import Said

_TELLS = 3  # so many words say enough alone
_SHARED = 0.3  # of what the model says, to speak of the same thing
_DOUBTS = frozenset(("irony", "joke", "maybe", "once", "said"))


def in_own_words(content: str, place: Place) -> str:
    """Return what the user says in the sentence that is quoted; nothing if it cannot stand."""
    said = place.said
    start, stop = place.start, place.start + len(place.quote)
    meant = [each for each in clauses(said.text) if each.start < stop and start < each.stop]
    if not meant or any(
        first < meant[-1].stop and meant[0].start < last for first, last in _alien(said)
    ):
        return ""
    told = said.text[meant[0].start : meant[-1].stop]
    words = stems(told)
    is_same = len(words & stems(content)) >= max(1, _SHARED * len(stems(content)))
    is_plain = "?" not in told and not cues(told) & _DOUBTS and len(told) <= LONGEST
    return phrase(told, said.at) if is_same and is_plain and len(words) >= _TELLS else ""


def _alien(said: Said) -> Iterator[tuple[int, int]]:
    """Yield where words stand that the user only hands on."""
    yield from foreign(said.text)
    yield from mail(said.text)
