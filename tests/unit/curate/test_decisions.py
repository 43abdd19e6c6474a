"""Decisions as events: what is written down is what is read again, and nothing else is believed."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.curate.decisions import BY_ITSELF, VERBS, About, Decision, Who, decided, event, weighed
from unit.curate.saying import NOON, PLACE, TABS, evidence, fresh_desk

if TYPE_CHECKING:
    from tacit.curate.decisions import Decided
    from tacit.model.event import Event
    from unit.curate.saying import Desk

DECISION = Decision(
    verb="correct",
    about=(About(id="mem-1", kind="fact", events=("evt-1", "evt-2")), About(id="act-1")),
    text=TABS,
    kind="preference",
    tags=("style", "shop"),
    importance=4,
    project="prj-shop",
    session="s-9",
    whose="tool:Bash",
    erased=("evt-3",),
    why="asked",
    surface="mcp",
)


def made(decision: Decision, who: Who) -> Event:
    return event(decision, who, PLACE, now_ns=NOON, random=lambda size: b"r" * size)


def read_again(desk: Desk, decision: Decision, who: Who) -> Decided | None:
    """Return a decision as it comes back from the transcript."""
    (record,) = desk.transcript.append([made(decision, who)])
    return decided(desk.transcript.find([record.id])[0])


def test_what_is_decided_is_read_again_as_it_was(desk: Desk) -> None:
    found = read_again(desk, DECISION, Who(origin="agent", session="s-1", via="mcp"))

    assert found is not None
    assert found.decision == DECISION
    assert (found.seq, found.at, found.origin, found.session) == (1, NOON, "agent", "s-1")
    assert found.event == f"evt-{(b'r' * 16).hex()}"


def test_a_decision_is_an_event_of_its_own_outside_of_turns() -> None:
    found = made(DECISION, Who(origin="owner"))

    assert (found.kind, found.turn, found.client, found.origin, found.via) == (
        "decision",
        None,
        "tacit",
        "owner",
        "cli",
    )
    assert (found.session, found.project, found.place) == ("", "prj-shop", PLACE)


def test_what_was_not_said_is_not_written_down() -> None:
    body = made(Decision(verb="undo", session="s-1"), Who(origin="owner")).body

    assert json.loads(body) == {"verb": "undo", "session": "s-1", "surface": "cli"}


def test_what_is_to_be_erased_is_not_repeated() -> None:
    wanted = Decision(verb="forget", erased=("evt-3",))

    body = made(wanted, Who(origin="owner")).body

    assert json.loads(body) == {"verb": "forget", "erased": ["evt-3"], "surface": "cli"}


def decider(verb: str) -> str:
    """Return who decides such a thing."""
    return "system" if verb in BY_ITSELF else "owner"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_known_again(verb: str, desk: Desk) -> None:
    found = read_again(desk, Decision(verb=verb), Who(origin=decider(verb)))

    assert found is not None
    assert found.decision == Decision(verb=verb)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("origin", ["owner", "agent", "system", "user", "assistant", "tool:Bash"])
def test_only_who_may_decide_it_has_decided_it(verb: str, origin: str, desk: Desk) -> None:
    found = read_again(desk, Decision(verb=verb), Who(origin=origin))

    may = {"system"} if verb in BY_ITSELF else {"owner", "agent"}
    assert (found is not None) == (origin in may)


@pytest.mark.parametrize(
    "body", [b"{}", b"[]", b'"forget"', b"null", b'{"verb":"destroy"}', b'{"verb":null}']
)
def test_what_is_no_decision_of_ours_is_passed_over(body: bytes, desk: Desk) -> None:
    record = desk.append("decision", body=body, client="tacit")

    assert decided(record) is None


def test_what_was_erased_is_passed_over(desk: Desk) -> None:
    record = desk.append("decision", {"verb": "pin"})

    assert decided(replace(record, body=None, salt=None)) is None


def test_fields_of_a_later_program_are_passed_over(desk: Desk) -> None:
    body: dict[str, Any] = {"verb": "pin", "about": [{"id": "mem-1", "mood": "good"}], "mood": 3}

    found = decided(desk.append("decision", body, client="tacit", origin="owner"))

    assert found is not None
    assert found.decision == Decision(verb="pin", about=(About(id="mem-1"),))


_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_lists = st.lists(_texts.filter(bool), max_size=3).map(tuple)
_decisions = st.builds(
    Decision,
    verb=st.sampled_from(VERBS),
    about=st.lists(st.builds(About, id=_texts, kind=_texts, events=_lists), max_size=3).map(tuple),
    text=_texts,
    kind=_texts,
    tags=_lists,
    importance=st.integers(0, 5),
    project=st.none() | _texts.filter(bool),
    session=st.none() | _texts.filter(bool),
    whose=st.none() | _texts.filter(bool),
    erased=_lists,
    why=_texts,
    surface=st.sampled_from(["cli", "http", "mcp"]),
)


@settings(deadline=None, max_examples=50)
@given(_decisions)
def test_any_decision_comes_back_as_it_was(decision: Decision) -> None:
    with fresh_desk() as desk:
        found = read_again(desk, decision, Who(origin=decider(decision.verb)))

    assert found is not None
    for field in fields(Decision):
        assert getattr(found.decision, field.name) == getattr(decision, field.name)


RULE = "Always weigh parcels twice"


@pytest.mark.parametrize(
    ("said", "is_supported"),
    [
        ("please always weigh the parcels twice", True),
        ("never weigh parcels twice", False),
        ("look at the scale", False),
        ("", False),
    ],
)
def test_an_agent_s_rule_needs_the_user_s_words(said: str, *, is_supported: bool) -> None:
    row = evidence(1, RULE, origin="agent", kind="instruction", session="s-1")

    assert weighed(row, lambda: said).is_supported is is_supported


def test_the_owner_s_rule_needs_nobody_else() -> None:
    row = evidence(1, RULE, origin="owner", kind="instruction")

    assert weighed(row, lambda: "").is_supported
