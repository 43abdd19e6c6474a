"""The search: words and meaning, fused, in context, ranked, each hit with its reasons.

Any text is a question and none is an error. Without a meaning words go on alone, and the answer
says so. Nothing outside the scope is found, and never more than was asked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.recall import dates, fuse, lexical, semantic
from tacit.recall.question import MOST, Answer
from tacit.recall.rank import Ranker
from tacit.recall.weights import BROUGHT_UP, CANDIDATES, WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.model.event import Record
    from tacit.recall.fuse import Candidate
    from tacit.recall.lexical import Plan
    from tacit.recall.question import Meaning, Question, Seek
    from tacit.recall.semantic import Near
    from tacit.recall.weights import Weights
    from tacit.store.index_port import Index, Scope
    from tacit.store.memory_port import MemoryStore

    Records = Callable[[Sequence[str]], Sequence[Record]]


def search(
    question: Question,
    store: MemoryStore,
    records: Records,
    seek: Seek,
    now_ns: int,
    weights: Weights = WEIGHTS,
) -> Answer:
    """Return the best hits first; *records* reads events of the transcript by their ids.

    What the question means is sought only when its words have been found: that may take as long.
    """
    question = replace(question, limit=max(0, min(question.limit, MOST)))
    ranker = Ranker(store, records, now_ns, weights)
    if not question.text.strip():
        return Answer(hits=ranker.newest(question), by=("time",))
    plan = lexical.plan(question.text, store.index)
    found, meaning = candidates(question, plan, store, seek, weights)
    hits = ranker.ranked(question, found, dates.asked(question.text, now_ns))
    return Answer(hits=hits, by=_by(plan, meaning), note=_note(plan, meaning))


def candidates(
    question: Question,
    plan: Plan,
    store: MemoryStore,
    seek: Seek,
    weights: Weights,
) -> tuple[list[Candidate], Meaning | None]:
    """Return the passages that may be hits, with their scores in context; what was meant."""
    index, scope = store.index, question.scope
    numbers = dict.fromkeys(index.words(plan.tokens, scope, CANDIDATES))
    found = fuse.weigh(index.rows(numbers), plan, weights)
    meaning = seek()
    if meaning:
        near = index.nearest(meaning.vector, meaning.model, scope, CANDIDATES)
        others = dict.fromkeys(number for number, _ in near if number not in numbers)
        found += fuse.weigh(index.rows(others), plan, weights)
        numbers |= others
    brought = _brought_up(found, index, scope)
    found += fuse.weigh(index.rows(brought), plan, weights) if brought else []
    fuse.scale(found, weights)
    if meaning:
        _understand(found, semantic.known(meaning, store, numbers), weights)
    else:
        fuse.join(found, {}, weights)
    fuse.prefer(found, question.text, weights)
    fuse.place(found, weights)
    return found, meaning


def _brought_up(found: Sequence[Candidate], index: Index, scope: Scope) -> list[int]:
    """Return the prompts of turns in which only a tool said what is asked for, the best few."""
    here = {each.row.number for each in found}
    turns = dict.fromkeys((each.row.session, str(each.row.turn)) for each in fuse.tools(found))
    of_session: dict[str, list[str]] = {}
    for session, turn in list(turns)[:BROUGHT_UP]:
        of_session.setdefault(session, []).append(turn)
    return [
        number
        for session, of in of_session.items()
        for number in index.prompts(session, of, scope)
        if number not in here
    ]


def _understand(found: Sequence[Candidate], near: Near, weights: Weights) -> None:
    """Join words and meaning, once as the question was asked, then from where its best hits are.

    A memory is one sharp sentence: the question itself is the best place to look at it from.
    """
    fuse.join(found, near.cosines, weights)
    best = sorted(found, key=lambda each: -each.alone)[: weights.feedback_hits]
    moved = near.towards([each.row.number for each in best], weights.feedback)
    sharp = {each.row.number for each in found if each.row.layer == "memory"}
    own = {number: cosine for number, cosine in near.cosines.items() if number in sharp}
    fuse.join(found, {**moved.cosines, **own}, weights)
    for each in found:  # what is told, and calibrated, is how near the question itself is
        each.cosine = near.cosines.get(each.row.number)


def _by(plan: Plan, meaning: Meaning | None) -> tuple[str, ...]:
    return (*(("words",) if plan.asked else ()), *(("meaning",) if meaning else ()))


def _note(plan: Plan, meaning: Meaning | None) -> str:
    if plan.is_guessed:
        return "Nothing holds these words; words like them were searched for."
    return "" if meaning else "Searched by words alone."
