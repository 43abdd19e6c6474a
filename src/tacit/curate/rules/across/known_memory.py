"""Known memory: what a memory says, and whether it says more than a statement names.

"The backup server is in Dublin" says more than "the server is in Frankfurt, not Dublin" names: a
qualifier, a place or a condition makes a memory narrower, and it stays. What a tool is used for
("we use npm for installs") and the project itself ("the project uses npm") make it no narrower.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tacit.curate.rules.across.clause_words import (
    Tokens,
    clauses_of,
    content_of,
    content_words,
    listed_contents,
    split_at,
    word_list,
)
from tacit.curate.rules.across.stance import stance
from tacit.curate.rules.words import stems
from tacit.mind import in_mind

_WORD = re.compile(r"\w+")


class KnownMemory(NamedTuple):
    """A memory as it is compared with what a statement names."""

    tokens: Tokens
    contents: list[str]  # of each token; empty where it has none
    words: frozenset[str]
    denied: frozenset[str]
    parts: list[frozenset[str]]  # the words of each thing that it says
    qualifiers: frozenset[str]


@in_mind(512)
def known_memory(text: str) -> KnownMemory:
    """Return what a memory says, without the reasons that it gives."""
    reasons, denied = word_list("reason_begins"), stance(text).denied
    clauses = [each for at, each in enumerate(clauses_of(text)) if not at or each[0] not in reasons]
    tokens = [token for clause in clauses for token in (*clause, ",")]
    contents = [content_of(token) for token in tokens]
    parts = [
        content_words(part)
        for clause in clauses
        for part in split_at(clause, word_list("conjunctions"))
    ]
    return KnownMemory(
        tokens,
        contents,
        frozenset(filter(None, contents)),
        content_words([token for token in tokens if stems(token) & denied]),
        [part for part in parts if part],
        qualifiers_of(text),
    )


def find_lead(known: KnownMemory, named: tuple[str, ...]) -> str:
    """Return what is before a value: a word for use, for a place, or nothing of the kind."""
    for at in _places(known, named):
        behind = known.tokens[at + len(named) :][:1]
        if any(known.contents[at + len(named) :][:1]):
            continue
        if frozenset(behind) & word_list("conjunctions"):
            continue  # one of several
        before = [word for word in known.tokens[:at] if word not in word_list("determiners")][-1:]
        if any(word in word_list("strong_leads") for word in before):
            return "strong"
        if any(word in word_list("use_behind") for word in behind):
            return "strong"
        if any(word in word_list("weak_leads") for word in before):
            return "weak"
    return ""


def qualifiers_of(text: str) -> frozenset[str]:
    """Return the words without content that make a subject narrower: "their", "new", "US"."""
    words = frozenset(_WORD.findall(text))
    places = [word for word in words if word.isupper() and word.lower() in word_list("acronyms")]
    return word_list("qualifiers").intersection(map(str.casefold, words)).union(places)


def is_narrower(known: KnownMemory, named: tuple[str, ...], told: frozenset[str]) -> bool:
    """Return whether a memory says more than *told*, of which *named* is the value."""
    more = known.words - told
    if not more:
        return False
    if told & known.words == frozenset(named) and _is_address(known, named):
        return False
    return not more <= _purpose(known, named) | _whole(known) | _verbs(known)


def _places(known: KnownMemory, named: tuple[str, ...]) -> list[int]:
    """Return where a memory has these words in a row."""
    size = len(named)
    places = range(len(known.tokens) - size + 1)
    return [at for at in places if tuple(known.contents[at : at + size]) == named]


def _is_address(known: KnownMemory, named: tuple[str, ...]) -> bool:
    """Return whether a memory says who has an address: a port number has one owner at most."""
    is_whole = named[0] in listed_contents("addresses") and named[-1][:1].isdigit()
    is_last = [word for word in known.contents if word][-len(named) :] == list(named)
    return is_whole and is_last and known.tokens[0] not in word_list("places")


def _purpose(known: KnownMemory, named: tuple[str, ...]) -> frozenset[str]:
    """Return what a value is used for, if that is one common word right behind it."""
    found: set[str] = set()
    for at in _places(known, named):
        behind = known.tokens[at + len(named) :]
        if not behind or behind[0] not in word_list("used_for"):
            continue
        phrase = [
            word for word in behind[1 : behind.index(",")] if word not in word_list("determiners")
        ]
        if len(phrase) == 1 and content_words(phrase) <= listed_contents("activities"):
            found |= content_words(phrase)
    return frozenset(found)


def _verbs(known: KnownMemory) -> frozenset[str]:
    """Return the verbs that only say that something is there: "runs on", "is hosted in"."""
    being = word_list("being")
    leads = (word_list("strong_leads") | word_list("weak_leads")) - being
    triples = zip(["", *known.tokens], known.tokens, known.tokens[1:], strict=False)
    return content_words(
        [
            word
            for before, word, behind in triples
            if behind in leads and (before in being or word in word_list("state_verbs"))
        ]
    )


def _whole(known: KnownMemory) -> frozenset[str]:
    """Return the subject of a memory, if that is the project itself."""
    first, second = [*known.tokens, "", ""][:2]
    is_whole = first in word_list("whole_leads") and second in word_list("whole")
    is_alone = not any(known.contents[2:3])
    return content_words([second]) if is_whole and is_alone else frozenset()
