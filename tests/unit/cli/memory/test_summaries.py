"""`tacit summaries`: what sessions came to, the latest first, safe to look at."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tacit.model.action import Summary

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.memory.conftest import Cli, Mind

SECOND_NS = 1_000_000_000


@pytest.fixture
def mind(mind: Mind) -> Mind:
    """Return the memory of a home in which nothing was said yet."""
    mind.begin("s-first")
    return mind


def sum_up(mind: Mind, session: str, **changes: Any) -> None:
    """Let a session have a summary."""
    fields: dict[str, Any] = {"session": session, "project": None, "updated_at": time.time_ns()}
    with mind.opened() as store:
        store.actions.put_summary(Summary(**fields | changes))


def test_where_there_is_none_it_says_so(cli: Cli) -> None:
    assert cli("summaries") == (0, "No session has a summary yet.\n", "")


def test_for_programs_none_is_an_empty_list(cli: Cli) -> None:
    assert cli.json("summaries") == []


def test_a_summary_is_shown_field_by_field_without_the_empty_ones(mind: Mind, cli: Cli) -> None:
    sum_up(
        mind,
        "session-one",
        request="Mend the importer",
        next_steps="Release it",
        files_read=("a.py", "b.py"),
        files_edited=("a.py",),
    )

    head, *lines = cli("summaries").out.splitlines()

    assert (head.split()[0], head.endswith(", not ended")) == ("session-", True)
    assert lines == [
        "request: Mend the importer",
        "next steps: Release it",
        "read: a.py, b.py",
        "edited: a.py",
    ]


def test_the_summary_of_an_ended_session_is_final(mind: Mind, cli: Cli) -> None:
    sum_up(mind, "session-one", is_final=True)

    assert "not ended" not in cli("summaries").out


def test_the_latest_comes_first_and_no_more_than_asked_for(mind: Mind, cli: Cli) -> None:
    for number in range(3):
        sum_up(mind, f"s-{number}", updated_at=time.time_ns() + number * SECOND_NS)

    found = cli.json("summaries", "--limit", "2")

    assert [each["session"] for each in found] == ["s-2", "s-1"]


@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_limit_that_is_none_is_refused(value: str, cli: Cli) -> None:
    assert cli("summaries", "--limit", value).code == 2


def test_those_of_one_project_can_be_asked_for(home: Home, mind: Mind, cli: Cli) -> None:
    (project,) = cli.json("project", "list")
    sum_up(mind, "here", project=project["key"])
    sum_up(mind, "there", project="prj-elsewhere")

    found = cli.json("summaries", "--project", str(home.project))

    assert [each["session"] for each in found] == ["here"]


def test_a_project_that_is_not_there_is_refused(mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Good morning")

    told = cli("summaries", "--project", "orchard")

    assert (told.code, told.out, "tacit project list" in told.err) == (6, "", True)


def test_programs_get_the_eight_fields(mind: Mind, cli: Cli) -> None:
    sum_up(mind, "s-1")

    (told,) = cli.json("summaries")

    eight = {
        "request", "investigated", "learned", "completed", "next_steps", "files_read",
        "files_edited", "notes",
    }  # fmt: skip
    assert eight <= told.keys()


def test_nothing_in_a_summary_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    texts = dict.fromkeys(
        ("request", "investigated", "learned", "completed", "next_steps", "notes"), hostile
    )
    sum_up(mind, hostile, files_read=(hostile,), files_edited=(hostile, hostile), **texts)

    told = cli.at_terminal("summaries")

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 9)
