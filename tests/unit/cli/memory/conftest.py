"""What the tests of the owner's verbs share: the program run as a shell runs it, and a memory."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.cli.main import main
from tacit.compose import open_app
from tacit.curate import statement
from tacit.curate.learn import Learner
from tacit.model.memory import Evidence, Memory, identity
from tacit.recall.analyse import tokens
from tacit.store.sqlite import engine
from tacit.store.sqlite.memory import open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rig import Home
    from tacit.store.sqlite.memory import SqliteMemory

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Told(NamedTuple):
    """How the program ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def strange(self) -> set[str]:
        """Return what a terminal would not simply print; our own colours are none of it."""
        shown = _COLOURS.sub("", self.out + self.err)
        return {char for char in shown if not char.isprintable() and char != "\n"}


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Cli:
    """`tacit`, run in this process by its entry."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Told:
        """Run it in a pipe."""
        return self._run(io.StringIO(), *arguments)

    def at_terminal(self, *arguments: str, typed: str = "") -> Told:
        """Run it at a wide terminal where somebody types."""
        self._monkeypatch.setenv("COLUMNS", "200")
        self._monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        try:
            return self._run(Terminal(typed), *arguments)
        finally:
            self._monkeypatch.setattr(sys.stdout, "isatty", lambda: False)

    def json(self, *arguments: str) -> Any:
        """Return what a program is told."""
        told = self(*arguments, "--json")
        assert told.code == 0, told.err
        return json.loads(told.out)

    def remember(self, text: str, *options: str) -> str:
        """Have something remembered; return its id."""
        return str(self.json("remember", text, *options)["id"])

    def contents(self, *options: str) -> list[str]:
        """Return what `list` finds, in order."""
        return [each["content"] for each in self.json("list", *options)]

    def _run(self, stdin: io.StringIO, *arguments: str) -> Told:
        self._monkeypatch.setattr(sys, "argv", ["tacit", *arguments])
        self._monkeypatch.setattr(sys, "stdin", stdin)
        self._capsys.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        out, err = self._capsys.readouterr()
        return Told(code or 0, out, err)


class Mind:
    """One group's memory, and what only sessions, extractors and accidents put there."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._planted = 0

    def begin(self, session: str) -> None:
        """Let a session begin in which nothing is said, and take it in."""
        self._happen([("SessionStart", {"session_id": session, "source": "startup"})])

    def talk(self, session: str, *prompts: str, group: str = "main") -> None:
        """Let a session happen, a turn for each prompt, and take it in."""
        happened: list[tuple[str, dict[str, str]]] = []
        for number, prompt in enumerate(prompts):
            turn = {"session_id": session, "prompt_id": f"turn-{number}-of-{session}"}
            happened.append(("UserPromptSubmit", turn | {"prompt": prompt}))
            happened.append(("Stop", turn | {"last_assistant_message": "ok"}))
        self._happen(happened, group)

    def _happen(self, happened: Sequence[tuple[str, dict[str, str]]], group: str = "main") -> None:
        root = state.open_home(str(self._home.path))
        spool = Spool(root)
        for event, fields in happened:
            spool.publish(
                self._home.payload(event, **fields),
                event=event,
                received_ns=time.time_ns(),
                client="claude-code",
                group=group,
            )
        spool.close()
        os.close(root)
        app = open_app()
        app.drain(seconds=None)
        app.close()

    def plant(self, content: str, reason: str | None = None, **changes: Any) -> Memory:
        """Put a memory there as an extractor would; with a *reason* it is held."""
        self._planted += 1
        at = time.time_ns()
        event = changes.get("event", f"evt-planted-{self._planted}")
        fields: dict[str, Any] = {
            "id": identity("evi", at, event, content, str(self._planted)),
            "event": event,
            "seq": self._planted,
            "start": 0,
            "quote": content,
            "origin": "tool:WebFetch",
            "via": "live",
            "session": "s-planted",
            "turn": "t-planted",
            "at": at,
            "kind": "fact",
            "content": content,
            "extractor": "planted-1",
        }
        with self.opened() as store:
            learner = Learner(store, partial(statement.digest, b"k" * 32))
            memory = learner.learn(Evidence(**fields | changes), reason=reason)
        assert memory is not None
        return memory

    @contextmanager
    def opened(self) -> Iterator[SqliteMemory]:
        """Open the memory for a while; a session that taught nothing makes it if need be."""
        path = self._home.path / "groups" / "main" / "memory.db"
        if not path.exists():
            self.talk("s-first", "Good morning")
        store = open_memory(path, engine.look(self._home.path), tokens)
        try:
            yield store
        finally:
            store.close()

    def transcript(self) -> bytes:
        """Return the transcript, byte for byte."""
        return (self._home.path / "groups" / "main" / "transcript.db").read_bytes()


@pytest.fixture(autouse=True)
def nobody(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of this run's surroundings decide: no agent, no group, no other project."""
    for name in ("TACIT_GROUP", "CLAUDECODE", "AI_AGENT", "CLAUDE_CODE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(home.project)


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the verbs be run inside an agent's session; return that session."""
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "session-of-an-agent")
    return "session-of-an-agent"


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Return the program."""
    return Cli(monkeypatch, capsys)


@pytest.fixture
def mind(home: Home) -> Mind:
    """Return the memory of the test's home."""
    return Mind(home)


@pytest.fixture
def hostile() -> str:
    """Return words that would clear a screen, rename a window and turn the text around."""
    return "\u202ecalm\x1b[2Jdown\x07\u2066 \x1b]0;mine\x07 first\r\nsecond\x9b2J \u200b\x00last"
