"""The subject: what a statement is about, where its own words do not say so.

A word of the user's own that those around a statement share (what the agent said before and after
it, what was done) is what the turn is about: it goes in front. Nobody else's word ever does.
The rarest of its own words are its tags, and name its topic.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tacit.curate.rules.cues import cues
from tacit.curate.rules.scorer import rarity
from tacit.curate.rules.tables import listed
from tacit.curate.rules.words import stem, stems, words
from tacit.mind import in_mind

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w[\w'-]*\w")
# the mark of what was taken out: nobody's word
_MARK = re.compile(r"\[(?:redacted:[^\]\s]{1,80}|private)\]")
_SAYS_NOTHING = {"done", "task", "ack", "open", "thanks", "ask", "found", "again", "once", "maybe"}
_SHORTEST = 4
_VOTES = 2
_NAMES = 5.0  # how rare a word is that names something: "week" and "keep" do not
_LONGEST = 110  # what is longer says enough
_MOST_TAGS = 3
_TAG = range(3, 31)  # letters
_VALUES = frozenset(listed("values"))


def with_subject(statement: str, own: Sequence[str], around: Sequence[str]) -> str:
    """Return a statement with its subject in front: a word of the user's own that others share."""
    if len(statement) >= _LONGEST:
        return statement
    own, around = ([_MARK.sub(" ", text) for text in texts] for texts in (own, around))
    said = stems(statement)
    forms: dict[str, str] = {}
    for word in _WORD.findall(" ".join(own)):
        for each in sorted(stems(word) - said):
            forms.setdefault(each, word)
    votes = Counter(each for text in (*own, *around) for each in sorted(stems(text) & forms.keys()))
    likely = [each for each, count in votes.items() if count >= _VOTES and _is_subject(forms[each])]
    if not likely:
        return statement
    best = max(likely, key=lambda each: (votes[each], rarity().of({each}), each))
    return f"{forms[best][:1].upper()}{forms[best][1:]}: {statement}"


def _is_subject(word: str) -> bool:
    """Say whether a word can be what something is about: rare, no number, and no word of talk."""
    is_word = len(word) >= _SHORTEST and not word.isdigit()
    return is_word and rarity().of(stems(word)) >= _NAMES and not cues(word) & _SAYS_NOTHING


@in_mind(4)
def telling(text: str) -> tuple[str, ...]:
    """Return the rarest words of a statement, in order."""
    told = rarity()
    found = [
        word for word in dict.fromkeys(map(_bare, words(_MARK.sub(" ", text)))) if _tells(word)
    ]
    rarest = sorted(found, key=lambda word: -told.of(stems(word)))[:_MOST_TAGS]
    return tuple(word for word in found if word in rarest)


def topic(text: str) -> str:
    """Return what a statement is about, the same for all that share its telling words."""
    return " ".join(sorted(stem(word) for word in telling(text)))


def _bare(word: str) -> str:
    return word.partition("'")[0]


def _tells(word: str) -> bool:
    """Say whether a word names something: no number, no day, none that everything is said with."""
    is_name = word.isalpha() and len(word) in _TAG
    return is_name and word not in _VALUES and bool(stems(word))
