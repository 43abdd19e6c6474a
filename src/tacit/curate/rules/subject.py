"""The subject: what a statement is about, where its own words do not say so.

A word of the user's own that those around a statement share (what the agent said before and after
it, what was done) is what the turn is about: it goes in front. Nobody else's word ever does.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tacit.curate.rules.cues import cues
from tacit.curate.rules.words import stems

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w[\w'-]*\w")
_SAYS_NOTHING = {"done", "task", "ack", "open", "thanks", "ask", "found", "again", "once", "maybe"}
_SHORTEST = 4
_VOTES = 2
_LONGEST = 110  # what is longer says enough


def with_subject(statement: str, own: Sequence[str], around: Sequence[str]) -> str:
    """Return a statement with its subject in front: a word of the user's own that others share."""
    if len(statement) >= _LONGEST:
        return statement
    said = stems(statement)
    forms: dict[str, str] = {}
    for word in _WORD.findall(" ".join(own)):
        for each in sorted(stems(word) - said):
            forms.setdefault(each, word)
    votes = Counter(each for text in (*own, *around) for each in sorted(stems(text) & forms.keys()))
    likely = [each for each, count in votes.items() if count >= _VOTES and _is_subject(forms[each])]
    if not likely:
        return statement
    best = max(likely, key=lambda each: (votes[each], len(forms[each]), each))
    return f"{forms[best][:1].upper()}{forms[best][1:]}: {statement}"


def _is_subject(word: str) -> bool:
    """Say whether a word can be what something is about: no number, and no word of talk."""
    is_word = len(word) >= _SHORTEST and not word.isdigit()
    return is_word and not cues(word) & _SAYS_NOTHING
