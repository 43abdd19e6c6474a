"""What the tests of the model pass share: a home whose model is a server of ours, and its scripts.

The provider is the real one, over real HTTP; what the server answers is the test's. The clock is
the test's as well, so that no back-off is waited for.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tacit.capture import state
from tacit.capture.spool import Spool
from tacit.compose import open_app, open_model
from tacit.curate.model import calls
from tacit.store.memory_port import Wanted
from tacit.store.sqlite.engine import look
from tacit.store.sqlite.opening import open_existing
from tacit.transcript.files import Files
from unit.llm.asking import completion, message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.app import App
    from tacit.llm.port import Model
    from tacit.model.memory import Memory
    from unit.net.serving import Asked, Server

    Answering = Callable[[str], dict[str, Any]]

NOON = 1_790_000_000_000_000_000
SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS
HOUR_NS = 60 * MINUTE_NS
DAY_NS = 24 * HOUR_NS
KEY = "sk-ant-" + "test-f7Kq2ZpX9wLm4TnVc8Rb"
EMPTY: dict[str, Any] = {
    "memories": [], "kept": [], "withdrawn": [], "actions": [], "resolved": [], "summary": None,
}  # fmt: skip
_USUAL = {"anthropic": "", "openai": "some-model"}
_NUMBER = re.compile(r"invoice (\d+) ")


def rule(number: int) -> str:
    """Return what the user says in the number-th session: rules alone do not get it all."""
    return (
        f"FYI invoice {number} goes out on the first Tuesday of the month, she said. "
        f"Remember that drawer {number} is locked."
    )


def learned(number: int) -> str:
    """Return what a model makes of it."""
    return f"Invoice {number} goes out on the first Tuesday"


def asked_for(number: int) -> str:
    """Return what the rules make of it, which somebody asked for."""
    return f"Drawer {number} is locked"


def item(kind: str, text: str, quote: str = "", **more: Any) -> dict[str, Any]:
    """Return a statement as a model answers it."""
    usual = {"kind": kind, "text": text, "quote": quote, "turn": "t1", "importance": 3, "tags": []}
    return usual | {"topic": "", "scope": "project", "supersedes": "", "draft": ""} | more


def extracted(text: str) -> dict[str, Any]:
    """Answer as a good model does: one statement for each rule, in the turns alone."""
    turns = text.partition("## The turns")[2]
    told = [
        item("instruction", learned(int(found)), f"invoice {found} goes out on the first Tuesday")
        for found in dict.fromkeys(_NUMBER.findall(turns))
    ]
    return EMPTY | {"memories": told}


def question(asked: Asked) -> str:
    """Return all that a model is told by a request, of either provider."""
    return told_in(asked.question)


def told_in(body: dict[str, Any]) -> str:
    """Return all texts of a request."""
    parts = body.get("system", [])
    said = [part["text"] for part in parts]
    return "\n\n".join([*said, *(each["content"] for each in body["messages"])])


def give(asked: Asked, value: object, **more: Any) -> None:
    """Answer with an object, as a server of either provider does."""
    if asked.path.endswith("/messages"):
        name = asked.question["tools"][0]["name"]
        used = {"type": "tool_use", "id": "toolu_1", "name": name, "input": value}
        usage = {"input_tokens": len(question(asked)) // 4, "output_tokens": 200}
        said = message(content=[used], usage=usage) | more
    else:
        said = completion(value if isinstance(value, str) else json.dumps(value)) | more
    asked.answer(said, Content_Type="application/json")


def well(asked: Asked) -> None:
    """Answer well."""
    give(asked, extracted(question(asked)))


def answering(answer: Answering) -> Callable[[Asked], None]:
    """Return the script of a server that answers a text with an object."""
    return lambda asked: give(asked, answer(question(asked)))


class Reader:
    """A home whose owner has chosen a model."""

    def __init__(self, home: Path, url: str, provider: str = "anthropic", **more: object) -> None:
        self.home = home
        self.now_ns = NOON
        self._given: Model | None = more.pop("model", None)  # type: ignore[assignment]
        self.configure(url, provider, **more)
        self._root = state.open_home(str(home), is_proven=state.proven)
        self._spool = Spool(self._root)
        self.app = self._opened()

    def configure(self, url: str, provider: str = "anthropic", **more: object) -> None:
        """Say in `config.toml` who reads."""
        self.home.mkdir(exist_ok=True, mode=0o700)
        named = more.pop("named", _USUAL[provider])
        curate = {name: more.pop(name) for name in ("batch_turns", "gate") if name in more}
        usual = {"timeout_seconds": 1, "daily_usd": 100.0, "session_usd": 100.0}
        chosen = usual | {"calls_per_hour": 100_000} | more
        lines = [f"{name} = {json.dumps(value)}" for name, value in chosen.items()]
        text = (
            f'[llm]\nprovider = "{provider}"\nbase_url = "{url}"\nmodel = "{named}"\n'
            f'key_command = ["echo", "{KEY}"]\n' + "\n".join(lines) + "\n[curate]\n"
        )
        text += "\n".join(f"{name} = {json.dumps(value)}" for name, value in curate.items())
        (self.home / "config.toml").write_text(text + "\n", encoding="utf-8")

    def _opened(self) -> App:
        self.model = self._given or open_model(str(self.home), is_users_program=False)
        return open_app(str(self.home), now_ns=lambda: self.now_ns, llm=self.model)

    def open_again(
        self, url: str | None = None, provider: str = "anthropic", **more: object
    ) -> None:
        """Begin anew, as the daemon does when the settings are other ones."""
        self.app.close()
        if url is not None:
            self.configure(url, provider, **more)
        self.app = self._opened()

    def say(self, event: str, session: str, **fields: Any) -> None:
        """Put an event into the spool, as the hook does."""
        self.now_ns += SECOND_NS
        group = fields.pop("group", "main")
        common = {"session_id": session, "cwd": "/srv/orchard", "hook_event_name": event}
        payload = json.dumps(common | fields).encode()
        self._spool.publish(
            payload, event=event, received_ns=self.now_ns, client="claude-code", group=group
        )

    def turn(self, session: str, prompt: str, reply: str = "Noted.", **fields: Any) -> None:
        """Let a turn happen; *tools* are what tools gave in it."""
        fields["prompt_id"] = f"turn-{session}-{self.now_ns}"
        tools = fields.pop("tools", ())
        self.say("UserPromptSubmit", session, prompt=prompt, **fields)
        for number, gave in enumerate(tools):
            use = {"tool_name": "Bash", "tool_input": {"command": f"cat notes-{number}"}}
            name = f"toolu-{session}-{self.now_ns}"
            self.say("PostToolUse", session, **use, tool_use_id=name, tool_response=gave, **fields)
        self.say("Stop", session, last_assistant_message=reply, **fields)

    def end(self, session: str, **fields: Any) -> None:
        """Let a session end."""
        self.say("SessionEnd", session, reason="other", **fields)

    def sessions(self, *numbers: int) -> None:
        """Let sessions happen, each with its rule, and be taken in."""
        for number in numbers:
            self.turn(f"s-{number}", rule(number))
            self.end(f"s-{number}")
        self.drain()

    def drain(self) -> None:
        """Take in what was said."""
        drained = self.app.drain(seconds=None)
        assert (drained.waiting, drained.troubles) == (0, [])

    def ask(self, group: str = "main") -> int:
        """Have all read that is due now; return how many batches that were."""
        count = 0
        while self.app.ask_model(group):
            count += 1
        return count

    def live(self, nanoseconds: int, step: int = 30 * SECOND_NS) -> None:
        """Let time pass, and have read what becomes due."""
        end = self.now_ns + nanoseconds
        while self.now_ns < end:
            self.now_ns += step
            self.ask()

    def standing(self, *states: str, group: str = "main") -> list[Memory]:
        """Return the memories in these states, active ones if unsaid."""
        return self.app.list(group, Wanted(states=states or ("active",)))

    def contents(self, *states: str) -> list[str]:
        """Return what they say, in order."""
        return sorted(each.content for each in self.standing(*states))

    def by_model(self) -> list[str]:
        """Return what a model has taught, whatever became of it."""
        found = self.app.list("main", Wanted(states=None))
        return sorted(each.content for each in found if each.extractor.startswith("extract-"))

    def told(self, kind: str, group: str = "main") -> list[dict[str, Any]]:
        """Return what events about models say, in order."""
        store = open_existing(Files(self.home, group).database, look(self.home))
        try:
            return [calls.told(each) for each in store.about_models(0) if each.kind == kind]
        finally:
            store.close()

    def cut(self) -> None:
        """End a question that is under way."""
        if self.model is not None:
            self.model.close()

    def close(self) -> None:
        self.app.close()
        self._spool.close()
        os.close(self._root)


@contextmanager
def reading(home: Path, server: Server | str, **more: Any) -> Iterator[Reader]:
    """Open a home for a while whose model is this server."""
    before = os.umask(0o077)
    provider = more.get("provider", "anthropic")
    url = server if isinstance(server, str) else server.url + ("/v1" * (provider == "openai"))
    reader = Reader(home, url, **more)
    try:
        yield reader
    finally:
        reader.close()
        os.umask(before)
