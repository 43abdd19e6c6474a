"""The feed: reads the transcript behind its cursor and says what is to be done.

A turn is to be curated when it has ended: with its reply, the session's next prompt or end, or ten
idle minutes by the clock of the transcript itself, so that it ends at the same place whenever all
is made again. A compaction curates what is there of an open turn. What comes late is done again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.curate.decisions import KIND as DECISION
from tacit.curate.model import calls
from tacit.store.unasked_port import Unasked
from tacit.transcript.turns import IDLE_NS
from tacit.transcript.wire import TOOL_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.model.event import Record
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory

CURSOR, LATEST = "cursor", "latest"
SINCE, AGAIN = "model since", "model again"  # a model reads from here on; before here, once more
CHUNK = 64
_EVER = (1 << 63) - 1
_ENDS = frozenset(("reply", "reply_failure"))
# what a turn is made of
PARTS = _ENDS | TOOL_KINDS | {"prompt", "message", "agent_start", "agent_reply", "compact_start"}


class Feed:
    """Turns events of one group into jobs."""

    def __init__(self, transcript: Store, store: SqliteMemory) -> None:
        self._transcript = transcript
        self._jobs = store.jobs
        self._store = store

    @property
    def cursor(self) -> int:
        """Return how far the transcript was read."""
        return self._jobs.number(CURSOR)

    def waiting(self) -> int:
        """Return how many events were not read yet."""
        return max(0, self._transcript.head().seq - self.cursor)

    def advance(self, now_ns: int, then: Callable[[], object] = lambda: None) -> bool:
        """Read on until there is something to do; False if all was read and nothing is.

        What comes *then* is done in the same transaction.
        """
        while self.waiting() or self._jobs.idle_turns(now_ns - IDLE_NS):
            with self._store.transaction():
                seq, latest = self.cursor, self._jobs.number(LATEST)
                records = self._transcript.behind(seq, CHUNK)
                is_due = not records and self._end_idle(now_ns, seq, now_ns)
                for record in records:
                    seq, latest = record.seq, max(latest, record.received)
                    is_due = self._end_idle(latest, seq - 1, now_ns)
                    is_due |= self._read(record, now_ns)
                    if is_due:
                        break
                self._jobs.set_number(CURSOR, seq)
                self._jobs.set_number(LATEST, latest)
                if is_due:
                    then()
            if is_due or not records:
                return is_due
        return False

    def _read(self, record: Record, now_ns: int) -> bool:
        """Take one event in; say whether there is something to do now."""
        if record.kind == DECISION:
            self._jobs.enqueue((DECISION, "", record.id), record.seq, now_ns, partial=False)
            return True
        if record.kind in calls.KINDS:
            return self._read_of_model(record, now_ns)
        if record.kind == "end":
            self._store.actions.finish_summary(record.session)
        ended = record.kind in {"prompt", "end"} and self._end_others(record, now_ns)
        if record.turn is None or record.kind not in PARTS:
            return ended
        self._jobs.open_turn(record.session, record.turn, record.seq, record.received)
        if record.kind in _ENDS:
            self._end(record.session, record.turn, record.seq, now_ns)
        if record.kind == "compact_start":
            job = ("turn", record.session, record.turn)
            self._jobs.enqueue(job, record.seq, now_ns, partial=True)
        return ended or record.kind in _ENDS | {"compact_start"}

    def _read_of_model(self, record: Record, now_ns: int) -> bool:
        """Take in what was chosen; what a model answered, or may not be asked, is to be done."""
        if record.kind == calls.CHOSEN:
            self._choose(record)
        is_void = record.kind == calls.REPLY and record.seq < self._jobs.number(AGAIN)
        if record.kind not in {calls.REPLY, calls.CAPPED} or is_void:
            return False
        self._jobs.enqueue((DECISION, "", record.id), record.seq, now_ns, partial=False)
        return True

    def _choose(self, record: Record) -> None:
        """Let turns from a point on wait for the model; those that have ended by then, at once.

        What a model has read already is not read again, unless that is what was chosen. What had
        waited for another one waits no more: it was not meant for this one.
        """
        self._store.unasked.forget_old(_EVER)
        said = calls.told(record)
        is_wanted = said.get("provider", calls.NONE) != calls.NONE
        since = int(said.get("since", record.seq)) + 1 if is_wanted else 0
        self._jobs.set_number(SINCE, since)
        read = {} if said.get("again") else self._read_before(record.seq)
        for session, turn, upto in self._jobs.ended_behind(since) if since else ():
            began = next((each.seq for each in self._transcript.of_session(session, turn)), 0)
            if began >= since and read.get((session, turn), 0) < upto:
                self._store.unasked.put(
                    Unasked(session=session, turn=turn, upto=upto, at=record.at, is_urgent=False)
                )

    def _read_before(self, seq: int) -> dict[tuple[str, str], int]:
        """Return up to where models have read turns before a sequence number."""
        found = (calls.replied(each) for each in self._transcript.about_models(0) if each.seq < seq)
        turns = [turn for each in found if each is not None for turn in each.turns]
        return {(each.session, each.turn): each.upto for each in turns}

    def _end_others(self, record: Record, now_ns: int) -> bool:
        """End the turns of a session that its next prompt, or its end, leaves behind."""
        opened = [turn for turn, _ in self._jobs.open_turns(record.session)]
        ended = [turn for turn in opened if record.kind == "end" or turn != record.turn]
        for turn in ended:
            self._end(record.session, turn, record.seq, now_ns)
        return bool(ended)

    def _end_idle(self, by_ns: int, upto: int, now_ns: int) -> bool:
        """End the turns of which nothing came for ten minutes."""
        idle = self._jobs.idle_turns(by_ns - IDLE_NS)
        for session, turn, _ in idle:
            self._end(session, turn, upto, now_ns)
        return bool(idle)

    def _end(self, session: str, turn: str, upto: int, now_ns: int) -> None:
        self._jobs.close_turn(session, turn)
        self._jobs.enqueue(("turn", session, turn), upto, now_ns, partial=False)
