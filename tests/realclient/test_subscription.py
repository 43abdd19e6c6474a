"""The real client as a model of ours: no hook fires, nothing is left, and an object comes back."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from realclient.api import Refuse, Say, Use
from realclient.client import Client, conversing
from rig import only_linux
from tacit.errors import ModelBusy, ModelKeyRefused, ModelUnavailable, ModelUnknown
from tacit.llm.choose import model
from tacit.llm.port import Request
from tacit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realclient.api import Step
    from rig import Home
    from tacit.llm.port import Model

ASKED = "The user said: tabs, not spaces."
FOUND = {"found": ["tabs, not spaces"]}
REQUEST = Request(
    system="You extract.",
    state="Known: nothing.",
    text=ASKED,
    schema={
        "type": "object",
        "properties": {"found": {"type": "array", "items": {"type": "string"}}},
        "required": ["found"],
    },
    name="memories",
    most_tokens=777,
)
ANSWER = Use("StructuredOutput", FOUND)
LOGIN = {
    "claudeAiOauth": {
        "accessToken": "sk-ant-" + "oat01-fake",
        "refreshToken": "sk-ant-" + "ort01-fake",
        "expiresAt": int((time.time() + 86_400) * 1000),
        "scopes": ["user:inference", "user:profile"],
        "subscriptionType": "max",
    }
}


@contextmanager
def asking(home: Home, *steps: Step, is_logged_in: bool = True) -> Iterator[tuple[Client, Model]]:
    """Give a client with our hooks and one of somebody else's, and the model that it is."""
    with conversing(home, {ASKED: list(steps)}) as client:
        _with_a_hook_of_somebody_else(client)
        if is_logged_in:
            login = client.config / ".credentials.json"
            login.write_text(json.dumps(LOGIN), encoding="utf-8")
        yield client, _model(client)


def _with_a_hook_of_somebody_else(client: Client) -> None:
    file = client.config / "settings.json"
    settings = json.loads(file.read_text(encoding="utf-8"))
    touch = {"type": "command", "command": f"touch {client.home.scratch}/fired"}
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        settings["hooks"].setdefault(event, []).append({"hooks": [touch]})
    file.write_text(json.dumps(settings), encoding="utf-8")


def _model(client: Client, *, has_key: bool = False, seconds: int = 60) -> Model:
    programs = client.home.scratch / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "claude").unlink(missing_ok=True)
    (programs / "claude").symlink_to(client.program)
    environment = client.environment()
    if not has_key:
        del environment["ANTHROPIC_API_KEY"]  # a subscription has none
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    settings = Settings({"llm.provider": "claude-cli", "llm.timeout_seconds": seconds})
    found = model(settings, environment, is_users_program=True)
    assert found is not None
    return found


def _kept(client: Client) -> set[str]:
    """Return what a user would find in the list of sessions."""
    return {str(file) for file in (client.config / "projects").rglob("*")}


def _alive(client: Client) -> list[str]:
    """Return the processes of this client that run."""
    mark = f"HOME={client.user}".encode()
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            state = (each / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            if mark in (each / "environ").read_bytes() and state != "Z":
                found.append(each.name)
        except OSError:
            continue
    return found


def test_an_object_comes_back_in_one_request(home: Home) -> None:
    with asking(home, ANSWER) as (client, asked):
        reply = asked.ask(REQUEST)

    assert reply.value == FOUND
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1000, 9)
    assert (reply.usd, reply.model.startswith("claude-haiku")) == (0.0, True)
    assert len(client.api.requests) == 1


def test_the_model_reads_what_it_is_asked_and_no_tool_of_the_client(home: Home) -> None:
    with asking(home, ANSWER) as (client, asked):
        asked.ask(REQUEST)

    (request,) = client.api.requests
    tools = {tool["name"] for tool in request.body["tools"]}
    assert request.shows("You extract.\n\nKnown: nothing.")
    assert ASKED in request.user_text()
    assert tools & {"Bash", "Read", "Write", "Edit", "Agent", "WebFetch"} == set()
    assert request.body["max_tokens"] == 777


def test_no_hook_fires_and_no_transcript_is_left(home: Home) -> None:
    with asking(home, ANSWER) as (client, asked):
        before = _kept(client)
        asked.ask(REQUEST)

    assert (home.spooled, (home.scratch / "fired").exists()) == ([], False)
    assert _kept(client) == before
    assert list(client.temporary.iterdir()) == []


def test_the_same_client_fires_hooks_and_leaves_a_transcript_when_the_user_asks(home: Home) -> None:
    with asking(home, Say("tabs")) as (client, _):
        client.say(ASKED)

    assert (home.spooled != [], (home.scratch / "fired").exists()) == (True, True)
    assert _kept(client) != set()


@only_linux
def test_nothing_runs_afterwards(home: Home) -> None:
    with asking(home, ANSWER) as (client, asked):
        asked.ask(REQUEST)

        assert _alive(client) == []


@pytest.mark.parametrize(
    ("status", "kind"), [(529, ModelBusy), (429, ModelBusy), (404, ModelUnknown)]
)
def test_what_the_api_refuses_is_told_and_not_retried(
    status: int, kind: type[ModelUnavailable], home: Home
) -> None:
    with asking(home, *[Refuse(status)] * 3) as (client, asked), pytest.raises(kind):
        asked.ask(REQUEST)

    assert len(client.api.requests) <= 2  # it asks twice by itself where the model is not known


def test_without_a_login_the_owner_is_told(home: Home) -> None:
    with (
        asking(home, is_logged_in=False) as (client, asked),
        pytest.raises(ModelKeyRefused, match="is not logged in"),
    ):
        asked.ask(REQUEST)

    assert client.api.requests == []


def test_a_question_without_an_object_is_answered_with_a_text(home: Home) -> None:
    plain: Any = Request(system="You extract.", text=ASKED)

    with asking(home, Say("tabs, not spaces")) as (_, asked):
        reply = asked.ask(plain)

    assert (reply.text, reply.value) == ("tabs, not spaces", None)


def test_a_client_with_a_key_is_paid_for(home: Home) -> None:
    with asking(home, ANSWER, is_logged_in=False) as (client, _):
        reply = _model(client, has_key=True).ask(REQUEST)

    assert reply.value == FOUND
    assert reply.usd > 0


@only_linux
def test_a_client_that_hangs_is_ended(home: Home) -> None:
    with asking(home, Say("late", after=30)) as (client, _):
        with pytest.raises(ModelUnavailable, match="does not answer in time"):
            _model(client, seconds=2).ask(REQUEST)

        assert _alive(client) == []
