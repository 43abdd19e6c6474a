"""Tacit as a plugin of the real client: loaded, bought from its own shelf, and beside the settings.

The plugin is written by `tacit install --plugin` alone. What the first session is told the second
one knows, once; the agent may search under the rule that the plugin names; and where the settings
have our hooks as well, everything is still recorded once and told once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from realclient.api import Say, Use, bash
from realclient.client import conversing
from realclient.reading import ask, kept, told
from rig import Home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from realclient.api import Request, Script
    from realclient.client import Client, Ended

TAUGHT = "Remember that the staging database listens on port 5433."
NEXT = "Which port has the staging database?"
FACT = "- [fact] The staging database listens on port 5433 (0d ago)"
RULE = "mcp__plugin_tacit_tacit"
SEARCH = f"{RULE}__search_memory"
TOOLS = {SEARCH, f"{RULE}__read_memory", f"{RULE}__recent_sessions"}
FIRST = ["start", "prompt", "tool_use Bash", "reply", "end"]
SECOND = ["start", "prompt", "reply", "end"]
SCRIPT: Script = {
    TAUGHT: [bash("echo noted"), Say("Noted.")],
    NEXT: [Use(SEARCH, {"query": "staging database port"}), Say("It is 5433.")],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Two sessions: the client, and how they ended."""

    client: Client
    first: Ended
    second: Ended


def sessions(client: Client, *options: str) -> Course:
    first = client.say(TAUGHT, *options)
    ask(client.home, "list")  # whoever reads takes in what waits
    second = client.say(NEXT, *options)
    ask(client.home, "list")
    return Course(client=client, first=first, second=second)


def written(client: Client) -> Path:
    directory = client.home.scratch / "my plugin"
    client.tacit("install", "--plugin", str(directory), "--yes")
    return directory


def allow(client: Client) -> None:
    """Put the rule that the plugin names into the user's settings."""
    file = client.config / "settings.json"
    settings = json.loads(file.read_bytes())
    settings["permissions"]["allow"].append(RULE)
    file.write_text(json.dumps(settings), encoding="utf-8")


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    """Return two sessions with the plugin's directory said to each."""
    with conversing(Home(tmp_path_factory.mktemp("loaded")), SCRIPT, hooked=False) as client:
        plugin = written(client)
        yield sessions(client, "--plugin-dir", str(plugin), "--allowedTools", RULE, "Bash")
        client.tacit("uninstall", "--plugin", str(plugin))


@pytest.fixture(scope="module")
def bought(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    """Return two sessions of a client that has the plugin from its own marketplace."""
    with conversing(Home(tmp_path_factory.mktemp("bought")), SCRIPT, hooked=False) as client:
        plugin = written(client)
        client.call("plugin", "marketplace", "add", str(plugin))
        client.call("plugin", "install", "tacit@tacit")
        allow(client)
        yield sessions(client)
        client.tacit("uninstall", "--plugin", str(plugin))


@pytest.fixture(scope="module")
def doubled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    """Return two sessions of a client that has our hooks in its settings and in a plugin."""
    with conversing(Home(tmp_path_factory.mktemp("doubled")), SCRIPT, hooked=False) as client:
        plugin = written(client)
        client.tacit("install", "--yes", "--profile", "none")
        allow(client)
        yield sessions(client, "--plugin-dir", str(plugin))
        client.tacit("uninstall")
        client.tacit("uninstall", "--plugin", str(plugin))


@pytest.fixture(params=["loaded", "bought", "doubled"])
def course(request: pytest.FixtureRequest) -> Course:
    """Return each of the ways to have a plugin."""
    found: Course = request.getfixturevalue(request.param)
    return found


def asked(course: Course, prompt: str) -> list[Request]:
    return [each for each in course.client.api.requests if prompt in each.user_text()]


def test_the_client_itself_finds_the_plugin_valid(home: Home) -> None:
    with conversing(home, {}, hooked=False) as client:
        plugin = written(client)

        said = client.call("plugin", "validate", "--profile", "directory", str(plugin))

    assert "Validation passed" in said


def test_without_the_reader_it_is_valid_as_well(home: Home) -> None:
    with conversing(home, {}, hooked=False) as client:
        plugin = written(client)
        client.tacit("install", "--plugin", str(plugin), "--yes", "--profile", "none")

        said = client.call("plugin", "validate", "--profile", "directory", str(plugin))

    assert "Validation passed" in said


def test_each_event_is_recorded_once(course: Course) -> None:
    home = course.client.home

    found = [told(kept(home, each.session)) for each in (course.first, course.second)]

    assert found == [FIRST, SECOND]


def test_the_second_session_is_told_once_what_the_first_one_taught(course: Course) -> None:
    first, *_ = asked(course, NEXT)

    assert (course.first.code, course.second.code) == (0, 0)
    assert sum(text.count(FACT) for text in first.texts()) == 1


def test_the_agent_searches_under_the_rule_that_the_plugin_names(course: Course) -> None:
    *_, last = asked(course, NEXT)

    offered = {tool["name"] for tool in last.body["tools"] if "tacit" in tool["name"]}
    assert offered == TOOLS
    assert course.second.told.get("permission_denials", []) == []
    assert any("mem-" in text and "port 5433" in text for text in last.texts())


def checked(client: Client, code: int = 0) -> list[tuple[bool, str | None]]:
    """Return what the doctor says of the client: whether each thing is fine, and what mends it."""
    found = json.loads(client.tacit("doctor", "--json", code=code))
    return [(each["is_fine"], each["fix"]) for each in found if each["name"] == "claude-code"]


def test_the_doctor_s_command_mends_a_client_that_has_us_twice(home: Home) -> None:
    with conversing(home, {}, hooked=False) as client:
        plugin = written(client)
        client.call("plugin", "marketplace", "add", str(plugin))
        client.call("plugin", "install", "tacit@tacit")
        allow(client)
        alone = checked(client)
        client.tacit("install", "--yes")

        ((_, fix),) = [each for each in checked(client, code=1) if not each[0]]
        client.call(*str(fix).split()[1:])

        mended = checked(client)

    assert (alone, fix) == ([(True, None)], "claude plugin uninstall tacit")
    assert mended == [(True, None)]
