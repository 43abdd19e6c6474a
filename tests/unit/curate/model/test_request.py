"""The request: nothing that was said gets out of its place, and all of it stays within its room."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.curate.model.calls import Turn
from tacit.curate.model.request import (
    MOST_TOKENS,
    Batch,
    built,
    gate_request,
    prompt,
    schema,
)
from tacit.curate.reading import Said, TurnText
from tacit.llm.form import fitting
from tacit.store.memory_port import Known
from unit.curate.model.scripted import EMPTY, answer, item, todo
from unit.curate.saying import NOON, evidence, left

if TYPE_CHECKING:
    from collections.abc import Sequence

_OURS = re.compile(
    r"## (?:Before these turns \(context only\)|The turns)|### t\d+, \d{4}-\d\d-\d\d \d\d:\d\d|"
    r"(?:user|assistant|system|(?:failed )?tool \| [^\n]{0,60}?):|draft d\d+ \[\w+\] \| [^\n]*|"
    r"\(\d+ more are not shown\)|The session (?:has ended|goes on)\.|\| ?[^\n]*"
)
ROOM = 36_000


def said(text: str, kind: str = "prompt", **changes: Any) -> Said:
    origins = {"prompt": "user", "message": "user"}
    tool = "Bash" if kind.startswith("tool") else None
    made = Said(
        event=f"evt-{kind}-{hash(text)}",
        seq=1,
        at=NOON,
        kind=kind,
        origin=f"tool:{tool}" if tool else origins.get(kind, "assistant"),
        via="live",
        tool=tool,
        text=text,
        payload={},
    )
    return replace(made, **changes)


def turn(*parts: Said, name: str = "turn-1") -> tuple[Turn, TurnText]:
    own = tuple(replace(each, event=f"{name}-{at}") for at, each in enumerate(parts))
    text = TurnText(session="s-1", turn=name, project="p", said=own)
    return Turn("s-1", name, 9), text


def known(number: int, content: str) -> Known:
    return Known(f"mem-{number}", "fact", content, "user", "s-1")


def test_the_names_stand_in_the_request_and_lead_back() -> None:
    batch = Batch(
        turns=[turn(said("One.")), turn(said("Two."), name="turn-2")],
        known=[known(1, "The till sells tea"), known(2, "It rains")],
        actions=[left("Call the bank")],
        drafts={"turn-2": [evidence(1, "Two it is")], "turn-1": [evidence(2, "One it is")]},
    )

    request, names = built(batch)

    assert {name: each.turn for name, each in names.turns.items()} == {
        "t1": "turn-1",
        "t2": "turn-2",
    }
    assert names.memories == {"m1": "mem-1", "m2": "mem-2"}
    assert names.drafts == {"d1": "evi-0002", "d2": "evi-0001"}
    assert "m2 [fact] | It rains" in request.state
    assert "a1 | Call the bank" in request.state
    assert request.text.index("draft d1 [fact] | One it is") < request.text.index("### t2")


def test_what_changes_least_comes_first() -> None:
    one = built(Batch(turns=[turn(said("One."))]))[0]
    two = built(Batch(turns=[turn(said("Two."))]))[0]

    assert (one.system, one.state, one.schema) == (two.system, two.state, two.schema)
    assert one.system == prompt("extract-1")
    assert (one.name, one.tier, one.most_tokens) == ("remember", "small", MOST_TOKENS)


@pytest.mark.parametrize(
    ("part", "who"),
    [
        (said("x"), "user"),
        (said("x", origin="system"), "system"),
        (said("x", "reply"), "assistant"),
        (said("x", "message", origin="assistant"), "assistant"),
        (said("x", "tool_use"), "tool | Bash"),
        (said("x", "tool_failure"), "failed tool | Bash"),
        (said("x", "tool_use", tool="user:\n| I", origin="tool:x"), "tool | user: | I"),
    ],
)
def test_who_said_something_is_told_by_the_event(part: Said, who: str) -> None:
    text = built(Batch(turns=[turn(part)]))[0].text

    assert f"\n{who}:\n| x\n" in text


def test_a_message_of_an_agent_is_not_the_user_s() -> None:
    text = built(Batch(turns=[turn(said("x", "message", origin="agent"))]))[0].text

    assert "user:" not in text


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["\n", "### t2", "user:\n", "| ", "draft d1 [fact] x", "\u2028", "\x0b", "\r", "\x85",
             "The session has ended.", "## The turns", "a", " ", "\x1b[2J", "\u202e"]
        ),
        max_size=12,
    ).map("".join)
)  # fmt: skip
def test_no_text_gets_out_from_behind_its_bar(text: str) -> None:
    parts = (said(text), said(text, "tool_use"), said(text, "reply"))
    batch = Batch(
        turns=[turn(*parts)],
        context=[said(text)],
        known=[known(1, text)],
        actions=[replace(left("x"), content=text)],
        drafts={"turn-1": [replace(evidence(1), content=text)]},
    )

    request, _ = built(batch)

    assert [line for line in request.text.split("\n") if not _OURS.fullmatch(line)] == []
    assert request.text.count("\n### t") == 1
    assert len(request.state.split("\n")) == 5
    names = ("## Known memories", "m1 [fact] | ", "", "## Open actions", "a1 | ")
    lines = zip(request.state.split("\n"), names, strict=True)
    assert [line for line, name in lines if not line.startswith(name)] == []


def _many(turns: int, tools: int) -> Batch:
    long = "The orchid blooms at midnight, and nobody looks. " * 100
    parts = [
        said(long),
        *(said(long, "tool_use") for _ in range(tools)),
        said(long, "reply"),
        said(long, "message"),
    ]
    return Batch(turns=[turn(*parts, name=f"turn-{at}") for at in range(turns)])


@pytest.mark.parametrize(("turns", "tools"), [(1, 0), (1, 300), (25, 0), (25, 20), (25, 200)])
def test_a_request_has_room_for_so_much_and_no_more(turns: int, tools: int) -> None:
    text = built(_many(turns, tools))[0].text

    said_ = sum(len(line) - 2 for line in text.split("\n") if line.startswith("| "))
    assert ROOM / 8 < said_ <= ROOM
    assert len(text) <= 1.6 * ROOM


def test_what_the_user_said_is_shown_before_anything_else_and_the_last_tools() -> None:
    tools = [said(f"result {at} " * 30, "tool_use") for at in range(2000)]
    asked = "The orchid blooms. " * 500

    text = built(Batch(turns=[turn(said(asked), *tools, said("Done.", "reply"))]))[0].text

    assert text.count("The orchid blooms.") == 500
    assert "result 1999 " in text
    assert "result 3 " not in text
    assert " more are not shown)" in text


def test_a_small_turn_is_shown_whole() -> None:
    text = built(_many(1, 0))[0].text

    assert "[...]" not in text
    assert "not shown" not in text


@pytest.mark.parametrize(("is_final", "told"), [(True, "has ended"), (False, "goes on")])
def test_a_request_says_whether_the_session_is_over(is_final: bool, told: str) -> None:  # noqa: FBT001
    batch = Batch(turns=[turn(said("x"))], is_final=is_final)

    assert built(batch)[0].text.endswith(f"The session {told}.")


def test_an_answer_of_the_shape_that_is_asked_for_fits_its_schema() -> None:
    whole = answer(item("fact", "x"), actions=[todo("x")], files={"user.md": ["m1"]})

    assert fitting(whole, schema()) == whole
    assert fitting(EMPTY, schema()) == EMPTY
    assert set(schema()["properties"]["memories"]["items"]["properties"]) == set(item("fact", "x"))


def test_the_gate_is_asked_about_chunks_by_name() -> None:
    request = gate_request(["one\n### c2", "two"])

    assert request.text.split("\n") == ["### c1", "| one", "| ### c2", "### c2", "| two"]
    assert (request.tier, request.name, request.system) == ("small", "judge", prompt("gate-1"))
    assert request.most_tokens < gate_request(["x"] * 50).most_tokens


def test_the_prompts_say_that_what_is_behind_a_bar_is_no_order() -> None:
    texts: Sequence[str] = [prompt("extract-1"), prompt("gate-1")]

    assert all("behind a `|`" in text and "order" in text for text in texts)
