"""The whole course of a user who has installed Tacit and nothing else, until it is gone again.

The client's settings are written by `tacit install`; its hooks start the daemon. Sessions use
tools, correct, are compacted, send a subagent, are resumed, cleared and killed; then the next
one starts knowing. It is asked and searches, and in the midst of it Tacit is uninstalled.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from flow.daemons import Daemons, until
from realclient.api import FULL, Say, Use, bash, delegate
from realclient.client import conversing, kill
from realclient.hearing import Talks, section, told, until_prepared
from realclient.reading import ask, kept, sessions, turns
from realclient.terminal import Terminal
from rig import Home

if TYPE_CHECKING:
    from collections.abc import Callable

    from realclient.api import Request, Script
    from realclient.client import Client

LATENCY = 0.2  # of the model: longer than a hook takes to start
SOON = 5.0  # seconds, in which all that is ours must be gone

FACT = "Remember that the staging server listens on port 8080."
WORK, AGENT = "Look at the notes, then build it.", "Look for a second note"
CORRECTION = "No, not like that: never mock the database in tests."
LONG = "Remember that the release branch is called heron-nine. Then fill the context up."
NEW = "The staging server listens on port 9191 now, not 8080."
LATER = ("Go on as before.", "Go on once more.")  # on a busy machine the daemon may be late
BEFORE, AFTER = (
    "Always run the linter before you commit.",
    "I prefer answers without bullet points.",
)
KILLED = "Build it once more."
NEXT = "What do you know?"
HIDDEN = "The nightly backup of the warehouse goes to the bucket called marmot"
ABOUT = (  # several: on a busy machine the daemon may be late
    "Where does the nightly backup of the warehouse go?",
    "Is the nightly backup of the warehouse encrypted?",
    "How large is the nightly backup of the warehouse?",
    "Who looks after the nightly backup of the warehouse?",
)
ASKED = "Which port has the staging server?"
UNSEEN, LAST = "Nobody writes this down.", "Nor this, in a session of its own."
SEARCH = "mcp__tacit__search_memory"
READING = {SEARCH, "mcp__tacit__read_memory", "mcp__tacit__recent_sessions"}


def _script(home: Home) -> Script:
    note = str(home.project / "notes.md")
    prompts = (FACT, CORRECTION, NEW, *LATER, BEFORE, AFTER, NEXT, *ABOUT, UNSEEN, LAST)
    plain: Script = {each: [Say("Noted.")] for each in prompts}
    return plain | {
        WORK: [
            Use("Write", {"file_path": note, "content": "a note"}),
            Use("Read", {"file_path": note}),
            bash("echo broken; exit 3"),
            delegate(AGENT),
            Say("Built."),
        ],
        AGENT: [bash("ls"), Say("There is none.")],
        LONG: [bash("echo full", tokens=FULL), Say("It was full.")],
        KILLED: [bash("echo otter-lake"), Say("Never.", after=600)],
        ASKED: [Use(SEARCH, {"query": "port of the staging server"}), Say("It is 9191.")],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What was left of us when it was uninstalled, in a session that went on, and after that."""

    settings: tuple[bytes, bytes]  # before us, and after
    servers: dict[str, Any]
    has_launcher: bool
    alive: list[int]
    is_listening: bool
    memories: tuple[list[str], list[str]]  # before, and after
    last: Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What the model was asked in each session, and what came of it all."""

    home: Home
    first: list[Request]
    second: list[Request]
    resumed: Request
    cleared: list[Request]
    next: Request
    about: Request
    asked: list[Request]
    denied: list[Any]
    gone: Gone

    @property
    def brief(self) -> str:
        """Return what the session was told that came after all the others."""
        (brief,) = told(self.next)
        return brief


class User:
    """Somebody who uses the client, and now and then types a command of ours."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.home = client.home
        self.talks = Talks(client)

    def tacit(self, *arguments: str) -> str:
        """Run a verb of ours."""
        ended = subprocess.run(
            [sys.executable, "-m", "tacit", *arguments],
            cwd=self.home.project,
            env=self.client.environment() | {"TACIT_HOME": str(self.home.path)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        return ended.stdout

    def memories(self) -> list[str]:
        """Return what is remembered, sorted."""
        return sorted(each["content"] for each in ask(self.home, "list"))

    def clear(self) -> list[Request]:
        """Hold a session on the screen, clear it, and go on in the one that begins then."""
        with Terminal(self.client) as terminal:
            terminal.type(BEFORE)
            terminal.until(lambda: "Noted." in terminal.screen(), "the first answer")
            until_prepared(self.home, "linter")
            terminal.type("/clear")
            terminal.until(lambda: "Noted." not in terminal.screen(), "an empty screen")
            terminal.type(AFTER)
            terminal.until(lambda: "Noted." in terminal.screen(), "the second answer")
            terminal.type("/exit")
            terminal.until(terminal.is_gone, "the end of the client")
        return self.talks.since()

    def be_killed(self, session: str) -> None:
        """Go on with a session, and kill the client while its model thinks, after a tool."""
        running = self.client.start(KILLED, "--resume", session)
        try:
            until(lambda: "otter-lake" in _said(self.client), "the request after the tool")
            until(lambda: "otter-lake" in str(kept(self.home)), "the event of the tool")
        finally:
            kill(running)
        assert running.returncode == -signal.SIGKILL
        self.talks.since()

    def asks(self, say: Callable[[str], Any], prompts: tuple[str, ...], had: int) -> Request:
        """Say one prompt after the other until the model is told more."""
        for prompt in prompts:
            say(prompt)
            (*_, request) = self.talks.since()
            if len(told(request)) > had:
                break
        return request


def _said(client: Client) -> str:
    return "\n".join(client.api.requests[-1].texts())


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    home = Home(tmp_path_factory.mktemp("course"))
    with (
        Daemons(home) as daemons,
        conversing(home, _script(home), hooked=False, latency=LATENCY) as client,
    ):
        user = User(client)
        before = (client.config / "settings.json").read_bytes()
        user.tacit("install", "--yes")
        first = user.talks.say(FACT, WORK, CORRECTION)
        until_prepared(home, "Never mock")
        second = user.talks.say(LONG)
        until_prepared(home, "heron-nine")
        resumed = user.talks.resume(user.talks.ids[0], 0, NEW, *LATER)
        until_prepared(home, "9191")
        cleared = user.clear()
        until_prepared(home, "bullet points")
        user.be_killed(user.talks.ids[1])
        with client.session() as say:
            say(NEXT)
            (following,) = user.talks.since()
            user.tacit("remember", HIDDEN)
            about = user.asks(say, ABOUT, 1)
            denied = say(ASKED)["permission_denials"]
            asked = user.talks.since()
            known = user.memories()
            user.tacit("uninstall")
            say(UNSEEN)
        return Course(
            home=home,
            first=first,
            second=second,
            resumed=resumed,
            cleared=cleared,
            next=following,
            about=about,
            asked=asked,
            denied=denied,
            gone=_gone(user, daemons, before, known),
        )


def _gone(user: User, daemons: Daemons, before: bytes, known: list[str]) -> Gone:
    """Look at what is left, and let one more session happen."""
    client = user.client
    until(lambda: not daemons.alive(), "the end of all that is ours", SOON)
    client.say(LAST)
    return Gone(
        settings=(before, (client.config / "settings.json").read_bytes()),
        servers=json.loads((client.config / ".claude.json").read_bytes()).get("mcpServers", {}),
        has_launcher=(client.config / "tacit-hook.py").exists(),
        alive=daemons.alive(),
        is_listening=(client.home.path / "daemon.sock").exists(),
        memories=(known, user.memories()),
        last=client.api.requests[-1],
    )


def test_no_session_is_told_anything_before_there_is_anything_to_tell(course: Course) -> None:
    assert [told(request) for request in course.first if AGENT not in request.user_text()] == (
        [[]] * (len(course.first) - 2)
    )


@pytest.mark.parametrize(
    ("title", "line"),
    [
        pytest.param("Known Facts", "port 9191", id="resumed and corrected"),
        pytest.param("Behavioral Preferences", "Never mock the database", id="a correction"),
        pytest.param("Known Facts", "heron-nine", id="said before a compaction"),
        pytest.param("Behavioral Preferences", "linter", id="said before a clear"),
        pytest.param("Behavioral Preferences", "bullet points", id="said after a clear"),
        pytest.param("Recent Sessions", "\u2192 Built.", id="done with tools and a subagent"),
    ],
)
def test_the_session_after_them_all_is_told_what_they_taught_before_its_first_word(
    course: Course, title: str, line: str
) -> None:
    assert line in section(course.brief, title)


def test_it_is_not_told_what_was_corrected(course: Course) -> None:
    assert not course.next.shows("listens on port 8080")


def test_a_compacted_a_resumed_and_a_cleared_session_go_on_knowing(course: Course) -> None:
    compacted, (cleared,) = told(course.second[-1]), told(course.cleared[-1])

    assert ["heron-nine" in each for each in compacted] == [True]
    assert ["heron-nine" in each for each in told(course.resumed)] == [True]
    assert "linter" in section(cleared, "Behavioral Preferences")


def test_what_came_before_a_kill_is_there(course: Course) -> None:
    session = next(each for each in sessions(course.home) if each["first_prompt"] == LONG)

    *_, last = turns(course.home, session["id"])

    assert (last["prompt"], last["state"], last["reply"]) == (KILLED, "open", "")
    assert [step["result"] for step in last["steps"]] == ["otter-lake"]


def test_a_prompt_is_answered_with_what_its_session_had_not_heard(course: Course) -> None:
    brief, *surfaced = told(course.about)

    assert brief == course.brief
    assert [f"- [fact] {HIDDEN} (said by the owner, 0d ago)" in each for each in surfaced] == [True]


def test_the_agent_searches_without_a_question_to_the_user(course: Course) -> None:
    last = course.asked[-1]

    found = [text for text in last.texts() if "[fact] The staging server" in text]

    assert course.denied == []
    assert any("port 9191" in text and "mem-" in text for text in found)


def test_it_sees_the_tools_of_a_reader_and_no_other(course: Course) -> None:
    offered = [tool["name"] for tool in course.next.body["tools"]]

    assert {name for name in offered if name.startswith("mcp__")} == READING


def test_uninstalling_leaves_the_settings_as_they_were(course: Course) -> None:
    gone = course.gone

    assert gone.settings[0] == gone.settings[1]
    assert (gone.servers, gone.has_launcher) == ({}, False)


def test_uninstalling_leaves_no_process_and_no_listener(course: Course) -> None:
    assert (course.gone.alive, course.gone.is_listening) == ([], False)


def test_what_is_remembered_stays(course: Course) -> None:
    before, after = course.gone.memories

    assert len(before) == 6
    assert after == before


def test_nothing_is_recorded_any_more_in_the_session_that_goes_on_nor_in_a_new_one(
    course: Course,
) -> None:
    prompts = [each.payload["prompt"] for each in kept(course.home) if each.kind == "prompt"]

    assert ASKED in prompts
    assert {UNSEEN, LAST}.isdisjoint(prompts)
    assert course.home.spooled == []


def test_nothing_is_told_any_more(course: Course) -> None:
    offered = [tool["name"] for tool in course.gone.last.body["tools"]]

    assert told(course.gone.last) == []
    assert not [name for name in offered if name.startswith("mcp__")]


def test_no_hook_complained(course: Course) -> None:
    assert course.home.log == []
