"""The curator at work: one job after the other, in the order in which things happened.

A job is claimed with a lease; its result and its end are one transaction, refused if the lease has
passed to another. What fails is tried again, later each time, and in the end kept as dead with its
reason. The feed goes on only when nothing that can be done is left, so whatever is killed when, the
memory is the same.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.curate.attention import Attention
from tacit.curate.decide import Decider
from tacit.curate.decisions import KIND as DECISION
from tacit.curate.decisions import decided
from tacit.curate.feed import AGAIN, SINCE, Feed
from tacit.curate.learn import Learner
from tacit.curate.model import calls
from tacit.curate.model.apply import Applier
from tacit.curate.reading import read
from tacit.curate.summing import Summing
from tacit.curate.teach import Teacher
from tacit.errors import StoreError
from tacit.model.memory import EXPLICIT
from tacit.recall.indexing import Indexer
from tacit.store.unasked_port import Unasked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.curate.decisions import Decided
    from tacit.curate.extract import Extractor
    from tacit.curate.teach import Read
    from tacit.model.event import Record
    from tacit.store.memory_port import Job
    from tacit.store.port import Store
    from tacit.store.sqlite.memory import SqliteMemory

MAX_TRIES = 5
LEASE_NS = 10 * 1_000_000_000
_FIRST_WAIT_NS = 1_000_000_000
_PAUSE = 0.02


class LeaseLost(Exception):  # noqa: N818  (a state, not a mishap)
    """The job has passed to another while we were at it."""


@dataclass(slots=True)
class Worked:
    """What one stretch of work did."""

    done: int = 0
    failed: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a curator works with."""

    extractor: Extractor
    digest: Callable[[str], bytes]
    now_ns: Callable[[], int]
    random: Callable[[int], bytes]
    erase: Callable[[Sequence[str]], object]  # lets bodies of events go from the transcript


