"""Kin: whether a new statement says what is known already, or takes the place of it.

Judged by words alone: how much two statements share and how rare that is, whether they name the
same numbers, and whether the new one tells of a change. What denies what is known, turns its order
around or gives another value in the same words is never the same: the user's own clear word
replaces it, if only one of the two can be right. What is not clear stays two.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from tacit.curate.rules.across.stance import (
    about,
    is_one_valued,
    is_other_value,
    is_reversed,
    is_swapped,
)
from tacit.curate.rules.cues import cues
from tacit.curate.rules.scorer import kinship, rarity
from tacit.curate.rules.tables import listed
from tacit.curate.rules.words import stems, words
from tacit.mind import in_mind
from tacit.model.memory import BEHAVIOURAL, trust

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.rules.scorer import Rarity

_NUMBER = re.compile(r"\d[\d.,:/-]*")
_NAMED = frozenset(listed("values"))
_SHARES = (0.15, 0.25, 0.35, 0.5, 0.65, 0.8)
_CERTAIN = 0.99
_TELLS = 3  # so many words are a statement
_NAMES = 2  # so many name the same thing, if nothing else is said of it
_COUNTS = (1, 2, 3, 4)
_RARE = (3.0, 6.0, 9.0, 12.0, 16.0)
_TELLING = ("again", "turn", "change", "contrast", "standing", "repair")
_RELATIONS = ("same", "replaced")
_WORK = frozenset(("discovery", "bugfix", "feature", "refactor", "tool"))
_DOUBTS = frozenset(("maybe", "irony", "joke", "said"))
SURE, LIKELY, POSSIBLE, AGAIN, STANDS_OUT = 0.4, 0.12, 0.08, 0.05, 1.5
UNTOLD = 0.6  # how likely another value must be a change, if nobody says so, to be asked about


@dataclass(slots=True)
class Statement:
    """What is compared of a memory."""

    text: str
    kind: str
    session: str = ""
    around: frozenset[str] = frozenset()  # what its turn is about, for a new one
    origin: str = "user"
    stems: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Find what it is about, once."""
        self.stems = stems(self.text)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which of the known ones is meant, and how: `same`, `replaced`, or `unclear`."""

    at: int
    relation: str
    chance: float


def verdict(new: Statement, known: Sequence[Statement]) -> Verdict | None:
    """Return the known statement that a new one repeats or replaces; None if there is none."""
    told = cues(new.text)
    found, against = [], []
    for at, old in enumerate(known):
        if new.stems.isdisjoint(old.stems) or _is_apart(new, old):
            continue
        contrary = _contrary(at, new, old, told)
        if contrary:
            against.append(contrary)
        elif "turn" not in told and _is_contained(new, old):
            return Verdict(at, "same", _CERTAIN)
        else:
            found.append(_judged(at, new, old, told))
    if against:
        return max(against, key=lambda each: each.chance)
    if not found:
        return None
    found.sort(key=lambda each: -each.chance)
    others = found[1].chance if len(found) > 1 else 0.0
    decided = _decided(found[0], others, told)
    if decided and decided.relation == "same" and _differs(new, known[decided.at]):
        return Verdict(decided.at, "unclear", decided.chance)
    return decided


def _is_apart(new: Statement, old: Statement) -> bool:
    """Say whether one is a rule and the other tells of work: they share words by chance alone."""
    kinds = {new.kind, old.kind}
    return not kinds.isdisjoint(BEHAVIOURAL) and not kinds.isdisjoint(_WORK)


def _contrary(at: int, new: Statement, old: Statement, told: frozenset[str]) -> Verdict | None:
    """Return that a statement says the opposite of a known one, or gives another value."""
    if len(new.stems & old.stems) < _NAMES:
        return None
    is_sure = True
    if not _is_one_thing(about(new.text), about(old.text)):
        if "turn" in told or not is_other_value(new.text, old.text):
            return None
        is_sure = is_one_valued(new.text, old.text)
    elif not is_reversed(new.text, old.text) and not is_swapped(new.text, old.text):
        return None
    is_own = trust(new.origin) >= trust("user")
    if not is_own and "turn" in told:
        return None  # who tells of a change is judged as such
    is_clear = is_sure and is_own and not told & _DOUBTS and "?" not in new.text
    return Verdict(at, "replaced" if is_clear else "unclear", _CERTAIN if is_clear else UNTOLD)


def _is_one_thing(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Say whether two statements are about the same: one holds all words of the other."""
    shared = len(ours & theirs)
    is_all = shared == min(len(ours), len(theirs))
    return is_all and (shared >= _TELLS or (shared >= _NAMES and ours == theirs))


