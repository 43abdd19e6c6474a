"""However a turn or a session ends, what came before is kept and the next one is fine."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from flow.daemons import until
from realclient.api import Refuse, Say, bash
from realclient.client import conversing, kill
from realclient.reading import kept, sessions, told, turns
from realclient.terminal import Terminal

if TYPE_CHECKING:
    from realclient.api import Script
    from realclient.client import Client
    from rig import Home

BUSY, LATER = "Work on it", "Are you there?"
LATENCY = 0.25  # of the model: longer than a hook takes to start


def _states(home: Home, session: str) -> list[tuple[str, str, str]]:
    return [(turn["prompt"], turn["state"], turn["reply"]) for turn in turns(home, session)]


def test_an_error_of_the_api_ends_a_turn_as_failed(home: Home) -> None:
    with conversing(home, {BUSY: [bash("echo first"), Refuse(403)]}, latency=LATENCY) as client:
        ended = client.say(BUSY)

    listed = sessions(home)

    assert ended.code == 1
    assert told(kept(home)) == ["start", "prompt", "tool_use Bash", "reply_failure", "end"]
    assert [(each["id"], each["state"]) for each in listed] == [(ended.session, "failed")]
    assert [state for _, state, _ in _states(home, ended.session)] == ["failed"]


def test_an_overloaded_api_that_recovers_leaves_one_turn(home: Home) -> None:
    script: Script = {BUSY: [Refuse(529), bash("echo first"), Refuse(529), Say("Done.")]}
    with conversing(home, script) as client:
        ended = client.say(BUSY)

    states = _states(home, ended.session)

    assert (ended.code, len(client.api.requests)) == (0, 4)
    assert states == [(BUSY, "finished", "Done.")]
    assert told(kept(home)) == ["start", "prompt", "tool_use Bash", "reply", "end"]


def _killed_mid_turn(client: Client) -> None:
    """Kill the client while its model thinks, after a tool whose event has come."""
    running = client.start(BUSY)
    try:
        until(lambda: len(client.api.requests) == 2, "the request after the tool")
        until(lambda: len(client.home.spooled) == 3, "the event of the tool")
    finally:
        kill(running)
    assert running.returncode == -signal.SIGKILL


def test_what_came_before_a_kill_is_there(home: Home) -> None:
    with conversing(home, {BUSY: [bash("echo first"), Say("Never.", after=600)]}) as client:
        _killed_mid_turn(client)

    listed = sessions(home)

    assert told(kept(home)) == ["start", "prompt", "tool_use Bash"]
    assert [each["state"] for each in listed] == ["active"]
    assert _states(home, listed[0]["id"]) == [(BUSY, "open", "")]


def test_the_session_after_a_kill_is_fine(home: Home) -> None:
    script: Script = {BUSY: [bash("echo first"), Say("Never.", after=600)], LATER: [Say("I am.")]}
    with conversing(home, script) as client:
        _killed_mid_turn(client)
        ended = client.say(LATER)

    listed = sessions(home)

    assert ended.code == 0
    assert [(each["id"] == ended.session, each["prompts"]) for each in listed] == [
        (False, 1),
        (True, 1),
    ]
    assert _states(home, ended.session) == [(LATER, "finished", "I am.")]


def test_a_killed_session_that_is_resumed_goes_on_as_itself(home: Home) -> None:
    script: Script = {BUSY: [bash("echo first"), Say("Never.", after=600)], LATER: [Say("I am.")]}
    with conversing(home, script) as client:
        _killed_mid_turn(client)
        killed = sessions(home)[0]["id"]
        ended = client.resume(killed, LATER)

    states = _states(home, killed)

    assert (ended.code, ended.session) == (0, killed)
    assert states == [(BUSY, "interrupted", ""), (LATER, "finished", "I am.")]


def test_the_last_tool_of_a_session_that_ends_at_once_is_kept(home: Home) -> None:
    talkative = "for each in $(seq 300); do echo the password: of user $each, no token:; done"
    with conversing(home, {BUSY: [bash(talkative)]}) as client:
        ended = client.say(BUSY, "--max-turns", "1")

    listed = sessions(home)

    assert ended.told["subtype"] == "error_max_turns"
    assert [each["tools"] for each in listed] == [1]


def test_clear_begins_a_session_of_its_own(home: Home) -> None:
    script: Script = {BUSY: [bash("echo first"), Say("It is done.")], LATER: [Say("I am here.")]}
    with (
        conversing(home, script, latency=LATENCY) as client,
        Terminal(client) as terminal,
    ):
        terminal.type(BUSY)
        terminal.until(lambda: "It is done." in terminal.screen(), "the first answer")
        terminal.type("/clear")
        terminal.until(lambda: _starts(home) == 2, "the second session")
        terminal.type(LATER)
        terminal.until(lambda: "I am here." in terminal.screen(), "the second answer")
        terminal.type("/exit")
        terminal.until(terminal.is_gone, "the end of the client")

    first, second = sessions(home)

    assert told(kept(home, first["id"])) == ["start", "prompt", "tool_use Bash", "reply", "end"]
    assert told(kept(home, second["id"])) == ["start", "prompt", "reply", "end"]
    assert [each.payload["reason"] for each in kept(home) if each.kind == "end"] == [
        "clear",
        "prompt_input_exit",
    ]
    assert [each["state"] for each in (first, second)] == ["ended", "ended"]


def _starts(home: Home) -> int:
    return sum(entry.event == "SessionStart" for entry in home.entries)
