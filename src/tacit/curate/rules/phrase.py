"""Phrasing: what a memory says, in the very words: one line, nothing around the statement."""

from __future__ import annotations

import re

from tacit.curate.rules.dates import resolved
from tacit.curate.rules.tables import choice, listed

_MARK = r"(?:[,:!.;]+(?:\s+|$)|\s*[\u2014\u2013-]\s+)"
_LEADS = re.compile(
    rf"(?:{choice('leads')}(?:{_MARK}|\s+)|{choice('openers')}{_MARK})+", re.IGNORECASE
)
_TAILS = re.compile(rf"(?:[\s,;:\u2014\u2013-]+{choice('tails')})+[\s.!?]*$", re.IGNORECASE)
# where a statement may end that says too much: a sentence, a part of one, or where it begins again
_ENDS = (
    re.compile(r"[.!?](?=\s)"),
    re.compile(r"[;,](?=\s)|\s[\u2014\u2013-](?=\s)"),
    re.compile(
        r"\s(?=(?:i|we|he|she|they|it|there)(?:'s|'re|'m|'ve|'ll|'d|\s(?:was|were|is|are|did|has"
        r"|have|had|will|would|went|got|said|says|came|told|moved))\b|(?:so|and|but|because) )",
        re.IGNORECASE,
    ),
)
_ENOUGH = 45
LONGEST = 200
MUCH_OF_A_REPLY = 160  # an agent tells a cause and what came of it in one long sentence
_KEPT = frozenset(listed("negations"))
_LEAST = 3
_READ = 1000


def phrase(quote: str, at_ns: int, much: int = LONGEST) -> str:
    """Return the statement that words make; what is longer than *much* ends where it can."""
    line = " ".join(quote[:_READ].replace("[private]", " ").split())
    bare = _TAILS.sub("", line[_lead(line) :]).strip(" ,;:\u2014\u2013-")
    said = bare if len(bare.split()) >= _LEAST or len(bare) > len(line) / 2 else line
    told = resolved(_shortened(said, much), at_ns)
    told = told if len(told) <= LONGEST else said
    if len(told) > LONGEST:
        told = told[:LONGEST].rsplit(" ", 1)[0] + "\u2026"
    return told[:1].upper() + told[1:]


def _shortened(said: str, much: int) -> str:
    """Return a statement that says too much up to where it says enough."""
    for end in _ENDS if len(said) > much else ():
        stops = [found.start() for found in end.finditer(said, _ENOUGH, much)]
        if stops:
            return said[: stops[-1]]
    return said


def _lead(line: str) -> int:
    """Return where the statement begins; a `no` that belongs to what follows stays."""
    found = _LEADS.match(line)
    if found is None:
        return 0
    last = re.split(r"[\s,:!.;]+", found.group().strip())[-1].casefold()
    is_bound = last.strip(",:!.;") in _KEPT and found.group().rstrip()[-1] not in ",:!.;"
    return found.end() - len(last) - 1 if is_bound else found.end()
