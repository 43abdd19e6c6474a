"""Clause words: the clauses of a statement as tokens, and which of these have content.

A token has content if it says something about the subject: no stop word, no denial, no word such as
"use" or "now". Names, versions and times stay whole; other words are cut to their stems.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from tacit.curate.rules.across import edges
from tacit.curate.rules.across.stance import is_denial
from tacit.curate.rules.words import STOP, stem
from tacit.mind import in_mind

if TYPE_CHECKING:
    from collections.abc import Sequence

Tokens = list[str]
_TOKEN = re.compile(
    r"\w+(?:[.:/@+#'-]+\w+)*[+#]*|[,;:.!?()]|[\u2014\u2013\u3001\u3002]|(?<=\s)-(?=\s)"
)
_ELIDED = re.compile(r"\b([cdjlmnst]|qu)'(?=\w)")  # French: l'api, n'utilise


def tokens_of(text: str) -> Tokens:
    """Return the words and the punctuation of a text, folded."""
    folded = text.casefold().replace("\u2019", "'")
    return _TOKEN.findall(_ELIDED.sub(r"\1e ", folded))


def clauses_of(text: str) -> list[Tokens]:
    """Return the parts of a statement that are said by themselves."""
    parts: list[Tokens] = [[]]
    tokens = tokens_of(text)
    for word, following in zip(tokens, [*tokens[1:], ""], strict=False):
        goes_on = word in word_list("conjunctions") and following in word_list("own_clause")
        if not word[0].isalnum() or word in word_list("but") or goes_on:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def split_at(tokens: Tokens, marks: frozenset[str]) -> list[Tokens]:
    """Return the tokens between marks."""
    parts: list[Tokens] = [[]]
    for word in tokens:
        if word in marks:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def first_phrase(tokens: Tokens) -> tuple[tuple[str, ...], Tokens]:
    """Return the first phrase with content, and the tokens behind it."""
    contents = [content_of(token) for token in tokens]
    start = next((n for n, word in enumerate(contents) if word), len(contents))
    stop = next((n for n in range(start, len(contents)) if not contents[n]), len(contents))
    return tuple(contents[start:stop]), tokens[stop:]


def content_words(tokens: Sequence[str]) -> frozenset[str]:
    """Return what tokens say about the subject."""
    return frozenset(filter(None, map(content_of, tokens)))


@in_mind(2048)
def content_of(token: str) -> str:
    """Return what a token contributes to the subject; nothing if it is punctuation or generic."""
    word = token.removesuffix("'s")
    is_empty = not word[0].isalnum() or word in STOP or word in word_list("generic")
    if is_empty or is_denial(word) or word in word_list("without"):
        return ""
    if not word.isalpha():
        return word
    return stem(word.removesuffix("s") if len(word) > 3 else word)  # noqa: PLR2004


def find_phrase(tokens: Tokens, name: str) -> range | None:
    """Return where the first phrase of a list is."""
    phrases = _phrases(name)
    for at, word in enumerate(tokens):
        for phrase in phrases.get(word, ()):
            if tokens[at : at + len(phrase)] == phrase:
                return range(at, at + len(phrase))
    return None


@cache
def _phrases(name: str) -> dict[str, list[Tokens]]:
    """Return the phrases of a list by their first token, the longest first."""
    found: dict[str, list[Tokens]] = {}
    for phrase in sorted(map(tokens_of, edges.phrases(name)), key=len, reverse=True):
        found.setdefault(phrase[0], []).append(phrase)
    return found


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of words."""
    return frozenset(edges.phrases(name))


@cache
def listed_contents(name: str) -> frozenset[str]:
    """Return a list of words as they are compared."""
    return content_words(edges.phrases(name))
