"""Follow-ups: what is left to do later, and whether a turn has done it.

The user leaves something, in his own words or in those of the agent that take them up. What a tool
printed, and what reads like an order, is left by nobody.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.curate import explicit
from tacit.curate.extract import FollowUp
from tacit.curate.rules.across.leaving import is_left, is_listed
from tacit.curate.rules.across.stance import is_denial
from tacit.curate.rules.cues import cues
from tacit.curate.rules.features import EDITS, features
from tacit.curate.rules.phrase import phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.scorer import rarity, scorer
from tacit.curate.rules.segment import clauses, own_lines
from tacit.curate.rules.spans import Limits, spans
from tacit.curate.rules.tables import choice, listed
from tacit.curate.rules.words import stems, words
from tacit.curate.trust import is_echo, may_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tacit.curate.reading import Said
    from tacit.curate.rules.view import View
    from tacit.model.action import Action

_USER = Limits(sure=0.25, others=0.5, beside=0.1, grown=140)
_OUTRIGHT = 0.9
_LISTED = 0.05  # enough to look what the agent calls it, too little by itself
_AGREED = 0.005  # how likely a turn leaves something, if the agent says that it stays open
_TAKEN_UP = 0.1  # and how likely the user's own words leave it, if the agent's cannot be taken
_LONGEST = 180  # characters
_ASKED = {"task", "ask"}
_EMPTY = stems(" ".join(listed("empty")))
_POINTS = re.compile(rf"\b{choice('pointing')}\b", re.IGNORECASE)
_COMMAND = re.compile(
    r"https?://|\|\s*(?:ba)?sh\b|\bsudo\b|\brm\s+-|\bcurl\b|\bwget\b", re.IGNORECASE
)
_MARKED = re.compile(
    r"(?:^[ \t]*(?:[-*][ \t]+)?|(?<=[.!?] ))to-?do\b(?:[ \t]+(?:for[ \t]+)?later)?[ \t]*:[ \t]*"
    r"(?P<what>[^\s.!?\n][^\n]{2,160}?)(?=[.!?](?:\s|$)|$)",
    re.IGNORECASE | re.MULTILINE,
)
_MARK = 24  # so far before what is to be done stands the mark at most
_FINISHED = re.compile(rf"\b{choice('finished')}\b", re.IGNORECASE)
_LEAD = 1  # the first word may be a `no` that answers something
_SHARED, _MOST = 0.3, 0.5  # of what an action tells: with a rare word in it, or without
_RARE = 6.0
_FEWEST = 2


def left_to_do(view: View) -> list[FollowUp]:
    """Return what the turn leaves for later: in the agent's words where those say more."""
    marked = [each for prompt in view.prompts for each in _marked(prompt)]
    others = [each for each in _left(view) if not any(_overlap(each, one) for one in marked)]
    return [*marked, *others]


def _marked(said: Said) -> Iterator[FollowUp]:
    """Yield what the user has marked as something to do."""
    for found in _MARKED.finditer(said.text):
        start, quote = found.start("what"), found["what"].rstrip()
        is_own = any(first <= start < last for first, last in own_lines(said.text))
        if is_own and said.text[found.end() : found.end() + 1] != "?" and _may_be_left(quote):
            yield _follow_up(said, start, start + len(quote))


def _overlap(one: FollowUp, marked: FollowUp) -> bool:
    """Say whether two cite the same words; the mark stands right before what is marked."""
    if one.said.event != marked.said.event:
        return bool((stems(one.content) & stems(marked.content)) - _EMPTY)
    stop = marked.start + len(marked.quote)
    return one.start < stop and marked.start - _MARK <= one.start + len(one.quote)


def _left(view: View) -> list[FollowUp]:
    """Return what the turn leaves, as its words tell."""
    said = [each for prompt in view.prompts for each in _found(view, prompt)]
    said = [(each, chance) for each, chance in said if _may_be_left(each.quote)]
    likely = max((chance for _, chance in said), default=0.0)
    least = _USER.sure
    agreed = _agreed(view) if likely >= _AGREED else None
    if agreed is not None and not _is_own(agreed.quote, view):
        agreed, least = None, _TAKEN_UP
    if agreed is not None:
        meant = stems(agreed.quote) - _EMPTY
        apart = [
            each
            for each, chance in said
            if chance >= _OUTRIGHT and meant.isdisjoint(stems(each.quote))
        ]
        telling = [agreed, *(each for each, _ in said if each not in apart)]
        return [max(telling, key=lambda each: len(stems(each.quote) - _EMPTY)), *apart]
    return [each for each, chance in said if chance >= least] + _broken_off(view)


def _may_be_left(quote: str) -> bool:
    return not is_private(quote) and not explicit.is_lead(quote)


