"""What the client is asked to run: each event once, in exec form, waited for where it must be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.install.command import hook_command
from tacit.install.hooks import registrations

LAUNCHER = Path("client") / "hook.py"


def _commands() -> dict[str, dict[str, Any]]:
    spelled = registrations(LAUNCHER)
    assert all(len(rows) == 1 and len(rows[0]["hooks"]) == 1 for rows in spelled.values())
    return {event: rows[0]["hooks"][0] for event, rows in spelled.items()}


def test_each_event_that_makes_a_turn_is_told_once() -> None:
    events = set(_commands())

    assert events == {
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "StopFailure",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "SessionEnd",
    }


def test_only_the_tool_events_run_beside_the_agent() -> None:
    beside = {event for event, hook in _commands().items() if hook.get("async")}

    assert beside == {"PostToolUse", "PostToolUseFailure"}


def test_the_end_of_a_session_asks_for_time() -> None:
    timeouts = {event: hook["timeout"] for event, hook in _commands().items() if "timeout" in hook}

    assert timeouts == {"SessionEnd": 10}


def test_the_command_is_a_program_and_its_arguments() -> None:
    hook = _commands()["Stop"]

    assert [hook["command"], *hook["args"]] == hook_command(LAUNCHER, "Stop")
