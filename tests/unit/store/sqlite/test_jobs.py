"""Jobs in SQLite: whatever several workers do, each job is done once and none is lost.

A model in plain Python says what must be claimed, and by whom it can be ended.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from contract.conftest import NOON, fresh, sqlite_memory
from tacit.store.sqlite.jobs import LONGEST_WAIT_NS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.store.memory_port import Job
    from tacit.store.sqlite.memory import SqliteMemory

LEASE = 60 * 1_000_000_000
HOUR = 3600 * 1_000_000_000
LONG = 1000 * 24 * HOUR
WAITS = st.sampled_from([0, 1, LEASE, LEASE + 1, HOUR])


@pytest.fixture
def memory() -> Iterator[SqliteMemory]:
    """Return a memory with one job, which is claimed from noon on."""
    with fresh(sqlite_memory) as opened:
        opened.jobs.enqueue(("turn", "session-1", "turn-1"), 1, NOON, partial=False)
        yield opened


def claim(memory: SqliteMemory, token: str = "token", now: int = NOON) -> Job:  # noqa: S107  (no secret)
    """Claim what must be there to claim."""
    found = memory.jobs.claim(now, now + LEASE, token)
    assert found is not None
    return found


@dataclass
class Expected:
    """How a job stands, as far as anybody outside can know."""

    number: int
    state: str = "waiting"
    due: int = 0
    leased: int = 0
    token: str | None = None
    asked: int = 0  # how often somebody has said that it is to be done
    done: int = 0  # the last of these that it was done for


class Workers(RuleBasedStateMachine):
    """Several workers at one queue, who die, come late, fail, and whose clock jumps."""

    def __init__(self) -> None:
        super().__init__()
        self._stack = ExitStack()
        self.jobs = self._stack.enter_context(fresh(sqlite_memory)).jobs
        self.now = NOON
        self.known: dict[str, Expected] = {}
        self.given: list[Job] = []  # all that was ever claimed, by whomever

    @rule(turn=st.sampled_from("abcd"))
    def enqueue(self, turn: str) -> None:
        """Let something be done, again if it was done before."""
        self.jobs.enqueue(("turn", "s", turn), 1, self.now, partial=False)

        (number,) = [row.number for row in self.jobs.listed() if row.turn == turn]
        known = self.known.setdefault(turn, Expected(number=number))
        known.state, known.due, known.token = "waiting", self.now, None
        known.asked += 1

    @rule()
    def claim(self) -> None:
        """Take what is due, and nothing that another is at."""
        free = sorted(
            (each.number, turn) for turn, each in self.known.items() if self._is_free(each)
        )
        token = f"token-{len(self.given)}"

        job = self.jobs.claim(self.now, self.now + LEASE, token)

        assert (job.turn if job else None) == (free[0][1] if free else None)
        if job:
            known = self.known[job.turn]
            known.state, known.leased, known.token = "running", self.now + LEASE, token
            self.given.append(job)

    def _is_free(self, known: Expected) -> bool:
        if known.state == "waiting":
            return known.due <= self.now or known.due > self.now + HOUR
        return known.state == "running" and not self.now <= known.leased <= self.now + LEASE

    def _owned(self, job: Job) -> Expected | None:
        known = self.known[job.turn]
        return known if known.token == job.token else None

    @precondition(lambda self: self.given)
    @rule(pick=st.integers(0, 30))
    def finish(self, pick: int) -> None:
        """Come back with a result, maybe much too late."""
        job = self.given[-1 - pick % len(self.given)]
        known = self._owned(job)

        is_ours = self.jobs.finish(job)

        assert is_ours == (known is not None)
        if known:
            assert known.done < known.asked  # never twice for one asking
            known.state, known.token, known.done = "done", None, known.asked

    @precondition(lambda self: self.given)
    @rule(pick=st.integers(0, 30), wait=st.none() | WAITS)
    def fail(self, pick: int, wait: int | None) -> None:
        """Come back without a result, maybe much too late."""
        job = self.given[-1 - pick % len(self.given)]
        known = self._owned(job)

        is_ours = self.jobs.fail(job, "it broke", None if wait is None else self.now + wait)

        assert is_ours == (known is not None)
        if known:
            known.state, known.token = "dead" if wait is None else "waiting", None
            known.due = self.now + (wait or 0)

    @precondition(lambda self: self.given)
    @rule(pick=st.integers(0, 30))
    def extend(self, pick: int) -> None:
        """Stay at it, maybe much too late."""
        job = self.given[-1 - pick % len(self.given)]
        known = self._owned(job)

        is_ours = self.jobs.extend(job, self.now + LEASE)

        assert is_ours == (known is not None)
        if known:
            known.leased = self.now + LEASE

    @rule(turn=st.none() | st.sampled_from("abcd"))
    def retry(self, turn: str | None) -> None:
        """Give the dead another chance."""
        meant = {turn} if turn else self.known.keys()
        number = self.known[turn].number if turn in self.known else None if turn is None else 999

        revived = self.jobs.retry(self.now, number)

        dead = [self.known[each] for each in meant & self.known.keys()]
        dead = [each for each in dead if each.state == "dead"]
        assert revived == len(dead)
        for each in dead:
            each.state, each.due = "waiting", self.now

    @rule(wait=WAITS | st.just(-LONG))
    def wait(self, wait: int) -> None:
        """Let time pass, or let the clock be set back."""
        self.now += wait

    @invariant()
    def every_job_stands_where_it_should(self) -> None:
        """Compare all that can be seen with what is expected."""
        found = {turn: self.jobs.state_of("turn", "s", turn) for turn in "abcd"}
        listed = [(row.number, row.turn) for row in self.jobs.listed()]

        states = {turn: known.state for turn, known in self.known.items()}
        assert found == dict.fromkeys("abcd") | states
        assert listed == sorted(
            (each.number, turn) for turn, each in self.known.items() if each.state != "done"
        )

    def teardown(self) -> None:
        """Let one worker do all that is left: nothing was lost on the way."""
        with self._stack:
            self.jobs.retry(self.now)
            self.jobs.hurry()
            self.now += 2 * LEASE
            while job := self.jobs.claim(self.now, self.now + LEASE, "last"):
                assert self.known[job.turn].done < self.known[job.turn].asked
                assert self.jobs.finish(job)
            assert self.jobs.counted().keys() <= {"done"}


def test_whatever_several_workers_do_each_job_is_done_once_and_none_is_lost() -> None:
    patience = settings(max_examples=60, stateful_step_count=40, deadline=None)

    run_state_machine_as_test(Workers, settings=patience)


def test_of_several_workers_at_once_each_job_is_claimed_by_one(tmp_path: Path) -> None:
    jobs, taken = 300, list[int]()

    def work(worker: int) -> None:
        with closing(sqlite_memory(tmp_path)) as own:
            while job := own.jobs.claim(now := time.time_ns(), now + LEASE, f"{worker}-{now}"):
                taken.append(job.number)
                own.jobs.finish(job)

    with closing(sqlite_memory(tmp_path)) as memory:
        for number in range(jobs):
            memory.jobs.enqueue(("turn", "s", str(number)), 1, 0, partial=False)
        workers = [threading.Thread(target=work, args=(each,)) for each in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

        assert (len(taken), memory.jobs.counted()) == (jobs, {"done": jobs})


def test_a_worker_that_extends_its_lease_keeps_its_job(memory: SqliteMemory) -> None:
    job = claim(memory)

    is_ours = memory.jobs.extend(job, NOON + LEASE + 5)

    later = NOON + LEASE + 5
    assert (is_ours, memory.jobs.claim(later, later + LEASE, "other")) == (True, None)
    assert claim(memory, "other", later + 1).token == "other"  # noqa: S105  (no secret)


def test_a_worker_that_extends_too_late_does_not_get_its_job_back(memory: SqliteMemory) -> None:
    late = claim(memory)
    claim(memory, "other", NOON + LEASE + 1)

    is_ours = memory.jobs.extend(late, NOON + 10 * LEASE)

    later = NOON + 2 * LEASE + 2
    assert (is_ours, memory.jobs.is_held(later, later + LEASE)) == (False, False)


@pytest.mark.parametrize("due", [NOON + 1, NOON + HOUR])
def test_in_a_hurry_nothing_waits_for_its_time(memory: SqliteMemory, due: int) -> None:
    memory.jobs.fail(claim(memory), "it broke", due)

    memory.jobs.hurry()

    assert claim(memory).turn == "turn-1"


def test_a_hurry_does_not_take_a_job_from_who_is_at_it(memory: SqliteMemory) -> None:
    job = claim(memory)

    memory.jobs.hurry()

    assert (memory.jobs.claim(NOON, NOON + LEASE, "x"), memory.jobs.finish(job)) == (None, True)


@pytest.mark.parametrize(("ahead", "is_due"), [(1, False), (HOUR, False), (HOUR + 1, True)])
def test_a_due_time_counts_unless_it_lies_further_ahead_than_any_is_given(
    memory: SqliteMemory, ahead: int, *, is_due: bool
) -> None:
    memory.jobs.fail(claim(memory), "it broke", NOON + ahead)

    found = memory.jobs.claim(NOON, NOON + LEASE, "other")

    assert (LONGEST_WAIT_NS, found is not None) == (HOUR, is_due)


def test_how_far_a_job_has_come_is_told(memory: SqliteMemory) -> None:
    def state() -> str | None:
        return memory.jobs.state_of("turn", "session-1", "turn-1")

    states = [state()]
    job = claim(memory)
    states.append(state())
    memory.jobs.finish(job)

    assert [*states, state()] == ["waiting", "running", "done"]
    assert memory.jobs.state_of("decision", "session-1", "turn-1") is None


def test_the_numbers_of_jobs_are_never_given_twice(memory: SqliteMemory) -> None:
    first = claim(memory)
    memory.connection.value("DELETE FROM jobs")

    memory.jobs.enqueue(("turn", "session-1", "turn-2"), 1, NOON, partial=False)

    assert claim(memory).number > first.number


def test_how_far_something_has_come_is_remembered(memory: SqliteMemory) -> None:
    before = memory.jobs.number("cursor")

    for number in (7, 2**62, 5):
        memory.jobs.set_number("cursor", number)

    assert (before, memory.jobs.number("cursor"), memory.jobs.number("curso")) == (0, 5, 0)


def test_open_turns_come_in_order_of_what_came_of_them(memory: SqliteMemory) -> None:
    for turn, seq in (("b", 1), ("a", 2), ("c", 3), ("b", 4)):
        memory.jobs.open_turn("session-1", turn, seq, seq)
    memory.jobs.open_turn("session-2", "a", 5, 5)

    found = memory.jobs.open_turns("session-1")

    assert found == [("a", 2), ("c", 3), ("b", 4)]


def test_idle_turns_are_those_of_which_nothing_came_since(memory: SqliteMemory) -> None:
    for session, turn, seq, last in (("s", "a", 1, 30), ("s", "b", 2, 10), ("x", "a", 3, 20)):
        memory.jobs.open_turn(session, turn, seq, last)

    found = [memory.jobs.idle_turns(since) for since in (9, 10, 20)]

    assert found == [[], [("s", "b", 2)], [("s", "b", 2), ("x", "a", 3)]]


def test_a_turn_is_as_young_as_the_latest_that_came_of_it(memory: SqliteMemory) -> None:
    memory.jobs.open_turn("s", "a", 1, 30)

    memory.jobs.open_turn("s", "a", 2, 10)  # the clock was set back

    assert (memory.jobs.idle_turns(29), memory.jobs.idle_turns(30)) == ([], [("s", "a", 2)])


def test_a_turn_that_has_ended_is_open_no_more(memory: SqliteMemory) -> None:
    for session, turn in (("s", "a"), ("s", "b"), ("x", "a")):
        memory.jobs.open_turn(session, turn, 1, 1)

    memory.jobs.close_turn("s", "a")
    memory.jobs.close_turn("s", "never opened")

    assert memory.jobs.idle_turns(1) == [("s", "b", 1), ("x", "a", 1)]
