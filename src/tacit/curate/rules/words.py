"""Words as the rules see them: folded, cut to their stems, without those that say nothing."""

from __future__ import annotations

import re

from tacit.curate.rules.tables import listed
from tacit.mind import in_mind

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!:]")
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_SHORT_FORM = re.compile(r"'(?:s|re|ve|ll|d|m)$")  # "she's" tells no more than "she"
_STEM = 6
_LEAST = 3
SHORT = 400  # what is longer is no clause, and not kept in mind
STOP = frozenset(listed("stop"))


def words(text: str) -> list[str]:
    """Return the words of a text, and its questions, exclamations and colons; kana in pairs."""
    folded = text.casefold().replace("\u2019", "'")
    found: list[str] = _WORD.findall(folded)
    if folded.isascii() or not _CJK.search(folded):
        return found
    return [part for word in found for part in _pairs(word)]


def _pairs(word: str) -> list[str]:
    if not _CJK.search(word):
        return [word]
    return [word[at : at + 2] for at in range(max(1, len(word) - 1))]


def stem(word: str) -> str:
    """Return the beginning of a word, which its forms have in common."""
    return word[:_STEM]


def stems(text: str) -> frozenset[str]:
    """Return the stems that say what a text is about."""
    return _of_clause(text) if len(text) <= SHORT else _stems(text)


@in_mind(1024)
def _of_clause(text: str) -> frozenset[str]:
    return _stems(text)


def _stems(text: str) -> frozenset[str]:
    return frozenset(filter(None, map(_telling, words(text))))


@in_mind(2048)
def _telling(word: str) -> str:
    """Return the stem of a word; nothing if it says nothing."""
    bare = _SHORT_FORM.sub("", word)
    is_told = len(bare) >= _LEAST or bare.isdigit() or bool(_CJK.match(bare))
    return stem(bare) if is_told and bare not in STOP else ""