def _differs(new: Statement, old: Statement) -> bool:
    """Say whether two statements cannot be the same, however alike they are."""
    ours, theirs = values(new.text), values(old.text)
    is_other = bool(ours and theirs and ours.isdisjoint(theirs))
    return is_other or is_reversed(new.text, old.text) or is_swapped(new.text, old.text)


def _judged(at: int, new: Statement, old: Statement, told: frozenset[str]) -> Verdict:
    """Return how two statements relate most likely."""
    seen = set(features(new, old, told))
    same, replaced = (kinship(name).chance(seen) for name in _RELATIONS)
    if same > replaced and "again" in told:
        return Verdict(at, "same", same)
    return Verdict(at, "replaced", replaced)


def _is_contained(new: Statement, old: Statement) -> bool:
    """Say whether all that one of two statements says, the other says as well."""
    less, more = sorted((new, old), key=lambda each: len(each.stems))
    is_enough = len(less.stems) >= _TELLS
    return is_enough and less.stems <= more.stems and values(less.text) <= values(more.text)


def replacing(new: Statement, known: Sequence[Statement]) -> float:
    """Return how likely words tell that something known no longer holds; 0 if of no change."""
    told = cues(new.text)
    if "turn" not in told or not known:
        return 0.0
    model = kinship("replaced")
    alike = [old for old in known if not new.stems.isdisjoint(old.stems)]
    return max((model.chance(set(features(new, old, told))) for old in alike), default=0.0)


def _decided(best: Verdict, others: float, told: frozenset[str]) -> Verdict | None:
    """Return the likeliest, if it is likely enough for how it is told.

    Only who tells of a change replaces something; another value alone is a question at most.
    """
    if "again" in told and best.chance >= AGAIN and best.chance >= STANDS_OUT * others:
        return Verdict(best.at, "same", best.chance)
    if best.relation == "same":
        return best if best.chance >= SURE else None
    if "turn" in told and best.chance >= LIKELY:
        return best
    least = POSSIBLE if "turn" in told else UNTOLD
    return Verdict(best.at, "unclear", best.chance) if best.chance >= least else None


def features(
    new: Statement, old: Statement, told: frozenset[str], telling: Rarity | None = None
) -> Iterator[str]:
    """Yield what two statements have in common, and how the new one is meant."""
    rare = telling or rarity()
    common, theirs = rare.of(new.stems & old.stems), rare.of(old.stems)
    turned = rare.of((new.around | new.stems) & old.stems)
    yield from _of_words(new.stems, old.stems)
    yield from _steps("rare", common, _RARE)
    yield from _steps("rare-cover", common / (min(rare.of(new.stems), theirs) or 1), _SHARES)
    yield from _steps("turn", turned, _RARE)
    yield from _steps("turn-cover", turned / (theirs or 1), _SHARES)
    yield from _steps("turn-more", rare.of((new.around - new.stems) & old.stems), _RARE)
    where = [f"beside={bisect_right(_SHARES, turned / (theirs or 1))}"]
    where += ["near"] if new.session and new.session == old.session else []
    count = min(len(new.stems & old.stems), _COUNTS[-1])
    marks = (*where, f"rare={bisect_right(_RARE, common)}", f"count={count}")
    yield from where
    for name in _TELLING:
        if name in told:
            yield f"told={name}"
            yield from (f"told={name}&{mark}" for mark in marks)
    yield from _of_what_they_are(new, old)


def _of_words(one: frozenset[str], two: frozenset[str]) -> Iterator[str]:
    """Yield how many words two statements share."""
    shared = len(one & two)
    yield from _steps("cover", shared / (min(len(one), len(two)) or 1), _SHARES)
    yield from _steps("alike", shared / (len(one | two) or 1), _SHARES)
    yield from _steps("count", shared, _COUNTS)


def _of_what_they_are(new: Statement, old: Statement) -> Iterator[str]:
    """Yield whether two statements are of one kind, and name the same values."""
    if new.kind == old.kind:
        yield "kind=same"
    elif (new.kind in BEHAVIOURAL) == (old.kind in BEHAVIOURAL):
        yield "kind=alike"
    ours, theirs = values(new.text), values(old.text)
    if ours and theirs:
        yield "values=" + ("same" if ours == theirs else "some" if ours & theirs else "other")


@in_mind(512)
def values(text: str) -> frozenset[str]:
    """Return what can differ between two statements about one thing: numbers, days, months."""
    named = {word[:3] for word in words(text) if word in _NAMED}
    return frozenset(named.union(_NUMBER.findall(text)))


def _steps(name: str, value: float, limits: tuple[float, ...]) -> tuple[str, ...]:
    """Return which limits a value has reached; they stand in order."""
    return _named(name, limits)[: bisect_right(limits, value)]


@cache
def _named(name: str, limits: tuple[float, ...]) -> tuple[str, ...]:
    return tuple(f"{name}>={limit}" for limit in limits)
