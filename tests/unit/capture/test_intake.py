"""The intake: fields read from bytes, secrets taken out, and the envelope of what was dropped."""

from __future__ import annotations

import json
import posix
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.capture import intake

if TYPE_CHECKING:
    from rig import Home

TOLD = "Vq7-tulip-Lamp42"


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


def test_a_hidden_environment_is_known_to_the_hook_and_to_no_library() -> None:
    code = (
        "import posix; from tacit.capture import intake; intake.hide_environment()\n"
        "posix.write(1, intake.variable('SHOWN').encode())\n"
        "posix.execv('/usr/bin/env', ['env'])\n"  # sees what any library would
    )
    environment = {"SHOWN": "here", "OPENSSL_CONF": "/evil", "": "nameless"}

    ended = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True
    )

    assert (ended.stdout, ended.stderr) == (b"here=nameless\n", b"")  # for which nobody can ask


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

    found = (home.path / "patterns.bin").stat()
    assert (second, found.st_ino, found.st_mtime_ns) == (first, kept.st_ino, kept.st_mtime_ns)


def test_patterns_that_cannot_be_kept_do_not_hinder_redaction(home: Home, root: int) -> None:
    (home.path / "patterns.bin").mkdir()
    raw = json.dumps({"prompt": f"The staging password is {TOLD}."}).encode()

    kept = intake.redacted(raw, root)

    assert TOLD.encode() not in kept


def test_an_envelope_has_ids_size_and_a_keyed_digest(root: int) -> None:
    raw = b'{"session_id":"s-1","prompt_id":"p.2","tool_name":"Bash","tool_use_id":"toolu_3"'

    kept = json.loads(intake.envelope(raw, "late", len(raw), root))

    digest = blake2b(raw, key=intake.key(root), digest_size=16).hexdigest()
    dropped = {"reason": "late", "bytes": len(raw), "digest": digest}
    ids = {"session_id": "s-1", "prompt_id": "p.2", "tool_name": "Bash", "tool_use_id": "toolu_3"}
    assert kept == ids | {"tacit_dropped": dropped}


def test_an_envelope_holds_nothing_else_of_the_payload(root: int) -> None:
    raw = b'{"session_id":"he said \\"hush\\"","agent_id":"hush hush","prompt":"hush","cwd":"hush"}'

    kept = intake.envelope(raw, "large", len(raw), root)

    assert (b"hush" in kept, list(json.loads(kept))) == (False, ["tacit_dropped"])


def test_an_envelope_tells_the_size_that_was_sent(root: int) -> None:
    raw = b'{"session_id":"s-1"'

    kept = json.loads(intake.envelope(raw, "large", 40_000_000, root))

    assert kept["tacit_dropped"]["bytes"] == 40_000_000


def test_numbers_are_kept_where_the_owner_wants_that(root: int) -> None:
    raw = b'{"prompt":"pay with 4539148803436467"}'

    assert b"4539" not in intake.redacted(raw, root)
    assert intake.redacted(raw, root, keeps_numbers=True) == raw
