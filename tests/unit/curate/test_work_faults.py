"""The curator killed, late or beside another: a turn ends once, with all of its result or none."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate import explicit
from tacit.curate.extract import Extracted
from tacit.curate.feed import Feed
from tacit.curate.work import LEASE_NS, MAX_TRIES, Curator
from tacit.errors import StoreBusy
from unit.curate.saying import SPACES, TABS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.curate.reading import TurnText
    from tacit.store.memory_port import Job
    from unit.curate.saying import Desk


def nothing(_turn: TurnText) -> Extracted:
    return Extracted()


def left(desk: Desk) -> tuple[str, int, str | None]:
    """Return how it stands with the one job that is not done."""
    (job,) = desk.store.jobs.listed()
    return job.state, job.tries, job.reason


def test_a_result_that_comes_after_the_lease_was_lost_leaves_nothing(desk: Desk) -> None:
    desk.say(TABS)
    desk.told("remember", text=SPACES)

    def slow(turn: TurnText) -> Extracted:
        desk.clock.pass_(LEASE_NS + 1)
        desk.extract = nothing
        Curator(desk.transcript, desk.store, desk.tools).work()  # another one takes over
        return explicit.extract(turn)

    desk.extract = slow
    worked = desk.curate()

    assert (desk.standing(), desk.jobs(), worked.done) == ([SPACES], {"done": 2}, 0)


def test_a_decision_that_comes_after_the_lease_was_lost_is_carried_out_once(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    desk.told("forget", erased=("evt-1",))

    def slow(events: Sequence[str]) -> None:
        desk.clock.pass_(LEASE_NS + 1)
        desk.erase = desk.bury
        desk.curate()  # another one takes over
        desk.bury(events)

    desk.erase = slow
    worked = desk.curate()

    assert (desk.standing(), desk.jobs(), worked.done) == ([], {"done": 2}, 0)


def test_a_turn_that_failed_too_late_stays_as_another_left_it(desk: Desk) -> None:
    desk.say(TABS)

    def slow(_turn: TurnText) -> Extracted:
        desk.clock.pass_(LEASE_NS + 1)
        desk.extract = explicit.extract
        desk.curate()  # another one takes over
        raise RuntimeError("too late")

    desk.extract = slow
    desk.curate()

    assert (desk.standing(), desk.jobs()) == ([TABS], {"done": 1})


def dead_process() -> int:
    """Return the number of a process that is no more."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def begun(desk: Desk, token: str) -> Job:
    """Let another have begun a turn, and not ended it."""
    desk.say(TABS)
    Feed(desk.transcript, desk.store).advance(desk.clock())
    job = desk.store.jobs.claim(desk.clock(), desk.clock() + LEASE_NS, token)
    assert job is not None
    return job


def test_a_last_try_that_failed_too_late_asks_nobody(desk: Desk) -> None:
    desk.say(TABS)
    tries = 0

    def fails(turn: TurnText) -> Extracted:
        nonlocal tries
        tries += 1
        if tries == MAX_TRIES:
            now = desk.clock.pass_(LEASE_NS + 1)
            other = desk.store.jobs.claim(now, now + LEASE_NS, "1-other")
            assert other is not None
            desk.store.jobs.finish(other)
        raise ValueError(turn.turn)

    desk.extract = fails
    for _ in range(MAX_TRIES):
        desk.curate()
        desk.clock.pass_(100 * LEASE_NS)

    assert (tries, desk.store.actions.wanted()) == (MAX_TRIES, [])


def test_what_a_dead_worker_held_is_taken_up_at_once(desk: Desk) -> None:
    begun(desk, f"{dead_process()}-token")

    desk.curate()

    assert (desk.standing(), desk.jobs()) == ([TABS], {"done": 1})


@pytest.mark.parametrize("holder", [f"{os.getpid()}-token", "1-token", "token", "-token", "0-x"])
def test_what_another_may_still_hold_is_left_to_it(holder: str, desk: Desk) -> None:
    begun(desk, holder)

    desk.curate()

    assert (desk.standing(), desk.jobs()) == ([], {"running": 1})


