"""Actions: a status and a priority are among those there are, or refused with what to use."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from contract.memories import summed_up, to_do
from tacit.errors import MemoryRefused
from tacit.model.action import HIGH, NORMAL, STATUSES, URGENT, Summary, priority_of, status_of


def test_the_statuses_are_those_of_the_glossary() -> None:
    assert STATUSES == ("pending", "acted_on", "dismissed")


@pytest.mark.parametrize("name", STATUSES)
def test_a_status_is_itself(name: str) -> None:
    assert status_of(name) == name


def test_what_is_completed_was_acted_on() -> None:
    assert status_of("completed") == "acted_on"


@pytest.mark.parametrize("name", ["", "Pending", "done", "pending ", "acted on", "\0", "\ud800"])
def test_what_is_no_status_is_refused_and_the_statuses_are_named(name: str) -> None:
    with pytest.raises(MemoryRefused) as refused:
        status_of(name)

    assert str(refused.value).endswith(
        " is no status of an action. Use pending, acted_on, dismissed."
    )


def test_a_refused_status_is_shown_on_one_line_without_what_could_fool_a_reader() -> None:
    with pytest.raises(MemoryRefused, match=r"^'no status' is no status"):
        status_of("no\n\x1b[31mstatus\u202e")


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_priority_is_itself(number: int) -> None:
    assert priority_of(number) == number


def test_the_most_urgent_has_the_smallest_number() -> None:
    assert (URGENT, HIGH, NORMAL) == (0, 1, 2)


@pytest.mark.parametrize("number", [-1, 3, 2**80])
def test_what_is_no_priority_is_refused_and_the_priorities_are_named(number: int) -> None:
    with pytest.raises(MemoryRefused) as refused:
        priority_of(number)

    assert str(refused.value) == (f"Priority is 0 (urgent), 1 (high) or 2 (normal), not {number}.")


def test_an_action_waits_and_is_normal_unless_said_otherwise() -> None:
    made = to_do("act-1")

    assert (made.status, made.priority, made.closed_at, made.closed_by) == (
        "pending", NORMAL, None, None,
    )  # fmt: skip


def test_a_summary_has_eight_fields_which_begin_empty() -> None:
    made = summed_up("session-1")

    told = {name: getattr(made, name) for name in Summary.__slots__}
    rest = {name: told.pop(name) for name in ("session", "project", "updated_at", "is_final")}
    assert (len(told), any(told.values()), rest["is_final"]) == (8, False, False)


def test_an_action_is_never_changed_in_place() -> None:
    made = to_do("act-1")

    with pytest.raises(FrozenInstanceError):
        made.status = "dismissed"  # type: ignore[misc]
