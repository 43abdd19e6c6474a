"""Fusing: words and meaning become one score per passage, in the context of its turn and session.

Both are put on one scale for each question, by the best that it finds: ranks alone lose how much
better the best is. A message is understood with its neighbours, and where a session has much that
fits, each of its messages counts more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.recall import lexical

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tacit.recall.lexical import Plan
    from tacit.recall.weights import Weights
    from tacit.store.index_port import Row

_LEAST_BEST = 0.3  # a best cosine below that says that nothing is near
_UNKNOWN = 0.85  # what is found by words alone, its meaning unknown, is taken to mean nearly that


@dataclass(slots=True, kw_only=True)
class Candidate:
    """A passage that may be a hit, with the parts of its score."""

    row: Row
    words: float = 0.0  # beside the best of the question, 0..1
    coverage: float = 0.0  # how much of the question it has, 0..1
    telling: float = 0.0  # how telling that is
    matched: tuple[str, ...] = ()
    cosine: float | None = None
    alone: float = 0.0  # words and meaning together
    context: float = 0.0

    def stand_on(self, tool: Candidate, lent: float) -> None:
        """Let what a tool said in its turn stand for it, if that says more."""
        self.alone = max(self.alone, lent * tool.alone)
        if tool.telling * tool.coverage > self.telling * self.coverage:
            self.coverage, self.telling = tool.coverage, tool.telling
            self.matched, self.cosine = tool.matched, tool.cosine

    @property
    def score(self) -> float:
        """Return the score in its context."""
        return self.alone + self.context


def weigh(rows: Sequence[Row], plan: Plan, weights: Weights) -> list[Candidate]:
    """Return passages with how well they answer in words."""
    found = []
    for row in rows:
        answered = lexical.score(row, plan, weights)
        found.append(
            Candidate(
                row=row,
                words=answered.score,
                coverage=answered.coverage,
                telling=answered.telling,
                matched=answered.matched,
            )
        )
    return found


def tools(found: Sequence[Candidate]) -> list[Candidate]:
    """Return what tools said in some turn, the best in words first."""
    said = [each for each in found if _is_tool(each.row) and each.row.turn]
    return sorted(said, key=lambda each: (-each.words, each.row.number))


def _is_tool(row: Row) -> bool:
    return row.layer == "message" and row.role not in {"user", "assistant"}


def scale(found: Sequence[Candidate], weights: Weights) -> None:
    """Let words count on the scale of the best, and by how much of the question is answered."""
    best = max((each.words for each in found), default=0.0) or 1.0
    for each in found:
        share = 1 - weights.coverage + weights.coverage * each.coverage
        each.words = each.words / best * share


def join(found: Sequence[Candidate], cosines: Mapping[int, float], weights: Weights) -> None:
    """Join words and meaning; where no meaning is known at all, words stand alone."""
    best = max([_LEAST_BEST, *cosines.values()])
    shares = _shares(found, weights)
    for each in found:
        share = shares[each.row.layer]
        each.cosine = cosines.get(each.row.number)
        if not cosines:
            each.alone = each.words
        elif each.cosine is None:
            each.alone = each.words * _UNKNOWN
        else:
            near = max(0.0, each.cosine / best)
            each.alone = share * each.words + (1 - share) * near


def _shares(found: Sequence[Candidate], weights: Weights) -> dict[str, float]:
    """Return how much words count in each layer: less where no hit has much of the question."""
    shares = {}
    for layer in {each.row.layer for each in found}:
        covered = max(each.coverage for each in found if each.row.layer == layer)
        share, trusted = (
            (weights.words_of_memory, weights.trusted_of_memory)
            if layer == "memory"
            else (weights.words, weights.trusted)
        )
        shares[layer] = share * min(1.0, covered / trusted) ** 2
    return shares


def prefer(found: Sequence[Candidate], text: str, weights: Weights) -> None:
    """Let what the user, or a speaker that the question names, has said count more."""
    named = _named({each.row.speaker for each in found}, text)
    for each in found:
        row = each.row
        if row.role == "assistant":
            each.alone *= weights.reply
        elif row.role == "summary":
            each.alone *= weights.summary
        if named and row.layer == "message" and row.speaker not in named:
            each.alone *= 1 - weights.named


def _named(speakers: Collection[str], text: str) -> set[str]:
    """Return those of these speakers whom a question names: by a whole word, not a part of one."""
    lower = text.casefold()
    return {
        speaker
        for speaker in speakers
        if speaker and re.search(rf"(?<!\w){re.escape(speaker)}(?!\w)", lower)
    }


def place(found: Sequence[Candidate], weights: Weights) -> None:
    """Add what stands around each message: its neighbours, its turn's tools, its session."""
    messages = [each for each in found if each.row.layer == "message"]
    around = {(each.row.session, each.row.place): each.alone for each in messages}
    best = _by_turn(messages)
    for each in messages:
        row = each.row
        if row.place is not None:
            sides = [around.get((row.session, row.place + step), 0.0) for step in (-1, 1)]
            each.context = weights.neighbour * max(sides)
        tool = best.get((row.session, row.turn)) if row.role == "user" else None
        if tool is not None:
            each.context += weights.support * tool.alone
            each.stand_on(tool, weights.lent)
    sessions = _by_session(messages, weights)
    for each in messages:
        each.context += weights.session * sessions[each.row.session]
        whole = 1 + weights.neighbour + weights.session  # so that layers share one scale
        each.alone, each.context = each.alone / whole, each.context / whole


def _by_turn(messages: Sequence[Candidate]) -> dict[tuple[str, str | None], Candidate]:
    """Return the best tool text of each turn."""
    said = sorted((each for each in messages if _is_tool(each.row)), key=lambda each: each.alone)
    return {(each.row.session, each.row.turn): each for each in said}


def _by_session(messages: Sequence[Candidate], weights: Weights) -> dict[str, float]:
    """Return how well each session fits, on the scale of the best."""
    scores: dict[str, list[float]] = {}
    for each in messages:
        scores.setdefault(each.row.session, []).append(each.score)
    sums = {
        session: sum(
            score * weights.session_fade**depth
            for depth, score in enumerate(sorted(of, reverse=True)[: weights.session_depth])
        )
        for session, of in scores.items()
    }
    best = max(sums.values(), default=0.0) or 1.0
    return {session: score / best for session, score in sums.items()}
