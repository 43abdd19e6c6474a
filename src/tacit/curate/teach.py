"""Teaching: one turn is read in its context, and the memory learns what it says."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.curate import trust
from tacit.curate.attention import Attention, is_ruled
from tacit.curate.extract import Context, Extracted, Lately, Later, action_of, evidence_of
from tacit.curate.learn import kin_of
from tacit.curate.model import calls
from tacit.curate.reading import SPEAKERS, WORKED, read, said_of, voices_of
from tacit.curate.summing import Summing
from tacit.errors import MemoryRefused
from tacit.model.memory import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.curate.extract import Draft, Extractor
    from tacit.curate.learn import Learner
    from tacit.curate.reading import Said, TurnText
    from tacit.model.action import Action
    from tacit.model.event import Record
    from tacit.model.memory import Evidence
    from tacit.store.memory_port import Job
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory

_BEFORE = 10  # so many prompts and replies before a turn are its context
_KNOWN = 400  # so many memories of its project, the newest
_NOTHING = Extracted()


@dataclass(frozen=True, slots=True)
class Read:
    """A turn, and what was found in it."""

    turn: TurnText | None
    found: Extracted
    events: tuple[str, ...] = ()  # all of the turn, erased or not
    ended_at: int = 0


class Teacher:
    """Teaches one group's memory what its turns say."""

    def __init__(
        self, transcript: Store, store: SqliteMemory, learner: Learner, extractor: Extractor
    ) -> None:
        self._transcript = transcript
        self._store = store
        self._learner = learner
        self._extractor = extractor
        self._attention = Attention(store)
        self._roots: dict[str, str] = {}
        self._summing = Summing(store, extractor)

    def read(self, job: Job) -> Read:
        """Read a turn and find what it says; nothing is written yet."""
        return self._read(job.session, job.turn, job.upto)

    def again(self, events: Sequence[str], before: int) -> None:
        """Let the turns of events that were erased have taught only what is left of them."""
        records = [each for each in self._transcript.find(events) if each.session]
        for action in self._store.actions.closed_by(
            events
        ):  # nothing says any more that it is done
            self._store.actions.put(_open(action))
        for session, name in calls.read_by(self._transcript.about_models(0), set(events)):
            self._teach_again(session, name, before - 1)
        for session in dict.fromkeys(each.session for each in records):
            erased = {each.turn for each in records if each.session == session}
            told = [each for each in self._transcript.of_session(session) if each.seq < before]
            turns = list(dict.fromkeys(each.turn for each in told if each.turn is not None))
            is_near = False  # what was erased was this turn's context
            for name in turns:
                is_erased = name in erased
                if is_erased or is_near:
                    self._teach_again(session, name, before - 1)
                is_near = is_erased or (is_near and not _is_whole(told, name))

    def _teach_again(self, session: str, name: str, upto: int) -> None:
        """Let a turn have taught what the rules find in what is left of it."""
        taught = self._read(session, name, upto)
        self._teach(session, name, upto, taught)
        kept = {action.id for action in _actions(taught.found, taught.turn)}
        for old in self._store.actions.found("turn", session, name):
            if old.id not in kept:  # be it closed: nobody left it to do
                self._store.actions.remove(old.id)

    def teach(self, job: Job, taught: Read) -> None:
        """Let a turn have taught this, and nothing else."""
        self._teach(job.session, job.turn, job.upto, taught)

    def _read(self, session: str, name: str, upto: int) -> Read:
        records = self._transcript.of_session(session, name)
        turn = read(records, upto)
        found = self._extractor.extract(turn, self._context(turn)) if turn else _NOTHING
        events = tuple(each.id for each in records)
        return Read(turn, found, events, records[-1].at if records else 0)

    def _teach(self, session: str, name: str, upto: int, taught: Read) -> None:
        turn, found = taught.turn, taught.found
        rows = _evidence(found, turn, self._extractor.name) if turn else []
        kept = {row.id for row, _ in rows}
        known = self._store.evidence.found("turn", session, name)
        self._learner.withdraw([row for row in known if row not in kept])
        for row, draft in rows:
            kin = kin_of(draft)
            self._learner.learn(row, reason=trust.held(row), kin=kin)
        self._attention.corrected(row for row, _ in rows)
        self._replace_actions(session, name, _actions(found, turn))
        self._close(taught)
        self._note(session, name, found)
        self._sum_up(session, turn, upto)

    def _context(self, turn: TurnText) -> Context:
        """Return what stands before a turn."""
        projects = (turn.project,) if turn.project else ()
        memories = self._store.memories
        return Context(
            before=Lately(
                lambda: self._before(turn, _BEFORE), lambda: next(iter(self._before(turn, 1)), None)
            ),
            did=Later(lambda: self._did(turn)),
            known=Later(lambda: memories.known(turn.project, _KNOWN, (turn.session, turn.turn))),
            waiting=Later(lambda: self._waiting(turn, projects)),
            root=self._root(turn.project),
        )

    def _root(self, project: str) -> str:
        """Return where a project lies; nothing if that is not known."""
        if project not in self._roots:
            self._roots = {row.key: row.root for row in self._transcript.roots()}
        return self._roots.setdefault(project, "")

    def _before(self, turn: TurnText, most: int) -> list[Said]:
        """Return what was said last before a turn; what was erased is not there."""
        records = self._transcript.lately(turn.session, turn.said[0].seq, most)
        told = [record for record in records if record.body is not None]
        return [said for record in told for said in voices_of(record) if said.origin in SPEAKERS]

    def _did(self, turn: TurnText) -> list[Said]:
        """Return what tools did in the turn that somebody spoke in last."""
        last = self._transcript.lately(turn.session, turn.said[0].seq, 1)
        name = last[-1].turn if last else None
        records = self._transcript.of_session(turn.session, name) if name else []
        worked = [each for each in records if each.kind in WORKED and each.body is not None]
        return [said_of(each) for each in worked]

    def _waiting(self, turn: TurnText, projects: tuple[str, ...]) -> list[Action]:
        """Return what waits to be done, but for what a turn itself leaves, or has closed before."""
        actions = self._store.actions
        closed = actions.closed_by([said.event for said in turn.said])
        waiting = [*actions.wanted("pending", projects), *closed]
        return [each for each in waiting if each.turn != turn.turn and not is_ruled(each)]

    def _replace_actions(self, session: str, name: str, actions: list[Action]) -> None:
        kept = {action.id for action in actions}
        for old in self._store.actions.found("turn", session, name):
            if old.id not in kept and old.status == "pending":
                self._store.actions.remove(old.id)
        refused = self._store.evidence.is_refused
        for action in actions:
            is_known = self._store.actions.get(action.id) is not None
            if not is_known and not refused("session", action.session, action.created_at):
                self._store.actions.put(action)

    def _close(self, taught: Read) -> None:
        """Close the actions that a turn has done; what it had closed before waits again."""
        actions = self._store.actions
        for action in actions.closed_by(taught.events):
            actions.put(_open(action))
        for one in taught.found.done:
            done = actions.get(one)
            if done is not None and taught.events and done.status == "pending":
                closer = taught.events[-1]
                at = taught.ended_at
                actions.put(replace(done, status="acted_on", closed_at=at, closed_by=closer))

    def _note(self, session: str, name: str, found: Extracted) -> None:
        """Write down what the turn came to; nothing of a session that was taken back since."""
        note, refused = found.note, self._store.evidence.is_refused
        if note is None or refused("session", session, note.at):
            self._store.actions.remove_note(session, name)
        else:
            self._store.actions.put_note(note)

    def _sum_up(self, session: str, turn: TurnText | None, upto: int) -> None:
        """Write down what the session came to so far."""
        known = self._store.actions.summaries(session) if turn is None else []
        project = turn.project if turn else next((each.project for each in known), None)
        is_final = self._transcript.has_ended(session, upto)
        self._summing.write(session, project or None, is_final=is_final)


