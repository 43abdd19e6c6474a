"""The intake: fields read from bytes, and what of a payload may be written."""

from __future__ import annotations

import json
import os
import posix
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.capture import intake, state
from tacit.capture.conf import Conf, escape

if TYPE_CHECKING:
    from rig import Home

NOTHING_EXCLUDED = Conf("")
TOLD = "Vq7-tulip-Lamp42"


def excluding(directory: str) -> Conf:
    return Conf(f"exclude\t{escape(directory)}\n")


def bash(command: str, cwd: str = "/work", **fields: Any) -> bytes:
    payload = {"cwd": cwd, "tool_name": "Bash", "tool_input": {"command": command}} | fields
    return json.dumps(payload, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"cwd":"/srv"}', "/srv"),
        (b'{"cwd" \t\r\n:\n "/srv"}', "/srv"),
        (b'{"a":"cwd","cwd":"/srv"}', "/srv"),
        (b'{"prompt":"say \\"cwd\\":\\"/fake\\"","cwd":"/srv"}', "/srv"),
        (b'{"cwd":7,"x":{"cwd":"/srv"}}', "/srv"),
        (b'{"cwd":"/first","x":{"cwd":"/second"}}', "/first"),
        (b'{"cwd":""}', ""),
        (b'{"cwd":"a \\"quoted\\" name"}', 'a "quoted" name'),
        (b'{"cwd":"ends with \\\\"}', "ends with \\"),
        (b'{"cwd":"\\u00e9\\/\\ud83d\\ude00"}', "é/😀"),
        (b'{"cwd":"caf\xc3\xa9"}', "café"),
        (b'{"cwd":"\xff"}', "\ufffd"),
        (b'{"cwd":"cut o', "cut o"),
        (b'{"cwd":"bad \\escape"}', ""),
        (b'{"cwd"', ""),
        (b'{"scwd":"/srv"}', ""),
        (b"", ""),
    ],
)
def test_a_field_is_the_first_string_under_its_name(raw: bytes, value: str) -> None:
    found = intake.field(raw, b"cwd")

    assert found == value


@given(value=st.text(max_size=500), as_ascii=st.booleans())
def test_a_field_is_read_however_json_spells_it(*, value: str, as_ascii: bool) -> None:
    raw = json.dumps({"n": 1, "cwd": value, "z": "cwd"}, ensure_ascii=as_ascii).encode()

    found = intake.field(raw, b"cwd")

    assert found == value


def test_an_event_has_the_directories_of_client_project_and_payload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(posix.environ, b"CLAUDE_PROJECT_DIR", b"/srv/shop/")

    found = intake.directories(b'{"cwd":"/srv/shop/api/../web"}')

    assert found == [str(Path.cwd()), "/srv/shop", "/srv/shop/web"]


def test_without_project_and_payload_the_client_s_directory_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(posix.environ, b"CLAUDE_PROJECT_DIR", raising=False)

    found = intake.directories(b"{}")

    assert found == [str(Path.cwd())]


