"""A turn taken apart: who asked what, what was done and with what result, what was answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.extract import Context
from tacit.curate.reading import read, said_of
from tacit.curate.rules.view import View, view

if TYPE_CHECKING:
    from unit.curate.saying import Desk

LISTED = {"tool_input": {"command": "ls -a"}, "tool_response": {"stdout": "cart.py"}}


def seen(desk: Desk, turn: str = "t-1", boring: tuple[str, ...] = (), **context: Any) -> View:
    told = read(desk.transcript.of_session("s-1", turn), desk.transcript.head().seq)
    assert told is not None
    return view(told, Context(**context), boring)


def answer(desk: Desk, text: str, turn: str = "t-1") -> None:
    desk.append("reply", {"last_assistant_message": text}, turn=turn)


def test_a_turn_is_its_prompts_its_acts_and_its_last_reply(desk: Desk) -> None:
    desk.prompt("List the files.", turn="t-1")
    desk.append("tool_use", LISTED, turn="t-1")
    answer(desk, "One moment.")
    answer(desk, "There is one file.")

    found = seen(desk)

    assert [each.text for each in found.prompts] == ["List the files."]
    assert [(each.tool, each.command, each.result) for each in found.acts] == [
        ("Bash", "ls -a", "cart.py")
    ]
    assert found.reply is not None
    assert found.reply.text == "There is one file."


def test_only_what_the_user_says_is_asked(desk: Desk) -> None:
    desk.prompt("<task-notification>List the files.</task-notification>", turn="t-1")

    assert seen(desk).prompts == ()


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"tool_input": None, "tool_response": None},
        {"tool_input": "ls -a"},
        {"tool_input": ["ls -a"], "tool_response": ""},
        {"tool_input": {"command": ["ls", "-a"]}},
    ],
)
def test_a_tool_that_was_given_anything_odd_has_no_command_and_no_result(
    payload: dict[str, Any], desk: Desk
) -> None:
    desk.append("tool_use", payload, turn="t-1", tool=None)

    (act,) = seen(desk).acts

    assert (act.tool, act.command, act.result, act.is_failed) == ("", "", "", False)


def test_a_tool_that_failed_tells_its_error(desk: Desk) -> None:
    failed = {"tool_input": {"command": "ls"}, "error": "Exit code 2"}
    desk.append("tool_failure", failed, turn="t-1")

    (act,) = seen(desk).acts

    assert (act.result, act.is_failed) == ("Exit code 2", True)


def test_a_tool_that_gave_much_is_read_in_part(desk: Desk) -> None:
    desk.append("tool_use", {"tool_response": "x" * 9000}, turn="t-1")

    (act,) = seen(desk).acts

    assert len(act.result) == 4000


def test_boring_tools_stand_apart(desk: Desk) -> None:
    desk.append("tool_use", LISTED, turn="t-1")
    desk.append("tool_use", {}, turn="t-1", tool="Read")

    found = seen(desk, boring=("Read", "Glob"))

    assert [[act.tool for act in acts] for acts in (found.acts, found.boring)] == [
        ["Bash"],
        ["Read"],
    ]
    assert len(found.did) == 1


def test_what_was_done_is_told_in_short(desk: Desk) -> None:
    given = {"tool_input": {"command": "y" * 900}, "tool_response": "z" * 900}
    desk.append("tool_use", LISTED, turn="t-1")
    desk.append("tool_use", given, turn="t-1")

    first, second = seen(desk).did

    assert first == 'Bash: {"command": "ls -a"} -> cart.py'
    assert len(second) < 450


def test_what_the_agent_said_last_stands_before_the_turn(desk: Desk) -> None:
    desk.prompt("Hello.", turn="t-1")
    answer(desk, "Good morning.")
    answer(desk, "Shall I go on?")
    desk.prompt("Anything else?", turn="t-2")
    desk.prompt("Yes.", turn="t-3")
    before = tuple(said_of(each) for each in desk.transcript.of_session("s-1")[:4])

    found = seen(desk, "t-3", before=before)

    assert found.before == "Shall I go on?"


def test_around_a_prompt_stand_what_was_said_before_what_was_done_and_the_reply(desk: Desk) -> None:
    desk.prompt("List the files.", turn="t-1")
    desk.append("tool_use", LISTED, turn="t-1")
    answer(desk, "There is one file.")
    found = seen(desk)

    around = found.around(found.prompts[0])

    assert (around.before, around.reply, around.did) == ("", "There is one file.", found.did)


def test_around_the_reply_stand_the_last_prompt_and_what_was_done(desk: Desk) -> None:
    desk.prompt("List the files.", turn="t-1")
    desk.prompt("All of them.", turn="t-1")
    desk.append("tool_use", LISTED, turn="t-1")
    answer(desk, "There is one file.")
    found = seen(desk)
    assert found.reply is not None

    around = found.around(found.reply)

    assert (around.before, around.reply, around.did) == ("All of them.", "", found.did)


def test_a_turn_of_which_little_is_left_is_a_turn(desk: Desk) -> None:
    answer(desk, "Hello.")
    found = seen(desk)
    assert found.reply is not None

    around = found.around(found.reply)

    assert (found.prompts, found.acts, found.before, around.before) == ((), (), "", "")
