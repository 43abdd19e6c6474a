"""Own words: a rule that quotes the user, and says it as the user did not, in the user's words.

A model puts what it reads in words of its own, and code cannot vouch for all of them. Where the
quoted sentence is the user's, speaks of the same thing and says enough alone, that sentence is kept
in the place of the model's. It adds nothing to what the user said, so it is as trusted.

A model may have chosen the sentence for somebody else's end, so it must stand by itself: whole, in
a message in which nothing is quoted, pasted or led in with a colon before it, and without a
question, a joke, an exception, a condition or a denial beside it that could turn it around.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.model import carry
from tacit.curate.rules.cues import cues
from tacit.curate.rules.phrase import LONGEST, phrase
from tacit.curate.rules.statements import ASKING, QUOTED
from tacit.curate.rules.words import stems

if TYPE_CHECKING:
    from tacit.curate.model.cite import Place

_SENTENCE = re.compile(
    r"(?:[^.!?\n\u3002\uff01\uff1f\u061f]|[.!?](?=\w))+[.!?\u3002\uff01\uff1f\u061f]*"
)
_LEADS = re.compile(
    r"[:;\uff1a](?=\s)|\s[-\u2013\u2014]\s|^\s*(?:[-*\u2022]|\d{1,2}[.)])\s", re.MULTILINE
)
_ASKS = re.compile(r"[?\uff1f\u061f]")
_INVERTED = re.compile(  # a question that nobody has marked as one
    r"\W*(?:should|shall|can|could|may|might|would|will|do|does|did|is|are|am|must|have|has|soll|sollen|darf|dürfen"
    r"|kann|können|doit|peut|puedo|podemos|devo|posso|czy)\s+(?:we|i|you|it|he|she|they|the|this|that|wir|ich|man|on)\b",
    re.IGNORECASE,
)
_TELLS = 3  # so many words say enough alone
_SHARED = 0.3  # of what the model says, to speak of the same thing
_DOUBTS = frozenset(("irony", "joke", "maybe", "once", "said", "ask"))


def in_own_words(content: str, place: Place) -> str:
    """Return what the user says in the sentence that is quoted; nothing if it cannot stand."""
    text, start, stop = place.said.text, place.start, place.start + len(place.quote)
    if place.said.is_mixed or QUOTED.search(text):
        return ""
    parts = [match for match in _SENTENCE.finditer(text) if match.group().strip()]
    meant = [at for at, each in enumerate(parts) if each.start() < stop and start < each.end()]
    if not meant or _LEADS.search(text[: parts[meant[0]].start()]):
        return ""
    told = text[parts[meant[0]].start() : parts[meant[-1]].end()].strip()
    around = [parts[at].group() for at in (meant[0] - 1, meant[-1] + 1) if 0 <= at < len(parts)]
    is_plain = _is_plain(told) and not any(map(_turns, around)) and len(told) <= LONGEST
    is_same = carry.denies(content) == carry.denies(told) and _are_about_one(content, told)
    return phrase(told, place.said.at, LONGEST) if is_plain and is_same else ""


def _is_plain(told: str) -> bool:
    """Say whether a sentence is meant as it stands: not asked, doubted, or only under an if."""
    is_asked = _ASKS.search(told) or ASKING.match(told) or _INVERTED.match(told)
    return not is_asked and not carry.is_bound(told) and not cues(told) & _DOUBTS


def _turns(beside: str) -> bool:
    """Say whether a sentence may turn around, or bound, what stands beside it."""
    is_bound = bool(_ASKS.search(beside) or carry.is_bound(beside) or cues(beside) & _DOUBTS)
    return is_bound or carry.denies(beside)


def _are_about_one(content: str, told: str) -> bool:
    """Say whether what a model says and what the user said speak of the same, and of enough."""
    ours, theirs = stems(told), stems(content)
    return len(ours) >= _TELLS and len(ours & theirs) >= max(1, _SHARED * len(theirs))
