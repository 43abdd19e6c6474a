"""Joined: decisions that are told over two turns, with their reason, as one statement.

The reason may follow what was decided, answer the agent's why, come with the pick of one of two
things that the agent offered, or with assent to what it proposed. The words that are cited are the
user's own, of this turn; what the turn before adds stands beside them, the agent's in brackets.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from tacit.curate.extract import Draft
from tacit.curate.rules.across.edges import Shape, apart
from tacit.curate.rules.cues import cues
from tacit.curate.rules.phrase import phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.segment import clauses
from tacit.curate.rules.subject import telling, topic
from tacit.curate.rules.words import stems
from tacit.curate.statement import words_of
from tacit.curate.trust import is_addressed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.reading import Said
    from tacit.curate.rules.segment import Clause
    from tacit.curate.rules.view import View
    from tacit.store.memory_port import Known

_REASON = Shape(rf"\W*(?:and\s+|but\s+)?{apart('reasons')}")
_WHY = Shape(apart("whys"))
_OR = Shape(apart("alternatives"))
_PROPOSED = Shape(apart("proposing"))
_POINTS = Shape(apart("pointing"))
_NAMES_A_SECRET = Shape(apart("private"))
_PICKS = tuple(
    Shape(rf"\W*(?:{apart(name)}|[{letter}](?=[,.:;)\s]\W*\w))")
    for name, letter in (("first", "a1"), ("second", "b2"))
)
# where the reason begins within what picks something: "B, it is simpler"
_GIVEN = Shape(
    rf"[,;:.\u2014\u2013\u3001\u3002-]\s*{apart('reasons', 'dangling')}|{apart('reasons')}"
    r"|\u306e\u3067|\u304b\u3089"
)
_MARKS = ("?", "\uff1f")
_SETTLED = {"settled", "decide"}
_NOT_MEANT = {"joke", "said", "maybe", "once", "irony"}
_RULES = {"standing", "ever", "onward", "remember", "asked"}
_LONGEST = 160
_FEWEST = 2  # so many words tell something
_SURE = 0.8
_NOD = 2  # words


def decided(view: View, before: Sequence[Said], known: Sequence[Known]) -> Iterator[Draft]:
    """Yield the decision that this turn completes with its reason, if it does."""
    for said in view.prompts[:1] if view.before else ():
        pieces = _telling(clauses(said.text))
        if not pieces or not _is_meant(pieces[0]) or is_private(pieces[0].text):
            continue
        made = _reasoned(view, said, pieces[0], before, known) or _picked(view, said, pieces)
        if made is not None:
            yield made


def _telling(pieces: Sequence[Clause]) -> Sequence[Clause]:
    """Return clauses without the thanks and the yes that they begin with."""
    first = next((at for at, each in enumerate(pieces) if not _is_nod(each)), len(pieces))
    return pieces[first:]


def _is_nod(clause: Clause) -> bool:
    return "thanks-first" in cues(clause.text) and len(clause.text.split()) <= _NOD


def _reasoned(
    view: View, said: Said, reason: Clause, before: Sequence[Said], known: Sequence[Known]
) -> Draft | None:
    """Return what the user decided in the turn before, with the reason that is given now."""
    is_begun = _REASON.match(reason.text) is not None
    if not is_begun and not _asks_why(view.before):
        return None
    if len(stems(reason.text)) < _FEWEST or len(reason.text) > _LONGEST:
        return None
    told = next((each for each in islice(reversed(before), 2) if each.kind == "prompt"), None)
    base = _decision(told) if told is not None and told.origin == "user" else None
    if base is None:
        return None
    why = phrase(reason.text, said.at)
    content = f"{base}, {why[:1].lower()}{why[1:]}" if is_begun else f"{base}: {why}"
    return _related(_draft(said, reason.start, reason.text, content), base, view, known)


def _asks_why(reply: str) -> bool:
    """Say whether the last that an agent said asks for the reason."""
    asked = _asked(reply)
    return bool(asked and _WHY.search(asked))


def _asked(reply: str) -> str:
    """Return the question that an agent's words end with; or nothing."""
    if not reply.rstrip().endswith(_MARKS):
        return ""
    return next((each.text for each in clauses(reply)[-1:] if len(each.text) <= _LONGEST), "")


