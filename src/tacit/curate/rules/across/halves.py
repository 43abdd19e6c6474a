"""Halves: two statements in one sentence are two, as long as neither needs the other.

Each must begin with a subject and a verb of its own, or be an order of its own. A reason, a
condition, a contrast or a word that points into the other half makes them one.
"""

from __future__ import annotations

import re

from tacit.curate.rules.across.edges import Shape, apart
from tacit.curate.rules.words import stems
from tacit.model.memory import BEHAVIOURAL

_WORD = r"[^\s,;:.!?()\"]+"
_JOINT = Shape(rf"\s*(?:,\s*)?(?<=[\s,]){apart('joining')}\s+")
_OWN = rf"{apart('owning')}\s+(?P<subject>(?:{_WORD}\s+){{1,4}}?)"
_NAME = rf"(?!{apart('no_subject')})(?-i:(?=[A-Z])){_WORD}\s+"
_STATES = Shape(
    rf"(?:(?:{_OWN}|{_NAME}){apart('stating')}|{apart('speaking')}\s+{apart('doing')}"
    rf"|(?!{apart('no_subject')}){_WORD}\s+{apart('being')})\s+\S"
)
_ORDERS = Shape(rf"{apart('ordering')}\s")
_ORDERS_AGAIN = Shape(rf"{apart('ordering_again')}\s+(?!{apart('elliptic')}){_WORD}\s+{_WORD}\s+\S")
_REACHES = Shape(apart("reaching"))
_VERB = Shape(apart("stating", "doing"))
_MORE = re.compile(r"[.!?:;]\s|[()\"`\u201c\u201e\u00ab\u2014\u2013]|\s-\s|\?")
_FEWEST = 3
_LONGEST = 300


def halves(quote: str, kind: str) -> list[tuple[int, int]]:
    """Return where the statements of a sentence stand, in order; mostly there is one."""
    found, at = [(0, len(quote))], 0
    if kind == "correction" or len(quote) > _LONGEST:
        return found
    if _MORE.search(quote.rstrip(".!; ")) or _REACHES.search(quote):
        return found
    while joint := _JOINT.search(quote, at):
        at, start = joint.end(), found[-1][0]
        if _are_two(quote[start : joint.start()], quote[at:], is_order=kind in BEHAVIOURAL):
            found[-1:] = [(start, joint.start()), (at, len(quote))]
    return found


def _are_two(first: str, second: str, *, is_order: bool) -> bool:
    """Say whether what stands on both sides says something of its own."""
    if min(len(first.split()), len(second.split())) < _FEWEST:
        return False
    if _ORDERS.match(first):
        is_other = not stems(first) & stems(second)
        return is_order and is_other and _ORDERS_AGAIN.match(second) is not None
    last = _JOINT.parted(first)[-1]  # "A owns this and B | and C own that"
    stated = _STATES.match(second)
    if stated is None or _STATES.match(first) is None or (last != first and not _says(last)):
        return False
    subject = stems(stated.group("subject") or "")
    return not subject or not subject <= stems(first)  # "a dog and the dog is old"


def _says(part: str) -> bool:
    """Say whether a part of a sentence has a verb of its own."""
    return _VERB.search(part) is not None
