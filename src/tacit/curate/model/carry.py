"""Carrying: whether the user's own words say what a rule says that is laid to them.

Most of what a rule tells must stand in what the user said in that turn, the rest may be filled in
from what the user said shortly before; the words that any sentence is made with count for nothing.
Where the user denies nothing, no rule denies; where nothing is meant for good, none says "always"
or "only". What a model read elsewhere, in another language or in a cipher, is so nobody's rule.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from string import ascii_letters
from typing import TYPE_CHECKING

from tacit.curate.rules.cues import cues
from tacit.curate.rules.words import stems, words
from tacit.shipped import shipped

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

COVERED = 0.6  # of what a rule tells the user must have said
THERE = 0.4  # of it, in that turn
_CLEAR, _ALIKE, _SHORTEST = 5, 4, 3  # letters that forms of one word begin with
_LASTING = frozenset(("standing", "ever", "onward", "universal", "remember", "asked", "ban"))
_TURNED = frozenset(("ban", "change", "contrast", "repair"))
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu)'")
_REDACTED = re.compile(r"\[redacted[^\]\n]*\]")
_POST = re.compile(r"^e(?=mail)")
_SENTENCE = re.compile(r"[^.!?;\n\u3002]+[.!?;\u3002]*")
_PART = re.compile(r"[^.!?;,:()\n\u3002\u2013\u2014]+")
_DENIED = re.compile(
    "\u306a\u3044|\u306a\u3057|\u306a\u304f|\u7981\u6b62|\u307e\u305b\u3093|\u3060\u3081|\u30c0\u30e1"
)
_LASTS = re.compile(
    "\u5fc5\u305a|\u3044\u3064\u3082|\u5e38\u306b|\u7d76\u5bfe|\u3060\u3051|\u306e\u307f"
)


def is_carried(content: str, said: str, before: str = "", least: float = COVERED) -> bool:
    """Say whether what the user *said*, with what was said *before*, carries a rule."""
    told = _telling(_REDACTED.sub("", content))
    own = _all(said)
    there = {word for word in told if _is_among(word, own)}
    if len(there) < THERE * len(told):
        return False
    rest = told - there
    earlier = _all(before) if rest else frozenset()
    filled = sum(_is_among(word, earlier) for word in rest)
    is_covered = len(there) + filled >= least * len(told)
    return is_covered and _is_meant(content, said, told)


def _is_meant(content: str, said: str, told: Collection[str]) -> bool:
    """Say whether a rule denies, or holds for good, no more and no less than what was said."""
    if _loses_denial(content, said, told):
        return False
    if denies(content) and not any(map(_is_unwanted, _near(said, told))):
        return False
    return not _bounds(content) or _bounds(said) or bool(cues(said) & _LASTING)


def _loses_denial(content: str, said: str, told: Collection[str]) -> bool:
    """Say whether a rule says all that a denial says but its denial: "never push" is not "push"."""
    denying = _listed("denying")
    kept = denying & _all(content)
    unsaid = _listed("unsaying") & _all(content)
    for part in _PART.findall(said):
        denied, tells = denying & _all(part), _telling(part)
        is_reworded = bool(unsaid or kept - denied or (cues(content) - cues(part)) & _TURNED)
        is_all = bool(tells) and all(_is_among(word, told) for word in tells)
        if is_all and not is_reworded and _stand_before(denied - kept, tells, part):
            return True
    return False


def _stand_before(some: Collection[str], others: Collection[str], part: str) -> bool:
    """Say whether one of some words stands before one of others: it denies what follows it."""
    order = words(part)
    first = next((at for at, word in enumerate(order) if word in some), len(order))
    return any(word in others for word in order[first:])


def _near(said: str, told: Collection[str]) -> list[str]:
    """Return the sentences that speak of what a rule tells, with those beside them."""
    parts = _SENTENCE.findall(said)
    meant = [any(_is_among(word, _all(part)) for word in told) for part in parts]
    return [part for at, part in enumerate(parts) if any(meant[max(0, at - 1) : at + 2])]


def denies(text: str) -> bool:
    """Say whether a text denies something."""
    return not _listed("denying").isdisjoint(_all(text)) or bool(_DENIED.search(text))


def is_bound(text: str) -> bool:
    """Say whether a text holds only in some case."""
    return not _listed("conditional").isdisjoint(_all(text))


def _is_unwanted(text: str) -> bool:
    """Say whether somebody says that something is not wanted, in whatever words."""
    is_unsaid = not _listed("unsaying").isdisjoint(_all(text))
    return is_unsaid or denies(text) or bool(cues(text) & _TURNED)


def _bounds(text: str) -> bool:
    return not _listed("bounding").isdisjoint(_all(text)) or bool(_LASTS.search(text))


def _telling(text: str) -> frozenset[str]:
    """Return the words that say what a rule is about."""
    return frozenset(word for word in _all(text) if word not in _plain() and stems(word))


@cache
def _plain() -> frozenset[str]:
    return _listed("wording") | _listed("denying") | _listed("bounding")


def _all(text: str) -> frozenset[str]:
    return frozenset(_POST.sub("", _ELIDED.sub("", word)) for word in words(text))


def _is_among(word: str, others: Iterable[str]) -> bool:
    """Say whether one of these words is a form of a word."""
    return any(_are_forms(word, other) for other in others)


def _are_forms(one: str, other: str) -> bool:
    """Say whether two words begin alike: for long, or but for the last letter of the shorter."""
    if one[0].isdigit() or other[0].isdigit():
        return one.strip(ascii_letters) == other.strip(ascii_letters)  # "14th" is 14
    shorter = min(len(one), len(other))
    pairs = zip(one, other, strict=False)
    shared = next((at for at, (a, b) in enumerate(pairs) if a != b), shorter)
    is_begun = shared == shorter and shared >= _SHORTEST
    return one == other or is_begun or shared >= min(_CLEAR, max(_ALIKE, shorter - 1))


@cache
def _listed(name: str) -> frozenset[str]:
    text = shipped(__package__, "carry.toml").read_text(encoding="utf-8")
    return frozenset(each.strip() for each in tomllib.loads(text)[name].split(","))
