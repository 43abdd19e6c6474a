"""Statements: what the user, and the agent's reply, say that is worth remembering."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tacit.curate import explicit
from tacit.curate.extract import Draft
from tacit.curate.rules.across.grounded import is_finding
from tacit.curate.rules.across.halves import halves
from tacit.curate.rules.across.outright import DOUBTS, ENOUGH, doubt, is_outright, is_reasoned
from tacit.curate.rules.across.passing import is_passing
from tacit.curate.rules.across.plain import is_plain
from tacit.curate.rules.across.scope import scope_of
from tacit.curate.rules.across.speech_act import (
    CORRECTION,
    POSSIBLE,
    speech_act,
    states_policy,
)
from tacit.curate.rules.cues import cues
from tacit.curate.rules.features import features
from tacit.curate.rules.kin import Statement, replacing
from tacit.curate.rules.phrase import LONGEST, MUCH_OF_A_REPLY, phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.scorer import scorer
from tacit.curate.rules.segment import Clause, clauses, sentences
from tacit.curate.rules.spans import Limits, Span, window
from tacit.curate.rules.subject import telling, topic
from tacit.curate.rules.tables import choice
from tacit.model.memory import BEHAVIOURAL, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.reading import Said
    from tacit.curate.rules.across.speech_act import SpeechAct
    from tacit.curate.rules.view import View

_POSSIBLE = 0.5  # from what chance on a sentence is a candidate
_REPLY = Limits(sure=0.6, others=1.0, beside=0.2, joined=180)
# how well one kind may stand for another: a rule that is a taste is well kept as either
_STANDS_FOR = {
    "preference": {"preference": 1, "instruction": 0.75, "correction": 0.3, "decision": 0.2},
    "instruction": {"instruction": 1, "preference": 0.6, "fact": 0.3, "correction": 0.3},
    "correction": {"correction": 1, "instruction": 0.8, "preference": 0.55, "fact": 0.3},
    "pattern": {"pattern": 1, "instruction": 0.5, "preference": 0.5, "fact": 0.3},
    "fact": {"fact": 1, "context": 0.5, "instruction": 0.2, "discovery": 0.2},
    "context": {"context": 1, "fact": 0.85, "decision": 0.15},
    "decision": {"decision": 1, "instruction": 0.5, "preference": 0.4, "fact": 0.3},
    "discovery": {"discovery": 1, "fact": 0.6, "bugfix": 0.3, "context": 0.2},
    "bugfix": {"bugfix": 1, "discovery": 0.6, "fact": 0.2},
    "feature": {"feature": 1, "refactor": 0.3, "context": 0.4, "fact": 0.4, "decision": 0.2},
    "refactor": {"refactor": 1, "feature": 0.4, "context": 0.3, "fact": 0.3},
    "tool": {"tool": 1, "fact": 0.5},
}
_SAID_BY_AGENTS = ("discovery", "bugfix", "feature", "refactor", "tool")
_AT_MOST = 240  # characters: whatever is longer counts for its cues alone in no case
_LEAST = 0.1  # what is less likely is no finding, whatever it repeats
QUOTED = re.compile(
    r"\"[^\"\n]{12,}\"[.!?,]*|\u201c[^\u201d\n]{12,}\u201d[.!?,]*|\u201e[^\u201c\u201d\n]{12,}[\u201c\u201d][.!?,]*"
    r"|\u00ab[^\u00bb\n]{12,}\u00bb[.!?,]*|\u300c[^\u300d\n]{8,}\u300d"
    r"|(?:(?<=\s)|(?<=^)|(?<=\())['\u2018].{12,}?['\u2019](?=[\s.!?,;)]|$)[.!?,]*"
)
ASKING = re.compile(rf"{choice('asking')}\b", re.IGNORECASE)
_ASKED_TOO = re.compile(
    r",?\s+(?:and|und|et|y|e|i)\s+"
    r"(?:please|pls|bitte|s'il te pla\u00eet|por favor|per favore|prosz\u0119)\b",
    re.IGNORECASE,
)
_IN_QUOTES = 0.2
_EVERYWHERE = 0.7
_NEWS = 1.0  # how much the likelihood of a change adds
_CERTAIN = 1.0  # that likelihood, where what no longer holds is named or fills the same slot


class Judged(NamedTuple):
    """How likely each clause counts, and how likely it is left to do."""

    chances: list[float]
    left: list[float]


def of_user(view: View, known: Sequence[Statement] = ()) -> Iterator[Draft]:
    """Yield what the user states that is to last, sentence by sentence."""
    for said in view.prompts:
        pieces, seen, chances = _judged(view, said, "user")
        asked = [each for each in explicit.extract(view.turn).drafts if each.said == said]
        for whole in sentences(said.text):
            inside = [at for at, each in enumerate(pieces) if _is_inside(each, whole)]
            is_cued = any(_is_cued(pieces, seen, at) for at in inside)
            sentence, act = _told(whole, is_cued=is_cued)
            inside = [at for at in inside if _is_inside(pieces[at], sentence)]
            is_policy = states_policy(sentence.text)
            if act.is_certain and inside and not is_policy:
                act = POSSIBLE if _is_passing_here(said, pieces, inside[0]) else act
            if not act.is_lasting or not inside or min(chances[at] for at in inside) < 0:
                continue
            if any(explicit.covers(each, sentence) for each in asked):
                continue
            best = max(inside, key=chances.__getitem__)
            news = replacing(_heard(view, sentence), known)
            chance = min(1.0, chances[best] + _NEWS * news)
            if news >= _CERTAIN:  # it gives what is known another value
                act = act._replace(is_certain=True)
            if act.is_certain or act.is_ban or chance >= _POSSIBLE:
                span = Span(
                    first=inside[0], last=inside[-1], core=range(best, best + 1), chance=chance
                )
                yield from _stated(view, said, sentence, span, act, seen)


def _told(sentence: Clause, *, is_cued: bool) -> tuple[Clause, SpeechAct]:
    """Return what a sentence does, or else what its end behind a colon does: "not so: ..."."""
    asked = _ASKED_TOO.search(sentence.text)
    if asked:  # "..., and please update the error text too"
        sentence = Clause(sentence.start, sentence.text[: asked.start()])
    act = speech_act(sentence.text, is_cued=is_cued)
    head, colon, tail = (part.strip() for part in sentence.text.partition(": "))
    end = Clause(sentence.stop - len(tail), tail)
    told = speech_act(tail, is_cued=is_cued) if colon else act
    if colon and "repair" in cues(head) and speech_act(tail).is_lasting:
        return end, told if told.is_certain else CORRECTION
    if act.is_certain or not colon:
        return sentence, act
    return (sentence, act) if act.is_lasting else (end, told)


def _is_inside(clause: Clause, sentence: Clause) -> bool:
    return sentence.start <= clause.start < sentence.stop


def _stated(
    view: View, said: Said, sentence: Clause, span: Span, act: SpeechAct, seen: Sequence[set[str]]
) -> Iterator[Draft]:
    """Yield the statements of a sentence, mostly one, each with its kind."""
    kinds = act.kinds or KINDS
    kind = _kind(span, seen, "user", kinds)
    parts = halves(sentence.text, kind)
    for first, last in parts:
        start, text = sentence.start + first, sentence.text[first:last]
        if len(parts) > 1:
            alone = (Clause(start, text),)
            one = replace(span, first=0, last=0, core=range(1))
            kind = _kind(one, features(alone, view.around(said)), "user", kinds)
        draft = _draft(said, range(start, start + len(text)), span.chance, kind)
        told = scope_of(sentence.text, is_fact=kind in {"fact", "context"})
        is_everywhere = _is_everywhere(span, seen) if told is None else told
        yield replace(draft, is_everywhere=is_everywhere, is_certain=act.is_certain)


def judged(view: View, said: Said, speaker: str) -> Judged:
    """Return how likely each clause of what somebody said is worth remembering, or left to do."""
    _, seen, chances = _judged(view, said, speaker)
    judge = scorer(speaker)
    return Judged(chances, [judge.chance("todo", each) for each in seen])


def _heard(view: View, clause: Clause) -> Statement:
    """Return a clause as it is compared with what is known."""
    return Statement(clause.text, "", view.turn.session, view.about())


def of_reply(view: View) -> Iterator[Draft]:
    """Yield the one thing that the agent told it found out or finished."""
    if view.reply is None or not view.acts:
        return
    pieces, seen, chances = _judged(view, view.reply, "reply")
    chances = [
        max(chance, _REPLY.sure)
        if chance > _LEAST and is_finding(clause.text, each, view)
        else chance
        for clause, each, chance in zip(pieces, seen, chances, strict=True)
    ]
    span = window(pieces, chances, _REPLY)
    if span is not None:
        kind = _kind(span, seen, "reply", _SAID_BY_AGENTS)
        place = range(pieces[span.first].start, pieces[span.last].stop)
        yield replace(_draft(view.reply, place, span.chance, kind), is_certain=False)


def _judged(
    view: View, said: Said, speaker: str
) -> tuple[tuple[Clause, ...], list[set[str]], list[float]]:
    """Return the clauses of what was said, what is seen of each, and how likely each counts."""
    pieces = clauses(said.text)
    seen = features(pieces, view.around(said))
    judge = scorer(speaker)
    quoted = [found.span() for found in QUOTED.finditer(said.text)]
    outright = _outright(said, pieces, seen) if speaker == "user" else {}
    chances = [
        max(judge.chance("kept", each), outright.get(at, 0.0)) * _doubt(clause, each, quoted)
        for at, (clause, each) in enumerate(zip(pieces, seen, strict=True))
    ]
    for at, each in enumerate(seen[1:]):
        if "cue=joke" in each:  # what was just said was not meant
            chances[at] *= DOUBTS["cue=irony"]
    return pieces, seen, chances


def _outright(said: Said, pieces: Sequence[Clause], seen: Sequence[set[str]]) -> dict[int, float]:
    """Return how likely clauses count for their cues alone, those that do."""
    return {
        at: ENOUGH
        for at in range(len(pieces))
        if _is_cued(pieces, seen, at) and not _is_passing_here(said, pieces, at)
    }


def _is_passing_here(said: Said, pieces: Sequence[Clause], at: int) -> bool:
    """Return whether a clause only passes, behind the one that stands before it."""
    before = pieces[at - 1] if at else Clause(0, "")
    between = said.text[before.stop : pieces[at].start] if at else ""
    return is_passing(pieces[at].text, before.text[-_AT_MOST:], between[-_AT_MOST:])


def _is_cued(pieces: Sequence[Clause], seen: Sequence[set[str]], at: int) -> bool:
    """Return whether a clause of the user's counts for its cues, or plainly by its shape."""
    text = pieces[at].text
    is_told = is_outright(seen[at], seen[at - 1] if at else set()) or is_plain(text, seen[at])
    return len(text) <= _AT_MOST and is_told