def test_who_has_time_waits_for_another_that_is_at_work(desk: Desk) -> None:
    others = begun(desk, "1-token")
    desk.say(SPACES)
    looks = 0

    def now() -> int:
        nonlocal looks
        looks += 1
        if looks == 10:
            desk.store.jobs.finish(others)
        return desk.clock()

    tools = replace(desk.tools, now_ns=now)
    worked = Curator(desk.transcript, desk.store, tools).work(seconds=60)

    assert (desk.standing(), desk.jobs(), worked.waiting) == ([SPACES], {"done": 2}, 0)


def test_who_has_waited_long_enough_reads_what_there_is(desk: Desk) -> None:
    begun(desk, "1-token")

    worked = Curator(desk.transcript, desk.store, desk.tools).work(seconds=0.1)

    assert (desk.jobs(), worked.done, worked.waiting) == ({"running": 1}, 0, 1)


def test_nobody_goes_on_while_another_is_at_work(desk: Desk) -> None:
    desk.say(TABS)
    desk.say(SPACES)
    inner: list[int] = []

    def interrupted(turn: TurnText) -> Extracted:
        inner.append(Curator(desk.transcript, desk.store, desk.tools).work().done)
        return explicit.extract(turn)

    desk.extract = interrupted
    desk.curate()

    assert (inner, desk.standing()) == ([0, 0], sorted([TABS, SPACES]))


def test_what_was_begun_five_times_and_never_ended_is_dead(desk: Desk) -> None:
    desk.say(TABS)

    class Killed(BaseException):
        """The end of a process, as far as a job can see."""

    def killed(_turn: TurnText) -> Extracted:
        raise Killed

    desk.extract = killed
    for _ in range(MAX_TRIES):
        with pytest.raises(Killed):
            desk.curate()
        desk.clock.pass_(LEASE_NS + 1)
    desk.curate()

    assert left(desk)[::2] == ("dead", "It was begun five times and never ended.")


def test_a_store_in_trouble_is_not_the_fault_of_the_turn(desk: Desk) -> None:
    desk.say(TABS)

    def busy(_turn: TurnText) -> Extracted:
        raise StoreBusy("It is in use. Try again.")

    desk.extract = busy

    with pytest.raises(StoreBusy):
        desk.curate()
    assert left(desk) == ("waiting", 0, None)


class Killed(BaseException):
    """What ends a program in the middle: no handler catches it."""


def dying(desk: Desk, step: str, at: int) -> dict[str, Any]:
    """Return tools of which one dies when it is called for the at-th time."""
    real = desk.tools
    parts: dict[str, Callable[..., Any]] = {
        "digest": real.digest,
        "now_ns": real.now_ns,
        "random": real.random,
        "erase": real.erase,
    }
    calls = iter(range(at + 1))

    def die(*arguments: Any) -> Any:
        if next(calls, at) == at:
            raise Killed
        return parts[step](*arguments)

    return {step: die}


@pytest.mark.parametrize("step", ["digest", "now_ns", "random", "erase"])
@pytest.mark.parametrize("at", range(6))
def test_killed_at_any_step_all_is_done_once_or_not_at_all(step: str, at: int, desk: Desk) -> None:
    desk.say(TABS, SPACES)
    desk.told("remember", text="No indent")
    desk.told("forget", erased=("evt-1",))

    broken = replace(desk.tools, **dying(desk, step, at))
    try:
        Curator(desk.transcript, desk.store, broken).work()
    except Killed:
        half = desk.standing()
        desk.clock.pass_(LEASE_NS + 1)
    else:
        half = []
    desk.curate()

    assert half in ([], sorted([SPACES, TABS]), sorted([SPACES, TABS, "No indent"]), ["No indent"])
    assert (desk.standing(), desk.jobs()) == (["No indent"], {"done": 3})