class Curator:
    """Curates one group."""

    def __init__(self, transcript: Store, store: SqliteMemory, tools: Tools) -> None:
        self._transcript = transcript
        self._store = store
        self._tools = tools
        self._feed = Feed(transcript, store)
        self._learner = Learner(store, tools.digest)
        self._decider = Decider(store, self._learner, self._said_by_user)
        self._teacher = Teacher(transcript, store, self._learner, tools.extractor)
        self._summing = Summing(store, tools.extractor)
        self._applier = Applier(transcript, store, self._learner, self._summing)
        self._attention = Attention(store)
        self._indexer = Indexer(transcript, store)

    def _said_by_user(self, session: str, before: int) -> str:
        """Return the user's own words of a session before an event."""
        records = [each for each in self._transcript.of_session(session) if each.seq < before]
        turns = read(records, before)
        return "\n".join(said.text for said in turns.prompts) if turns else ""

    @property
    def missed(self) -> list[Decided]:
        """Return the decisions about what is no longer there."""
        return self._decider.missed

    def work(
        self,
        *,
        seconds: float | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Worked:
        """Do what there is to do, for so long at most."""
        worked = Worked()
        until = None if seconds is None else time.monotonic() + seconds
        while until is None or time.monotonic() < until:
            job = self._next(until)
            if job is None:
                break
            self._try(job, worked)
            if progress:
                progress(self._feed.cursor, self._transcript.head().seq)
        self._indexer.advance(until)
        worked.waiting = self._feed.waiting() + self._store.jobs.waiting()
        return worked

    def _next(self, until: float | None) -> Job | None:
        """Claim what is due, else read on; None if nothing is left.

        Another that is at work is waited for, for so long at most: whoever asked wants to read
        what it makes.
        """
        read: list[Job] = []
        while True:
            job = read.pop() if read else self._claim()
            if job is not None and job.tries <= MAX_TRIES:
                return job
            if job is not None:  # whoever was at it never came back to say why
                self._fail(job, "It was begun five times and never ended.", None)
                continue
            now = self._tools.now_ns()
            holder = self._store.jobs.holder(now, now + LEASE_NS)
            if holder is not None and _is_gone(holder):
                self._store.jobs.expire(holder)
                continue
            if holder is not None and until is not None and time.monotonic() < until:
                time.sleep(_PAUSE)
                continue
            if holder is not None or not self._feed.advance(
                now, lambda: read.extend(filter(None, [self._claim()]))
            ):
                return None

    def _claim(self) -> Job | None:
        """Take up the oldest that is due."""
        now = self._tools.now_ns()
        token = f"{os.getpid()}-{self._tools.random(16).hex()}"
        return self._store.jobs.claim(now, now + LEASE_NS, token)

    def _try(self, job: Job, worked: Worked) -> None:
        """Do one job; what goes wrong with it is written down with it."""
        try:
            self._do(job)
        except LeaseLost:
            return
        except (StoreError, KeyboardInterrupt):  # not the job's fault: whoever called must know
            with suppress(StoreError):
                self._store.jobs.release(job, self._tools.now_ns())
            raise
        except Exception as error:  # noqa: BLE001  (an extractor may fail in any way; it is told)
            worked.failed += 1
            self._fail(job, f"{type(error).__name__}: {error}"[:500], self._due(job))
        else:
            worked.done += 1

    def _fail(self, job: Job, reason: str, due: int | None) -> None:
        """Write down that a job failed; for good, and somebody is asked to look at it."""
        with self._store.transaction():
            is_ours = self._store.jobs.fail(job, reason, due)
            if is_ours and due is None and job.kind != DECISION:
                self._attention.unlanded(job.session, job.turn, self._began(job))

    def _began(self, job: Job) -> int:
        """Return when a turn began."""
        records = self._transcript.of_session(job.session, job.turn)
        return records[0].at if records else 0

    def _due(self, job: Job) -> int | None:
        """Return when a job that failed is tried again: later each time, never after the last."""
        if job.tries >= MAX_TRIES:
            return None
        wait = _FIRST_WAIT_NS << job.tries
        jitter = int.from_bytes(self._tools.random(4)) % (wait // 2)
        return self._tools.now_ns() + wait + jitter

    def _do(self, job: Job) -> None:
        if job.kind == DECISION:
            self._carry_out(job)
            return
        taught = self._teacher.read(job)
        with self._store.transaction():
            self._settle(job)
            self._teacher.teach(job, taught)
            self._summing.catch_up()
            self._let_wait(job, taught)
            self._attention.landed(job.session, job.turn)
            self._indexer.go_on()

    def _let_wait(self, job: Job, taught: Read) -> None:
        """Let a turn wait for the model, if the owner had chosen one when it ended."""
        jobs = self._store.jobs
        since = jobs.number(SINCE)
        began = taught.turn.said[0].seq if taught.turn else 0
        is_meant = bool(since) and (began >= since or job.upto < jobs.number(AGAIN))
        if not is_meant or taught.turn is None:
            self._store.unasked.drop(job.session, job.turn, job.upto)
            return
        found = taught.found.drafts
        is_asked = any(each.extractor == EXPLICIT or each.kind == "correction" for each in found)
        self._store.unasked.put(
            Unasked(
                session=job.session,
                turn=job.turn,
                upto=job.upto,
                at=taught.ended_at,
                is_urgent=job.is_partial or is_asked,
            )
        )

    def _learn_reply(self, job: Job, record: Record) -> None:
        """Learn what a model has answered, or say that it may not be asked any more today."""
        replied = calls.replied(record)
        with self._store.transaction():
            self._settle(job)
            if record.kind == calls.CAPPED:
                self._attention.capped(str(calls.told(record).get("cap", "")), record.at)
            if replied is not None:
                self._applier.apply(replied)
                self._attention.uncapped()

    def _carry_out(self, job: Job) -> None:
        (record,) = self._transcript.find([job.turn])
        if record.kind in calls.KINDS:
            self._learn_reply(job, record)
            return
        told = decided(record)
        if told and told.decision.erased and told.origin == "owner":
            erased = self._erase(told)
            with self._store.transaction():
                if not self._store.jobs.extend(job, self._tools.now_ns() + LEASE_NS):
                    raise LeaseLost
                self._decider.carry_out(told)
                self._store.index.drop("message", told.decision.erased)
                self._teacher.again(erased, told.seq)
                self._summing.catch_up()
            self._store.compact()  # only when nothing is left of it is it done
            told = None
        with self._store.transaction():
            self._settle(job)
            if told:
                self._decider.carry_out(told)
            if record.body is not None:
                self._attention.settled(record.id, record.at)
            self._summing.catch_up()

    def _erase(self, told: Decided) -> list[str]:
        """Let go the words of what was meant, and what a model has answered about it meanwhile.

        From then on nobody can write down an answer about it.
        """
        self._tools.erase(told.decision.erased)
        replies = self._transcript.about_models(0)
        late = calls.repeating(replies, told.decision.erased)
        if late:
            self._tools.erase(late)
        known = [each.id for each in replies if each.id in late and each.seq < told.seq]
        return [*told.decision.erased, *known]

    def _settle(self, job: Job) -> None:
        if not self._store.jobs.finish(job):
            raise LeaseLost


def _is_gone(token: str) -> bool:
    """Say whether the process that made a token has died: then nobody has to wait for its lease."""
    pid = token.partition("-")[0]
    if not pid.isdigit() or int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
