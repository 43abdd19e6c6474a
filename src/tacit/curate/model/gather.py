"""Gathering: what a batch is made of, read from the transcript and the memory.

Turns that the gate finds empty are not sent, but for those of which something was found already,
and short ones beside others that are: they cost next to nothing, and a gate errs most where little
is said.
The known memories are those that share most telling words with the turns.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.curate.attention import is_ruled
from tacit.curate.extract import Context
from tacit.curate.feed import SINCE
from tacit.curate.model.calls import Turn
from tacit.curate.model.gate import is_worth
from tacit.curate.model.request import BY_MODELS, Batch
from tacit.curate.reading import read, voices_of
from tacit.curate.rules.scorer import rarity
from tacit.curate.rules.words import stems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.curate.model.asker import How
    from tacit.curate.model.batch import Due
    from tacit.curate.reading import Said, TurnText
    from tacit.model.action import Action
    from tacit.model.memory import Evidence
    from tacit.store.memory_port import Known
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory
    from tacit.store.unasked_port import Unasked

_KNOWN, _OFFERED = 400, 24
_ACTIONS = 12
_SHORT = 1200  # characters of a whole turn, about 300 tokens


def gathered(transcript: Store, store: SqliteMemory, due: Due, how: How) -> Batch:
    """Return the turns that are due, with what was found in them already.

    The rules leave out what is not worth it, where they are the gate.
    """
    texts = [(each, _text(transcript, each)) for each in due.turns]
    turns = [(each, text) for each, text in texts if text is not None]
    drafts: dict[str, Sequence[Evidence]] = {each.turn: _drafts(store, each) for each, _ in turns}
    worth = {
        each.turn
        for each, text in turns
        if drafts[each.turn] or how.gate != "rules" or _is_worth(transcript, store, text, how)
    }
    sent = [
        (each, text) for each, text in turns if each.turn in worth or (worth and _is_short(text))
    ]
    return Batch(
        turns=[(Turn(each.session, each.turn, each.upto), text) for each, text in sent],
        drafts={each.turn: drafts[each.turn] for each, _ in sent},
        is_final=due.is_final,
    )


def _text(transcript: Store, turn: Unasked) -> TurnText | None:
    return read(transcript.of_session(turn.session, turn.turn), turn.upto)


def _is_short(turn: TurnText) -> bool:
    return sum(len(said.text) for said in turn.said) <= _SHORT


def surrounded(transcript: Store, store: SqliteMemory, batch: Batch, how: How) -> Batch:
    """Return a batch with what stands before its turns and what is known about them."""
    texts = [text for _, text in batch.turns]
    return replace(
        batch,
        context=_context(transcript, store, texts[0], how),
        known=_known(store, texts),
        actions=_open(store, texts[0]),
    )


def _context(transcript: Store, store: SqliteMemory, turn: TurnText, how: How) -> list[Said]:
    """Return what was said before a turn, of what the model may read at all."""
    since = store.jobs.number(SINCE)
    said = before(transcript, turn, 2 * how.context_turns)
    return [each for each in said if each.seq >= since]


def _is_worth(transcript: Store, store: SqliteMemory, turn: TurnText, how: How) -> bool:
    context = Context(before=before(transcript, turn, 2))
    has_left = bool(store.actions.found("turn", turn.session, turn.turn))
    return has_left or is_worth(turn, context, how.boring)


def before(transcript: Store, turn: TurnText, most: int) -> list[Said]:
    """Return what was said last before a turn; what was erased is not there."""
    records = transcript.lately(turn.session, turn.said[0].seq, most)
    return [said for record in records if record.body is not None for said in voices_of(record)]


def made_of(store: SqliteMemory, session: str, turn: str) -> list[Evidence]:
    """Return all that was made of a turn, in order."""
    found = []
    for name in store.evidence.found("turn", session, turn):
        memory = store.evidence.memory_of(name)
        rows = store.evidence.of_memory(memory) if memory else []
        found += [row for row in rows if row.id == name]
    return sorted(found, key=lambda row: (row.seq, row.start, row.id))


def _drafts(store: SqliteMemory, turn: Unasked) -> list[Evidence]:
    """Return what the rules have found in a turn; what a model has is not shown to another."""
    found = made_of(store, turn.session, turn.turn)
    return [row for row in found if not row.extractor.startswith(BY_MODELS)]


def _known(store: SqliteMemory, turns: Sequence[TurnText]) -> list[Known]:
    """Return the known memories that these turns are most about, the most telling first."""
    about = stems(" ".join(said.text for turn in turns for said in turn.said)[:60_000])
    names = {turn.turn for turn in turns}
    known = store.memories.known(turns[0].project, _KNOWN, (turns[0].session, turns[0].turn))
    own = {
        store.evidence.memory_of(row)
        for name in names
        for row in store.evidence.found("turn", turns[0].session, name)
    }
    telling = rarity()
    scored = [
        (telling.of(stems(each.content) & about), each) for each in known if each.id not in own
    ]
    best = sorted(scored, key=lambda one: (-one[0], one[1].id))[:_OFFERED]
    return [each for score, each in best if score > 0]


def _open(store: SqliteMemory, turn: TurnText) -> list[Action]:
    """Return what waits to be done there, but for what rules have raised."""
    places = (turn.project,) if turn.project else ()
    waiting = store.actions.wanted("pending", places)
    return [each for each in waiting if not is_ruled(each)][:_ACTIONS]
