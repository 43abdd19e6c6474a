"""Span states: the likeliest course of a prompt between the user's own words and others'.

Each line tells for or against somebody else's words; going over from one to the other costs, less
where a lead or a blank line prepares it. The best course from the first line to the last wins. The
weights were set on prompts of our own and checked on prompts that were labelled blind.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# the user's own; somebody else's without a word about it, or with one that points at it, or that
# hands it on
OWN, PASTED, POINTED, HANDED = range(4)


class Step(NamedTuple):
    """One line: what it shows, and what leads to it."""

    traits: Sequence[str]
    lead: int = OWN
    is_apart: bool = False  # a blank line stands before it
    is_last: bool = False  # it belongs to the last paragraph


class _Weight(NamedTuple):
    """How much a trait tells that a line is somebody else's, in each state."""

    pasted: float
    pointed: float  # behind a lead that points at a text
    handed: float = 0.0  # in a text that is handed on: a document may speak like a person
    last: float = 0.0  # the same, in the last paragraph


_WEIGHTS = {
    "fenced": _Weight(99.0, 99.0, 99.0),
    "printed": _Weight(4.0, 4.0, 4.0),
    "likely": _Weight(0.8, 0.8, 0.8),
    "ornate": _Weight(1.8, 1.8, 1.8),
    "laid out": _Weight(0.0, 0.0),
    "item": _Weight(-0.1, -0.1),
    "indented": _Weight(0.9, 0.9, 0.9),
    "letter": _Weight(2.0, 2.0, 3.5),
    "labelled": _Weight(0.6, 0.5, 0.6),
    "title": _Weight(0.4, 0.3, 0.4),
    "speaks": _Weight(-2.4, -1.6, 0.0, -1.6),
    "together": _Weight(-0.8, -0.6, 0.0, -0.8),
    "asks": _Weight(-0.4, -0.2, 0.0, -1.2),
    "question": _Weight(-0.3, 0.0, 0.0, -0.6),
    "lower": _Weight(-0.7, 0.5),
    "announces": _Weight(-1.2, -1.2),
    "answers": _Weight(-1.5, -1.5, 0.0, -2.0),
    "plain": _Weight(-0.4, 0.0, 0.0, 0.4),
}
_NEVER = -99.0
_AT_FIRST = -2.5  # that a prompt begins with somebody else's words
_STAY = (OWN, PASTED, POINTED, HANDED)
_POINTED_TO_PASTED, _HANDED_TO_PASTED = 0.3, -2.0


class _Course(NamedTuple):
    """What it is worth to go over to another state."""

    enter: float  # somebody else's words, unannounced
    point: float
    hand: float
    leave: float  # for the user's own
    leave_handed: float


def _course(
    lead: int, *, is_apart: bool, is_last: bool, is_letter: bool, is_answer: bool
) -> _Course:
    return _Course(
        enter=max(-1.1 if is_apart else -3.3, -1.0 if lead else _NEVER),
        point=(_NEVER, -1.4, -0.3, -0.3)[lead],
        hand=1.2 if lead == HANDED else -1.0 if is_letter else _NEVER,
        leave=(0.4 if is_last else -1.8) if is_apart else -1.0 if is_answer else -2.6,
        leave_handed=0.2 if is_apart and is_last else -1.0 if is_answer and is_last else -4.5,
    )


_COURSES = {
    (lead, apart, last, letter, answer): _course(
        lead, is_apart=apart, is_last=last, is_letter=letter, is_answer=answer
    )
    for lead in (OWN, PASTED, POINTED, HANDED)
    for apart, last, letter, answer in product((False, True), repeat=4)
}


def likeliest(steps: Sequence[Step]) -> list[int]:
    """Return the state of each line in the likeliest course."""
    came: list[tuple[int, int, int, int]] = []
    own, pasted, pointed, handed = 0.0, _AT_FIRST, _NEVER, _NEVER
    for step in steps:
        is_letter, is_answer = "letter" in step.traits, "answers" in step.traits
        course = _COURSES[step.lead, step.is_apart, step.is_last, is_letter, is_answer]
        ways = _STAY
        if came:
            worth, ways = _gone_over(course, own, pasted, pointed, handed)
            own, pasted, pointed, handed = worth
        came.append(ways)
        for trait in step.traits:
            weight = _WEIGHTS[trait]
            pasted += weight.pasted
            pointed += weight.pointed
            handed += weight.handed + (weight.last if step.is_last else 0.0)
    return _traced(came, (own, pasted, pointed, handed))


def _gone_over(
    course: _Course, own: float, pasted: float, pointed: float, handed: float
) -> tuple[tuple[float, float, float, float], tuple[int, int, int, int]]:
    """Return what each state is worth if it is gone over to, and from where."""
    other, which = (pasted, PASTED) if pasted >= pointed else (pointed, POINTED)
    new_own, by_own = (own, OWN) if own >= other + course.leave else (other + course.leave, which)
    if handed + course.leave_handed > new_own:
        new_own, by_own = handed + course.leave_handed, HANDED
    new_pasted, by_pasted = pasted, PASTED
    if own + course.enter > new_pasted:
        new_pasted, by_pasted = own + course.enter, OWN
    if pointed + _POINTED_TO_PASTED > new_pasted:
        new_pasted, by_pasted = pointed + _POINTED_TO_PASTED, POINTED
    if handed + _HANDED_TO_PASTED > new_pasted:
        new_pasted, by_pasted = handed + _HANDED_TO_PASTED, HANDED
    first, at = (own, OWN) if own >= pasted else (pasted, PASTED)
    new_pointed, by_pointed = pointed, POINTED
    if first + course.point > pointed:
        new_pointed, by_pointed = first + course.point, at
    new_handed, by_handed = handed, HANDED
    best = max(first, pointed)
    if best + course.hand > handed:
        new_handed, by_handed = best + course.hand, at if first >= pointed else POINTED
    return (new_own, new_pasted, new_pointed, new_handed), (
        by_own,
        by_pasted,
        by_pointed,
        by_handed,
    )


def _traced(came: Sequence[tuple[int, ...]], worth: Sequence[float]) -> list[int]:
    """Return the course that ends best, from its first state on."""
    state, states = max(range(len(worth)), key=worth.__getitem__), []
    for ways in reversed(came):
        states.append(state)
        state = ways[state]
    return states[::-1]
