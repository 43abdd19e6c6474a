"""Asked: what a prompt asks for, in the speaker's own words and in short.

What was pasted into it, announced or not meant asks for nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.rules.cues import cues
from tacit.curate.rules.phrase import phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.segment import Clause, clauses
from tacit.curate.rules.words import stems
from tacit.transcript.prompt.spans import QUOTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.curate.reading import Said
    from tacit.curate.rules.view import View

_LONGEST = 140
ENOUGH = 2  # stems that a request has at least
_ASKS = {"task", "ask"}
_NOT_MEANT = {"irony", "joke"}


def asked(view: View, *, only_tells: bool) -> str:
    """Return what a turn asks for: its first clause that asks, or else all of a short prompt."""
    for said in view.prompts or _lone(view):
        pieces = _own(said)
        asking = [each for each in pieces if _is_asking(each)]
        is_request = asking or not only_tells
        found = (asking or pieces) if view.acts else (pieces if is_request else ())
        for clause in found:
            if len(stems(clause.text)) >= ENOUGH and not is_private(clause.text):
                more = _rest(said.text, clause, pieces)
                is_all = len(more) <= _LONGEST and not is_private(more)
                return phrase(more if is_all else clause.text[:_LONGEST], said.at)
    return ""


def _lone(view: View) -> Sequence[Said]:
    """Return a prompt of one line that only looks like somebody else's: there is nothing beside."""
    told = [said for said in view.turn.said if said.kind == "prompt" and said.origin == QUOTED]
    return [said for said in told if "\n" not in said.text.strip()]


def _is_asking(clause: Clause) -> bool:
    return "?" in clause.text or bool(cues(clause.text) & _ASKS)


def _own(said: Said) -> list[Clause]:
    """Return what the speaker says and means."""
    pieces = list(clauses(said.text))
    return [each for each in pieces if _is_meant(each)] or pieces


def _is_meant(clause: Clause) -> bool:
    """Say whether a clause is meant, and does not just announce what stands behind it."""
    is_announcing = clause.text.endswith((":", "\uff1a"))
    return _is_asking(clause) or not (is_announcing or cues(clause.text) & _NOT_MEANT)


def _rest(text: str, clause: Clause, pieces: Sequence[Clause]) -> str:
    """Return the speaker's own words from a clause on; what stands between them is left out."""
    told, last = "", clause
    for each in pieces:
        if each.start >= clause.start:
            between = text[last.stop : each.start] if told else ""
            told += (between if between.strip() in {"", ",", ";", ":", "-"} else " ") + each.text
            last = each
    ending = re.match(r"[.!?]+", text[last.stop :])
    return told + (ending.group() if ending else "")
