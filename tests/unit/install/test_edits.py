"""What installing changes in a client's files: ours stands once, and nothing else moves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tacit.install import edits, files
from tacit.install.clients import CLIENTS

CLIENT = CLIENTS["claude-code"]
LAUNCHER = Path("/home/ann/.claude/tacit-hook.py")
THEIRS = {"hooks": [{"type": "command", "command": "notify-send done"}]}
SETTINGS = json.dumps(
    {"model": "opus", "hooks": {"Stop": [THEIRS]}, "permissions": {"allow": ["Bash"]}}, indent=4
)
COMMAND = ["/usr/bin/python3", "-I", "/opt/tacit/__main__.py", "mcp", "--home", "/home/ann/t"]


def hooks(text: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = json.loads(text)["hooks"]
    return found


def test_every_hook_stands_once_beside_those_of_others() -> None:
    text = edits.with_hooks(SETTINGS, CLIENT, LAUNCHER)

    assert set(hooks(text)) == {hook.event for hook in CLIENT.hooks}
    assert hooks(text)["Stop"][0] == THEIRS
    assert [sum(map(edits.is_ours, each)) for each in hooks(text).values()] == [1] * len(
        CLIENT.hooks
    )


def test_doing_it_again_changes_nothing() -> None:
    text = edits.with_hooks(SETTINGS, CLIENT, LAUNCHER)

    assert edits.with_hooks(text, CLIENT, LAUNCHER) == text


def test_only_the_two_tool_events_run_beside_the_agent_and_the_end_has_time() -> None:
    found = hooks(edits.with_hooks(files.EMPTY, CLIENT, LAUNCHER))

    assert {event for event, each in found.items() if each[0]["hooks"][0].get("async")} == {
        "PostToolUse",
        "PostToolUseFailure",
    }
    assert found["SessionEnd"][0]["hooks"][0]["timeout"] == 10


def test_hooks_of_an_older_installation_are_replaced() -> None:
    old = edits.with_hooks(SETTINGS, CLIENT, Path("/gone/venv/tacit-hook.py"))
    doubled = old.replace("/gone/venv", "/gone/again")

    text = edits.with_hooks(doubled, CLIENT, LAUNCHER)

    assert "/gone" not in text
    assert sum(map(edits.is_ours, hooks(text)["Stop"])) == 1


def test_taking_them_out_leaves_what_was_there() -> None:
    text = edits.without_hooks(edits.with_hooks(SETTINGS, CLIENT, LAUNCHER))

    assert text == SETTINGS


MINE = json.dumps({"type": "command", "command": "notify-send done"})


def shared(place: int, indent: int | None) -> tuple[str, str]:
    """Return settings with a hook of the user's in our row, and the same without ours."""
    told = json.loads(edits.with_hooks("{}", CLIENT, LAUNCHER))
    told["hooks"]["Stop"][0]["hooks"].insert(place, json.loads(MINE))
    left = {"hooks": {"Stop": [{"hooks": [json.loads(MINE)]}]}}
    return json.dumps(told, indent=indent), json.dumps(left, indent=indent)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_hook_that_shares_our_row_stays_byte_for_byte_when_ours_goes(
    place: int, indent: int | None
) -> None:
    text, left = shared(place, indent)

    assert edits.without_hooks(text) == left


@pytest.mark.parametrize("place", [0, 1])
def test_a_row_that_is_shared_needs_no_repair(place: int) -> None:
    text, _ = shared(place, 2)

    assert edits.with_hooks(text, CLIENT, LAUNCHER) == text


def test_a_repair_leaves_a_hook_that_shares_our_row() -> None:
    text, _ = shared(1, 2)
    stale = text.replace(str(LAUNCHER), "/gone/tacit-hook.py")

    rows = hooks(edits.with_hooks(stale, CLIENT, LAUNCHER))["Stop"]

    assert rows[0] == {"hooks": [json.loads(MINE)]}
    assert [edits.is_ours(row) for row in rows] == [False, True]


def test_what_else_a_shared_row_says_is_its_owner_s() -> None:
    told = json.loads(shared(1, None)[0])
    told["hooks"]["Stop"][0] |= {"matcher": "x"}

    left = json.loads(edits.without_hooks(json.dumps(told)))

    assert left == {"hooks": {"Stop": [{"matcher": "x", "hooks": [json.loads(MINE)]}]}}