def _found(view: View, said: Said) -> Iterator[tuple[FollowUp, float]]:
    """Yield what the user may want done later, each with how likely that is."""
    pieces = clauses(said.text)
    seen = features(pieces, view.around(said))
    kept = [each for each in explicit.extract(view.turn).drafts if each.said.event == said.event]
    judge = scorer("user")
    chances = [
        -1.0
        if any(explicit.covers(each, clause) for each in kept)
        else max(judge.chance("todo", told), _outright(clause.text[:_LONGEST]))
        for clause, told in zip(pieces, seen, strict=True)
    ]
    for span in spans(said.text, pieces, chances, replace(_USER, sure=_AGREED)):
        outright = [at for at in span.core if is_left(pieces[at].text[:_LONGEST])]
        if len(outright) > 1:  # each is a thing of its own
            for at in outright:
                yield _follow_up(said, pieces[at].start, pieces[at].stop), span.chance
            continue
        likeliest = max(span.core, key=chances.__getitem__)
        first = likeliest if _says_all(pieces[likeliest].text) else span.first
        yield _follow_up(said, pieces[first].start, pieces[span.last].stop), span.chance


def _follow_up(said: Said, start: int, stop: int) -> FollowUp:
    """Return what these words leave."""
    quote = said.text[start:stop]
    return FollowUp(content=phrase(quote, said.at), said=said, start=start, quote=quote)


def _outright(clause: str) -> float:
    """Return how likely a clause leaves something for what it asks or tells outright."""
    return _OUTRIGHT if is_left(clause) else _LISTED if is_listed(clause) else 0.0


def _says_all(clause: str) -> bool:
    """Say whether a clause that begins with a reminder needs nothing said before it."""
    is_reminder = "later-first" in cues(clause) and not _POINTS.search(clause)
    return is_reminder and len(stems(clause) - _EMPTY) >= _FEWEST


def _agreed(view: View) -> FollowUp | None:
    """Return what the agent says stays open."""
    if view.reply is None:
        return None
    text = view.reply.text
    pieces = clauses(text)
    for at, clause in enumerate(pieces):
        if "open" not in cues(clause.text) or "?" in clause.text:
            continue
        is_head = text[clause.stop : clause.stop + 1] == ":" and at + 1 < len(pieces)
        stop = pieces[at + 1].stop if is_head else clause.stop
        quote = text[clause.start : stop][:_LONGEST]
        if len(stems(quote)) >= _FEWEST:
            return _follow_up(view.reply, clause.start, clause.start + len(quote))
    return None


def _is_own(quote: str, view: View) -> bool:
    """Say whether the agent's words take up what the user said, and nothing that others said."""
    if may_order(quote) or _COMMAND.search(quote) or is_echo(quote, view) or is_private(quote):
        return False
    left = stems(quote)
    if not left.isdisjoint(_said(view.prompts) - _EMPTY):
        return True
    before = [each for each in view.earlier if each.kind == "prompt" and each.origin == "user"]
    return len(left & (_said(before) - _EMPTY)) >= _FEWEST


def _said(prompts: Sequence[Said]) -> frozenset[str]:
    """Return what all that somebody said is about; pasted lines are not their own words."""
    return stems(" ".join(each.text for said in prompts for each in clauses(said.text)))


def _broken_off(view: View) -> list[FollowUp]:
    """Return the request of a turn that never got its reply, though work was asked for."""
    if view.reply is not None or not view.prompts:
        return []
    said = view.prompts[-1]
    asked = [each for each in clauses(said.text) if cues(each.text) & _ASKED]
    return [_follow_up(said, each.start, each.stop) for each in asked[:1]]


def done_in(view: View, waiting: Sequence[Action]) -> list[Action]:
    """Return those actions that a turn has done: it speaks of them, and of something finished.

    Who asks, or denies it, has finished nothing.
    """
    spoken = _affirmed([*view.prompts, *([view.reply] if view.reply else ())])
    has_worked = any(act.tool in EDITS and not act.is_failed for act in view.acts)
    if not has_worked and not any(map(_tells_of_an_end, spoken)):
        return []
    if not waiting:
        return []
    told = stems(" ".join(spoken))
    shown = told | stems(" ".join(view.did))
    return [each for each in waiting if _is_meant(stems(each.content) - _EMPTY, told, shown)]


def _affirmed(said: Iterable[Said]) -> list[str]:
    """Return the clauses of what was said that deny nothing."""
    found = [clause.text for each in said for clause in clauses(each.text)]
    return [each for each in found if not any(map(is_denial, words(each)[_LEAD:]))]


def _tells_of_an_end(clause: str) -> bool:
    """Say whether a clause tells that something is finished."""
    return "?" not in clause and ("done" in cues(clause) or bool(_FINISHED.search(clause)))


def _is_meant(action: frozenset[str], spoken: frozenset[str], shown: frozenset[str]) -> bool:
    """Say whether enough of what tells an action from others is spoken of, or was worked on."""
    told, named = rarity(), action & spoken
    share = told.of(action & shown) / (told.of(action) or 1)
    is_told = any(told.of({each}) >= _RARE for each in named) or share >= _MOST
    return is_told and len(named) >= _FEWEST and share >= _SHARED
