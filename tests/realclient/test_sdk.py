"""A program that is built on the Agent SDK is recorded like the client itself: once, and whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from realclient.api import Say, bash, delegate
from realclient.client import conversing
from realclient.reading import TOOL_RESULTS, Kept, kept, sessions, told, turns
from rig import Home

if TYPE_CHECKING:
    from realclient.api import Script

FIRST, SECOND, AGENT = "Look for the error", "Then mend it", "Look in the logs"
SCRIPT: Script = {
    FIRST: [bash("echo here"), delegate(AGENT), Say("It is in the logs.")],
    AGENT: [bash("echo there"), Say("The logs have it.")],
    SECOND: [bash("exit 4"), bash("echo mended"), Say("Mended.")],
}
LATENCY = 0.25  # of the model: longer than a hook takes to start


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a program on the SDK said and heard in one session, and what came of it."""

    home: Home
    id: str
    answers: list[str]
    used: list[tuple[str, str]]
    events: list[Kept]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    home = Home(tmp_path_factory.mktemp("sdk"))
    with conversing(home, SCRIPT, latency=LATENCY) as client:
        ended = client.through_the_sdk(FIRST, SECOND)
    assert (ended.code, ended.err) == (0, "")
    sessions(home)
    return Session(
        home=home,
        id=ended.session,
        answers=ended.told["answers"],
        used=client.api.used,
        events=kept(home),
    )


def test_the_program_hears_its_answers(session: Session) -> None:
    assert session.answers == ["It is in the logs.", "Mended."]


def test_every_event_stands_there_once_in_order(session: Session) -> None:
    assert told(session.events) == [
        "start",
        "prompt",
        "tool_use Bash",
        "agent_start",
        "tool_use Bash",
        "agent_reply",
        "tool_use Agent",
        "reply",
        "prompt",
        "tool_failure Bash",
        "tool_use Bash",
        "reply",
        "end",
    ]


def test_each_tool_is_kept_exactly_once(session: Session) -> None:
    results = [each for each in session.events if each.kind in TOOL_RESULTS]

    found = Counter((each.payload["tool_use_id"], each.tool) for each in results)

    assert found == Counter(session.used)


def test_it_is_one_session_with_both_turns(session: Session) -> None:
    shown = turns(session.home, session.id)

    assert [each["id"] for each in sessions(session.home)] == [session.id]
    assert [(turn["prompt"], turn["reply"], turn["state"]) for turn in shown] == [
        (FIRST, "It is in the logs.", "finished"),
        (SECOND, "Mended.", "finished"),
    ]
