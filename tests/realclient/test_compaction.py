"""A compaction inside a turn: the turn stays whole, and the summary is nobody's word.

The client makes its summary with a subagent of no type and tells of that one's end; the transcript
knows better than to take it for a reply or a subagent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from realclient.api import FULL, Say, bash
from realclient.client import conversing
from realclient.reading import Kept, kept, sessions, told, turns
from rig import Home

if TYPE_CHECKING:
    from realclient.api import Script

LONG, LATER, COMMAND = "Fill the context up", "Go on as before", "/compact keep the names"
SCRIPT: Script = {
    LONG: [bash("echo before", tokens=FULL), bash("echo after"), Say("It was full.")],
    LATER: [Say("Going on.")],
}
LATENCY = 0.25  # of the model: longer than a hook takes to start


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """A session that was compacted by itself inside its first turn, then by command."""

    home: Home
    ids: set[str]
    summaries: int
    turns: list[dict[str, Any]]
    events: list[Kept]


@pytest.fixture(scope="module")
def compacted(tmp_path_factory: pytest.TempPathFactory) -> Compacted:
    home = Home(tmp_path_factory.mktemp("compacted"))
    with conversing(home, SCRIPT, latency=LATENCY) as client:
        begun = client.say(LONG)
        resumed = client.resume(begun.session, LATER)
        client.resume(begun.session, COMMAND)
    return Compacted(
        home=home,
        ids={begun.session, resumed.session},
        summaries=sum(request.is_for_a_summary for request in client.api.requests),
        turns=turns(home, begun.session),
        events=kept(home),
    )


def test_a_turn_goes_on_as_one_turn_when_it_is_compacted(compacted: Compacted) -> None:
    turn = compacted.turns[0]

    steps = [(step["given"], step["result"]) for step in turn["steps"]]

    assert (turn["prompt"], turn["reply"], turn["state"]) == (LONG, "It was full.", "finished")
    assert steps == [("echo before", "before"), ("echo after", "after")]


def test_a_compaction_stands_where_it_happened(compacted: Compacted) -> None:
    opened = next(each.turn for each in compacted.events if each.kind == "prompt")

    inside = told([each for each in compacted.events if each.turn == opened])

    assert inside == [
        "prompt",
        "tool_use Bash",
        "compact_start",
        "start",
        "tool_use Bash",
        "reply",
        "end",
    ]


def test_each_compaction_is_kept_once_with_what_started_it(compacted: Compacted) -> None:
    started = [each.payload["trigger"] for each in compacted.events if each.kind == "compact_start"]

    assert compacted.summaries == 2
    assert started == ["auto", "manual"]


def test_a_summary_is_neither_a_reply_nor_a_subagent(compacted: Compacted) -> None:
    spoken = [each for each in compacted.events if each.kind in {"reply", "agent_reply"}]

    words = [each.payload["last_assistant_message"] for each in spoken]

    assert words == ["It was full.", "Going on."]
    assert [each for each in compacted.events if each.agent] == []


def test_a_turn_says_how_often_it_was_compacted(compacted: Compacted) -> None:
    counts = [turn["compactions"] for turn in compacted.turns if turn["prompt"] == LONG]

    assert counts == [1]


def test_a_compacted_session_stays_one_session(compacted: Compacted) -> None:
    listed = sessions(compacted.home)

    assert compacted.ids == {each["id"] for each in listed}
    assert [(each["prompts"], each["tools"]) for each in listed] == [(2, 2)]