def _open(action: Action) -> Action:
    return replace(action, status="pending", closed_at=None, closed_by=None)


def _is_whole(records: Sequence[Record], turn: str) -> bool:
    """Say whether a turn still has what was asked in it, and what was answered."""
    kinds = {each.kind for each in records if each.turn == turn and each.body is not None}
    return kinds >= {"prompt", "reply"}


def _evidence(found: Extracted, turn: TurnText, extractor: str) -> list[tuple[Evidence, Draft]]:
    """Return the drafts that hold, as evidence."""
    seen: dict[tuple[str, int, str, str], int] = {}
    rows = []
    for draft in found.drafts:
        cited = (draft.said.event, draft.start, draft.quote, draft.kind)
        seen[cited] = seen.get(cited, -1) + 1
        kind_of(draft.kind)  # an extractor that does not know the kinds is broken
        with suppress(MemoryRefused):  # what cannot be a memory spoils nothing beside it
            row = evidence_of(draft, turn, extractor, seen[cited])
            if row is not None:
                rows.append((row, draft))
    return rows


def _actions(found: Extracted, turn: TurnText | None) -> list[Action]:
    if turn is None:
        return []
    made = []
    for each in found.follow_ups:
        with suppress(MemoryRefused):
            made.append(action_of(each, turn))
    return [each for each in made if each is not None]
