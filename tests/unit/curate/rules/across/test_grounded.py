"""Grounded: what an agent repeats of its tools' numbers and names is a finding; the rest is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.curate.extract import Context
from tacit.curate.reading import read
from tacit.curate.rules.across.grounded import is_finding, shared_values
from tacit.curate.rules.features import features
from tacit.curate.rules.segment import clauses
from tacit.curate.rules.view import View, view

if TYPE_CHECKING:
    from unit.curate.saying import Desk

GAVE = "lamp-07 uplink 10.4.0.9 mtu 1380\nlamp-08 uplink 10.4.0.12 mtu 1500\nshare 61.4%"


def looked(desk: Desk, prompt: str, result: str = GAVE, tool: str = "Bash", **kind: str) -> View:
    """Return a turn in which a tool gave something."""
    name = desk.prompt(prompt)
    given = {"tool_input": {"command": "show"}, "tool_response": result}
    told = {"turn": name, "tool": tool, "origin": f"tool:{tool}"}
    desk.append(kind.get("kind", "tool_use"), given, **told)
    found = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert found is not None
    return view(found, Context())


def told(clause: str, seen: View) -> bool:
    """Say whether a reply of one clause tells a finding."""
    (each,) = features(clauses(clause), seen.around(seen.prompts[0]))
    return is_finding(clause, each, seen)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("the uplink has an mtu of 1380", 1),
        ("lamps on 10.4.0.9 have 1380", 2),
        ("about 61% of it", 1),
        ("the lamps are slow", 0),
        ("port 38 is shut", 0),
        ("`lamp-08` is fine", 1),
        ("between 10.4.0.9 and 10.4.0.12 it drops, 1380 and 1500", 4),
    ],
)
def test_values_are_counted_that_stand_in_what_a_tool_gave(
    text: str, count: int, desk: Desk
) -> None:
    assert shared_values(text, looked(desk, "Why is it slow?").acts) == count


def test_what_a_failed_tool_printed_grounds_nothing(desk: Desk) -> None:
    seen = looked(desk, "Why is it slow?", kind="tool_failure")

    assert shared_values("10.4.0.9 has 1380", seen.acts) == 0


@pytest.mark.parametrize(
    "prompt",
    [
        "Why do packets vanish?",
        "which lamp drops them",
        "Warum gehen Pakete verloren?",
        "どれですか\uff1f",
    ],
)
def test_an_answer_with_values_of_tools_is_a_finding(prompt: str, desk: Desk) -> None:
    assert told("It is the one on 10.4.0.9, with 1380.", looked(desk, prompt))


def test_a_fault_with_values_of_tools_is_a_finding_though_nobody_asked(desk: Desk) -> None:
    seen = looked(desk, "Have a look at the lamps.")

    assert told("The one on 10.4.0.9 is stale, with 1380.", seen)
    assert not told("I saw 10.4.0.9 and 1380 there.", seen)


@pytest.mark.parametrize(
    "clause",
    [
        "Turns out the lamps drop what is long.",
        "The root cause is the small window.",
        "Es lag an der kleinen Spanne.",
        "La causa era la ventana.",
        "Okazało się, że okno jest za małe.",
        "原因は窓の小ささです。",
    ],
)
def test_a_cause_is_a_finding_whether_something_was_changed_or_not(clause: str, desk: Desk) -> None:
    assert told(clause, looked(desk, "Have a look at the lamps."))
    assert told(clause, looked(desk, "Have a look at the lamps.", tool="Edit"))


@pytest.mark.parametrize(
    "clause",
    [
        "It is the one with the small packets.",
        "It is the one with 1380.",
        "Shall I set 10.4.0.9 to 1380?",
        "It is 10.9.9.9 with 9000.",
        "Always set 10.4.0.9 to 1380, because it drops.",
        "From now on 10.4.0.9 has 1380, because it drops.",
    ],
    ids=["no value", "one value", "a question", "made up", "a rule", "another"],
)
def test_what_tools_do_not_bear_out_is_no_finding(clause: str, desk: Desk) -> None:
    assert not told(clause, looked(desk, "Why do packets vanish?"))


def test_what_was_changed_is_work_and_no_finding(desk: Desk) -> None:
    seen = looked(desk, "Why do packets vanish?", tool="Edit")

    assert not told("It is the one on 10.4.0.9, with 1380.", seen)
