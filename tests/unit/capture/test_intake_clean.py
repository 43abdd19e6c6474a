"""The intake of tool events: nothing of our own tools, nothing of an excluded directory."""

from __future__ import annotations

import json
import posix
from typing import Any

import pytest

from tacit.capture import intake
from tacit.capture.conf import Conf, escape

NOTHING_EXCLUDED = Conf("")
TOLD = "Vq7-tulip-Lamp42"


def excluding(directory: str) -> Conf:
    return Conf(f"exclude\t{escape(directory)}\n")


def bash(command: str, cwd: str = "/opt", **fields: Any) -> bytes:
    payload = {"cwd": cwd, "tool_name": "Bash", "tool_input": {"command": command}} | fields
    return json.dumps(payload, ensure_ascii=False).encode()


def clean(raw: bytes, root: int, conf: Conf = NOTHING_EXCLUDED) -> bytes | None:
    return intake.clean(raw, conf, intake.directories(raw), root)


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PermissionRequest", "Newer"])
def test_our_own_tool_is_never_captured_whatever_the_event(event: str, root: int) -> None:
    raw = bash("x", hook_event_name=event, tool_name="mcp__tacit__search")

    kept = clean(raw, root)

    assert kept is None


def test_our_own_tool_is_left_out_of_a_batch(root: int) -> None:
    theirs = {"tool_name": "Read", "tool_response": "their words"}
    ours = {"tool_name": "mcp__tacit__search", "tool_response": "our words"}
    raw = json.dumps({"session_id": "s-1", "tool_calls": [theirs, ours]}).encode()

    kept = clean(raw, root)

    assert json.loads(kept or b"null") == {"session_id": "s-1", "tool_calls": [theirs]}


@pytest.mark.parametrize("tool", ["mcp__tacitus__search", "Bash"])
def test_tools_of_others_are_captured_as_they_came(tool: str, root: int) -> None:
    raw = bash("ls  tacit", tool_name=tool)

    kept = clean(raw, root)

    assert kept == raw


def test_a_prompt_that_speaks_of_our_tools_is_captured(root: int) -> None:
    raw = b'{"prompt":"what does \\"tool_name\\": \\"mcp__tacit__search\\" do?"}'

    kept = clean(raw, root)

    assert kept == raw


@pytest.mark.parametrize("before", ["", "echo " + "x" * 9_000 + "; "], ids=["short", "over 8 KB"])
def test_a_command_that_runs_tacit_is_kept_without_what_it_printed(before: str, root: int) -> None:
    raw = bash(f"{before}tacit status", tool_response={"stdout": "our words"}, error="our words")

    kept = clean(raw, root)

    ours = "[tacit's own output]"
    assert json.loads(kept or b"null") == json.loads(raw) | {"tool_response": ours, "error": ours}


def test_a_command_that_runs_tacit_is_kept_without_what_it_printed_in_a_batch_too(
    root: int,
) -> None:
    call = json.loads(bash("tacit status", tool_response="our words"))
    raw = json.dumps({"tool_calls": [call]}).encode()

    kept = clean(raw, root)

    expected = {"tool_calls": [call | {"tool_response": "[tacit's own output]"}]}
    assert json.loads(kept or b"null") == expected


def test_a_command_that_is_about_to_run_tacit_is_kept_as_it_is(root: int) -> None:
    raw = bash("tacit status")

    kept = clean(raw, root)

    assert kept == raw


@pytest.mark.parametrize("command", ["grep tacitly x", "ls /srv/tacit", "cat tacit.md"])
def test_a_command_that_only_speaks_of_tacit_keeps_what_it_printed(command: str, root: int) -> None:
    raw = bash(command, tool_response={"stdout": "their words"})

    kept = clean(raw, root)

    assert kept == raw


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("cat /srv/private/notes", "/opt"),
        ("cat private/notes", "/srv"),
        ("cat ../private/x", "/srv/shop"),
        ("ls\ncat private/x", "/srv"),
        ("cat\tprivate/x", "/srv"),
        ("cat /srv//private/x", "/opt"),
        ("cat /srv/./private/x", "/opt"),
        ("cd /srv && cat private/x", "/opt"),
    ],
)
def test_a_tool_that_names_an_excluded_directory_is_not_captured(
    command: str, cwd: str, root: int
) -> None:
    raw = bash(command, cwd=cwd)

    kept = clean(raw, root, excluding("/srv/private"))

    assert kept is None


