"""The smallest curator: what the user asks outright to be remembered, and nothing else.

A secret or a personal number is not remembered, whoever asks for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.extract import Draft, Extracted, Extractor
from tacit.curate.rules.across.halves import halves
from tacit.curate.rules.cues import cues
from tacit.curate.rules.dates import resolved
from tacit.curate.rules.features import Around, features
from tacit.curate.rules.private import is_private
from tacit.curate.rules.scorer import scorer
from tacit.curate.rules.segment import clauses, own_lines
from tacit.curate.rules.subject import telling
from tacit.curate.rules.tables import choice
from tacit.mind import in_mind
from tacit.model.memory import EXPLICIT as NAME
from tacit.model.memory import LONGEST_CONTENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.curate.extract import Context
    from tacit.curate.reading import Said, TurnText
    from tacit.curate.rules.segment import Clause

_ASKED = re.compile(
    r"(?:^|(?<=[.!?\])]))[^\S\n]*(?P<asked>(?:please[ ,]+)?remember(?:[ ,]+that|[^\S\n]*:)"
    rf"|{choice('remember')}(?:[ ,]+{choice('that')}|[^\S\n]*:))[^\S\n]+",
    re.IGNORECASE | re.MULTILINE,
)
_LEAD = re.compile(rf"(?:(?:please[ ,]+)?remember|{choice('remember')})[ ,:.!]*", re.IGNORECASE)
_END = re.compile(r"[.!?]+(?=\s|$)|\n")
# a full stop behind these ends no sentence: titles, and an initial before a name
_SHORT = re.compile(
    r"\b(?:(?i:dr|mr|mrs|ms|prof|st|sig|sra?|dott|e\.g|i\.e|z\.b|d\.h|vs|ca)|[A-Z])$"
)
_REMINISCENCE = re.compile(
    r"(?:time|one|day|night|week|moment)\b(?:\s+(?:when|we|i|you|they)\b|$)", re.IGNORECASE
)
_WHEN = re.compile(rf"{choice('when')}\b", re.IGNORECASE)
_RULES = {"standing-first", "ever-first", "ban-first", "onward-first", "duty-first"}
_ORDERS = {"standing", "ever", "ban"}
_EVERYWHERE = 0.7


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be remembered, where it stands, and where it begins to be asked for."""

    asked: int
    start: int
    words: str


def extract(turn: TurnText, _context: Context | None = None) -> Extracted:
    """Return what the user asked to be remembered in this turn."""
    return Extracted(drafts=tuple(draft for said in turn.prompts for draft in _drafts(said)))


def _drafts(said: Said) -> Iterator[Draft]:
    for each in _asked_in(said.text):
        for first, last in halves(each.words, kind_of_statement(each.words)):
            yield _draft(said, each.start + first, each.words[first:last])


def _draft(said: Said, start: int, words: str) -> Draft:
    told = resolved(words, said.at)
    return Draft(
        kind=kind_of_statement(words),
        content=told[0].upper() + told[1:],
        said=said,
        start=start,
        quote=words,
        tags=telling(words),
        importance=4,
        is_everywhere=_is_everywhere(words),
        extractor=NAME,
    )


@in_mind(4)
def _asked_in(text: str) -> tuple[_Asked, ...]:
    """Return what a message asks to be remembered, and where it stands."""
    found = []
    for asked in _ASKED.finditer(text):
        if not any(first <= asked.start("asked") < last for first, last in own_lines(text)):
            continue  # pasted, quoted, or code: not the user's own word
        start, most = asked.end(), asked.end() + LONGEST_CONTENT
        end = _end(text, start, most)
        if end is None and len(text) > most:
            continue
        words = text[start : end.start() if end else most].rstrip()
        is_question = end is not None and end.group() == "?"
        if words and not is_question and not _REMINISCENCE.match(words) and not is_private(words):
            found.append(_Asked(asked.start("asked"), start, words))
    return tuple(found)


def _end(text: str, start: int, most: int) -> re.Match[str] | None:
    """Return where a sentence ends; a title or an initial with its full stop does not end it."""
    for end in _END.finditer(text, start, most + 1):
        is_last = not text[end.end() :].strip()
        if end.group() != "." or is_last or not _SHORT.search(text, start, end.start()):
            return end
    return None


def covers(draft: Draft, clause: Clause) -> bool:
    """Say whether a clause asks to remember something: it is that memory, and nothing else."""
    asked = [each.asked for each in _asked_in(draft.said.text) if each.start == draft.start]
    begin = min([draft.start, *asked])
    return clause.start < draft.start + len(draft.quote) and begin < clause.stop


def is_lead(text: str) -> bool:
    """Say whether words only ask to remember, and not what."""
    return bool(_LEAD.fullmatch(text.strip()))


def kind_of_statement(words: str) -> str:
    """Return what is to be remembered: a taste, what to do, or else how something is."""
    told = cues(words)
    if "taste-first" in told:
        return "preference"
    is_rule = told & _RULES or (_WHEN.match(words) and told & _ORDERS)
    return "instruction" if is_rule or _is_order(words) else "fact"


def _is_everywhere(words: str) -> bool:
    """Say whether it is about the user, and so holds in every project."""
    judge = scorer("user")
    seen = features(clauses(words), Around())
    return bool(seen) and min(judge.chance("everywhere", each) for each in seen) >= _EVERYWHERE


def _is_order(words: str) -> bool:
    """Say whether the words tell somebody what to do, rather than how something is."""
    first = words.split(maxsplit=1)[0].casefold()
    return first in {"always", "never", "use", "do", "don't", "avoid", "prefer", "to", "not"}


EXPLICIT = Extractor(name=NAME, extract=extract)
