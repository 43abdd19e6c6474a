"""Sessions told event by event give the turns and the states that people would name.

Also what bridges say: messages with ids of their own, so that saying one twice is saying it once.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from flow.telling import HOUR_NS, SECOND_NS, telling

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flow.telling import Teller

TEN_MINUTES_NS = 600 * SECOND_NS
DAY_NS = 24 * HOUR_NS


@pytest.fixture
def teller(tmp_path: Path) -> Iterator[Teller]:
    """Return a home that can be told events."""
    with telling(tmp_path / "home") as opened:
        yield opened


def prompt(teller: Teller, text: str = "Build it.", turn: str = "p-1") -> None:
    teller.say("UserPromptSubmit", prompt_id=turn, prompt=text)


def stop(teller: Teller, text: str = "Built.", turn: str = "p-1") -> None:
    teller.say("Stop", prompt_id=turn, last_assistant_message=text)


def use(teller: Teller, event: str, number: int, **more: Any) -> None:
    """Let a tool be called or come back."""
    given = {"tool_name": "Bash", "tool_input": {"command": f"make {number}"}}
    teller.say(event, **({"prompt_id": "p-1", "tool_use_id": f"t-{number}"} | given | more))


def states(teller: Teller) -> list[str]:
    return [turn.state for turn in teller.turns()]


def test_a_compaction_happens_inside_its_turn(teller: Teller) -> None:
    summary = "We build it."
    prompt(teller)
    teller.say("PreCompact", prompt_id="p-1", trigger="auto", custom_instructions=None)
    teller.say("SubagentStop", prompt_id="p-1", agent_type="", last_assistant_message=summary)
    teller.say("SessionStart", prompt_id="p-1", source="compact", model="claude-opus-5-5")
    teller.say("PostCompact", prompt_id="p-1", trigger="auto", compact_summary=summary)
    use(teller, "PostToolUse", 1, tool_response={"stdout": "ok"})
    stop(teller)

    (turn,) = teller.turns()

    assert (turn.id, turn.state, turn.compactions) == ("p-1", "finished", 1)
    assert (turn.prompt, turn.reply, len(turn.steps)) == ("Build it.", "Built.", 1)
    assert [record.kind for record in teller.records()] == (
        "prompt compact_start start compact tool_use reply".split()
    )


def test_a_compacted_session_goes_on(teller: Teller) -> None:
    prompt(teller)
    teller.say("SessionStart", prompt_id="p-1", source="compact")

    assert teller.sessions() == {"s-1": "active"}


def test_a_subagents_tool_uses_are_its_own_and_in_the_turn_of_its_parent(teller: Teller) -> None:
    inside = {"agent_id": "a-1", "agent_type": "Explore"}
    prompt(teller)
    teller.say("SubagentStart", prompt_id="p-1", **inside)
    use(teller, "PreToolUse", 1, **inside)
    use(teller, "PostToolUse", 1, tool_response={"stdout": "found"}, **inside)
    teller.say("SubagentStop", prompt_id="p-1", last_assistant_message="I found it.", **inside)
    use(teller, "PostToolUse", 2, tool_name="Agent", tool_response="I found it.")
    stop(teller)

    (turn,) = teller.turns()

    assert [(step.tool, step.agent, step.result) for step in turn.steps] == [
        ("Bash", "a-1", "found"),
        ("Agent", None, "I found it."),
    ]
    assert (turn.reply, turn.state) == ("Built.", "finished")


def test_a_command_that_fails_is_a_step_that_failed(teller: Teller) -> None:
    prompt(teller)
    use(teller, "PreToolUse", 1)
    use(teller, "PostToolUseFailure", 1, error="Exit code 1", is_interrupt=False)

    (turn,) = teller.turns()

    assert [(step.given, step.failed, step.result) for step in turn.steps] == [
        ("make 1", True, "Exit code 1")
    ]
    assert [(each.tools, each.failures) for each in teller.app.sessions("main")] == [(1, 1)]


def test_late_work_opens_a_turn_again_for_ten_idle_minutes(teller: Teller) -> None:
    prompt(teller)
    use(teller, "PreToolUse", 1)
    stop(teller)
    before = states(teller)

    use(teller, "PostToolUse", 1, tool_response="late")
    after = states(teller)
    teller.wait(TEN_MINUTES_NS)

    assert (before, after, states(teller)) == (["finished"], ["open"], ["finished"])


def test_a_turn_without_an_end_is_interrupted_by_the_next_prompt(teller: Teller) -> None:
    prompt(teller)
    use(teller, "PreToolUse", 1)
    before = states(teller)

    prompt(teller, "Another thing.", "p-2")

    assert (before, states(teller)) == (["open"], ["interrupted", "open"])


def test_a_running_tool_keeps_its_turn_open_for_hours(teller: Teller) -> None:
    prompt(teller)
    use(teller, "PreToolUse", 1)
    teller.wait(HOUR_NS)
    running = states(teller)

    use(teller, "PostToolUse", 1, tool_response="done")
    teller.wait(TEN_MINUTES_NS)

    assert (running, states(teller)) == (["open"], ["interrupted"])


def test_an_error_of_the_api_fails_the_turn_and_the_session(teller: Teller) -> None:
    prompt(teller)
    error = {"error": "overloaded", "last_assistant_message": "API Error: 529"}
    teller.say("StopFailure", prompt_id="p-1", **error)

    (turn,) = teller.turns()

    assert (turn.state, turn.reply) == ("failed", "API Error: 529")
    assert teller.sessions() == {"s-1": "failed"}


def test_a_failed_session_that_goes_on_is_active_again(teller: Teller) -> None:
    prompt(teller)
    teller.say("StopFailure", prompt_id="p-1", error="overloaded")

    prompt(teller, "Once more.", "p-2")

    assert (teller.sessions(), states(teller)) == ({"s-1": "active"}, ["failed", "open"])


@pytest.mark.parametrize(
    "text", ["<task-notification>\n<task-id>b-7</task-id>", "[Request interrupted by user]"]
)
def test_a_prompt_that_the_client_made_is_a_turn_of_the_system(teller: Teller, text: str) -> None:
    prompt(teller, text, "p-0")
    prompt(teller)

    found = [(turn.origin, turn.prompt) for turn in teller.turns()]

    assert found == [("system", text), ("user", "Build it.")]
    assert [each.first_prompt for each in teller.app.sessions("main")] == ["Build it."]


def test_sessions_stand_as_they_were_left(teller: Teller) -> None:
    for name in ("s-active", "s-ended", "s-failed", "s-resumed", "s-late"):
        teller.say("UserPromptSubmit", session_id=name, prompt_id=f"p-{name}", prompt="Go.")
    teller.say("SessionEnd", session_id="s-ended", reason="other")
    teller.say("StopFailure", session_id="s-failed", prompt_id="p-s-failed", error="unknown")
    teller.say("SessionEnd", session_id="s-failed", reason="other")
    teller.say("SessionEnd", session_id="s-resumed", reason="other")
    teller.say("SessionStart", session_id="s-resumed", source="resume")
    teller.say("SessionEnd", session_id="s-late", reason="other")
    teller.say("PostToolUse", session_id="s-late", prompt_id="p-s-late", tool_use_id="t-1")

    before = teller.sessions()
    teller.wait(DAY_NS)

    quiet = {"s-ended": "ended", "s-failed": "failed", "s-late": "ended"}
    assert before == quiet | {"s-active": "active", "s-resumed": "active"}
    assert teller.sessions() == quiet | {"s-active": "interrupted", "s-resumed": "interrupted"}


def test_one_turn_is_shown_by_its_own_id(teller: Teller) -> None:
    prompt(teller)
    prompt(teller, "Another thing.", "q-2")

    assert [turn.prompt for turn in teller.turns("q-")] == ["Another thing."]


@pytest.mark.parametrize("is_drained_each_time", [True, False])
def test_work_without_an_id_belongs_to_the_last_prompt_however_it_is_drained(
    teller: Teller, is_drained_each_time: object
) -> None:
    for number in (1, 2):
        prompt(teller, f"Thing {number}.", f"p-{number}")
        if is_drained_each_time:
            teller.drain()
        teller.say("PostToolUse", tool_use_id=f"t-{number}", tool_name="Bash")

    found = [(turn.id, len(turn.steps)) for turn in teller.turns()]

    assert found == [("p-1", 1), ("p-2", 1)]


def test_a_directory_that_is_gone_belongs_where_it_was_last_seen(
    tmp_path: Path, teller: Teller
) -> None:
    top = tmp_path / "shop"
    for is_repository in (True, False, True):
        (top / ".git").mkdir(parents=True)
        if not is_repository:
            (top / ".git").rmdir()
        teller.say("Notification", cwd=str(top), message=f"{teller.now_ns}")
        teller.drain()
        shutil.rmtree(top)

    teller.say("SessionEnd", cwd=str(top))

    first, plain, last, gone = [record.project for record in teller.records()]
    assert (first == last, first == plain, gone == last) == (True, False, True)


def test_messages_become_prompts_and_replies_of_turns(teller: Teller) -> None:
    teller.message("u-1", "user", "Hello?")
    teller.message("a-1", "assistant", "Good day.")
    teller.message("u-2", "user", "And?")

    found = [(turn.prompt, turn.reply, turn.state) for turn in teller.turns()]

    assert found == [("Hello?", "Good day.", "finished"), ("And?", "", "open")]


def test_a_message_said_twice_is_one_event(teller: Teller) -> None:
    teller.message("u-1", "user", "Hello?")
    teller.message("u-1", "user", "Hello?")
    teller.drain()
    teller.message("u-1", "user", "Hello? (edited)")

    done = teller.drain()

    assert (done.taken, done.known) == (0, 1)
    assert [turn.prompt for turn in teller.turns()] == ["Hello?"]


def test_a_prompt_said_again_takes_no_reply_from_the_one_behind_it(teller: Teller) -> None:
    teller.message("u-1", "user", "First?")
    teller.message("u-2", "user", "Second?")
    teller.message("u-1", "user", "First?")
    teller.message("a-2", "assistant", "The second.")

    found = [(turn.prompt, turn.reply) for turn in teller.turns()]

    assert found == [("First?", ""), ("Second?", "The second.")]


@pytest.mark.parametrize(
    ("source", "via"), [("http", "http"), ("mcp", "mcp"), ("cli", "cli"), ("mail", "import:mail")]
)
def test_roles_and_sources_say_who_and_how(teller: Teller, source: str, via: str) -> None:
    for role in ("user", "assistant", "system", "tool"):
        teller.message(role, role, "Hello.", source=source)

    found = [(each.kind, each.origin, each.via, each.client) for each in teller.records()]

    assert found == [
        ("prompt", "user", via, source),
        ("reply", "assistant", via, source),
        ("message", "system", via, source),
        ("message", f"tool:{source}", via, source),
    ]


def test_a_message_keeps_the_time_at_which_it_was_said(teller: Teller) -> None:
    for number, at in enumerate(
        ("2019-05-06T07:08:09Z", "2019-05-06T09:08:09+02:00", "2019-05-06T07:08:09")
    ):
        teller.message(f"u-{number}", "user", "Long ago.", at=at)

    records = teller.records()

    said = int(datetime(2019, 5, 6, 7, 8, 9, tzinfo=UTC).timestamp()) * SECOND_NS
    assert {record.at for record in records} == {said}
    assert all(record.received > said for record in records)
    assert states(teller) == ["interrupted", "interrupted", "open"]


def test_a_message_belongs_to_the_project_that_its_source_names(teller: Teller) -> None:
    teller.message("u-1", "user", "Hello?", project="/srv/orchard")
    teller.message("u-2", "user", "Hello?", session="s-2")

    teller.drain()

    projects = {each.id: each.project for each in teller.app.sessions("main")}
    assert projects == {"s-1": "orchard", "s-2": "nowhere"}
