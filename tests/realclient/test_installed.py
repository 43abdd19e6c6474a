"""Tacit as a user installs it: two sessions of the real client, a search by the agent, and gone.

The client's settings are written by `tacit install` alone. What the first session is told the
second one knows; the agent may search without being asked; uninstalling leaves what was there.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from realclient.api import Say, Use
from realclient.client import conversing
from realclient.reading import ask
from rig import Home
from tacit.install import installing
from tacit.install.clients import CLIENTS, place
from tacit.install.installing import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realclient.api import Request, Script
    from realclient.client import Client, Ended

TAUGHT = "Remember that the staging database listens on port 5433."
NEXT = "Which port has the staging database?"
SEARCH = "mcp__tacit__search_memory"
SCRIPT: Script = {
    TAUGHT: [Say("Noted.")],
    NEXT: [Use(SEARCH, {"query": "staging database port"}), Say("It is 5433.")],
}
RESOLVE = "mcp__tacit__resolve_action"
DONE = "The deploy key is rotated: close that reminder."
READING = {SEARCH, "mcp__tacit__read_memory", "mcp__tacit__recent_sessions"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What happened: the client, how its sessions ended, and its settings before and after."""

    client: Client
    first: Ended
    second: Ended
    before: bytes
    after: bytes
    servers: dict[str, Any]


def course(home: Home, profile: str) -> Iterator[Course]:
    with conversing(home, SCRIPT, hooked=False) as client:
        settings = client.config / "settings.json"
        before = settings.read_bytes()
        client.tacit("install", "--yes", "--profile", profile)
        first = client.say(TAUGHT)
        ask(home, "list")  # whoever reads takes in what waits
        second = client.say(NEXT)
        client.tacit("uninstall")
        servers = json.loads((client.config / ".claude.json").read_bytes())
        yield Course(
            client=client,
            first=first,
            second=second,
            before=before,
            after=settings.read_bytes(),
            servers=servers.get("mcpServers", {}),
        )


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    yield from course(Home(tmp_path_factory.mktemp("reader")), "reader")


@pytest.fixture(scope="module")
def none(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    yield from course(Home(tmp_path_factory.mktemp("none")), "none")


def tools(request: Request) -> set[str]:
    """Return the tools of ours that a request offers to the model."""
    names = {tool["name"] for tool in request.body.get("tools", [])}
    return {name for name in names if name.startswith("mcp__tacit")}


def asked(client: Client, prompt: str) -> list[Request]:
    return [each for each in client.api.requests if prompt in each.user_text()]


def test_the_second_session_is_told_what_the_first_one_taught(reader: Course) -> None:
    first, *_ = asked(reader.client, NEXT)

    assert (reader.first.code, reader.second.code) == (0, 0)
    assert first.shows("- [fact] The staging database listens on port 5433 (0d ago)")


def test_the_agent_searches_without_being_asked(reader: Course) -> None:
    *_, last = asked(reader.client, NEXT)

    assert reader.second.told.get("permission_denials", []) == []
    assert any(
        "[fact] The staging database listens on port 5433" in text and "mem-" in text
        for text in last.texts()
    )


def test_the_client_sees_three_tools_that_read_and_none_without_the_reader(
    reader: Course, none: Course
) -> None:
    seen = {name for each in reader.client.api.requests for name in tools(each)}
    unseen = {name for each in none.client.api.requests for name in tools(each)}

    assert (seen, unseen) == (READING, set())


def test_the_agent_is_told_the_id_of_an_action_and_closes_it_where_the_owner_lets_it(
    home: Home,
) -> None:
    home.hook("UserPromptSubmit", {"prompt": "Remind me to rotate the deploy key next week."})
    home.hook("Stop", {"last_assistant_message": "I will."})
    (home.path / "config.toml").write_text("[mcp]\nresolve_actions = true\n", encoding="utf-8")
    (action,) = ask(home, "actions")
    close = {"id": action["id"], "outcome": "acted_on"}

    with conversing(
        home, {DONE: [Use(RESOLVE, {}), Use(RESOLVE, close), Say("Closed.")]}
    ) as client:
        client.tacit("install", "--yes")
        ended = client.say(DONE)
        client.tacit("uninstall")

    _, second, third = asked(client, DONE)
    assert ended.told.get("permission_denials", []) == []
    assert second.shows(f"{action['id']} Remind me to rotate the deploy key next week")
    assert third.shows("acted_on: Remind me to rotate the deploy key next week (")
    assert ask(home, "actions") == []


def test_afterwards_the_settings_are_what_they_were(reader: Course, none: Course) -> None:
    assert reader.after == reader.before
    assert none.after == none.before
    assert (reader.servers, none.servers) == ({}, {})
    assert not (reader.client.config / "tacit-hook.py").exists()


def test_what_the_client_and_we_write_at_one_time_is_all_there(home: Home) -> None:
    row = CLIENTS["claude-code"]
    ended: list[int] = []
    with conversing(home, {TAUGHT: [Say("Noted.")] * 2}, hooked=False) as client:
        here = place(row, "user", client.environment(), home.project)

        def install(*server: str) -> None:
            wanted = Wanted(client=row, place=here, home=home.path, server=server)
            installing.install(wanted, installing.plan(wanted))

        def run() -> None:
            ended.extend(client.say(TAUGHT).code for _ in range(2))

        thread = threading.Thread(target=run)
        thread.start()
        while thread.is_alive():
            install("/bin/true", "-m", "tacit", "mcp")
            install()
        install("/bin/true", "-m", "tacit", "mcp")

    told = json.loads(here.servers.read_bytes())
    assert (ended, list(told["mcpServers"])) == ([0, 0], ["tacit"])
    assert {"machineID", "userID", "firstStartTime", "projects"} <= set(told)
    assert not here.servers.with_name(".claude.json.lock").exists()
