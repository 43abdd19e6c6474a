"""`tacit review`: what may be worth remembering, accepted or rejected by its id."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from unit.cli.memory.conftest import Cli, Mind


@pytest.fixture
def candidate(mind: Mind) -> Memory:
    """Return a candidate of the user's."""
    return mind.plant("Do not touch the seeds", origin="user", is_certain=False)


def test_where_nothing_waits_it_says_so(cli: Cli) -> None:
    assert cli("review") == (0, "Nothing waits for review.\n", "")


def test_without_a_terminal_the_candidates_are_listed(candidate: Memory, cli: Cli) -> None:
    head, row = cli("review").out.splitlines()

    assert head.split() == ["candidate", "kind", "since", "content"]
    assert (candidate.content in row, cli.contents()) == (True, [])


def test_programs_get_candidates_and_doubts(candidate: Memory, cli: Cli) -> None:
    told = cli.json("review")

    assert [each["id"] for each in told["candidates"]] == [candidate.id]
    assert told["doubts"] == []


def test_one_is_accepted_by_its_id(candidate: Memory, cli: Cli) -> None:
    told = cli("review", "--accept", candidate.id)

    assert told.code == 0
    assert told.out.startswith(f"Active: [fact] {candidate.content}")
    assert cli.contents() == [candidate.content]


def test_one_is_rejected_by_its_id(candidate: Memory, cli: Cli) -> None:
    told = cli("review", "--reject", candidate.id)

    assert (told.code, cli("review").out) == (0, "Nothing waits for review.\n")


def test_list_shows_candidates_on_request(candidate: Memory, cli: Cli) -> None:
    assert cli("list", "--candidates").out.splitlines()[-1].endswith(candidate.content)
