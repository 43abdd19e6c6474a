"""Asked: what a prompt asks for, in the speaker's own words and in short.

What was pasted into it, announced or not meant asks for nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.curate.rules.across.pasted import foreign, is_code, mail
from tacit.curate.rules.cues import cues
from tacit.curate.rules.phrase import phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.segment import Clause, clauses
from tacit.curate.rules.words import stems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.reading import Said
    from tacit.curate.rules.view import View

_LONGEST = 140
ENOUGH = 2  # stems that a request has at least
_ASKS = {"task", "ask"}
_NOT_MEANT = {"irony", "joke"}
_LETTER = re.compile(
    r"^(?:Subject|Betreff|Objet|Asunto|Oggetto|Temat|Date|Datum|Sent):|@", re.MULTILINE
)
_PROSE = re.compile(  # words in a row, whatever stands at their end
    r"(?!\s*(?:return|import|def|class|const|let|var|func|fn|int|public|static)\b)"
    r"(?:\s*(?:[-*]|\d+[.)])\s)?\s*[^\W\d_]+,?(?:\s[^\W\d_]+,?){2}"
)


def asked(view: View, *, only_tells: bool) -> str:
    """Return what a turn asks for: its first clause that asks, or else all of a short prompt."""
    for said in view.prompts:
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


def _is_asking(clause: Clause) -> bool:
    return "?" in clause.text or bool(cues(clause.text) & _ASKS)


def _own(said: Said) -> list[Clause]:
    """Return what the speaker says and means; where all is others' words, a question at its end."""
    text, said_all = said.text, clauses(said.text)
    letters = [*mail(text)] if _LETTER.search(text) else []
    places = [*foreign(text), *letters, *_code(text)]
    pieces = [
        each for each in said_all if not any(start <= each.start < stop for start, stop in places)
    ]
    if not pieces and (letters or "\n\n" in text.strip()):
        last = text.rstrip().rfind("\n\n")
        return [each for each in said_all if each.start > last > 0 and "?" in each.text]
    pieces = pieces or list(said_all)  # "Error: the page is blank": it looks printed, but is said
    return [each for each in pieces if _is_meant(each)] or pieces


def _is_meant(clause: Clause) -> bool:
    """Say whether a clause is meant, and does not just announce what stands behind it."""
    is_announcing = clause.text.endswith((":", "\uff1a"))
    return _is_asking(clause) or not (is_announcing or cues(clause.text) & _NOT_MEANT)


def _code(text: str) -> Iterator[tuple[int, int]]:
    """Yield where lines of code stand in a message that says something besides."""
    lines = text.splitlines(keepends=True)
    found: list[bool] = []
    for line in lines:  # what is indented below code is code
        is_below = found[-1:] == [True] and line[:1].isspace()
        found.append(is_below or (is_code(line) and not _PROSE.match(line)))
    at = 0
    for line, is_pasted in zip(lines, found, strict=True):
        if is_pasted and not all(found):
            yield at, at + len(line)
        at += len(line)


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
