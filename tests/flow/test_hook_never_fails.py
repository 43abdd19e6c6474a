"""The hook always exits 0, prints nothing but an answer, and returns within its deadline."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig import DEADLINE, Home
from tacit.capture import hook
from tacit.capture.spool import Spool

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = {
    "bad UTF-8": b'{"prompt":"\xff\xfe\xc0\xaf"}',
    "a NUL": b'{"prompt":"a\x00b"}',
    "a lone surrogate": b'{"prompt":"my password is hunter22 \\ud800"}',
    "nothing but a brace": b"{",
    "not JSON": b"password=hunter22 and then some",
    "a bare string": b'"token"',
    "nested a thousand deep": b'{"password":' * 1000 + b"1" + b"}" * 1000,
    "nested a hundred thousand deep": b"[" * 100_000,
    "a number of 10,000 digits": b'{"password":' + b"9" * 10_000 + b"}",
    "UTF-16": '{"password":"hunter22"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"password":"hunter22"}',
    "keys twice": b'{"password":"hunter22","password":"hunter33"}',
    "a terminal sequence": b'{"prompt":"\\u001b[31mpassword\\u001b[0m: hunter22"}',
    "10 MB": b'{"prompt":"' + b"all is well " * 850_000 + b'"}',
    "10 MB of keywords": b'{"prompt":"' + b"password: " * 1_000_000 + b'"}',
    "40 MB": b'{"prompt":"' + b"x" * 40_000_000 + b'"}',
}


@pytest.mark.parametrize("stdin", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_is_recorded_in_silence(home: Home, stdin: bytes) -> None:
    ran = home.hook("UserPromptSubmit", stdin)

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    assert len(home.entries) == 1
    assert ran.seconds < DEADLINE
    assert b"hunter22" not in home.bytes_on_disk()


def test_nothing_on_stdin_is_told_in_the_log_only(home: Home) -> None:
    ran = home.hook("Stop", b"")

    assert (ran.code, ran.out, ran.err, home.entries) == (0, b"", b"", [])
    assert len(home.log) == 1
    assert home.log[0].endswith("Stop EmptyError")


@pytest.mark.parametrize("arguments", [[], ["../../etc/x"], ["Stop", "a b"], ["é"], ["x" * 999]])
def test_odd_arguments_become_plain_words(home: Home, arguments: list[str]) -> None:
    command = [*home.command("x")[:-1], *arguments]

    subprocess.run(command, input=b'{"a":1}', check=True, cwd=home.project)

    entry = home.entries[0]
    assert entry.event in {"unknown", "Stop"}
    assert entry.client == "claude-code"


def test_a_client_that_never_closes_stdin_costs_an_envelope_and_the_soft_deadline(
    home: Home,
) -> None:
    started = time.monotonic()
    with subprocess.Popen(
        home.command("Stop"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=home.project
    ) as process:
        assert process.stdin is not None
        process.stdin.write(home.payload("Stop", last_assistant_message="the secret part"))
        process.stdin.flush()
        code = process.wait(timeout=20)

    assert code == 0
    assert time.monotonic() - started < DEADLINE
    assert json.loads(home.entries[0].payload)["tacit_dropped"]["reason"] == "slow"
    assert b"secret part" not in home.bytes_on_disk()
    assert "DroppedError" in home.log[0]


def test_a_payload_that_takes_too_long_to_clean_leaves_its_envelope(home: Home) -> None:
    slow = b'{"session_id":"s-1","prompt":"' + b"password: k3Jd8sPq0z token=" * 400_000 + b'"}'

    ran = home.hook("UserPromptSubmit", slow)

    kept = json.loads(home.entries[0].payload)
    assert ran.code == 0
    assert ran.seconds < DEADLINE
    assert kept["session_id"] == "s-1"
    assert kept["tacit_dropped"]["reason"] == "late"
    assert b"k3Jd8sPq0z" not in home.bytes_on_disk()


def test_a_missing_home_is_made(home: Home) -> None:
    assert not home.path.exists()

    home.hook("Stop", {})

    assert home.path.stat().st_mode & 0o777 == 0o700
    assert len(home.entries) == 1


def test_a_home_that_is_a_file_is_left_alone(home: Home) -> None:
    home.path.write_text("mine", encoding="utf-8")

    ran = home.hook("Stop", {})

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    assert home.path.read_text(encoding="utf-8") == "mine"


def test_a_home_that_belongs_to_somebody_else_is_refused(home: Home) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a directory away")
    home.path.mkdir(mode=0o700)
    os.chown(home.path, 65534, 65534)

    ran = home.hook("Stop", {})

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    assert list(home.path.iterdir()) == []


def test_a_read_only_home_is_survived(home: Home) -> None:
    home.hook("Stop", {})
    if os.geteuid() == 0:
        prefix = ["unshare", "--mount", "sh", "-c"]
        script = f'mount --bind -o ro "{home.path}" "{home.path}" && exec "$@"'
        command = [*prefix, script, "sh", *home.command("Stop")]
    else:
        home.path.joinpath("spool", "tmp").chmod(0o500)
        command = home.command("Stop")

    ran = subprocess.run(command, input=b'{"a":1}', capture_output=True, check=False)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert len(home.entries) == 1


def _no_space() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


def test_a_full_disk_is_survived_and_leaves_no_half_event(home: Home) -> None:
    home.hook("Stop", {})

    ran = home.hook("Stop", {"last_assistant_message": "x" * 500}, preexec_fn=_no_space)

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    assert len(home.entries) == 1
    assert list((home.path / "spool" / "tmp").iterdir()) == []


def test_a_disk_that_is_full_from_the_beginning_is_survived(home: Home) -> None:
    ran = home.hook("Stop", {"last_assistant_message": "x" * 500}, preexec_fn=_no_space)

    assert (ran.code, ran.out, ran.err, home.entries) == (0, b"", b"", [])


def test_a_closed_stdout_is_survived(home: Home) -> None:
    _with_brief(home, b"You know this.")

    read_end, write_end = os.pipe()
    os.close(read_end)
    ran = subprocess.run(
        home.command("SessionStart"), input=b'{"a":1}', stdout=write_end, check=False
    )
    os.close(write_end)

    assert ran.returncode == 0
    assert len(home.entries) == 1


def test_a_directory_that_is_gone_is_survived(home: Home) -> None:
    gone = home.scratch / "gone"
    gone.mkdir()
    script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'

    ran = subprocess.run(
        ["sh", "-c", script, "sh", str(gone), *home.command("Stop")],
        input=home.payload("Stop"),
        capture_output=True,
        check=False,
    )

    assert (ran.returncode, ran.stdout) == (0, b"")
    assert len(home.entries) == 1


def test_an_interrupt_is_not_an_error(home: Home) -> None:
    with subprocess.Popen(
        home.command("Stop"), stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(0.3)
        process.send_signal(2)
        _, err = process.communicate(timeout=20)

    assert (process.returncode, err) == (0, b"")


_TEXT = st.text(max_size=200) | st.sampled_from(
    ["password: hunter22!", "AKIAQ3EGRZ7TLJ5WNMDV", "\x00", "\ud800", "<private>", "\\u0041", '"}']
)
_VALUE = st.recursive(
    _TEXT | st.integers() | st.floats() | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)
_JSON = st.dictionaries(_TEXT, _VALUE, max_size=6).map(
    lambda value: json.dumps(value).encode("utf-8", "replace")
)
_HOSTILE = st.binary(max_size=2000) | _JSON | st.tuples(_JSON, st.binary(max_size=9)).map(b"".join)


def _prepare(home: Path, payloads: list[bytes]) -> None:
    for payload in payloads:
        prepared = hook.prepare(payload or b"-", 1, "", "PostToolUse", str(home))
        assert prepared is not None
        root, _, _, cleaned = prepared
        spool = Spool(root)
        name = spool.publish(cleaned, event="Stop", received_ns=1, client="test")
        assert spool.read(name).endswith(cleaned)
        spool.remove(name)
        spool.close()
        os.close(root)


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_HOSTILE, min_size=20, max_size=20))
def test_ten_thousand_hostile_payloads_are_published_whole(
    home: Home, payloads: list[bytes]
) -> None:
    _prepare(home.path, payloads)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(_HOSTILE)
def test_two_hundred_hostile_payloads_pass_through_the_process(home: Home, payload: bytes) -> None:
    ran = home.hook("PostToolUse", payload)

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")


def _with_brief(home: Home, text: bytes) -> None:
    home.hook("Stop", {})
    for file in home.spooled:
        file.unlink()
    home.configure("brief\tmain\tbrief\t*\n", brief=text.decode("utf-8", "surrogateescape"))


def test_this_interpreter_is_the_one_that_is_installed(home: Home) -> None:
    assert home.program("Stop")[:3] == [sys.executable, "-I", "-S"]
