"""Words: which tokens a question asks the index for, and how well a passage answers them.

What stands nowhere as it was asked is looked for as the beginning of longer words, and only when
nothing at all was found by its letters: a typing error, or a part of a compound.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, NamedTuple

from tacit.recall.analyse import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.recall.analyse import Term
    from tacit.recall.weights import Weights
    from tacit.store.index_port import Index, Row, Stats

_RANKED = 3000  # so many rows, and one in fifty of a large store, are ranked for one question
_LEAST_BEGINNING = 4
_BEGINNINGS = 8
_FIRST_SIGN, _PAIRS = "\u3040", 64
_LEAST_ALIKE = 4
_LOOKED_AT = 80
_ALIKE = 4
_PER_ERROR = 5  # one letter in so many may be wrong
_USUAL = 1000  # passages: how telling a word is counts as if there were so many
_LESS = 0.6  # a word that is only like the one asked for counts so much


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One thing that a question asks for: the tokens that are it, and how telling they are."""

    word: str
    tokens: tuple[str, ...]
    rarity: float
    passages: int

    @cached_property
    def spaced(self) -> tuple[str, ...]:
        """Return the tokens as they stand among others."""
        return tuple(f" {token} " for token in self.tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a question asks for, and how long a passage is on the average."""

    asked: tuple[Asked, ...]
    average: float
    whole: float  # how telling all of the question is, what stands nowhere included
    scale: float = 1.0  # of rarity, which grows with the store without telling more
    budget: int = _RANKED  # so many rows are ranked
    is_guessed: bool = False  # nothing stands there as it was asked

    @property
    def tokens(self) -> list[str]:
        """Return the tokens to ask the index for: the rarest, as many as can be ranked quickly."""
        rows = 0
        found: list[str] = []
        for one in sorted(self.asked, key=lambda each: -each.rarity):
            if found and rows + one.passages > self.budget:
                break
            rows += one.passages
            found += one.tokens
        return found


def plan(text: str, index: Index) -> Plan:
    """Return what a question asks for."""
    stats = index.stats()
    wanted = terms(text)
    known = index.frequencies([token for term in wanted for token in term.tokens])
    found = [_asked(term, known, stats) for term in wanted if _is_known(term, known)]
    missing = [term for term in wanted if not _is_known(term, known)]
    begun = [each for term in missing if (each := _begun(term, index, stats))]
    guessed = [] if found or begun else [each for t in missing if (each := _like(t, index, stats))]
    return Plan(
        asked=(*found, *begun, *guessed),
        average=max(1.0, stats.tokens / max(1, stats.passages)),
        whole=sum(each.rarity for each in found) + len(missing) * rarity(0, stats.passages),
        scale=log(_USUAL) / log(stats.passages + 2),
        budget=_RANKED + stats.passages // 50,
        is_guessed=bool(guessed),
    )


class Answered(NamedTuple):
    """How well a passage answers in words."""

    score: float
    coverage: float  # how much of the question it has, 0..1
    telling: float  # how telling what it has is
    matched: tuple[str, ...]


def score(row: Row, plan: Plan, weights: Weights) -> Answered:
    """Return how well a passage answers in words."""
    text = f" {row.tokens.replace(' ', '  ')} "  # each token between spaces of its own
    length = 1 - weights.length + weights.length * row.size / plan.average
    saturation = weights.saturation
    total = covered = 0.0
    matched = []
    for one in plan.asked:
        times = 0
        for token in one.spaced:
            times += text.count(token)
        if times:
            total += one.rarity * times * (saturation + 1) / (times + saturation * length)
            covered += one.rarity
            matched.append(one.word)
    coverage = min(1.0, covered / (plan.whole or 1.0))
    return Answered(total, coverage, covered * plan.scale, tuple(matched))


def _is_known(term: Term, known: dict[str, int]) -> bool:
    return any(token in known for token in term.tokens)


def _asked(term: Term, known: dict[str, int], stats: Stats, share: float = 1.0) -> Asked:
    held = [token for token in term.tokens if token in known]
    passages = sum(known[token] for token in held)
    return Asked(
        word=term.word,
        tokens=tuple(held),
        rarity=share * rarity(passages, stats.passages),
        passages=passages,
    )


def rarity(passages: int, of: int) -> float:
    """Return how telling it is to hold a token that so many of all passages hold."""
    return log(1 + (max(of, passages) - passages + 0.5) / (passages + 0.5))


def _begun(term: Term, index: Index, stats: Stats) -> Asked | None:
    """Return the longer words that begin with a term."""
    known: dict[str, int] = {}
    for token in term.tokens:
        if len(token) >= _LEAST_BEGINNING:
            known |= index.beginning(token, _BEGINNINGS)
        elif len(token) == 1 and token >= _FIRST_SIGN:  # signs are indexed in pairs
            known |= index.beginning(token, _PAIRS)
    term = term._replace(tokens=tuple(known))
    return _asked(term, known, stats, _LESS) if known else None


def _like(term: Term, index: Index, stats: Stats) -> Asked | None:
    """Return the words that differ from a term in a letter or two, or that it is a part of."""
    wrong = {each: _errors(term, each) for each in index.alike(_whole(term), _LOOKED_AT)}
    near = [each for each, errors in wrong.items() if errors is not None]
    like = sorted(near, key=lambda each: wrong[each] or 0)[:_ALIKE]
    known = index.frequencies(like)
    return _asked(term._replace(tokens=tuple(like)), known, stats, _LESS) if known else None


def _whole(term: Term) -> str:
    """Return the token of a term from which least was cut."""
    return max(term.tokens, key=len)


def _errors(term: Term, other: str) -> int | None:
    """Return how many letters of a term are wrong if another token is meant; None if too many.

    A wrong letter may keep an ending from being cut, so the beginnings of the term count as well.
    """
    word = _whole(term)
    cuts = [word[: len(other) + more] for more in (-1, 0, 1)]
    tried = [each for each in (*term.tokens, *cuts) if len(each) >= _LEAST_ALIKE]
    if any(token in other for token in term.tokens if len(token) >= _LEAST_ALIKE):
        return 0
    found = ((distance(each, other, _most(each)), _most(each)) for each in tried)
    return min((errors for errors, most in found if errors <= most), default=None)


def _most(word: str) -> int:
    """Return how many letters of a word may be wrong."""
    return max(1, len(word) // _PER_ERROR)


def distance(one: str, other: str, most: int) -> int:
    """Return how many letters must be changed, added, left out or swapped; past *most*, more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: Sequence[int] = ()
    above: list[int] = list(range(len(other) + 1))
    for row, left in enumerate(one, 1):
        current = [row]
        for column, right in enumerate(other, 1):
            cost = min(above[column] + 1, current[-1] + 1, above[column - 1] + (left != right))
            is_swapped = (
                row > 1 and column > 1 and (one[row - 2], left) == (right, other[column - 2])
            )
            current.append(min(cost, before[column - 2] + 1) if is_swapped else cost)
        before, above = above, current
    return above[-1]
