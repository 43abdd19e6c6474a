"""A turn as the curator reads it: in order, up to a point, and without what was erased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.reading import read

if TYPE_CHECKING:
    from tacit.curate.reading import TurnText
    from unit.curate.saying import Desk

SHOWN = {"tool_input": {"command": "make"}, "text": "not what somebody said"}


def turn(desk: Desk, upto: int = 99) -> TurnText | None:
    return read(desk.transcript.of_session("s-1", "t-1"), upto)


def test_a_turn_is_who_said_what_in_order(desk: Desk) -> None:
    desk.prompt("Build it.")
    desk.append("tool_use", SHOWN, turn="t-1", origin="tool:Bash")
    desk.reply("t-1")

    found = turn(desk)

    assert found is not None
    assert (found.session, found.turn, found.project) == ("s-1", "t-1", "prj-shop")
    assert [(said.kind, said.origin, said.tool, said.text) for said in found.said] == [
        ("prompt", "user", None, "Build it."),
        ("tool_use", "tool:Bash", "Bash", "make\n"),
        ("reply", "assistant", None, "Done."),
    ]


def test_each_part_says_where_it_stands_in_the_transcript(desk: Desk) -> None:
    record = desk.transcript.find([desk.append("prompt", {"prompt": "Go."}, turn="t-1").id])[0]

    found = turn(desk)

    assert found is not None
    (said,) = found.said
    assert (said.event, said.seq, said.at, said.via) == (record.id, 1, record.at, "live")


def test_what_a_tool_was_given_and_gave_is_there_to_be_read(desk: Desk) -> None:
    desk.append("tool_use", SHOWN, turn="t-1")

    found = turn(desk)

    assert found is not None
    assert found.said[0].payload == SHOWN


@pytest.mark.parametrize(
    ("kind", "payload", "text"),
    [
        ("tool_use", {"tool_response": {"stdout": "built"}}, "make\nbuilt"),
        ("tool_use", {"tool_response": "built"}, "make\nbuilt"),
        ("tool_failure", {"error": "No rule."}, "make\nNo rule."),
        ("tool_use", {"tool_response": "half \ud83d"}, "make\nhalf \ufffd"),
        ("tool_use", {}, "make\n"),
        ("tool_call", {"tool_response": "built"}, ""),
    ],
)
def test_a_tool_says_what_it_was_given_and_below_that_what_it_gave(
    kind: str, payload: dict[str, Any], text: str, desk: Desk
) -> None:
    desk.append(kind, SHOWN | payload, turn="t-1")

    found = turn(desk)

    assert found is not None
    assert [said.text for said in found.said] == [text]


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("prompt", {"prompt": "words"}),
        ("reply", {"last_assistant_message": "words"}),
        ("reply_failure", {"error": "words"}),
        ("message", {"text": "words"}),
    ],
)
def test_what_nobody_said_has_no_text(kind: str, payload: dict[str, str], desk: Desk) -> None:
    desk.append(kind, payload, turn="t-1")
    desk.append("agent_reply", payload, turn="t-1")

    found = turn(desk)

    assert found is not None
    assert [said.text for said in found.said] == ["words", ""]


def test_a_turn_is_read_up_to_a_point_and_no_further(desk: Desk) -> None:
    desk.prompt("Build it.")
    desk.reply("t-1")

    found = turn(desk, upto=1)

    assert found is not None
    assert [said.kind for said in found.said] == ["prompt"]


def test_what_was_erased_is_not_there(desk: Desk) -> None:
    erased = desk.append("prompt", {"prompt": "Build it."}, turn="t-1")
    desk.reply("t-1")
    desk.bury([erased.id])

    found = turn(desk)

    assert found is not None
    assert [said.text for said in found.said] == ["Done."]


@pytest.mark.parametrize("upto", [0, 99])
def test_of_a_turn_without_anything_nothing_is_read(upto: int, desk: Desk) -> None:
    desk.bury([desk.append("prompt", {"prompt": "Build it."}, turn="t-1").id])

    assert turn(desk, upto) is None


def test_only_the_user_s_own_prompts_are_what_the_user_said(desk: Desk) -> None:
    desk.prompt("Build it.", turn="t-1")
    desk.prompt("<task-notification>done</task-notification>", turn="t-1", origin="system")
    desk.append("message", {"text": "Said elsewhere."}, turn="t-1", origin="user")

    found = turn(desk)

    assert found is not None
    assert [said.text for said in found.prompts] == ["Build it."]