@pytest.mark.parametrize(("told", "expected"), [(b"/srv/gone", "/srv/gone"), (b"", "/")])
def test_a_removed_directory_goes_by_the_name_that_the_shell_gave_it(
    told: bytes, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setitem(posix.environ, b"PWD", told)

    found = intake.directories(b"{}")

    assert found[0] == expected


def test_the_root_directory_keeps_its_slash() -> None:
    found = intake.directories(b'{"cwd":"/"}')

    assert found[-1] == "/"


@pytest.mark.parametrize("tool", ["mcp__tacit__search", "mcp__plugin_tacit_tacit__search"])
def test_our_own_tools_are_never_captured(tool: str, root: int) -> None:
    raw = bash("x", tool_name=tool)

    kept = intake.clean(raw, "PostToolUse", NOTHING_EXCLUDED, root)

    assert kept is None


def test_a_batch_with_our_own_tool_in_it_is_not_captured(root: int) -> None:
    calls = [{"tool_name": "Read"}, {"tool_name": "mcp__tacit__search", "tool_response": "ours"}]
    raw = json.dumps({"tool_calls": calls}).encode()

    kept = intake.clean(raw, "PostToolBatch", NOTHING_EXCLUDED, root)

    assert kept is None


@pytest.mark.parametrize("tool", ["mcp__tacitus__search", "Bash"])
def test_tools_of_others_are_captured_as_they_came(tool: str, root: int) -> None:
    raw = bash("ls", tool_name=tool)

    kept = intake.clean(raw, "PostToolUse", NOTHING_EXCLUDED, root)

    assert kept == raw


def test_a_prompt_that_speaks_of_our_tools_is_captured(root: int) -> None:
    raw = b'{"prompt":"what does \\"tool_name\\": \\"mcp__tacit__search\\" do?"}'

    kept = intake.clean(raw, "UserPromptSubmit", NOTHING_EXCLUDED, root)

    assert kept == raw


@pytest.mark.parametrize(
    "command",
    [
        "tacit search tea",
        "cd /srv && tacit status",
        "echo $(tacit status)",
        "ls;tacit status|head",
        "/usr/local/bin/tacit status",
        '"/opt/my tools/tacit" status',
        "python -m tacit status",
        "first\ntacit status",
    ],
)
def test_a_command_that_runs_tacit_is_kept_without_what_it_printed(command: str, root: int) -> None:
    raw = bash(command, tool_response={"stdout": "our own words"}, error="our own complaint")

    kept = intake.clean(raw, "PostToolUse", NOTHING_EXCLUDED, root)

    ours = "[tacit's own output]"
    assert json.loads(kept or b"null") == json.loads(raw) | {"tool_response": ours, "error": ours}


def test_a_command_that_is_about_to_run_tacit_is_kept_as_it_is(root: int) -> None:
    raw = bash("tacit status")

    kept = intake.clean(raw, "PreToolUse", NOTHING_EXCLUDED, root)

    assert json.loads(kept or b"null") == json.loads(raw)


@pytest.mark.parametrize("command", ["grep tacitly x", "ls /srv/tacit-notes", "cat tacit.md"])
def test_a_command_that_only_speaks_of_tacit_keeps_what_it_printed(command: str, root: int) -> None:
    raw = bash(command, tool_response={"stdout": "their words"})

    kept = intake.clean(raw, "PostToolUse", NOTHING_EXCLUDED, root)

    assert kept == raw


@pytest.mark.parametrize(
    "raw", [b'{"command":"tacit status","tool_response":', b'[{"command":"tacit status"}]']
)
def test_nothing_is_kept_of_a_command_of_ours_that_is_not_a_json_object(
    raw: bytes, root: int
) -> None:
    kept = intake.clean(raw, "PostToolUse", NOTHING_EXCLUDED, root)

    assert kept == b"{}"


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("cat /srv/private/notes", "/work"),
        ("cat /srv/private", "/work"),
        ("cat </srv/private/notes", "/work"),
        ("cd x\ncat /srv/private.", "/work"),
        ("cat private/notes", "/srv"),
        ("cat './private/notes'", "/srv"),
        ("cat srv/private/notes", "/"),
    ],
)
def test_a_tool_that_names_an_excluded_directory_is_not_captured(
    command: str, cwd: str, root: int
) -> None:
    raw = bash(command, cwd=cwd)

    kept = intake.clean(raw, "PostToolUse", excluding("/srv/private"), root)

    assert kept is None


