"""The subject: what a statement is about. The rarest of its words are its tags, and its topic."""

from __future__ import annotations

import re

from tacit.curate.rules.scorer import rarity
from tacit.curate.rules.tables import listed
from tacit.curate.rules.words import stem, stems, words
from tacit.mind import in_mind

# the mark of what was taken out: nobody's word
_MARK = re.compile(r"\[(?:redacted:[^\]\s]{1,80}|private)\]")
_MOST_TAGS = 3
_TAG = range(3, 31)  # letters
_VALUES = frozenset(listed("values"))


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
