"""Procedures: the way in which something was just done, if the user wants it done so again.

"That worked, always deploy like this" says nothing by itself: the commands of the turn before that
went well, in their order, are what it means. The words that are cited are the user's own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.extract import Draft
from tacit.curate.rules.across.edges import apart
from tacit.curate.rules.across.outright import is_outright
from tacit.curate.rules.across.recovered import is_red, shown, steps
from tacit.curate.rules.features import features
from tacit.curate.rules.phrase import phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.segment import MOST, clauses
from tacit.curate.rules.subject import telling, topic
from tacit.curate.rules.view import act_of
from tacit.curate.trust import is_addressed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.reading import Said
    from tacit.curate.rules.view import View

_THIS_WAY = re.compile(apart("this_way"), re.IGNORECASE)
_FEWEST, _MOST = 2, 5  # commands
_LONGEST = 110  # characters of what the user says
_ROOM = 300  # characters of all
_SURE = 0.8


def kept(view: View, did: Sequence[Said]) -> Iterator[Draft]:
    """Yield the way that the user wants kept: what was *did* in the turn before."""
    for said in view.prompts:
        if not _THIS_WAY.search(said.text[:MOST]):
            continue
        pieces = clauses(said.text)
        seen = features(pieces, view.around(said))
        before = [set[str](), *seen]
        for clause, told, earlier in zip(pieces, seen, before, strict=False):
            is_short = len(clause.text) <= _LONGEST and bool(_THIS_WAY.search(clause.text))
            if not is_short or not is_outright(told, earlier) or is_private(clause.text):
                continue
            way = _way(did)
            if way:
                content = f"{phrase(clause.text, said.at).rstrip(' .!')}: {way}"
                yield Draft(
                    kind="instruction",
                    content=content,
                    said=said,
                    start=clause.start,
                    quote=clause.text,
                    tags=telling(content),
                    topic=topic(content),
                    importance=4,
                    confidence=_SURE,
                )
                return


def _way(did: Sequence[Said]) -> str:
    """Return the commands that went well, in their order; nothing if they are no procedure."""
    acts = [act_of(said) for said in did]
    ran = [shown(act.command) for act in acts if steps(act.command) and not is_red(act)]
    found = list(dict.fromkeys(each for each in ran if each))
    told = ", then ".join(f"`{each}`" for each in found[:_MOST])
    is_fit = _FEWEST <= len(found) <= _MOST and len(told) <= _ROOM
    is_safe = not any(is_addressed(each) or is_private(each) for each in found)
    return told if is_fit and is_safe else ""