@pytest.mark.parametrize("home_directory", [b"/srv/me", b"/srv/me/"])
def test_an_excluded_directory_is_known_by_its_tilde_too(
    home_directory: bytes, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(posix.environ, b"HOME", home_directory)
    raw = bash("cat ~/private/notes")

    kept = intake.clean(raw, "PostToolUse", excluding("/srv/me/private"), root)

    assert kept is None


@pytest.mark.parametrize(
    "raw",
    [
        b'{"file_path":"\\/srv\\/priv\\u00e9\\/x"}',
        b'{"file_path":"/srv/priv\\u00e9/x"}',
        '{"file_path":"/srv/privé/x"}'.encode(),
    ],
)
def test_an_excluded_directory_is_known_in_every_spelling_of_json(raw: bytes, root: int) -> None:
    kept = intake.clean(raw, "PreToolUse", excluding("/srv/privé"), root)

    assert kept is None


def test_an_excluded_directory_with_a_quote_in_its_name_is_known(root: int) -> None:
    raw = bash('cat "/srv/my \\"own/x"')

    kept = intake.clean(raw, "PreToolUse", excluding('/srv/my \\"own'), root)

    assert kept is None


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("cat /srv/privateer/notes", "/work"),
        ("cat /srv/private-notes", "/work"),
        ("cat /srv/private_2", "/work"),
        ("cat privateer/notes", "/srv"),
        ("cat very-private/notes", "/srv"),
        ("cat private/notes", "/work"),
    ],
)
def test_a_name_that_only_shares_a_beginning_is_captured(command: str, cwd: str, root: int) -> None:
    raw = bash(command, cwd=cwd)

    kept = intake.clean(raw, "PostToolUse", excluding("/srv/private"), root)

    assert kept == raw


def test_a_prompt_may_speak_of_an_excluded_directory(root: int) -> None:
    raw = b'{"prompt":"never look into /srv/private"}'

    kept = intake.clean(raw, "UserPromptSubmit", excluding("/srv/private"), root)

    assert kept == raw


def test_a_secret_is_taken_out_and_the_rest_is_kept(root: int) -> None:
    raw = json.dumps({"prompt": f"The staging password is {TOLD}, good luck."}).encode()

    kept = intake.redacted(raw, root)

    assert (TOLD.encode() in kept, b"good luck" in kept, b"[redacted:" in kept) == (
        False,
        True,
        True,
    )


def test_the_second_event_uses_the_patterns_that_the_first_one_kept(home: Home, root: int) -> None:
    raw = json.dumps({"prompt": f"The staging password is {TOLD}."}).encode()
    first = intake.redacted(raw, root)
    kept = (home.path / "patterns.bin").stat()

    second = intake.redacted(raw, root)

    assert (second, (home.path / "patterns.bin").stat()) == (first, kept)


def test_patterns_that_cannot_be_kept_do_not_hinder_redaction(home: Home, root: int) -> None:
    (home.path / "patterns.bin").mkdir()
    raw = json.dumps({"prompt": f"The staging password is {TOLD}."}).encode()

    kept = intake.redacted(raw, root)

    assert TOLD.encode() not in kept


def test_an_envelope_has_ids_size_and_a_keyed_digest(root: int) -> None:
    raw = b'{"session_id":"s-1","prompt_id":"p.2","tool_name":"Bash","tool_use_id":"toolu_3"'

    kept = json.loads(intake.envelope(raw, "late", root))

    digest = blake2b(raw, key=intake.key(root), digest_size=16).hexdigest()
    dropped = {"reason": "late", "bytes": len(raw), "digest": digest}
    ids = {"session_id": "s-1", "prompt_id": "p.2", "tool_name": "Bash", "tool_use_id": "toolu_3"}
    assert kept == ids | {"tacit_dropped": dropped}


def test_an_envelope_holds_nothing_else_of_the_payload(root: int) -> None:
    raw = b'{"session_id":"he said \\"hush\\"","agent_id":"hush hush","prompt":"hush","cwd":"hush"}'

    kept = intake.envelope(raw, "large", root)

    assert (b"hush" in kept, list(json.loads(kept))) == (False, ["tacit_dropped"])


def test_the_key_is_made_once(root: int) -> None:
    first = intake.key(root)

    second = intake.key(root)

    assert (len(first), second) == (32, first)


def test_the_key_is_for_its_owner_alone(home: Home, root: int) -> None:
    os.umask(0)

    intake.key(root)

    assert (home.path / "redaction.key").stat().st_mode & 0o777 == 0o600


def test_a_key_that_is_cut_off_is_made_anew(root: int) -> None:
    state.replace(root, "redaction.key", b"short")

    made = intake.key(root)

    assert (len(made), intake.key(root)) == (32, made)


def test_homes_have_different_keys(root: int, tmp_path: Path) -> None:
    other = state.open_home(str(tmp_path / "other"))

    keys = {intake.key(root), intake.key(other)}
    os.close(other)

    assert len(keys) == 2