def _doubt(clause: Clause, seen: set[str], quoted: Sequence[tuple[int, int]]) -> float:
    """Return how far a clause can be taken as the speaker's own word; what is private, never."""
    if is_private(clause.text):
        return -1.0  # nor may it come along with another
    is_quoted = any(start <= clause.start and clause.stop <= stop for start, stop in quoted)
    is_asked = bool(ASKING.match(clause.text))
    asked = DOUBTS["has=question"] if is_asked else 1.0
    return (_IN_QUOTES if is_quoted else 1.0) * asked * doubt(seen)


def _draft(said: Said, place: range, chance: float, kind: str) -> Draft:
    quote = said.text[place.start : place.stop]
    much = MUCH_OF_A_REPLY if said.kind == "reply" else LONGEST
    return Draft(
        kind=kind,
        content=phrase(quote, said.at, much),
        said=said,
        start=place.start,
        quote=quote,
        tags=telling(quote),
        topic=topic(quote),
        importance=_importance(kind, chance),
        confidence=round(chance, 2),
    )


def _kind(
    span: Span, seen: Sequence[set[str]], speaker: str, allowed: Sequence[str] = KINDS
) -> str:
    """Return the kind, of those allowed, that stands best for what a statement may be."""
    judge = scorer(speaker)
    chances = [judge.kind(seen[at]) for at in span.core]
    likely = {name: sum(each[name] for each in chances) for name in KINDS}

    def fit(kind: str) -> float:
        return sum(likely[name] * _STANDS_FOR[name].get(kind, 0.0) for name in KINDS)

    best = max(allowed, key=fit)
    is_settled = "decision" in allowed and any(_settles(seen[at]) for at in span.core)
    return "decision" if is_settled and best not in BEHAVIOURAL else best  # a rule stays one


def _settles(seen: set[str]) -> bool:
    """Say whether a clause tells in so many words that something was decided, or why."""
    return "cue=settled" in seen or is_reasoned(seen)


def _is_everywhere(span: Span, seen: Sequence[set[str]]) -> bool:
    """Say whether a statement is about the user, and so holds in every project."""
    judge = scorer("user")
    return min(judge.chance("everywhere", seen[at]) for at in span.core) >= _EVERYWHERE


def _importance(kind: str, chance: float) -> int:
    """Return how much a statement weighs: what guides behaviour, and what is sure, weighs more."""
    return 3 + (kind in BEHAVIOURAL and chance >= 0.7)  # noqa: PLR2004
