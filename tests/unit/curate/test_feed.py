"""The feed: when a turn has ended, what is done again, and that it does not matter when one reads.

A turn ends by its reply, its failure, the next prompt, the session's end, or ten idle minutes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.curate.feed import CHUNK, Feed
from tacit.transcript.turns import IDLE_NS
from unit.curate.saying import MINUTE_NS, SECOND_NS, TABS, fresh_desk

if TYPE_CHECKING:
    from unit.curate.saying import Desk

ASKED = f"Remember that {TABS}."


def feed(desk: Desk) -> Feed:
    return Feed(desk.transcript, desk.store)


def due(desk: Desk) -> list[tuple[str, str, int]]:
    """Read on once; return the jobs that then wait: kind, turn and up to where, by number."""
    feed(desk).advance(desk.clock())
    found = []
    while (job := desk.store.jobs.claim(desk.clock(), desk.clock() + SECOND_NS, "t")) is not None:
        desk.store.jobs.finish(job)
        found.append((job.kind, job.turn, job.upto))
    return found


def all_due(desk: Desk) -> list[tuple[str, str, int]]:
    """Read to the end; return the jobs in the order in which they became due."""
    found: list[tuple[str, str, int]] = []
    while part := due(desk):
        found += part
    return found


@pytest.mark.parametrize("kind", ["reply", "reply_failure"])
def test_a_turn_ends_with_its_reply_or_its_failure(kind: str, desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append(kind, turn="t-1")

    assert due(desk) == [("turn", "t-1", 2)]


def test_a_turn_without_its_end_is_not_done(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append("tool_use", turn="t-1")

    assert (due(desk), feed(desk).cursor) == ([], 2)


def test_a_turn_ends_with_the_next_prompt_of_its_session(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.prompt("Another session", session="s-2")
    desk.prompt("The same session")

    assert due(desk) == [("turn", "t-1", 3)]


def test_the_same_prompt_again_ends_nothing(desk: Desk) -> None:
    desk.prompt(ASKED, turn="t-1")
    desk.prompt("Go on.", turn="t-1")

    assert due(desk) == []


def test_the_end_of_a_session_ends_all_its_turns(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append("tool_use", turn="t-9")
    desk.prompt("Another session", session="s-2")
    desk.append("end")

    assert due(desk) == [("turn", "t-1", 4), ("turn", "t-9", 4)]


def test_the_end_of_a_session_ends_the_turn_that_it_names(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append("end", turn="t-1")

    assert due(desk) == [("turn", "t-1", 2)]


def test_ten_idle_minutes_end_a_turn_by_the_clock_on_the_wall(desk: Desk) -> None:
    desk.prompt(ASKED)
    said = desk.clock()

    found = []
    for later in (IDLE_NS - 1, IDLE_NS):
        desk.clock.now_ns = said + later
        found.append(due(desk))

    assert found == [[], [("turn", "t-1", 1)]]


def test_ten_idle_minutes_end_a_turn_by_the_clock_of_the_transcript(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.clock.pass_(IDLE_NS)
    desk.prompt("Another session", session="s-2")

    assert due(desk) == [("turn", "t-1", 1)]


def test_what_comes_out_of_order_does_not_set_the_clock_of_the_transcript_back(desk: Desk) -> None:
    desk.append("start", session="s-2")
    desk.clock.pass_(-15 * MINUTE_NS)
    desk.prompt(ASKED)
    desk.append("notice", session="s-2")

    assert due(desk) == [("turn", "t-1", 2)]


def test_nine_minutes_of_the_transcript_do_not_end_a_turn(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.clock.pass_(9 * MINUTE_NS)
    desk.prompt("Another session", session="s-2")

    assert due(desk) == []


def test_whoever_reads_much_later_ends_a_turn_where_it_ended(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append("tool_use", turn="t-1")
    desk.clock.pass_(IDLE_NS)
    desk.append("start", session="s-2")
    desk.append("tool_use", turn="t-1")
    desk.clock.pass_(1000 * MINUTE_NS)

    assert all_due(desk) == [("turn", "t-1", 2), ("turn", "t-1", 4)]


def test_an_import_of_old_words_ends_no_turn(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append("message", at=0, session="s-2", turn="t-2", via="import:chat")

    assert due(desk) == []


def test_a_clock_that_was_set_back_ends_no_turn(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.clock.pass_(-1000 * MINUTE_NS)

    assert due(desk) == []


def test_a_compaction_does_what_is_there_and_the_end_does_it_again(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append("compact_start", turn="t-1")
    desk.append("tool_use", turn="t-1")
    desk.append("reply", turn="t-1")

    assert all_due(desk) == [("turn", "t-1", 2), ("turn", "t-1", 4)]


def test_a_compaction_is_a_part_and_the_end_is_the_whole(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append("compact_start", turn="t-1")

    parts = []
    for _ in range(2):
        feed(desk).advance(desk.clock())
        job = desk.store.jobs.claim(desk.clock(), desk.clock() + SECOND_NS, "t")
        assert job is not None
        desk.store.jobs.finish(job)
        parts.append(job.is_partial)
        desk.reply("t-1")

    assert parts == [True, False]


def test_a_compacted_turn_is_still_open(desk: Desk) -> None:
    desk.prompt(ASKED)
    desk.append("compact_start", turn="t-1")
    due(desk)

    desk.clock.pass_(IDLE_NS)

    assert due(desk) == [("turn", "t-1", 2)]


@pytest.mark.parametrize("kind", ["tool_use", "tool_call", "agent_reply", "message"])
def test_what_comes_late_lets_a_turn_be_done_again(kind: str, desk: Desk) -> None:
    desk.say(TABS)
    desk.append(kind, turn="t-1")
    desk.prompt("Next")

    assert all_due(desk) == [("turn", "t-1", 2), ("turn", "t-1", 4)]


@pytest.mark.parametrize("kind", ["notice", "compact", "display", "expansion", "start"])
def test_a_notice_opens_no_turn_again(kind: str, desk: Desk) -> None:
    desk.say(TABS)
    desk.append(kind, turn="t-1")
    desk.append("end")

    assert all_due(desk) == [("turn", "t-1", 2)]


@pytest.mark.parametrize("kind", ["prompt", "reply", "tool_use", "compact_start"])
def test_what_belongs_to_no_turn_makes_no_job(kind: str, desk: Desk) -> None:
    desk.append(kind, turn=None)

    assert all_due(desk) == []


def test_decisions_are_done_in_their_place_in_the_order(desk: Desk) -> None:
    desk.say(TABS)
    decision = desk.told("undo", session="s-1")
    desk.say(TABS)

    assert all_due(desk) == [("turn", "t-1", 2), ("decision", decision.id, 3), ("turn", "t-2", 5)]


def test_reading_stops_where_there_is_something_to_do(desk: Desk) -> None:
    for _ in range(3):
        desk.say(TABS)

    found = [(feed(desk).advance(desk.clock()), feed(desk).cursor) for _ in range(4)]

    assert found == [(True, 2), (True, 4), (True, 6), (False, 6)]


def test_what_comes_then_is_done_only_where_there_is_something_to_do(desk: Desk) -> None:
    desk.say(TABS)
    cursors: list[int] = []

    for _ in range(2):
        feed(desk).advance(desk.clock(), lambda: cursors.append(feed(desk).cursor))

    assert cursors == [2]


def test_much_that_is_nothing_to_do_is_read_at_once(desk: Desk) -> None:
    for _ in range(2 * CHUNK + 3):
        desk.append("notice")

    assert (feed(desk).advance(desk.clock()), feed(desk).waiting()) == (False, 0)


def test_what_was_not_read_yet_is_counted(desk: Desk) -> None:
    desk.say(TABS)
    desk.say(TABS)

    before = feed(desk).waiting()
    feed(desk).advance(desk.clock())

    assert (before, feed(desk).waiting()) == (4, 2)


def test_a_transcript_that_became_shorter_has_nothing_waiting(desk: Desk) -> None:
    desk.store.jobs.set_number("cursor", 7)

    assert (feed(desk).waiting(), feed(desk).advance(desk.clock())) == (0, False)


# what can happen in a session: an event, in one of two sessions and turns, and how long after
_happenings = st.tuples(
    st.sampled_from(
        "prompt reply reply_failure tool_use compact_start compact end notice told".split()
    ),
    st.sampled_from(["s-1", "s-2"]),
    st.sampled_from(["t-1", "t-2"]),
    st.sampled_from([0, MINUTE_NS, 11 * MINUTE_NS]),
)


def happen(desk: Desk, kind: str, session: str, turn: str, after: int) -> None:
    """Let something happen; prompts and decisions say something to be remembered."""
    desk.clock.pass_(after)
    number = desk.transcript.head().seq
    payload: dict[str, Any] = {}
    if kind == "prompt":
        payload = {"prompt": f"Remember that {TABS}.\nRemember that number {number % 3} counts."}
    if kind == "told":
        desk.told("undo", session=session)
    else:
        desk.append(kind, payload, session=session, turn=None if kind == "end" else turn)


@settings(deadline=None, max_examples=60)
@given(st.lists(_happenings, max_size=12), st.sets(st.integers(0, 12)))
def test_it_does_not_matter_when_one_reads(
    happenings: list[tuple[str, str, str, int]], stops: set[int]
) -> None:
    found = []
    for reading in (range(13), stops):
        with fresh_desk() as desk:
            for number, happening in enumerate(happenings):
                happen(desk, *happening)
                if number in reading:
                    desk.curate()
            desk.clock.pass_(IDLE_NS)
            desk.curate()
            found.append((desk.content(), desk.standing("forgotten"), desk.jobs()))

    assert found[0] == found[1]
