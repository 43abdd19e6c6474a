"""How to let a model read along: every way that the page tells is gone, against a scripted server.

The configuration is the page's own; only where a server is, and what prints the key, are the
test's. A session goes through the real hook, the daemon of a user reads it, and its memory stands.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest

from flow.daemons import Daemons, until
from flow.keeping import tacit
from realclient.api import Use
from realclient.client import conversing
from realclient.test_subscription import LOGIN
from rig import ROOT
from unit.net.serving import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from unit.net.serving import Asked

PAGE = ROOT / "docs" / "how-to" / "use-a-model.md"
WAYS = dict(
    re.findall(
        r"^## ([^\n]+)\n+```toml\n(.*?)```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
)
KEYED, PROXIED, LOCAL, SUBSCRIBED = list(WAYS)
SAID = "Remember that the till is red. By the way, our cashier Mira closes the shop at nine."
TOLD = "Mira, the cashier, closes the shop at nine"
ANSWER: dict[str, Any] = {
    "memories": [
        {
            "kind": "fact",
            "text": TOLD,
            "quote": "our cashier Mira closes the shop at nine",
            "turn": "t1",
            "importance": 3,
            "tags": ["till"],
            "topic": "closing",
            "scope": "project",
            "supersedes": "",
            "draft": "",
        }
    ],
    "kept": [],
    "withdrawn": [],
    "actions": [],
    "resolved": [],
    "summary": None,
}
USAGE = {"input_tokens": 900, "output_tokens": 90}


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    with Daemons(home) as started:
        yield started


def answering(asked: Asked) -> None:
    """Answer as Anthropic or OpenAI would, by what was asked."""
    if asked.path.endswith("/chat/completions"):
        choice = {"message": {"content": json.dumps(ANSWER)}, "finish_reason": "stop", "index": 0}
        told = {"choices": [choice], "model": "qwen3:8b", "usage": {}}
    else:
        name = asked.question["tools"][0]["name"]
        used = {"type": "tool_use", "id": "toolu_1", "name": name, "input": ANSWER}
        told = {
            "id": "msg_1", "type": "message", "role": "assistant", "content": [used],
            "model": asked.question["model"], "stop_reason": "tool_use", "usage": USAGE,
        }  # fmt: skip
    asked.answer(told, Content_Type="application/json")


def configure(home: Home, way: str, url: str) -> None:
    """Write the page's configuration, with the test's own place and key."""
    text = re.sub(r'"http://127\.0\.0\.1:\d+(/v1)?"', rf'"{url}\1"', WAYS[way])
    text = re.sub(r"key_command = \[.*\]", 'key_command = ["echo", "sk-test-key"]', text)
    if "base_url" not in text and "claude-cli" not in text:
        text += f'base_url = "{url}"\n'
    home.make()
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def play(home: Home) -> None:
    """Let a session happen: one turn, then its end."""
    turn = {"prompt_id": "turn-1"}
    home.hook("UserPromptSubmit", {"prompt": SAID} | turn)
    home.hook("Stop", {"last_assistant_message": "I will."} | turn)
    home.hook("SessionEnd", {"reason": "other"})


def remembered(home: Home) -> list[str]:
    listed = json.loads(tacit(home.path, "list", "--json").stdout)
    return [each["content"] for each in listed]


@pytest.mark.parametrize("way", [KEYED, PROXIED, LOCAL])
def test_a_session_is_read_as_the_page_says(way: str, daemons: Daemons) -> None:
    home = daemons.home
    with served(answering) as server:
        configure(home, way, server.url)
        daemons.start()
        play(home)
        until(lambda: TOLD in remembered(home), "what the model has found")
        cost = json.loads(tacit(home.path, "cost", "--json").stdout)
        doctor = json.loads(tacit(home.path, "doctor", "--json").stdout)

    keys = {
        each.headers.get("x-api-key") or each.headers.get("Authorization") for each in server.asked
    }
    assert any("sk-test-key" in str(key) for key in keys) == (way == KEYED)
    assert sum(each["calls"] for each in cost["days"]) == 1
    (model,) = [each for each in doctor if each["name"] == "model"]
    assert model["is_fine"], model
    assert "100 turns cost about $" in model["text"]


def test_the_users_own_program_reads_as_the_page_says(home: Home) -> None:
    script = {"The turns": [Use("StructuredOutput", ANSWER)]}
    with conversing(home, script) as client:
        (client.config / ".credentials.json").write_text(json.dumps(LOGIN), encoding="utf-8")
        programs = home.scratch / "programs"
        programs.mkdir()
        (programs / "claude").symlink_to(client.program)
        around = {
            name: each for name, each in client.environment().items() if "API_KEY" not in name
        }
        around |= {"PATH": f"{programs}:{around['PATH']}", "TACIT_HOME": str(home.path)}
        configure(home, SUBSCRIBED, client.api.url)
        play(home)

        ended = tacit(home.path, "rebuild", "--reextract", "--yes", env=os.environ | around)

        assert ended.returncode == 0, ended.stderr
        assert TOLD in remembered(home)
        assert list((client.config / "projects").glob("*/*.jsonl")) == []


def test_all_ways_are_on_the_page() -> None:
    assert len(WAYS) == 4
