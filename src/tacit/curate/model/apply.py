"""Applying: the memory learns what a reply says, as far as it is proved, all of it or nothing.

Each statement is cited by code: its words decide its origin, its origin what it may become. The
reply is complete for its turns: a draft of the rules that it does not name goes, but for what
somebody asked to be remembered, what is pinned and what the owner has touched. A draft that was to
be said better stays if that cannot be proved, as does the nearest one to an unproved statement of
the same words, and one of a turn that has gone on since.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.curate import trust
from tacit.curate.attention import is_ruled
from tacit.curate.extract import Context, FollowUp, action_of
from tacit.curate.feed import PARTS
from tacit.curate.learn import kin_of
from tacit.curate.model import cite, prove, selecting
from tacit.curate.model.gather import before, made_of
from tacit.curate.model.reply import FIELDS, Answer, Item, Todo, answer_of
from tacit.curate.model.request import PROMPT
from tacit.curate.reading import TurnText, read
from tacit.curate.rules.curator import related
from tacit.curate.rules.kin import Statement
from tacit.curate.rules.private import is_private
from tacit.curate.rules.view import view
from tacit.curate.rules.words import stems
from tacit.curate.summing import tells
from tacit.errors import MemoryRefused
from tacit.model.memory import ASKED, BEHAVIOURAL, Evidence
from tacit.model.memory import trust as weight

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tacit.curate.learn import Learner
    from tacit.curate.model.calls import Replied, Turn
    from tacit.curate.model.cite import Heard, Place
    from tacit.curate.summing import Summing
    from tacit.model.action import Action
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory

_KNOWN = 400
_BEFORE = 100  # prompts and replies before the turns, at most: as many as could be shown
_ALIKE = 0.6  # of an action's words another has, to be the same
_SPOKEN_OF = 0.3  # of an action's words the turns must have, to have done it
_TOLD = 0.34  # of a summary's words must have been said in the session
_MOST_FIELD = 390


@dataclass(slots=True)
class Applied:
    """What became of a reply."""

    learned: int = 0
    held: int = 0
    dropped: int = 0


class Applier:
    """Lets one group's memory learn what models answer."""

    def __init__(
        self, transcript: Store, store: SqliteMemory, learner: Learner, summing: Summing
    ) -> None:
        self._transcript = transcript
        self._store = store
        self._learner = learner
        self._summing = summing

    def apply(self, replied: Replied) -> Applied:
        """Learn what a reply says about its turns, and nothing else of them."""
        answer = answer_of(replied.answer)
        turns = [text for each in replied.turns if (text := self._read(each))]
        heard = self._heard(turns)
        extractor = f"{PROMPT}:{replied.model}"[:80]
        proved = list(prove.proved(answer.memories, heard, extractor))
        applied = Applied(dropped=proved.count(None))
        if answer.is_complete:
            improved = _unimproved(answer.memories, proved)
            instead = self._instead(answer.memories, proved, heard)
            self._withdraw(replied, {*answer.kept} | improved | instead)
            self._learner.confirm({*answer.kept} - improved)
        for each in filter(None, proved):
            self._learn(each, applied)
        self._add_actions(answer.actions, heard)
        self._resolve(answer.resolved, replied, turns)
        self._sum_up(answer, replied, heard)
        selecting.note(self._store, answer, replied.seq)
        for one in replied.turns:
            self._store.unasked.drop(one.session, one.turn, one.upto)
        return applied

    def _read(self, turn: Turn) -> TurnText | None:
        return read(self._transcript.of_session(turn.session, turn.turn), turn.upto)

    def _heard(self, turns: Sequence[TurnText]) -> Heard:
        """Return all that was said, and what others are known to have said before."""
        if not turns:
            return cite.Heard(turns)
        known = self._store.memories.known(turns[0].project, _KNOWN, ("", ""))
        others = [each.content for each in known if weight(each.origin) < weight("user")]
        return cite.Heard(turns, before(self._transcript, turns[0], _BEFORE), others)

    def _withdraw(self, replied: Replied, kept: Collection[str]) -> None:
        """Take back what the rules had found in these turns and the reply does not name."""
        for each in replied.turns:
            rows = made_of(self._store, each.session, each.turn)
            if not self._has_gone_on(each, replied.seq):
                gone = [row.id for row in rows if row.id not in kept and not self._is_kept(row)]
                self._learner.withdraw(gone)

    def _instead(
        self, items: Sequence[Item], proved: Sequence[prove.Proved | None], heard: Heard
    ) -> set[str]:
        """Return what the rules made of the user's words that a statement quotes and does not say.

        It stays in the place of the statement, if it is of the same sort and nothing that may stand
        is made of those words: the nearest of them.
        """
        stands = [each.row for each in proved if each is not None and each.reason is None]
        found = set()
        for item, each in zip(items, proved, strict=True):
            place = heard.found(item.quote, item.turn) if each is None or each.reason else None
            if place and place.said.origin == "user":
                rows = made_of(self._store, place.turn.session, place.turn.turn)
                drafts = [row for row in rows if _share(place, row) and _is_of_sort(row, item.kind)]
                free = [row for row in drafts if not any(_share(row, one) for one in stands)]
                found |= {row.id for row in _nearest(item.text, free)}
        return found

    def _has_gone_on(self, turn: Turn, upto: int) -> bool:
        """Say whether more of a turn came while it was read: then it is read once more."""
        records = self._transcript.of_session(turn.session, turn.turn)
        return any(turn.upto < each.seq < upto and each.kind in PARTS for each in records)

    def _is_kept(self, row: Evidence) -> bool:
        """Say whether a statement stays whatever a model thinks: somebody has asked for it."""
        memory = self._store.memories.get(self._store.evidence.memory_of(row.id) or "")
        if memory is None:
            return False
        rows = self._store.evidence.of_memory(memory.id)
        is_asked = any(each.id == row.id and each.extractor in ASKED for each in rows)
        is_touched = any(each.origin == "owner" for each in rows)
        return is_asked or is_touched or memory.pinned or memory.state == "forgotten"

    def _learn(self, proved: prove.Proved, applied: Applied) -> None:
        """Learn one statement, merged with what is known; what was asked for stays as it is."""
        if self._is_kept(proved.row):
            return
        turn = proved.turn
        known = self._store.memories.known(turn.project, _KNOWN, (turn.session, turn.turn))
        told = [Statement(each.content, each.kind, each.session) for each in known]
        for each in related([proved.draft], view(turn, Context()), known, told):
            kin = kin_of(each)
            reason = proved.reason
            if self._learner.learn(proved.row, reason=reason, kin=kin) is not None:
                applied.held += reason is not None
                applied.learned += reason is None

    def _add_actions(self, todos: Sequence[Todo], heard: Heard) -> None:
        """Queue what is left to do, unless something like it waits already, or was closed."""
        for todo in todos:
            place = cite.cited(todo.text, todo.quote, heard, todo.turn)
            if place is None or is_private(todo.text) or not _is_backed(todo.text, place):
                continue
            left = FollowUp(
                content=todo.text,
                said=place.said,
                start=place.start,
                quote=place.quote,
                priority=todo.priority,
            )
            try:
                action = action_of(left, place.turn)
            except MemoryRefused:
                continue
            if action is not None and not self._waits(action) and not trust.held(_as_row(action)):
                self._store.actions.put(action)

    def _waits(self, action: Action) -> bool:
        """Say whether an action is known: it waits, or one of its turn was closed."""
        refused = self._store.evidence.is_refused("session", action.session, action.created_at)
        places = (action.project,) if action.project else ()
        waiting = self._store.actions.wanted("pending", places)
        closed = self._store.actions.found("turn", action.session, action.turn or "")
        return refused or any(
            each.id == action.id or _is_alike(each.content, action.content)
            for each in (*waiting, *closed)
        )

    def _resolve(self, names: Collection[str], replied: Replied, turns: Sequence[TurnText]) -> None:
        """Close the actions that the turns have done; never one that a rule has raised."""
        spoken = _spoken(turns)
        for name in names:
            action = self._store.actions.get(name)
            if action is None or action.status != "pending" or is_ruled(action):
                continue
            words = stems(action.content)
            if len(words & spoken) >= _SPOKEN_OF * len(words):
                closed = replace(
                    action, status="acted_on", closed_at=replied.at, closed_by=replied.event
                )
                self._store.actions.put(closed)

    def _sum_up(self, answer: Answer, replied: Replied, heard: Heard) -> None:
        """Put what the session came to in better words, as far as these were said in it."""
        self._summing.catch_up()
        if not answer.summary or not heard.turns:
            return
        said = _spoken(heard.turns)
        forgotten = self._store.evidence.forgotten_in(replied.turns[0].session)
        told = {
            name: text[:_MOST_FIELD]
            for name, text in answer.summary.items()
            if name in FIELDS
            and _is_told(text, said)
            and not tells(text, forgotten)
            and (name != "request" or heard.is_users(text))
        }
        for known in self._store.actions.summaries(replied.turns[0].session):
            self._store.actions.put_summary(replace(known, **told))  # type: ignore[arg-type]


