"""Jobs in SQLite: claimed with a lease and a token, so that a late worker changes nothing.

Times come from outside. A lease or a due date that lies much further ahead than any that is given
was written by a clock that has been set back since: it does not count.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from tacit.store.memory_port import Job, JobRow
from tacit.store.sqlite.statements import Statements

if TYPE_CHECKING:
    from tacit.store.sqlite.connection import Connection

LONGEST_WAIT_NS = 3600 * 1_000_000_000
_ROW = tuple(field.name for field in fields(JobRow))
_JOB = tuple(field.name for field in fields(Job))


class SqliteJobs:
    """What is to be done in one group, and how far its transcript was read."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ask = Statements(connection, "jobs")

    def enqueue(self, job: tuple[str, str, str], upto: int, now: int, *, partial: bool) -> None:
        """Let (kind, session, turn) be done, again if it was done before."""
        bindings = dict(zip(("kind", "session", "turn"), job, strict=True))
        with self._connection.transaction():
            self._ask.run(
                "enqueue", bindings | {"upto": upto, "now": now, "is_partial": int(partial)}
            )

    def claim(self, now: int, until: int, token: str) -> Job | None:
        """Take the oldest that is due, until then at most."""
        times = {"now": now, "until": until, "latest_due": now + LONGEST_WAIT_NS}
        if self._ask.value("due", times) is None:
            return None
        with self._connection.transaction():
            for row in list(self._ask.rows("claim", times | {"token": token})):
                columns = dict(zip(_JOB, row, strict=True))
                return Job(**columns | {"is_partial": bool(columns["is_partial"])})
        return None

    def is_held(self, now: int, until: int) -> bool:
        """Say whether somebody is at work."""
        return self.holder(now, until) is not None

    def holder(self, now: int, until: int) -> str | None:
        """Return the token of whoever is at work."""
        found = self._ask.value("holder", {"now": now, "until": until})
        return str(found) if found is not None else None

    def expire(self, token: str) -> None:
        """Let what this one holds be taken up at once: it is gone."""
        with self._connection.transaction():
            self._ask.run("expire", {"token": token})

    def extend(self, job: Job, until: int) -> bool:
        """Stay at work until then; False if it is no longer ours."""
        return self._owned("extend", job, {"until": until})

    def finish(self, job: Job) -> bool:
        """Say that it is done; False if it is no longer ours."""
        return self._owned("finish", job, {})

    def fail(self, job: Job, reason: str, due: int | None) -> bool:
        """Say that it failed: to be tried again when due, or never."""
        state = "dead" if due is None else "waiting"
        return self._owned("fail", job, {"state": state, "reason": reason, "due": due or 0})

    def release(self, job: Job, due: int) -> bool:
        """Let it be taken up again when due, as if it had not been tried."""
        return self._owned("release", job, {"due": due})

    def _owned(self, statement: str, job: Job, bindings: dict[str, object]) -> bool:
        own: dict[str, object] = {"number": job.number, "token": job.token}
        with self._connection.transaction():
            return self._ask.value(statement, own | bindings) is not None

    def ended_behind(self, seq: int) -> list[tuple[str, str, int]]:
        """Return (session, turn, upto) of the turns that were curated up to there or beyond."""
        return [tuple(row) for row in self._ask.rows("ended_behind", {"seq": seq})]

    def retry(self, now: int, number: int | None = None) -> int:
        """Give the dead, or one of them, another chance; return how many."""
        with self._connection.transaction():
            return len(list(self._ask.rows("retry", {"now": now, "number": number})))

    def bare_reasons(self) -> None:
        """Keep of each failure what kind it was, and nothing that may repeat what was read."""
        with self._connection.transaction():
            self._ask.run("bare_reasons")

    def hurry(self) -> None:
        """Let nothing wait for its time."""
        with self._connection.transaction():
            self._ask.run("hurry")

    def listed(self, limit: int = -1) -> list[JobRow]:
        """Return what is not done, the oldest first."""
        rows = self._ask.rows("listed", {"limit": limit})
        return [JobRow(**dict(zip(_ROW, row, strict=True))) for row in rows]

    def state_of(self, kind: str, session: str, turn: str) -> str | None:
        """Return how far something has come: waiting, running, done or dead; None if unknown."""
        bindings = {"kind": kind, "session": session, "turn": turn}
        found = self._ask.value("state_of", bindings)
        return str(found) if found is not None else None

    def counted(self) -> dict[str, int]:
        """Return how many stand in each state."""
        return dict(self._ask.rows("counted"))

    def waiting(self) -> int:
        """Return how many are still to be done, by whomever."""
        return int(self._ask.value("waiting"))

    def turns(self) -> int:
        """Return how many turns were ever to be curated."""
        return int(self._ask.value("turns"))

    def number(self, name: str) -> int:
        """Return how far something has come."""
        return int(self._ask.value("number", {"name": name}) or 0)

    def set_number(self, name: str, number: int) -> None:
        """Remember how far something has come."""
        with self._connection.transaction():
            self._ask.run("set_number", {"name": name, "number": number})

    def open_turn(self, session: str, turn: str, seq: int, last: int) -> None:
        """Remember that a turn has begun, or that something more of it came."""
        with self._connection.transaction():
            bindings = {"session": session, "turn": turn, "seq": seq, "last": last}
            self._ask.run("opened", bindings)

    def open_turns(self, session: str) -> list[tuple[str, int]]:
        """Return the open turns of a session: (turn, last sequence number), in order."""
        return [(row[0], row[1]) for row in self._ask.rows("open_turns", {"session": session})]

    def idle_turns(self, since: int) -> list[tuple[str, str, int]]:
        """Return the open turns of which nothing came since: (session, turn, last number)."""
        return [(row[0], row[1], row[2]) for row in self._ask.rows("idle_turns", {"since": since})]

    def close_turn(self, session: str, turn: str) -> None:
        """Remember that a turn has ended."""
        with self._connection.transaction():
            self._ask.run("closed", {"session": session, "turn": turn})
