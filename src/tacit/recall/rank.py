"""Ranking: from passages to hits, the best first, none twice.

A memory counts by its importance and its age, what was said in the time that a question names a
little more. What says nearly the same as a better hit stands back behind what says something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tacit.guard.normalise import one_line
from tacit.model.memory import BEHAVIOURAL, DAY_NS, FRESH_DAYS, OLD_DAYS, OLD_WEIGHT
from tacit.recall import dates
from tacit.recall.fuse import Candidate
from tacit.recall.question import Hit, Parts
from tacit.recall.relevance import relevance
from tacit.transcript.turns import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.model.event import Record
    from tacit.recall.dates import Span
    from tacit.recall.question import Question
    from tacit.recall.weights import Weights
    from tacit.store.index_port import Row, Scope
    from tacit.store.memory_port import MemoryStore

_USUAL = 3  # importance
_LONGEST = 2000
_SHOWN = frozenset(("user", "assistant", "memory", "summary"))
_UNEQUAL = 2  # times as many words say more
_SPREAD = 25  # so many places at the top are looked at for what says the same
_EVENTS = {"prompt": "user", "reply": "assistant"}


@dataclass(slots=True, kw_only=True)
class Ranked:
    """A candidate with its final score."""

    candidate: Candidate
    factor: float
    dated: float
    score: float


class Told(NamedTuple):
    """What a hit says."""

    kind: str
    content: str
    origin: str
    tags: tuple[str, ...] = ()
    state: str = "active"
    is_supported: bool = True


class Ranker:
    """Ranks candidates of one group and turns them into hits."""

    def __init__(
        self,
        store: MemoryStore,
        records: Callable[[Sequence[str]], Sequence[Record]],
        now_ns: int,
        weights: Weights,
    ) -> None:
        self._store = store
        self._records = records
        self._now_ns = now_ns
        self._weights = weights

    def newest(self, question: Question) -> list[Hit]:
        """Return what came last."""
        shown = self._latest(question.scope, question.limit)
        ranked = [
            Ranked(candidate=Candidate(row=row), factor=1.0, dated=0.0, score=0.0) for row in shown
        ]
        return self._hits(ranked)

    def _latest(self, scope: Scope, limit: int) -> list[Row]:
        """Return the newest that are shown, however much tools have said since."""
        looked_at = limit * 4
        while True:
            numbers = self._store.index.latest(scope, looked_at)
            rows = {row.number: row for row in self._store.index.rows(numbers)}
            shown = [rows[number] for number in numbers if rows[number].role in _SHOWN]
            if len(shown) >= limit or len(numbers) < looked_at:
                return shown[:limit]
            looked_at *= 4

    def ranked(
        self,
        question: Question,
        found: Sequence[Candidate],
        span: Span | None,
    ) -> list[Hit]:
        """Return the hits, the best first, no more than asked for."""
        ranked = [self._weighed(each, span) for each in found if each.row.role in _SHOWN]
        ranked.sort(key=lambda each: (-each.score, each.candidate.row.number))
        told = [each for each in ranked if relevance(each.candidate) >= question.least]
        return self._hits(_spread(told, self._weights, question.limit))

    def _weighed(self, found: Candidate, span: Span | None) -> Ranked:
        factor = self._factor(found)
        dated = self._weights.dated * dates.nearness(found.row.at, span) if span else 0.0
        score = found.score * factor * (1 + dated)
        return Ranked(candidate=found, factor=factor, dated=dated, score=score)

    def _factor(self, found: Candidate) -> float:
        """Return how much a memory counts by its importance and its age."""
        if found.row.layer != "memory":
            return 1.0
        return found.row.importance / _USUAL * recency(found.row.at, self._now_ns)

    def _hits(self, ranked: Sequence[Ranked]) -> list[Hit]:
        events = [
            each.candidate.row.subject for each in ranked if each.candidate.row.layer == "message"
        ]
        records = {record.id: record for record in self._records(events)} if events else {}
        hits = [self._hit(each, records) for each in ranked]
        return [hit for hit in hits if hit is not None]

    def _hit(self, ranked: Ranked, records: dict[str, Record]) -> Hit | None:
        row = ranked.candidate.row
        told = self._told(row.layer, row.subject, records)
        if told is None:
            return None
        return Hit(
            id=row.subject,
            layer=row.layer,
            kind=told.kind,
            content=one_line(told.content)[:_LONGEST],
            behavioral=row.layer == "memory" and told.kind in BEHAVIOURAL,
            tags=told.tags,
            created_at=row.at,
            relevance=round(relevance(ranked.candidate), 3),
            origin=told.origin,
            project=row.project,
            session=row.session,
            turn=row.turn,
            state=told.state,
            parts=_parts(ranked),
            is_supported=told.is_supported,
        )

    def _told(self, layer: str, subject: str, records: dict[str, Record]) -> Told | None:
        """Return what was found; None if it has gone, or has nothing to say."""
        if layer == "memory":
            memory = self._store.memories.get(subject)
            if memory is None:
                return None
            return Told(
                memory.kind,
                memory.content,
                memory.origin,
                memory.tags,
                memory.state,
                memory.is_supported or memory.is_trusted,
            )
        if layer == "message":
            record = records.get(subject)
            if record is None or record.body is None:
                return None
            return Told(_EVENTS.get(record.kind, record.kind), text_of(record), record.origin)
        for summary in self._store.actions.summaries(subject):
            parts = (summary.request, summary.completed, summary.learned, summary.next_steps)
            told = " ".join(part for part in parts if part)
            return Told("summary", told, "assistant") if told else None
        return None


def recency(at: int, now_ns: int) -> float:
    """Return 1.0 for what is younger than a week, falling to 0.5 at ninety days."""
    days = max(0, now_ns - at) / DAY_NS
    if days <= FRESH_DAYS:
        return 1.0
    lost = (days - FRESH_DAYS) / (OLD_DAYS - FRESH_DAYS)
    return max(OLD_WEIGHT, 1.0 - OLD_WEIGHT * lost)


def _parts(ranked: Ranked) -> Parts:
    found = ranked.candidate
    return Parts(
        words=round(found.words, 3),
        matched=found.matched,
        meaning=None if found.cosine is None else round(found.cosine, 3),
        context=round(found.context, 3),
        dated=round(ranked.dated, 3),
        factor=round(ranked.factor, 3),
        score=round(ranked.score, 4),
    )


def _spread(ranked: Sequence[Ranked], weights: Weights, limit: int) -> list[Ranked]:
    """Return so many, what adds something new before what repeats; what only repeats is gone.

    Of the best ones the next is always that with most score for what is new in it (MMR).
    """
    chosen = _varied(ranked[:_SPREAD], weights)
    said = [_words(each) for each in chosen]
    for each in ranked[_SPREAD:]:
        if len(chosen) >= limit:
            break
        words = _words(each)
        if all(_alike(words, other) < weights.same for other in said):
            chosen.append(each)
            said.append(words)
    return chosen[:limit]


def _varied(ranked: Sequence[Ranked], weights: Weights) -> list[Ranked]:
    """Return these in the order of what is new in each."""
    left = list(ranked)
    tokens = {id(each): _words(each) for each in left}
    likeness = {id(each): 0.0 for each in left}
    chosen: list[Ranked] = []
    while left:
        best = max(left, key=lambda each: each.score * (1 - weights.spread * likeness[id(each)]))
        left.remove(best)
        if likeness[id(best)] >= weights.same:
            continue
        chosen.append(best)
        for each in left:
            alike = _alike(tokens[id(best)], tokens[id(each)])
            likeness[id(each)] = max(likeness[id(each)], alike)
    return chosen


def _words(ranked: Ranked) -> frozenset[str]:
    return frozenset(ranked.candidate.row.tokens.split(" "))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how much of their words two passages share; of very unequal ones little."""
    less, more = sorted((len(one), len(other)))
    if less * _UNEQUAL < more:
        return 0.0
    common = len(one & other)
    return common / (less + more - common)
