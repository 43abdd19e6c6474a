"""Jobs: each is done once, by whoever claims it; who comes late changes nothing.

The clock is the caller's, and it may be set back: no job waits for a time that never comes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from contract.conftest import NOON
from contract.memories import HOSTILE
from tacit.store.memory_port import Job, JobRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.memory_port import MemoryStore

SECOND = 1_000_000_000
LEASE = 60 * SECOND
DAY = 86_400 * SECOND


def enqueue(store: MemoryStore, *turns: str, now: int = NOON) -> None:
    """Let these turns be done."""
    for number, turn in enumerate(turns):
        store.jobs.enqueue(("turn", "session-1", turn), number, now, partial=False)


def claim(store: MemoryStore, token: str = "token", now: int = NOON) -> Job:  # noqa: S107  (no secret)
    """Claim what must be there to claim."""
    found = store.jobs.claim(now, now + LEASE, token)
    assert found is not None
    return found


def claimed(store: MemoryStore, now: int = NOON) -> list[str]:
    """Claim all there is; return the turns."""
    found = iter(lambda: store.jobs.claim(now, now + LEASE, "token"), None)
    return [job.turn for job in found]


def only(store: MemoryStore) -> JobRow:
    (row,) = store.jobs.listed()
    return row


def finish(store: MemoryStore, job: Job) -> bool:
    return store.jobs.finish(job)


def fail(store: MemoryStore, job: Job) -> bool:
    return store.jobs.fail(job, "too late", NOON)


def give_up(store: MemoryStore, job: Job) -> bool:
    return store.jobs.fail(job, "too late", None)


ENDINGS: list[Callable[[MemoryStore, Job], bool]] = [finish, fail, give_up]


def test_in_a_new_memory_there_is_nothing_to_do(memory: MemoryStore) -> None:
    found = memory.jobs.claim(NOON, NOON + LEASE, "token")

    assert (found, memory.jobs.listed(), memory.jobs.counted()) == (None, [], {})


@pytest.mark.parametrize("partial", [True, False])
@pytest.mark.parametrize("kind", ["turn", "decision"])
def test_a_job_is_claimed_as_it_was_enqueued(
    memory: MemoryStore, kind: str, *, partial: bool
) -> None:
    memory.jobs.enqueue((kind, "session-1", "turn-1"), 7, NOON, partial=partial)

    found = claim(memory, "mine")

    assert replace(found, number=0) == Job(
        number=0, kind=kind, session="session-1", turn="turn-1", upto=7, is_partial=partial,
        tries=1, token="mine",  # noqa: S106  (no secret)
    )  # fmt: skip


def test_a_job_is_shown_as_it_stands(memory: MemoryStore) -> None:
    enqueue(memory, "turn-1")
    job = claim(memory)

    memory.jobs.fail(job, "it broke", NOON + 5)

    assert only(memory) == JobRow(
        number=job.number, kind="turn", session="session-1", turn="turn-1", state="waiting",
        tries=1, made=NOON, due=NOON + 5, reason="it broke",
    )  # fmt: skip


def test_jobs_are_claimed_in_the_order_in_which_they_came(memory: MemoryStore) -> None:
    enqueue(memory, "c", "a", "b")

    found = claimed(memory)

    assert found == ["c", "a", "b"]


def test_the_order_does_not_follow_the_clock(memory: MemoryStore) -> None:
    enqueue(memory, "first", now=NOON)
    enqueue(memory, "second", now=NOON - 5)

    found = claimed(memory)

    assert found == ["first", "second"]


def test_a_claimed_job_is_not_given_to_another(memory: MemoryStore) -> None:
    enqueue(memory, "a")
    claim(memory)

    found = [memory.jobs.claim(NOON + at, NOON + at + LEASE, "other") for at in (0, 1, LEASE)]

    assert found == [None] * 3


def test_a_job_whose_lease_has_run_out_is_given_to_another(memory: MemoryStore) -> None:
    enqueue(memory, "a")
    claim(memory, "first")

    found = claim(memory, "second", NOON + LEASE + 1)

    assert (found.turn, found.token, found.tries) == ("a", "second", 2)


@pytest.mark.parametrize("end", ENDINGS)
def test_who_comes_back_when_another_has_the_job_changes_nothing(
    memory: MemoryStore, end: Callable[[MemoryStore, Job], bool]
) -> None:
    enqueue(memory, "a", "b")
    late = claim(memory, "first")
    claim(memory, "second", NOON + LEASE + 1)
    before = memory.jobs.listed()

    is_ours = end(memory, late)

    assert (is_ours, memory.jobs.listed()) == (False, before)


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("again", ENDINGS)
def test_a_job_that_has_ended_does_not_end_again(
    memory: MemoryStore,
    end: Callable[[MemoryStore, Job], bool],
    again: Callable[[MemoryStore, Job], bool],
) -> None:
    enqueue(memory, "a", "b")
    job = claim(memory)
    end(memory, job)
    before = (memory.jobs.listed(), memory.jobs.counted())

    is_ours = again(memory, job)

    assert (is_ours, (memory.jobs.listed(), memory.jobs.counted())) == (False, before)


@pytest.mark.parametrize("end", ENDINGS)
def test_a_job_that_was_enqueued_again_meanwhile_is_no_longer_ours(
    memory: MemoryStore, end: Callable[[MemoryStore, Job], bool]
) -> None:
    enqueue(memory, "a")
    job = claim(memory)
    enqueue(memory, "a")

    is_ours = end(memory, job)

    assert (is_ours, only(memory).state, claimed(memory)) == (False, "waiting", ["a"])


@pytest.mark.parametrize("change", [{"token": "other"}, {"token": ""}, {"number": 999}])
@pytest.mark.parametrize("end", ENDINGS)
def test_a_job_cannot_be_ended_with_a_token_that_is_not_its_own(
    memory: MemoryStore, end: Callable[[MemoryStore, Job], bool], change: dict[str, str]
) -> None:
    enqueue(memory, "a")
    job = claim(memory)

    is_ours = end(memory, replace(job, **change))  # type: ignore[arg-type]

    assert (is_ours, only(memory).state) == (False, "running")


def test_a_finished_job_is_done_and_never_given_again(memory: MemoryStore) -> None:
    enqueue(memory, "a")

    is_ours = memory.jobs.finish(claim(memory))

    assert (is_ours, memory.jobs.counted(), memory.jobs.listed()) == (True, {"done": 1}, [])
    assert claimed(memory, NOON + DAY) == []


def test_a_job_that_failed_is_tried_again_when_it_is_due_and_not_before(
    memory: MemoryStore,
) -> None:
    enqueue(memory, "a")
    is_ours = memory.jobs.fail(claim(memory), "it broke", NOON + 10)

    found = [claimed(memory, NOON + at) for at in (0, 9, 10)]

    assert (is_ours, found) == (True, [[], [], ["a"]])


def test_a_job_that_failed_and_is_due_since_ever_is_not_dead(memory: MemoryStore) -> None:
    enqueue(memory, "a")

    memory.jobs.fail(claim(memory), "it broke", 0)

    assert claimed(memory) == ["a"]


def test_what_waits_for_its_time_does_not_hold_up_the_others(memory: MemoryStore) -> None:
    enqueue(memory, "a", "b")
    memory.jobs.fail(claim(memory), "it broke", NOON + 10)

    found = claimed(memory)

    assert found == ["b"]


def test_each_try_is_counted(memory: MemoryStore) -> None:
    enqueue(memory, "a")

    tries = []
    for _ in range(4):
        job = claim(memory)
        tries.append(job.tries)
        memory.jobs.fail(job, "it broke", NOON)

    assert (tries, only(memory).tries) == ([1, 2, 3, 4], 4)


def test_a_job_that_failed_for_good_is_kept_with_its_reason_and_never_given(
    memory: MemoryStore,
) -> None:
    enqueue(memory, "a")

    memory.jobs.fail(claim(memory), "it broke for good", None)

    assert (only(memory).state, only(memory).reason) == ("dead", "it broke for good")
    assert claimed(memory, NOON + DAY) == []


@pytest.mark.parametrize("end", ENDINGS)
def test_a_job_that_is_enqueued_again_is_done_again_with_all_its_tries(
    memory: MemoryStore, end: Callable[[MemoryStore, Job], bool]
) -> None:
    enqueue(memory, "a")
    end(memory, claim(memory))

    memory.jobs.enqueue(("turn", "session-1", "a"), 9, NOON + 1, partial=True)

    assert (only(memory).state, only(memory).tries, only(memory).reason) == ("waiting", 0, None)
    found = claim(memory, now=NOON + 1)
    assert (found.upto, found.is_partial, found.tries) == (9, True, 1)


def test_what_is_enqueued_twice_is_done_once(memory: MemoryStore) -> None:
    enqueue(memory, "a", "a", "b")

    found = claimed(memory)

    assert found == ["a", "b"]


def test_jobs_of_another_kind_session_or_turn_are_other_jobs(memory: MemoryStore) -> None:
    for job in (("turn", "s", "t"), ("decision", "s", "t"), ("turn", "x", "t"), ("turn", "s", "")):
        memory.jobs.enqueue(job, 1, NOON, partial=False)

    assert memory.jobs.counted() == {"waiting": 4}


def test_all_the_dead_are_given_another_chance(memory: MemoryStore) -> None:
    enqueue(memory, "a", "b", "c")
    for _ in range(2):
        memory.jobs.fail(claim(memory), "it broke", None)

    revived = memory.jobs.retry(NOON + 5)

    assert (revived, memory.jobs.counted()) == (2, {"waiting": 3})
    assert {(row.turn, row.tries, row.reason) for row in memory.jobs.listed()} == {
        (turn, 0, None) for turn in "abc"
    }
    assert claimed(memory, NOON + 5) == ["a", "b", "c"]


def test_one_of_the_dead_is_given_another_chance(memory: MemoryStore) -> None:
    enqueue(memory, "a", "b")
    dead = [claim(memory) for _ in range(2)]
    for job in dead:
        memory.jobs.fail(job, "it broke", None)

    revived = memory.jobs.retry(NOON, dead[1].number)

    assert (revived, claimed(memory)) == (1, ["b"])


@pytest.mark.parametrize("end", [finish, fail])
def test_what_is_not_dead_is_not_given_another_chance(
    memory: MemoryStore, end: Callable[[MemoryStore, Job], bool]
) -> None:
    enqueue(memory, "a", "b")
    ended, running = claim(memory), claim(memory)
    end(memory, ended)
    before = memory.jobs.listed()

    revived = [memory.jobs.retry(NOON + 5, each) for each in (None, running.number, 999)]

    assert (revived, memory.jobs.listed()) == ([0, 0, 0], before)


def test_jobs_are_listed_the_oldest_first_and_no_more_than_asked(memory: MemoryStore) -> None:
    enqueue(memory, "c", "a", "b")
    memory.jobs.finish(claim(memory))

    found = [[row.turn for row in memory.jobs.listed(limit)] for limit in (-1, 1, 0)]

    assert found == [["a", "b"], ["a"], []]


def test_jobs_are_counted_by_how_they_stand(memory: MemoryStore) -> None:
    enqueue(memory, "a", "b", "c", "d", "e")
    memory.jobs.finish(claim(memory))
    memory.jobs.fail(claim(memory), "it broke", None)
    claim(memory)

    assert memory.jobs.counted() == {"dead": 1, "done": 1, "running": 1, "waiting": 2}
    assert memory.jobs.waiting() == 3


def test_somebody_is_at_work_as_long_as_a_lease_lasts(memory: MemoryStore) -> None:
    enqueue(memory, "a", "b")
    before = memory.jobs.is_held(NOON, NOON + LEASE)
    claim(memory)

    found = [memory.jobs.is_held(NOON + at, NOON + at + LEASE) for at in (0, LEASE, LEASE + 1)]

    assert (before, found) == (False, [True, True, False])


@pytest.mark.parametrize("end", ENDINGS)
def test_nobody_is_at_work_when_the_job_has_ended(
    memory: MemoryStore, end: Callable[[MemoryStore, Job], bool]
) -> None:
    enqueue(memory, "a")

    end(memory, claim(memory))

    assert not memory.jobs.is_held(NOON, NOON + LEASE)


def test_a_lease_from_before_the_clock_was_set_back_counts_as_free(memory: MemoryStore) -> None:
    enqueue(memory, "a", now=NOON - DAY)
    late = claim(memory, "first", NOON)

    is_held = memory.jobs.is_held(NOON - DAY, NOON - DAY + LEASE)
    found = claim(memory, "second", NOON - DAY)

    assert (is_held, found.token, memory.jobs.finish(late)) == (False, "second", False)


def test_a_job_due_at_a_time_before_the_clock_was_set_back_is_due(memory: MemoryStore) -> None:
    enqueue(memory, "a", "b")
    memory.jobs.fail(claim(memory), "it broke", NOON + 10)

    found = claimed(memory, NOON - DAY)

    assert found == ["a", "b"]


def test_a_lease_given_a_moment_after_another_read_the_clock_is_kept(memory: MemoryStore) -> None:
    # who waits for the database has read the clock before: that makes nobody's lease a wrong one
    enqueue(memory, "a")
    job = claim(memory, "first", NOON + SECOND)

    found = memory.jobs.claim(NOON, NOON + LEASE, "second")

    assert (found, memory.jobs.is_held(NOON, NOON + LEASE), memory.jobs.finish(job)) == (
        None, True, True,
    )  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_statements_of_sql_are_only_names(memory: MemoryStore, text: str) -> None:
    memory.jobs.enqueue(("turn", text, text), 1, NOON, partial=False)
    enqueue(memory, "a")

    job = claim(memory, text)

    assert (job.session, job.turn, job.token, memory.jobs.finish(job)) == (text, text, text, True)
    assert memory.jobs.counted() == {"done": 1, "waiting": 1}