def _unimproved(items: Sequence[Item], proved: Sequence[prove.Proved | None]) -> set[str]:
    """Return the drafts that were to be said better, and nothing that may stand says so."""
    pairs = list(zip(items, proved, strict=True))
    better = {item.draft for item, each in pairs if each is not None and each.reason is None}
    return {item.draft for item, _ in pairs} - better


def _share(one: cite.Place | Evidence, other: Evidence) -> bool:
    """Say whether two are made of words that are in part the same."""
    is_begun = other.start < one.start + len(one.quote)
    return one.event == other.event and is_begun and one.start < other.start + len(other.quote)


def _is_of_sort(row: Evidence, kind: str) -> bool:
    return (row.kind in BEHAVIOURAL) == (kind in BEHAVIOURAL)


def _nearest(text: str, rows: Sequence[Evidence]) -> Sequence[Evidence]:
    """Return the one that has most words of a text, if any has one."""
    words = stems(text)
    near = [row for row in rows if words & stems(row.content)]
    return sorted(near, key=lambda row: -len(words & stems(row.content)))[:1]


def _spoken(turns: Sequence[TurnText]) -> frozenset[str]:
    return stems(" ".join(each.text for turn in turns for each in turn.said))


def _as_row(action: Action) -> Evidence:
    """Return an action as trust judges it: what a tool orders is not to be done."""
    return Evidence(
        id="", event=action.event, seq=0, start=0, quote=action.quote, origin=action.origin,
        via="", session=action.session, turn=action.turn, at=action.created_at, kind="context",
        content=action.content,
    )  # fmt: skip


def _is_backed(text: str, place: Place) -> bool:
    """Say whether something to do is the user's word, or stands on more than others' words."""
    return cite.is_trusted(place.said) or trust.is_backed(text, view(place.turn, Context()))


def _is_alike(one: str, other: str) -> bool:
    ours, theirs = stems(one), stems(other)
    return len(ours & theirs) >= _ALIKE * max(1, min(len(ours), len(theirs)))


def _is_told(text: str, said: frozenset[str]) -> bool:
    words = stems(text)
    is_said = len(words & said) >= _TOLD * max(1, len(words))
    return is_said and not trust.is_order(text) and not is_private(text)
