"""Kin: whether a new statement says what is known already, or takes the place of it.

Judged by words alone. A statement replaces another only if it names what it replaces
(`across/replacement.py`). What denies what is known, reverses its order or gives another
value in the same words is never the same: both stay, and the owner is asked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from tacit.curate.rules.across.replacement import denies, names
from tacit.curate.rules.across.slots import clauses_with_values, is_same_slot, may_be_same_slot
from tacit.curate.rules.across.stance import about, is_other_value, is_reversed, is_swapped
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
_CHANGES = frozenset(("turn", "change"))
_TELLS = 3  # so many words are a statement
_NAMES = 2  # so many name the same thing, if nothing else is said of it
_COUNTS = (1, 2, 3, 4)
_RARE = (3.0, 6.0, 9.0, 12.0, 16.0)
_TELLING = ("again", "turn", "change", "contrast", "standing", "repair")
_WORK = frozenset(("discovery", "bugfix", "feature", "refactor", "tool"))
_DONE = _WORK - {"discovery"}  # tells what was done once, which nothing replaces
SURE, AGAIN, STANDS_OUT = 0.4, 0.05, 1.5


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
    others: tuple[int, ...] = ()  # that give the same slot an old value, too


def verdict(new: Statement, known: Sequence[Statement]) -> Verdict | None:
    """Return the known statement that a new one repeats or replaces; None if there is none."""
    told = cues(new.text)
    near = [
        (at, old)
        for at, old in enumerate(known)
        if not new.stems.isdisjoint(old.stems) and not _is_apart(new, old)
    ]
    is_own = trust(new.origin) >= trust("user")
    replaced = _replaced(new, near) if is_own or "turn" in told else None
    filled = [at for at, old in near if old.kind not in _DONE and is_same_slot(new.text, old.text)]
    outdated = list(dict.fromkeys([replaced, *filled] if replaced is not None else filled))
    if outdated and (replaced is not None or is_own):
        return Verdict(outdated[0], "replaced", _CERTAIN, tuple(outdated[1:]))
    against = []
    for at, old in near:
        if _is_contrary(new, old, told):
            against.append(at)
        elif "turn" not in told and _is_contained(new, old):
            return Verdict(at, "same", _CERTAIN)
    if against:
        return Verdict(against[0], "unclear", _CERTAIN)
    return _repeated(new, near, told) if "again" in told else None


def _replaced(new: Statement, near: Sequence[tuple[int, Statement]]) -> int | None:
    """Return which of the known statements a new one names and so replaces.

    Where several fit equally well it is not clear which is meant, and all of them stay.
    """
    found = [(names(new.text, old.text), at) for at, old in near if old.kind not in _DONE]
    best = max((covered for covered, _ in found), default=0)
    meant = [at for covered, at in found if covered == best]
    return meant[0] if best and len(meant) == 1 else None


def _repeated(
    new: Statement, near: Sequence[tuple[int, Statement]], told: frozenset[str]
) -> Verdict | None:
    """Return which of the known statements one repeats that says that it repeats something."""
    same = kinship("same")
    found = [(same.chance(set(features(new, old, told))), at, old) for at, old in near]
    found.sort(key=lambda each: -each[0])
    chance, at, old = found[0] if found else (0.0, 0, new)
    others = found[1][0] if len(found) > 1 else 0.0
    if chance < SURE and not (chance >= AGAIN and chance >= STANDS_OUT * others):
        return None
    return Verdict(at, "unclear" if _differs(new, old) else "same", chance)


def _is_apart(new: Statement, old: Statement) -> bool:
    """Say whether one is a rule and the other tells of work: they share words by chance alone."""
    kinds = {new.kind, old.kind}
    return not kinds.isdisjoint(BEHAVIOURAL) and not kinds.isdisjoint(_WORK)


def _is_contrary(new: Statement, old: Statement, told: frozenset[str]) -> bool:
    """Return whether a statement says the opposite of a known one, or gives another value."""
    if may_be_same_slot(new.text, old.text):
        return "turn" not in told
    if len(new.stems & old.stems) < _NAMES:
        return False
    is_own = trust(new.origin) >= trust("user")
    if not is_own and "turn" in told:
        return False  # an agent that tells of a change
    if _is_one_thing(about(new.text), about(old.text)):
        return is_reversed(new.text, old.text) or is_swapped(new.text, old.text)
    return "turn" not in told and is_other_value(new.text, old.text)


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


def _is_contained(new: Statement, old: Statement) -> bool:
    """Say whether all that one of two statements says, the other says as well."""
    less, more = sorted((new, old), key=lambda each: len(each.stems))
    is_enough = len(less.stems) >= _TELLS
    return is_enough and less.stems <= more.stems and values(less.text) <= values(more.text)


def replacing(new: Statement, known: Sequence[Statement]) -> float:
    """Return how likely words tell that something known no longer holds; 0 if of no change.

    It tells what is worth remembering; what is replaced, only what is named.
    """
    told = cues(new.text)
    if not (told & _CHANGES or denies(new.text) or clauses_with_values(new.text)):
        return 0.0
    near = [(at, old) for at, old in enumerate(known) if not new.stems.isdisjoint(old.stems)]
    if _replaced(new, near) is not None or any(is_same_slot(new.text, old.text) for _, old in near):
        return 1.0
    if "turn" not in told:
        return 0.0
    model = kinship("replaced")
    return max((model.chance(set(features(new, old, told))) for _, old in near), default=0.0)


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
