"""A conversation with the real client lands in the transcript: completely, in order, exactly once.

The order that is promised is that of the times at which the hooks were called. The hooks of tools
run beside the agent, so with a daemon an event may be appended a little later than its successor;
without one, sequence and time agree. Everything here holds with a daemon and without.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from realclient.api import Say, Several, Use, bash, delegate
from realclient.client import conversing
from realclient.reading import TOOL_RESULTS, Kept, Place, ask, kept, sessions, told, turns

if TYPE_CHECKING:
    from realclient.api import Script
    from rig import Home

LATENCY = 0.25  # of the model: longer than a hook takes to start
FIRST, SECOND, AGENT = "Count the words of the poem", "And its lines?", "Find a second poem"
POEM = "roses are red"
COUNTED, ADDED, FOUND = "It has three words.", "It has one line.", "There is none."


def _script(home: Home) -> Script:
    poem = str(home.project / "poem.txt")
    return {
        FIRST: [
            Use("Write", {"file_path": poem, "content": POEM}),
            Use("Read", {"file_path": poem}),
            bash("wc -w < poem.txt"),
            bash("echo lost; exit 3"),
            Several((bash("echo left"), bash("echo right"))),
            delegate(AGENT),
            Say(COUNTED),
        ],
        AGENT: [bash("ls *.poem || echo nothing"), Say(FOUND)],
        SECOND: [bash("wc -l < poem.txt"), Say(ADDED)],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation of two turns that is over, and what came of it."""

    home: Home
    ids: list[str]
    used: list[tuple[str, str]]
    events: list[Kept]

    @property
    def first(self) -> list[Kept]:
        """Return the events of the first turn."""
        opened = next(each.turn for each in self.events if each.kind == "prompt")
        return [each for each in self.events if each.turn == opened]


@pytest.fixture(scope="module")
def talk(place: Place) -> Talk:
    with conversing(place.home, _script(place.home), latency=LATENCY) as client:
        begun = client.say(FIRST)
        resumed = client.resume(begun.session, SECOND)
    place.settle()
    return Talk(
        home=place.home,
        ids=[begun.session, resumed.session],
        used=client.api.used,
        events=kept(place.home),
    )


def test_each_tool_that_the_model_used_is_kept_exactly_once(talk: Talk) -> None:
    results = [each for each in talk.events if each.kind in TOOL_RESULTS]

    found = Counter((each.payload["tool_use_id"], each.tool) for each in results)

    assert len(talk.used) == 9
    assert found == Counter(talk.used)


def test_the_first_turn_stands_in_the_order_in_which_it_happened(talk: Talk) -> None:
    assert told(talk.first) == [
        "prompt",
        "tool_use Write",
        "tool_use Read",
        "tool_use Bash",
        "tool_failure Bash",
        "tool_use Bash",
        "tool_use Bash",
        "agent_start",
        "tool_use Bash",
        "agent_reply",
        "tool_use Agent",
        "reply",
        "end",
    ]


def test_the_whole_session_stands_there_and_nothing_else(talk: Talk) -> None:
    outside = [each for each in talk.events if each not in talk.first]

    assert told(outside) == ["start", "start", "prompt", "tool_use Bash", "reply", "end"]
    assert [each.payload["source"] for each in talk.events if each.kind == "start"] == [
        "startup",
        "resume",
    ]


def test_a_resumed_session_keeps_its_id_and_shows_both_turns(talk: Talk) -> None:
    shown = turns(talk.home, talk.ids[0])

    assert talk.ids == [talk.ids[0]] * 2
    assert [(turn["prompt"], turn["reply"], turn["state"]) for turn in shown] == [
        (FIRST, COUNTED, "finished"),
        (SECOND, ADDED, "finished"),
    ]


def test_the_session_is_listed_once_with_its_counts(talk: Talk) -> None:
    listed = sessions(talk.home)

    assert [(each["id"], each["state"]) for each in listed] == [(talk.ids[0], "ended")]
    assert (listed[0]["prompts"], listed[0]["tools"], listed[0]["failures"]) == (2, 9, 1)
    assert (listed[0]["first_prompt"], listed[0]["events"]) == (FIRST, len(talk.events))


def test_a_tool_s_step_shows_what_it_was_given_and_what_came_back(talk: Talk) -> None:
    steps = turns(talk.home, talk.ids[0])[0]["steps"]
    poem = str(talk.home.project / "poem.txt")

    by_given = {step["given"]: step for step in steps}

    assert by_given["wc -w < poem.txt"]["result"] == "3"
    assert [step["tool"] for step in steps if step["given"] == poem] == ["Write", "Read"]
    assert all(POEM in step["result"] for step in steps if step["given"] == poem)


def test_a_tool_that_failed_is_kept_as_a_failure(talk: Talk) -> None:
    steps = turns(talk.home, talk.ids[0])[0]["steps"]

    failed = [(step["given"], step["result"]) for step in steps if step["failed"]]

    assert failed == [("echo lost; exit 3", "Exit code 3\nlost")]


def test_a_subagent_s_tools_carry_its_id_inside_the_turn_that_sent_it(talk: Talk) -> None:
    agents = {each.agent for each in talk.events if each.kind == "agent_start"}

    inside = [(each.kind, each.agent) for each in talk.first if each.agent]

    assert len(agents) == 1
    assert inside == [(kind, *agents) for kind in ("agent_start", "tool_use", "agent_reply")]


def test_a_subagent_s_last_words_are_kept_and_are_not_the_turn_s_reply(talk: Talk) -> None:
    said = [each.payload["last_assistant_message"] for each in talk.first if "reply" in each.kind]

    assert said == [FOUND, COUNTED]


def test_a_subagent_s_step_shows_what_it_came_back_with(talk: Talk) -> None:
    steps = turns(talk.home, talk.ids[0])[0]["steps"]

    back = [step["result"] for step in steps if step["tool"] == "Agent"]

    assert [FOUND in result for result in back] == [True]


def test_the_transcript_is_sound_and_no_hook_complained(talk: Talk) -> None:
    verified = ask(talk.home, "verify")

    assert talk.home.log == []
    assert verified["findings"] == []