def _decision(told: Said) -> str | None:
    """Return what was decided in a prompt, if one clause of it says so."""
    found = [
        each
        for each in clauses(told.text)
        if cues(each.text) & _SETTLED and _is_meant(each) and len(each.text) <= _LONGEST
    ]
    if not found or is_private(found[-1].text):
        return None
    return phrase(found[-1].text, told.at).rstrip(" .!")


def _related(draft: Draft, base: str, view: View, known: Sequence[Known]) -> Draft:
    """Return a decision as one with what was remembered of it in the turn before.

    Where that says more than the decision, both stay: it would be lost.
    """
    about = stems(base)
    old = next(
        (
            each
            for each in known
            if each.session == view.turn.session
            and each.origin == "user"
            and about & stems(each.content) == about
        ),
        None,
    )
    if old is None:
        return draft
    is_more = set(words_of(old.content)) <= set(words_of(draft.content))
    return replace(draft, same_as=old.id) if is_more else replace(draft, is_separate=True)


def _picked(view: View, said: Said, pieces: Sequence[Clause]) -> Draft | None:
    """Return the pick of what the agent offered, or the assent to what it proposed."""
    both = [each for each in pieces[:2] if _is_meant(each)]
    quote = next(
        (
            text
            for text in (said.text[pieces[0].start : each.stop] for each in both)
            if len(text) <= _LONGEST and _GIVEN.search(text)
        ),
        "",
    )
    offered = _offered(view.before, pieces[0].text) if quote else ""
    if not offered or is_addressed(offered) or cues(offered) & _RULES:
        return None  # an agent does not get a rule of its own in beside the user's word
    if is_private(quote) or _NAMES_A_SECRET.search(offered):
        return None
    content = f"{phrase(quote, said.at).rstrip(' .!')} ({offered})"
    return replace(_draft(said, pieces[0].start, quote, content), is_certain=False)


def _offered(reply: str, answer: str) -> str:
    """Return what the agent asked or proposed, as far as an answer takes it up; or nothing."""
    asked = _asked(reply)
    if asked and _OR.search(asked):
        return f"asked: {asked}" if _takes_one(asked, answer) else ""
    told = [each.text for each in clauses(reply) if len(each.text) <= _LONGEST]
    proposed = [each for each in told if _PROPOSED.search(each)]
    is_taken = bool(cues(answer) & _SETTLED) and bool(_POINTS.search(answer))
    return f"proposed: {proposed[-1].rstrip(' .')}" if is_taken and proposed else ""


def _takes_one(asked: str, answer: str) -> bool:
    """Say whether an answer takes one of two things that a question offers, by name or by place."""
    one, other = (stems(part) for part in _OR.parted(asked))
    head = re.split(r"[,;.\u2014\u3001]", answer, maxsplit=1)[0]
    named = [bool(stems(head) & only) for only in (one - other, other - one)]
    placed = [bool(each.match(answer)) for each in _PICKS]
    return named.count(True) == 1 or placed.count(True) == 1


def _is_meant(clause: Clause) -> bool:
    """Say whether somebody means what a clause says: no question, no joke, no other's word."""
    is_asked = any(mark in clause.text for mark in _MARKS)
    return not is_asked and not cues(clause.text) & _NOT_MEANT


def _draft(said: Said, start: int, quote: str, content: str) -> Draft:
    return Draft(
        kind="decision",
        content=content,
        said=said,
        start=start,
        quote=quote,
        tags=telling(content),
        topic=topic(content),
        confidence=_SURE,
    )
