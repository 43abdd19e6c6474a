"""Stance: what a statement says yes to, and what it denies.

Two statements with the same words may say the opposite: with a `not`, a `without`, another order
around `before`, or another value in the same place. Judged by words in eight languages; what a
denial reaches ends where its part of the sentence does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tacit.curate.rules.tables import choice, listed
from tacit.curate.rules.words import STOP, stems
from tacit.mind import in_mind

_PART = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[,;:.!?()]+(?=\s|$)|[\u2014\u2013\u3001\u3002]|\s-(?=\s)")
_INSTEAD = re.compile(rf"\b{choice('instead')}\b", re.IGNORECASE)
_ELIDED = re.compile(r"\bn'(?=\w)", re.IGNORECASE)  # French: n'utilise
_PORTUGUESE = re.compile(r"[\u00e3\u00f5]|\b(?:os|um|uma|ao|dos|nos|nas|\u00e9)\b", re.IGNORECASE)
_DENIED_INSIDE = re.compile(choice("denied_inside"))
_DENIALS = frozenset(listed("denials"))
_WITHOUT = frozenset(listed("without"))
_ONLY = frozenset(listed("only"))
_BUT = frozenset(listed("but"))
_FORGETTING = tuple(listed("forgetting"))
_EARLIER, _LATER = frozenset(listed("earlier")), frozenset(listed("afterwards"))
_LEADS, _IS = frozenset(listed("value_leads")), frozenset(listed("copulas"))
_NAME = re.compile(r"[A-Z\d]|.*[\d_/.-]")
_WORD = re.compile(r"[^\s,;:!?()\"'`]+")
_ARTICLES = frozenset(listed("articles"))
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Stance:
    """What a statement affirms and denies, and what it puts before what; all by stems."""

    said: frozenset[str]
    denied: frozenset[str]
    first: frozenset[str]  # what comes before, or is preferred
    then: frozenset[str]


@in_mind(1024)
def stance(text: str) -> Stance:
    """Return what a statement says yes to, what it denies, and in which order."""
    folded = _INSTEAD.sub(" not ", text.casefold().replace("\u2019", "'"))
    parts = _PART.findall(_ELIDED.sub("ne ", folded))
    if _PORTUGUESE.search(text):
        parts = [part for part in parts if part != "no"]  # "in the"
    said: set[str] = set()
    denied: set[str] = set()
    for segment in _segments(parts):
        for stem, is_denied in _signed(segment):
            (denied if is_denied else said).add(stem)
    if _DENIED_INSIDE.search(text):
        said, denied = denied, said
    first, then = _ordered(parts)
    return Stance(frozenset(said), frozenset(denied - said), first, then)


def _segments(parts: list[str]) -> list[list[str]]:
    """Return the parts of a sentence that a denial does not reach beyond."""
    found: list[list[str]] = [[]]
    for part in parts:
        if not part[0].isalnum() or part in _BUT:
            found.append([])
        else:
            found[-1].append(part)
    return found


def _signed(segment: list[str]) -> list[tuple[str, bool]]:
    """Return the stems of a part of a sentence, each with whether it is denied."""
    found: list[tuple[str, bool]] = []
    is_denied = is_without = is_open = False
    for before, word in zip(["", *segment], segment, strict=False):
        if is_denial(word):
            is_denied = is_open = True
        elif word in _WITHOUT:
            is_without = True
        elif is_denied and (word.startswith(_FORGETTING) or (is_denial(before) and word in _ONLY)):
            is_denied = is_open = False  # "do not forget", "not only"
        else:
            told = [(stem, is_denied != is_without) for stem in stems(word)]
            is_open = is_open and not told
            found += told
    if is_open and found:  # it stands behind what it denies: "wir nutzen Redis nicht"
        return [(stem, not sign) for stem, sign in found]
    return found


def is_denial(word: str) -> bool:
    """Say whether a word denies what stands around it."""
    return word in _DENIALS or word.endswith("n't")


def _ordered(parts: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return what stands before and behind the first word that puts two things in order."""
    marks = [at for at, part in enumerate(parts) if part in _EARLIER or part in _LATER]
    if not marks:
        return frozenset(), frozenset()
    at = marks[0]
    left, right = parts[:at], parts[at + 1 :]
    if at == 0 and "," in right:  # "before the one, do the other"
        cut = right.index(",")
        left, right = right[cut:], right[:cut]
    sides = stems(" ".join(left)), stems(" ".join(right))
    return sides if parts[at] in _EARLIER else sides[::-1]


def about(text: str) -> frozenset[str]:
    """Return what a statement is about, whether it is said or denied."""
    found = stance(text)
    return bare(found.said | found.denied)


def bare(found: frozenset[str]) -> frozenset[str]:
    """Return stems without those that only deny."""
    return frozenset(each for each in found if not is_denial(each) and each not in _WITHOUT)


def is_reversed(one: str, other: str) -> bool:
    """Say whether one of two statements about the same denies what the other says."""
    ours, theirs = stance(one), stance(other)
    against, towards = ours.denied & theirs.said, ours.said & theirs.denied
    if ours.denied and theirs.denied:
        return bool(against and towards)  # two ways to put one denial are none against it
    return bool(against or towards)


def is_swapped(one: str, other: str) -> bool:
    """Say whether two statements put the same two things in opposite orders."""
    ours, theirs = stance(one), stance(other)
    return bool(ours.first & theirs.then and ours.then & theirs.first)


def is_other_value(one: str, other: str) -> bool:
    """Say whether two statements are equal but for the value that they give to one thing."""
    ours, theirs = _words(one), _words(other)
    at = _apart(ours, theirs)
    return at is not None and _is_value(ours, theirs, at)


def _apart(ours: list[str], theirs: list[str]) -> int | None:
    """Return where two statements differ, if it is in one word."""
    if len(ours) != len(theirs) or len(ours) < _FEWEST:
        return None
    apart = [
        at
        for at, pair in enumerate(zip(ours, theirs, strict=True))
        if pair[0].casefold() != pair[1].casefold()
    ]
    return apart[0] if len(apart) == 1 else None


def _words(text: str) -> list[str]:
    found = [word.rstrip(".") for word in _WORD.findall(text) if word.strip(".-\u2014\u2013")]
    return [word for word in found if word.casefold() not in _ARTICLES]


def _is_value(ours: list[str], theirs: list[str], at: int) -> bool:
    """Say whether what differs there is a value, rather than what the statement is about."""
    both = ours[at], theirs[at]
    led = {word.casefold() for word in ours[:at]}
    if all(word[:1].isdigit() for word in both):
        return bool(led & (_LEADS | _IS))
    if any(word.casefold() in STOP or word[:1].isdigit() for word in both) or at == 0:
        return False
    before = ours[at - 1].casefold()
    return before in _LEADS or (before in _IS and all(_NAME.match(word) for word in both))