@pytest.mark.parametrize(
    ("directories", "is_kept"), [(["/srv", "/opt", "/opt"], True), (["/opt", "/srv"], False)]
)
def test_a_relative_name_is_seen_from_the_directory_of_the_payload(
    *, directories: list[str], is_kept: bool, root: int
) -> None:
    raw = b'{"tool_input":{"file_path":"private/notes"}}'

    kept = intake.clean(raw, excluding("/srv/private"), directories, root)

    assert (kept == raw) is is_kept


@pytest.mark.parametrize("event", ["PermissionRequest", "PostToolBatch", "Newer"])
def test_any_event_with_fields_of_tools_is_looked_through(event: str, root: int) -> None:
    call = {"tool_name": "Read", "tool_input": {"file_path": "/srv/private/x"}}
    raw = json.dumps({"hook_event_name": event, "tool_calls": [call]}).encode()

    kept = clean(raw, root, excluding("/srv/private"))

    assert kept is None


@pytest.mark.parametrize("home_directory", [b"/srv/me", b"/srv/me/"])
@pytest.mark.parametrize("named", ["~/private/notes", "$HOME/private/notes"])
def test_an_excluded_directory_is_known_from_the_user_s_home(
    named: str, home_directory: bytes, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(posix.environ, b"HOME", home_directory)
    raw = bash(f"cat {named}")

    kept = clean(raw, root, excluding("/srv/me/private"))

    assert kept is None


@pytest.mark.parametrize(
    "path",
    [
        b"\\/srv\\/priv\\u00e9\\/x",
        b"/srv/priv\\u00e9/x",
        b"/srv/priv\\u00E9/x",
        "/srv/privé/x".encode(),
    ],
)
def test_an_excluded_directory_is_known_in_every_spelling_of_json(path: bytes, root: int) -> None:
    raw = b'{"tool_input":{"file_path":"' + path + b'"}}'

    kept = clean(raw, root, excluding("/srv/privé"))

    assert kept is None


@pytest.mark.parametrize("as_ascii", [True, False])
@pytest.mark.parametrize("name", ['my \\"own', 'é "own"', "größe's"])
def test_an_excluded_directory_with_quotes_in_its_name_is_known(
    *, name: str, as_ascii: bool, root: int
) -> None:
    payload = {"tool_input": {"command": f"cat /srv/{name}/x"}}
    raw = json.dumps(payload, ensure_ascii=as_ascii).encode()

    kept = clean(raw, root, excluding(f"/srv/{name}"))

    assert kept is None


@pytest.mark.parametrize("tail", [b"", b"}} more", b"\xff"])
def test_an_excluded_directory_is_known_in_what_is_not_json(tail: bytes, root: int) -> None:
    raw = b'{"tool_input":{"file_path":"/srv/private/x"' + tail

    kept = clean(raw, root, excluding("/srv/private"))

    assert kept is None


def test_another_directory_is_captured_as_it_came(root: int) -> None:
    raw = bash("cat  /srv/privateer/notes")

    kept = clean(raw, root, excluding("/srv/private"))

    assert kept == raw


def test_a_prompt_may_speak_of_an_excluded_directory(root: int) -> None:
    raw = b'{"prompt":"never look into /srv/private"}'

    kept = clean(raw, root, excluding("/srv/private"))

    assert kept == raw


def test_what_is_left_of_a_tool_event_is_redacted(root: int) -> None:
    raw = bash(f"MY_PASSWORD={TOLD} tacit status", tool_response="our words")

    kept = clean(raw, root) or b""

    assert (TOLD.encode() in kept, b"our words" in kept, b"[redacted:" in kept) == (
        False,
        False,
        True,
    )
