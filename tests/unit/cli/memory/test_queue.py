"""`tacit queue`: what is still to be done and what failed for good, with the reason."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.cli.memory.conftest import Cli, Mind


def failed(mind: Mind, turn: str, reason: str) -> int:
    """Let the curating of a turn have failed for good; return the job's number."""
    with mind.opened() as store:
        now = time.time_ns()
        store.jobs.enqueue(("turn", "s-1", turn), 1, now, partial=False)
        job = store.jobs.claim(now, now + 1, "token")
        assert job is not None
        store.jobs.fail(job, reason, None)
        return job.number


def test_where_nothing_happened_nothing_is_to_be_done(cli: Cli) -> None:
    assert cli("queue") == (0, "0 events not read yet; jobs: none.\n", "")


def test_what_is_done_is_counted(mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Good morning", "Remember that the sky is blue.")
    cli.remember("I like tabs")

    assert cli("queue").out == "0 events not read yet; jobs: 3 done.\n"


def test_what_failed_for_good_is_shown_with_its_reason(mind: Mind, cli: Cli) -> None:
    number = failed(mind, "turn-of-poison", "ValueError: it burns")

    first, head, row = cli("queue").out.splitlines()

    assert first == "0 events not read yet; jobs: 1 dead, 1 done."
    assert head.split() == ["job", "kind", "state", "tries", "since", "what", "reason"]
    assert row.split()[:4] == [str(number), "turn", "dead", "1"]
    assert row.endswith("  turn-of-  ValueError: it burns")


def test_programs_get_counts_and_jobs(mind: Mind, cli: Cli) -> None:
    number = failed(mind, "turn-of-poison", "ValueError: it burns")

    told = cli.json("queue")

    assert (told["unread"], told["counts"]) == (0, {"dead": 1, "done": 1})
    (job,) = told["jobs"]
    assert (job["number"], job["state"], job["reason"]) == (number, "dead", "ValueError: it burns")


def test_what_is_tried_again_is_done_if_it_can_be(mind: Mind, cli: Cli) -> None:
    failed(mind, "turn-one", "ValueError: it burns")
    failed(mind, "turn-two", "ValueError: it burns")

    told = cli("queue", "retry")

    assert told == (0, "2 jobs tried again. See `tacit queue`.\n", "")
    assert cli.json("queue")["counts"] == {"done": 3}


def test_one_job_can_be_tried_again_alone(mind: Mind, cli: Cli) -> None:
    first = failed(mind, "turn-one", "ValueError: it burns")
    failed(mind, "turn-two", "ValueError: it burns")

    told = cli("queue", "retry", str(first))

    assert told.out == "1 job tried again. See `tacit queue`.\n"
    assert cli.json("queue")["counts"] == {"dead": 1, "done": 2}


@pytest.mark.parametrize("number", ["404", "0"])
def test_a_job_that_did_not_fail_is_not_tried_again(number: str, mind: Mind, cli: Cli) -> None:
    failed(mind, "turn-one", "ValueError: it burns")

    told = cli("queue", "retry", number)

    sentence = f"tacit: There is no job {number} that failed for good. See `tacit queue`.\n"
    assert (told.code != 0, told.out, told.err) == (True, "", sentence)
    assert cli.json("queue")["counts"] == {"dead": 1, "done": 1}


def test_what_is_no_number_is_refused(cli: Cli) -> None:
    assert cli("queue", "retry", "all").code == 2


def test_a_number_beyond_all_numbers_is_no_job(mind: Mind, cli: Cli) -> None:
    failed(mind, "turn-one", "ValueError: it burns")

    told = cli("queue", "retry", "9" * 30)

    assert told.code in {0, 2, 6}


def test_nothing_in_a_reason_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    failed(mind, hostile, hostile)

    told = cli.at_terminal("queue")

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 3)


def test_the_group_can_be_said_before_the_verb_or_behind_it(mind: Mind, cli: Cli) -> None:
    failed(mind, "turn-one", "ValueError: it burns")

    told = cli("queue", "--group", "elsewhere", "retry")

    assert (told.out, cli.json("queue")["counts"]) == (
        "0 jobs tried again. See `tacit queue`.\n",
        {"dead": 1, "done": 1},
    )


def test_the_verb_behind_it_explains_itself(cli: Cli) -> None:
    told = cli("queue", "retry", "--help")

    assert (told.code, "tacit queue retry [OPTIONS] [JOB]" in told.out) == (0, True)


def test_a_program_is_told_how_many_were_tried_again(mind: Mind, cli: Cli) -> None:
    failed(mind, "turn-one", "ValueError: it burns")

    assert cli.json("queue", "retry") == {"retried": 1}
