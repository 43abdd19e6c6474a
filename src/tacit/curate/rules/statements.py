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
from tacit.curate.rules.features import features
from tacit.curate.rules.kin import Statement, replacing
from tacit.curate.rules.phrase import MUCH, MUCH_OF_A_REPLY, phrase
from tacit.curate.rules.private import is_private
from tacit.curate.rules.scorer import scorer
from tacit.curate.rules.segment import Clause, clauses
from tacit.curate.rules.spans import Limits, spans, window
from tacit.curate.rules.subject import telling, topic, with_subject
from tacit.curate.rules.tables import choice
from tacit.model.memory import BEHAVIOURAL, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.curate.reading import Said
    from tacit.curate.rules.spans import Span
    from tacit.curate.rules.view import View

_USER = Limits(sure=0.50, others=0.60, beside=0.06, grown=110, joined=120)
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
_ASKED = 400  # so much of a question is looked through for what it is about
_AT_MOST = 240  # characters: whatever is longer counts for its cues alone in no case
_LEAST = 0.1  # what is less likely is no finding, whatever it repeats
QUOTED = re.compile(
    r"\"[^\"\n]{12,}\"[.!?,]*|\u201c[^\u201d\n]{12,}\u201d[.!?,]*|\u201e[^\u201c\u201d\n]{12,}[\u201c\u201d][.!?,]*"
    r"|\u00ab[^\u00bb\n]{12,}\u00bb[.!?,]*|\u300c[^\u300d\n]{8,}\u300d"
    r"|(?:(?<=\s)|(?<=^)|(?<=\())['\u2018].{12,}?['\u2019](?=[\s.!?,;)]|$)[.!?,]*"
)
ASKING = re.compile(rf"{choice('asking')}\b", re.IGNORECASE)
_IN_QUOTES = 0.2
_EVERYWHERE = 0.7
_NEWS = 1.0  # how much the likelihood of a change adds


class Judged(NamedTuple):
    """How likely each clause counts, and how likely it is left to do."""

    chances: list[float]
    left: list[float]


def of_user(view: View, known: Sequence[Statement] = ()) -> Iterator[Draft]:
    """Yield what the user said that is worth remembering; the more if it changes what is known."""
    for said in view.prompts:
        pieces, seen, chances = _judged(view, said, "user")
        asked = [each for each in explicit.extract(view.turn).drafts if each.said == said]
        chances = [
            _chance(view, clause, chance, known)
            if not any(explicit.covers(each, clause) for each in asked)
            else -1.0  # what was asked to be remembered is found already, and takes nothing along
            for clause, chance in zip(pieces, chances, strict=True)
        ]
        found = spans(said.text, pieces, chances, _USER)
        told = {at for span in found for at in range(span.first, span.last + 1)}
        rest = " ".join(clause.text for at, clause in enumerate(pieces) if at not in told)
        for span in found:
            about, is_everywhere = _about(view, said, rest), _is_everywhere(span, seen)
            for place, kind in _parts(view, said, pieces, span, seen):
                draft = _draft(said, place, span.chance, kind, about)
                yield replace(draft, is_everywhere=is_everywhere)


def _parts(
    view: View, said: Said, pieces: Sequence[Clause], span: Span, seen: Sequence[set[str]]
) -> Iterator[tuple[range, str]]:
    """Yield where the statements of a span stand, mostly one, each with its kind."""
    kind, start = _kind(span, seen, "user"), pieces[span.first].start
    parts = halves(said.text[start : pieces[span.last].stop], kind)
    for first, last in parts:
        if len(parts) > 1:
            alone = (Clause(start + first, said.text[start + first : start + last]),)
            one = replace(span, first=0, last=0, core=range(1))
            kind = _kind(one, features(alone, view.around(said)), "user")
        yield range(start + first, start + last), kind


def _chance(view: View, clause: Clause, chance: float, known: Sequence[Statement]) -> float:
    """Return how likely a clause is worth remembering, with what is known."""
    return (
        min(1.0, chance + _NEWS * replacing(_heard(view, clause), known)) if chance > 0 else chance
    )


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
        kind = _kind(span, seen, "reply")
        asked = " ".join(said.text for said in view.prompts)[:_ASKED]
        place = range(pieces[span.first].start, pieces[span.last].stop)
        yield _draft(view.reply, place, span.chance, kind, _about(view, view.reply, asked))


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
    found = {}
    for at, (clause, each) in enumerate(zip(pieces, seen, strict=True)):
        if len(clause.text) > _AT_MOST:
            continue
        if not is_outright(each, seen[at - 1] if at else set()) and not is_plain(clause.text, each):
            continue
        before = pieces[at - 1] if at else Clause(0, "")
        between = said.text[before.stop : clause.start] if at else ""
        if not is_passing(clause.text, before.text[-_AT_MOST:], between[-_AT_MOST:]):
            found[at] = ENOUGH
    return found


def _doubt(clause: Clause, seen: set[str], quoted: Sequence[tuple[int, int]]) -> float:
    """Return how far a clause can be taken as the speaker's own word; what is private, never."""
    if is_private(clause.text):
        return -1.0  # nor may it come along with another
    is_quoted = any(start <= clause.start and clause.stop <= stop for start, stop in quoted)
    is_asked = bool(ASKING.match(clause.text))
    asked = DOUBTS["has=question"] if is_asked else 1.0
    return (_IN_QUOTES if is_quoted else 1.0) * asked * doubt(seen)


def _about(view: View, said: Said, rest: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the user's own words around a statement, and those of others."""
    reply = view.reply.text if view.reply and view.reply.event != said.event else ""
    return (rest,), (view.before, reply, " ".join(view.did))


def _draft(
    said: Said,
    place: range,
    chance: float,
    kind: str,
    about: tuple[tuple[str, ...], tuple[str, ...]],
) -> Draft:
    quote = said.text[place.start : place.stop]
    much = MUCH_OF_A_REPLY if said.kind == "reply" else MUCH
    return Draft(
        kind=kind,
        content=with_subject(phrase(quote, said.at, much), *about),
        said=said,
        start=place.start,
        quote=quote,
        tags=telling(quote),
        topic=topic(quote),
        importance=_importance(kind, chance),
        confidence=round(chance, 2),
    )


def _kind(span: Span, seen: Sequence[set[str]], speaker: str) -> str:
    """Return the kind that stands best for what a statement may be; agents only tell of work."""
    judge = scorer(speaker)
    chances = [judge.kind(seen[at]) for at in span.core]
    allowed = _SAID_BY_AGENTS if speaker == "reply" else KINDS
    likely = {name: sum(each[name] for each in chances) for name in KINDS}

    def fit(kind: str) -> float:
        return sum(likely[name] * _STANDS_FOR[name].get(kind, 0.0) for name in KINDS)

    best = max(allowed, key=fit)
    is_settled = speaker == "user" and any(_settles(seen[at]) for at in span.core)
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
