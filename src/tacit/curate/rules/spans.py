"""Spans: which clauses of a message belong together to say one thing.

A clause that is worth remembering rarely says all by itself: what it points back to, its reason and
its other half stand beside it. It grows by those, as long as it stays short.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.rules.tables import choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.curate.rules.segment import Clause

_DANGLES = re.compile(rf"(?:{choice('joints')}\s+)*{choice('dangling')}\b", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:{choice('joints')}\s+)?{choice('going_on')}\b", re.IGNORECASE)
_CHATTER = re.compile(rf"{choice('chatter')}\b\W*(?:\w+\W*){{0,2}}$", re.IGNORECASE)
_END = re.compile(r"[.!?\u3002]")
_FEW_WORDS = 5
_SHORT = 35


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """From what chance on a clause counts, and how long a span may become."""

    sure: float  # one clause of a message must be as likely as this
    others: float  # any further one as this
    beside: float  # and what may stand beside one as this
    grown: int = 120
    joined: int = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Clauses that say one thing: the sure ones, and all with what stands beside them."""

    first: int
    last: int
    core: range
    chance: float


def spans(text: str, pieces: Sequence[Clause], chances: Sequence[float], by: Limits) -> list[Span]:
    """Return what is worth remembering in a message, in order."""
    cores: list[range] = []
    for at, clause in enumerate(pieces):
        if chances[at] < by.sure:
            continue
        if cores and cores[-1].stop == at and _joins(pieces, cores[-1], clause, by.joined):
            cores[-1] = range(cores[-1].start, at + 1)
        else:
            cores.append(range(at, at + 1))
    found: list[Span] = []
    best = max((chances[at] for core in cores for at in core), default=0.0)
    for nth, core in enumerate(cores):
        chance = max(chances[at] for at in core)
        if chance < by.others and chance < best:
            continue
        least = found[-1].last + 1 if found else 0
        most = cores[nth + 1].start if nth + 1 < len(cores) else len(pieces)
        first, last = _grown(text, pieces, chances, core, by)
        found.append(
            Span(
                first=min(max(first, least), core.start),
                last=max(min(last, most - 1), core.stop - 1),
                core=core,
                chance=chance,
            )
        )
    return found


def window(pieces: Sequence[Clause], chances: Sequence[float], by: Limits) -> Span | None:
    """Return the one stretch of a message that says most of what is worth remembering."""
    best: tuple[float, range] | None = None
    for first in range(len(pieces)):
        for last in range(first, len(pieces)):
            if last > first and not _fits(pieces, first, last, by.joined):
                break
            inside = chances[first : last + 1]
            weight = sum(chance - by.beside for chance in inside)
            if max(inside) >= by.sure and (best is None or weight > best[0]):
                best = weight, range(first, last + 1)
    if best is None:
        return None
    core = best[1]
    chance = max(chances[at] for at in core)
    return Span(first=core.start, last=core.stop - 1, core=core, chance=chance)


def _joins(pieces: Sequence[Clause], core: range, clause: Clause, most: int) -> bool:
    """Say whether a clause belongs to the ones before it."""
    last = pieces[core.stop - 1]
    if clause.stop - pieces[core.start].start > most:
        return False
    is_short = len(clause.text) < _SHORT or len(last.text) < _SHORT
    return is_short or bool(_DANGLES.match(clause.text) or _DANGLES.match(last.text))


def _grown(
    text: str, pieces: Sequence[Clause], chances: Sequence[float], core: range, by: Limits
) -> tuple[int, int]:
    """Return the first and the last clause of a span that says all."""
    first, last = core.start, core.stop - 1
    is_free = [chance >= 0 for chance in chances]  # what must not be kept does not come along
    if first and is_free[first - 1] and _fits(pieces, first - 1, last, by.grown):
        between = text[pieces[first - 1].stop : pieces[first].start]
        stands = _stands(text, pieces[first - 1], pieces[first - 1 : first + 1])
        is_beside = chances[first - 1] >= by.beside and "\n\n" not in between and not stands
        is_more = between.strip() == ":" or is_beside or _needs(pieces[first])
        if is_more and _is_said(pieces[first - 1]):
            first -= 1
    is_next = last + 1 < len(pieces) and is_free[last + 1]
    if is_next and _fits(pieces, first, last + 1, by.grown):
        after = pieces[last + 1]
        stands = _stands(text, after, pieces[last : last + 2])
        is_beside = chances[last + 1] >= by.beside and not stands
        is_more = is_beside or _is_brief(pieces[last]) or bool(_GOES_ON.match(after.text))
        if is_more and _is_said(after):
            last += 1
    return first, last


def _stands(text: str, clause: Clause, pair: Sequence[Clause]) -> bool:
    """Say whether a clause is a sentence by itself: it says something else than its neighbour."""
    between = text[pair[0].stop - 1 : pair[1].start]
    return not _is_brief(clause) and _END.search(between) is not None


def _fits(pieces: Sequence[Clause], first: int, last: int, most: int) -> bool:
    return pieces[last].stop - pieces[first].start <= most


def _is_said(clause: Clause) -> bool:
    """Say whether a clause tells something: no question, no mere thanks."""
    return "?" not in clause.text and not _CHATTER.match(clause.text)


def _needs(clause: Clause) -> bool:
    """Say whether a clause points back to what was said before it."""
    return _is_brief(clause) or bool(_DANGLES.match(clause.text))


def _is_brief(clause: Clause) -> bool:
    return len(clause.text.split()) < _FEW_WORDS
