"""The curator at work: each turn once, in order; what fails is tried again, and told in the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.curate import explicit
from tacit.curate.extract import Draft, Extracted, FollowUp
from tacit.curate.work import MAX_TRIES
from unit.curate.saying import MINUTE_NS, SECOND_NS, SPACES, TABS

if TYPE_CHECKING:
    from tacit.curate.reading import TurnText
    from unit.curate.saying import Desk

HOUR_NS = 60 * MINUTE_NS


def failing(turn: TurnText) -> Extracted:
    raise RuntimeError(f"cannot read {turn.turn}")


def nothing(_turn: TurnText) -> Extracted:
    return Extracted()


def with_a_task(turn: TurnText) -> Extracted:
    """Find what is to be remembered, and in each prompt a task."""
    found = explicit.extract(turn)
    tasks = [
        FollowUp(content="Look again", said=said, start=0, quote=said.text[:8])
        for said in turn.prompts
    ]
    return replace(found, follow_ups=tuple(tasks))


def tried(desk: Desk) -> tuple[str, int, str | None]:
    """Return how it stands with the one job that is not done."""
    (job,) = desk.store.jobs.listed()
    return job.state, job.tries, job.reason


def work_for(desk: Desk, hours: int) -> None:
    """Work again and again, for so long."""
    for _ in range(hours * 60):
        desk.curate()
        desk.clock.pass_(MINUTE_NS)


def test_what_was_asked_for_in_a_turn_is_remembered(desk: Desk) -> None:
    desk.say(TABS, SPACES)

    worked = desk.curate()

    assert (desk.standing(), worked.done, worked.failed, worked.waiting) == (
        sorted([TABS, SPACES]),
        1,
        0,
        0,
    )


def test_work_done_is_not_done_again(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()

    worked = desk.curate()

    assert (worked.done, len(desk.seen)) == (0, 1)


def test_work_without_time_does_nothing_and_says_what_waits(desk: Desk) -> None:
    desk.say(TABS)

    worked = desk.curator().work(seconds=0)

    assert (worked.done, worked.waiting, desk.standing()) == (0, 2, [])


def test_work_tells_how_far_it_has_come(desk: Desk) -> None:
    desk.say(TABS)
    desk.say(SPACES)
    told: list[tuple[int, int]] = []

    desk.curator().work(progress=lambda done, total: told.append((done, total)))

    assert told == [(2, 4), (4, 4)]


def test_a_turn_where_nothing_is_notable_is_done_and_not_tried_again(desk: Desk) -> None:
    desk.extract = nothing
    desk.say(TABS)

    work_for(desk, hours=1)

    assert (desk.jobs(), len(desk.seen)) == ({"done": 1}, 1)


def test_a_turn_that_was_erased_is_done(desk: Desk) -> None:
    desk.say(TABS)
    desk.bury(["evt-1", "evt-2"])

    desk.curate()

    assert (desk.jobs(), desk.seen, desk.standing()) == ({"done": 1}, [], [])


def test_a_turn_that_fails_waits_longer_each_time_and_a_little_at_random(desk: Desk) -> None:
    desk.extract = failing
    desk.say(TABS)

    waits = []
    for _ in range(MAX_TRIES - 1):
        desk.curate()
        (job,) = desk.store.jobs.listed()
        waits.append((job.due - desk.clock()) / SECOND_NS)
        desk.clock.now_ns = job.due

    assert all(2**n <= wait < 1.5 * 2**n for n, wait in enumerate(waits, 1))


def test_two_that_fail_at_once_are_not_tried_again_at_once(desk: Desk) -> None:
    desk.extract = failing
    for _ in range(8):
        desk.say(TABS)

    desk.curate()

    assert len({job.due for job in desk.store.jobs.listed()}) > 1


def test_a_turn_that_fails_is_not_tried_before_its_time(desk: Desk) -> None:
    desk.extract = failing
    desk.say(TABS)

    for _ in range(3):
        desk.curate()

    assert tried(desk)[:2] == ("waiting", 1)


def test_a_turn_that_always_fails_is_dead_after_five_tries_with_its_reason(desk: Desk) -> None:
    desk.extract = failing
    desk.say(TABS)

    work_for(desk, hours=1)

    assert tried(desk) == ("dead", 5, "RuntimeError: cannot read t-1")
    assert len(desk.seen) == MAX_TRIES


def test_a_reason_is_no_longer_than_one_can_read(desk: Desk) -> None:
    desk.say(TABS)

    def verbose(_turn: TurnText) -> Extracted:
        raise ValueError("no " * 10_000)

    desk.extract = verbose
    desk.curate()

    assert len(tried(desk)[2] or "") == 500


def test_what_is_dead_is_tried_again_when_it_is_asked(desk: Desk) -> None:
    desk.extract = failing
    desk.say(TABS)
    work_for(desk, hours=1)
    desk.extract = explicit.extract

    retried = desk.store.jobs.retry(desk.clock())
    desk.curate()

    assert (retried, desk.standing(), desk.jobs()) == (1, [TABS], {"done": 1})


def test_a_failing_turn_holds_up_no_other(desk: Desk) -> None:
    desk.say(TABS)
    desk.say(SPACES)
    desk.extract = lambda turn: failing(turn) if turn.turn == "t-1" else explicit.extract(turn)

    worked = desk.curate()

    assert (desk.standing(), worked.done, worked.failed, worked.waiting) == ([SPACES], 1, 1, 1)


def test_one_poisoned_turn_in_a_thousand_is_dead_and_all_others_done(desk: Desk) -> None:
    with desk.transcript.transaction():
        for number in range(1000):
            desk.say(f"number {number} counts")
    desk.extract = lambda turn: failing(turn) if turn.turn == "t-500" else explicit.extract(turn)

    work_for(desk, hours=1)

    assert desk.jobs() == {"dead": 1, "done": 999}
    assert tried(desk) == ("dead", 5, "RuntimeError: cannot read t-500")
    assert len(desk.standing()) == 999


def test_a_turn_whose_drafts_are_out_of_bounds_says_so(desk: Desk) -> None:
    desk.extract = lambda turn: Extracted(
        drafts=(Draft(kind="rumour", content=TABS, said=turn.said[0], start=0, quote="Remember"),)
    )
    desk.say(TABS)

    desk.curate()

    told = tried(desk)[2] or ""
    assert told.startswith("MemoryRefused: 'rumour' is no kind of memory. Use one of preference,")


@pytest.mark.parametrize("odd", ["\u200b", "\u00df" + "x" * 1999], ids=["invisible", "longer"])
def test_what_cannot_be_remembered_spoils_nothing_beside_it(odd: str, desk: Desk) -> None:
    desk.say(odd, TABS)

    desk.curate()

    assert (TABS in desk.standing(), desk.jobs()) == (True, {"done": 1})


def test_what_is_cited_wrongly_is_left_out_and_the_rest_stays(desk: Desk) -> None:
    def invent(turn: TurnText) -> Extracted:
        (real,) = explicit.extract(turn).drafts
        task = FollowUp(content="Pay", said=turn.said[0], start=0, quote="Pay them")
        return Extracted(drafts=(real, replace(real, quote="invented")), follow_ups=(task,))

    desk.extract = invent
    desk.say(TABS)

    desk.curate()

    assert (desk.standing(), desk.store.actions.wanted()) == ([TABS], [])


def test_two_statements_of_the_same_words_are_both_learned(desk: Desk) -> None:
    def twice(turn: TurnText) -> Extracted:
        (real,) = explicit.extract(turn).drafts
        return Extracted(drafts=(real, replace(real, content=SPACES)))

    desk.extract = twice
    desk.say(TABS)

    desk.curate()

    assert desk.standing() == sorted([TABS, SPACES])


def test_what_a_compaction_saw_is_replaced_by_what_the_end_shows(desk: Desk) -> None:
    def finished(turn: TurnText) -> Extracted:
        found = explicit.extract(turn)
        last = found.drafts[-1:]
        return found if turn.said[-1].kind == "compact_start" else Extracted(drafts=last)

    desk.extract = finished
    desk.prompt(f"Remember that {TABS}.\nRemember that {SPACES}.")
    desk.append("compact_start", turn="t-1")
    desk.curate()
    before = desk.standing()
    desk.reply("t-1")

    desk.curate()

    assert (before, desk.standing()) == (sorted([TABS, SPACES]), [SPACES])


@pytest.mark.parametrize("is_forgotten", [True, False])
def test_the_same_words_understood_otherwise_replace_what_they_were_taken_for(
    *, is_forgotten: bool, desk: Desk
) -> None:
    turn = desk.say(TABS)
    desk.curate()
    if is_forgotten:
        desk.told("forget", desk.only(TABS))
    desk.extract = lambda told: Extracted(
        drafts=tuple(replace(each, content=SPACES) for each in explicit.extract(told).drafts)
    )
    desk.append("tool_use", turn=turn)
    desk.append("end")

    desk.curate()

    assert desk.standing() == ([] if is_forgotten else [SPACES])


def test_a_turn_done_again_doubles_nothing(desk: Desk) -> None:
    desk.extract = with_a_task
    desk.say(TABS)
    desk.curate()
    before = desk.content()
    desk.append("tool_use", turn="t-1")
    desk.append("end")

    desk.curate()

    assert (desk.content(), len(desk.seen)) == (before, 2)


def test_a_task_that_was_closed_stays_so_when_its_turn_is_done_again(desk: Desk) -> None:
    desk.extract = with_a_task
    turn = desk.say(TABS)
    desk.curate()
    (action,) = desk.store.actions.wanted()
    desk.store.actions.put(replace(action, status="dismissed"))
    desk.append("tool_use", turn=turn)
    desk.append("end")

    desk.curate()

    assert [each.status for each in desk.store.actions.wanted()] == ["dismissed"]


def test_a_task_that_a_turn_no_longer_shows_goes_unless_it_was_closed(desk: Desk) -> None:
    desk.extract = with_a_task
    turns = [desk.say(TABS), desk.say(SPACES)]
    desk.curate()
    closed, _ = desk.store.actions.wanted()
    desk.store.actions.put(replace(closed, status="acted_on"))
    desk.extract = explicit.extract
    for turn in turns:
        desk.append("tool_use", turn=turn)
    desk.append("end")

    desk.curate()

    assert [each.id for each in desk.store.actions.wanted()] == [closed.id]


def test_a_task_of_a_session_that_was_taken_back_is_not_queued_again(desk: Desk) -> None:
    desk.extract = with_a_task
    desk.prompt(f"Remember that {TABS}.")
    desk.told("undo", session="s-1")
    desk.reply("t-1")

    desk.curate()

    assert (desk.store.actions.wanted(), desk.standing()) == ([], [])


def test_decisions_take_their_place_between_turns(desk: Desk) -> None:
    desk.say(TABS)
    desk.told("undo", session="s-1")
    desk.say(SPACES)

    desk.curate()

    assert (desk.standing(), desk.standing("forgotten")) == ([SPACES], [TABS])


def test_a_decision_that_is_none_of_ours_is_done(desk: Desk) -> None:
    desk.append("decision", {"verb": "destroy"}, client="tacit")

    desk.curate()

    assert desk.jobs() == {"done": 1}


def test_decisions_that_found_nothing_are_told(desk: Desk) -> None:
    desk.say(TABS)
    desk.curate()
    gone = desk.only(TABS)
    desk.learner.withdraw(desk.store.evidence.found("session", "s-1"))
    desk.told("pin", gone)

    curator = desk.curator()
    curator.work()

    assert [each.decision.verb for each in curator.missed] == ["pin"]


def test_what_is_erased_leaves_the_transcript_and_the_file(desk: Desk) -> None:
    desk.say("the canary sings")
    desk.curate()

    desk.told("forget", erased=("evt-1",))
    desk.curate()

    held = [each.body for each in desk.transcript.find(["evt-1"])]
    files = [each.read_bytes() for each in desk.path.parent.glob("memory.db*")]
    assert (held, [b"canary" in each for each in files if b"canary" in each]) == ([None], [])
