"""The canvas: which events speak of which card, and what they say, whatever they look like."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.settings import Settings
from tacit.workspace import canvas
from tacit.workspace.canvas import Canvas, Said
from unit.transcript.events import chained, event

if TYPE_CHECKING:
    from tacit.model.event import Record

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def record(tool: str, given: Any, kind: str = "tool_use", **more: Any) -> Record:
    body = json.dumps({"tool_input": given} | more).encode()
    return chained([event(1, kind=kind, tool=tool, body=body)])[0]


def said(tool: str, given: Any, **more: Any) -> Said | None:
    return canvas.said(record(tool, given, **more), Canvas())


@pytest.mark.parametrize(
    ("tool", "does"),
    [
        ("create_card", "create"),
        ("mcp__canvas__create_card", "create"),
        ("x.update_card", "update"),
        ("close_card", "close"),
        ("create_cards", None),
        ("Bash", None),
        (None, None),
    ],
)
def test_a_tool_is_known_by_the_end_of_its_name(tool: str | None, does: str | None) -> None:
    assert Canvas().does(tool) == does


def test_names_and_fields_are_the_user_s_to_choose() -> None:
    chosen = canvas.chosen(
        Settings(
            values={
                "canvas.create_tools": ["note_add"],
                "canvas.card_field": "id",
                "canvas.title_field": "name",
                "canvas.blocks_field": "parts",
            }
        )
    )

    found = canvas.said(record("x_note_add", {"id": 7, "name": "N", "parts": ["t"]}), chosen)

    assert found == Said(card="7", does="create", title="N", body="t")
    assert chosen.does("create_card") is None


def test_an_empty_name_is_the_end_of_no_tool() -> None:
    assert Canvas(create=("",), update=(), close=()).does("Bash") is None


def test_what_is_not_said_is_none() -> None:
    assert said("close_card", {"card_id": "c1"}) == Said(
        card="c1", does="close", title=None, body=None
    )


@pytest.mark.parametrize("kind", ["tool_call", "tool_failure", "permission_denied", "prompt"])
def test_only_what_was_done_counts(kind: str) -> None:
    assert said("create_card", {"card_id": "c1", "title": "t"}, kind=kind) is None


@pytest.mark.parametrize("name", ["is_error", "isError"])
def test_what_a_tool_says_has_failed_does_not_count(name: str) -> None:
    assert said("create_card", {"card_id": "c1"}, tool_response={name: True}) is None


@pytest.mark.parametrize(
    "answer",
    [
        {"card_id": "c9"},
        {"id": "c9"},
        {"content": [{"type": "text", "text": '{"card_id": "c9"}'}]},
        [{"type": "text", "text": '{"id": "c9"}'}],
        '{"cardId": "c9"}',
    ],
)
def test_a_card_that_is_named_in_the_answer_alone_is_known(answer: Any) -> None:
    found = said("create_card", {"title": "t"}, tool_response=answer)

    assert found is not None
    assert found.card == "c9"


@pytest.mark.parametrize(
    "given", [None, "text", [], {"title": "t"}, {"card_id": ""}, {"card_id": []}]
)
def test_without_a_card_nothing_is_said(given: Any) -> None:
    assert said("create_card", given, tool_response="{no json") is None


@pytest.mark.parametrize(
    ("value", "found"),
    [("c1", "c1"), (7, "7"), ("a/b", "a/b"), (True, None), (1.5, None), (None, None)],
)
def test_a_plain_id_stays_as_it_is(value: Any, found: str | None) -> None:
    assert canvas.identity(value) == found


@pytest.mark.parametrize("value", ["a b", "größe", "x" * 500, "a\nb", "\ud800", "\u202ec"])
def test_an_odd_id_becomes_a_hash_of_it(value: str) -> None:
    found = canvas.identity(value)

    assert found is not None
    assert found.startswith("card~")
    assert found.isascii()
    assert found != canvas.identity(value + "x")


@pytest.mark.parametrize(
    ("blocks", "body"),
    [
        ([], ""),
        ([{"type": "text", "content": "a"}, {"type": "text", "content": "b"}], "a\n\nb"),
        ([{"type": "text", "text": "a"}], "a"),
        (["a"], "a"),
        ("a", "a"),
        ('[{"type":"text","content":"a"}]', "a"),
        ("[no json", "[no json"),
        ([{"type": "header", "content": "h"}], "<!-- left out: a block of type header -->"),
        ([{"type": "--> <script>", "content": "h"}], "<!-- left out: a block of type unknown -->"),
        ([{"type": "a--b"}], "<!-- left out: a block of type unknown -->"),
        ([{"type": "text", "content": 3}], "<!-- left out: a block of type text -->"),
        ([7], "<!-- left out: a block of type unknown -->"),
        ({"type": "text", "content": "a"}, "a"),
    ],
)
def test_text_stands_as_it_is_and_what_is_none_is_told(blocks: Any, body: str) -> None:
    assert canvas.body(blocks) == body


def test_a_title_is_one_line_and_not_too_long() -> None:
    assert canvas.titled("a\n b\x1b[31m\u202e") == "a b"
    assert len(canvas.titled("x" * 1000)) == canvas.LONGEST_TITLE


def test_what_was_erased_says_nothing() -> None:
    (kept,) = chained([event(1, kind="tool_use", tool="create_card")])
    gone = replace(kept, body=None, salt=None)

    assert canvas.said(gone, Canvas()) is None
    assert canvas.words(gone, Canvas()) == (None, None)


@given(given=JSON, answer=JSON)
def test_whatever_a_tool_was_told_nothing_is_raised(given: Any, answer: Any) -> None:
    told = given if isinstance(given, dict) else {"card_id": given, "title": given, "blocks": given}

    found = said("create_card", told, tool_response=answer)

    assert found is None or (found.card.isascii() and found.card.isprintable())