def test_what_held_nothing_but_ours_goes_with_it() -> None:
    text = edits.with_permission(edits.with_hooks("{}", CLIENT, LAUNCHER), CLIENT.permission)

    bare = edits.without_permission(edits.without_hooks(text), CLIENT.permission)

    assert json.loads(bare) == {}


def test_the_permission_stands_once_and_goes_again() -> None:
    text = edits.with_permission(SETTINGS, CLIENT.permission)

    assert edits.with_permission(text, CLIENT.permission) == text
    assert json.loads(text)["permissions"]["allow"] == ["Bash", "mcp__tacit"]
    assert edits.without_permission(text, CLIENT.permission) == SETTINGS


def test_the_server_is_put_among_others_and_goes_again() -> None:
    known = '{"mcpServers": {"other": {"command": "x"}}, "numStartups": 3}'

    text = edits.with_server(known, COMMAND)

    ours = json.loads(text)["mcpServers"]["tacit"]
    assert (ours["command"], ours["args"]) == (COMMAND[0], COMMAND[1:])
    assert (ours["alwaysLoad"], "env" in ours) == (True, False)
    assert edits.with_server(text, COMMAND) == text
    assert edits.without_server(text) == known


@pytest.mark.parametrize("text", ['{"hooks": []}', '{"hooks": {"Stop": {}}}', '{"hooks": 1}', "{}"])
def test_odd_settings_have_no_hook_of_ours(text: str) -> None:
    assert edits.without_hooks(text) == text


@pytest.mark.parametrize(
    ("registered", "is_ours"),
    [
        ({"hooks": [{"command": "/usr/bin/python3 -I /x/tacit-hook.py Stop"}]}, True),
        ({"hooks": [{"command": "/bin/sh", "args": ["-c", "x", "/x/tacit-hook.py"]}]}, True),
        ({"hooks": [{"command": "my-tacit-hook.py"}]}, False),
        ({"hooks": [{"command": "echo", "args": "tacit-hook.py"}]}, False),
        ({"hooks": ["tacit-hook.py"]}, False),
        ({"hooks": None}, False),
        ("tacit-hook.py", False),
    ],
)
def test_ours_is_known_by_its_launcher(registered: Any, is_ours: bool) -> None:  # noqa: FBT001
    assert edits.is_ours(registered) == is_ours


def test_a_hook_for_an_event_that_is_no_longer_asked_for_goes() -> None:
    text = edits.with_hooks(SETTINGS, CLIENT, LAUNCHER)
    old = json.loads(text)
    old["hooks"]["PostToolBatch"] = old["hooks"]["SessionEnd"]

    text = edits.with_hooks(json.dumps(old), CLIENT, LAUNCHER)

    assert set(hooks(text)) == {hook.event for hook in CLIENT.hooks}


def test_the_launchers_that_hooks_name_are_known() -> None:
    text = edits.with_hooks(SETTINGS, CLIENT, LAUNCHER)

    assert (edits.launchers(text), edits.launchers(SETTINGS)) == ({str(LAUNCHER)}, set())


EMPTY_PLACES = [
    {"hooks": {}},
    {"hooks": {"Stop": []}, "permissions": {}},
    {"permissions": {"allow": []}},
    {"mcpServers": {}, "model": "opus"},
    {"model": "opus"},
    {},
]


@pytest.mark.parametrize("before", EMPTY_PLACES)
def test_empty_places_that_were_there_before_us_stay_when_ours_is_taken_out(
    before: dict[str, Any],
) -> None:
    text = edits.with_hooks(json.dumps(before), CLIENT, LAUNCHER)
    text = edits.with_server(edits.with_permission(text, CLIENT.permission), COMMAND)
    rewritten = json.dumps(json.loads(text) | {"numStartups": 4})

    bare = edits.without_permission(edits.without_hooks(rewritten), CLIENT.permission)
    left = edits.with_holders(edits.without_server(bare), json.dumps(before))

    assert json.loads(left) == before | {"numStartups": 4}
