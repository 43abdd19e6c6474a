"""The hook: what of a payload is to be published, and where; the process is in tests/flow."""

from __future__ import annotations

import json
import os
import posix
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from rig import only_linux
from tacit.capture import hook, spool
from tacit.compose import open_app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home

SWITCHES = (b"TACIT_OFF", b"TACIT_INTERNAL", b"CLAUDE_PROJECT_DIR")
SLOW = b'{"session_id":"s-1","prompt":"' + b"password: k3Jd8sPq0z token=" * 50_000 + b'"}'


@pytest.fixture(autouse=True)
def _plain_environment(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch nothing off, and stand in the project."""
    for name in SWITCHES:
        monkeypatch.delitem(posix.environ, name, raising=False)
    monkeypatch.chdir(home.project)


def prepare(home: Home, raw: bytes, size: int = 0, trouble: str = "") -> bytes | None:
    """Return the payload that is to be published; let the home go again."""
    prepared = hook.prepare(raw, size or len(raw), trouble, "Stop", str(home.path))
    if prepared is None:
        return None
    os.close(prepared[0])
    return prepared[3]


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Let the soft deadline pass so many seconds from now."""

    def late(*_: object) -> None:
        raise hook.LateError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def exclude(home: Home, directory: Path) -> None:
    home.path.mkdir(exist_ok=True)
    text = f'[capture]\nexclude = ["{directory}"]'
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def test_a_plain_payload_is_published_as_it_came_from_where_the_client_stands(home: Home) -> None:
    raw = b'{ "cwd": "/srv/shop",  "prompt": "hello" }'

    prepared = hook.prepare(raw, len(raw), "", "UserPromptSubmit", str(home.path))

    assert prepared is not None
    root, conf, directory, payload = prepared
    os.close(root)
    assert (conf.excluded, directory, payload) == ([], str(home.project), raw)


def test_the_home_that_is_given_back_is_open(home: Home) -> None:
    prepared = hook.prepare(b"{}", 2, "", "Stop", str(home.path))

    assert prepared is not None
    opened = os.fstat(prepared[0])
    os.close(prepared[0])
    assert os.path.samestat(opened, home.path.stat())


@pytest.mark.parametrize(
    ("name", "value"), [(b"TACIT_OFF", b"1"), (b"TACIT_OFF", b"yes"), (b"TACIT_INTERNAL", b"1")]
)
def test_switched_off_nothing_is_published_and_no_home_is_made(
    name: bytes, value: bytes, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(posix.environ, name, value)

    published = prepare(home, b"{}")

    assert (published, home.path.exists()) == (None, False)


@pytest.mark.parametrize("value", [b"", b"0"])
def test_a_switch_that_is_not_set_switches_nothing_off(
    value: bytes, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(posix.environ, b"TACIT_OFF", value)

    published = prepare(home, b"{}")

    assert published == b"{}"


def test_nothing_on_stdin_is_an_error_of_its_own(home: Home) -> None:
    with pytest.raises(hook.EmptyError):
        prepare(home, b"")


def test_paused_nothing_is_published(home: Home) -> None:
    open_app(str(home.path)).pause(str(home.project))

    published = prepare(home, b"{}")

    assert published is None


def test_a_tool_that_touches_what_is_excluded_is_not_published(home: Home) -> None:
    exclude(home, home.scratch / "diary")

    published = prepare(home, b'{"tool_input":{"file_path":"../diary/x"}}')

    assert published is None


@pytest.mark.parametrize("trouble", ["large", "slow"])
def test_a_payload_that_did_not_come_whole_leaves_its_envelope(trouble: str, home: Home) -> None:
    raw = b'{"session_id":"s-1","prompt":"cut o'

    published = json.loads(prepare(home, raw, 40_000_000, trouble) or b"null")

    dropped = published.pop("tacit_dropped")
    told = (published, dropped["reason"], dropped["bytes"])
    assert told == ({"session_id": "s-1"}, trouble, 40_000_000)


def test_a_dropped_payload_is_told_in_the_log(home: Home) -> None:
    prepare(home, b'{"prompt":"cut o', 40_000_000, "large")

    told = [line.partition(" ")[2] for line in home.log]
    assert told == ["Stop DroppedError: large, 40000000 bytes"]


def test_a_payload_that_takes_too_long_leaves_its_envelope(home: Home) -> None:
    with deadline(0.1):
        published = json.loads(prepare(home, SLOW) or b"null")

    dropped = published.pop("tacit_dropped")
    told = (published, dropped["reason"], dropped["bytes"])
    assert told == ({"session_id": "s-1"}, "late", len(SLOW))


def test_an_answer_is_what_the_client_reads() -> None:
    answer = hook.rendered("SessionStart", rb"two\nlines, \"quoted\"")

    assert json.loads(answer) == {
        "continue": True,
        "suppressOutput": True,
        "hookSpecificOutput": {
            "hookEventName": "SessionStart",
            "additionalContext": 'two\nlines, "quoted"',
        },
    }


def test_a_notice_is_for_the_person_and_stands_alone_where_nothing_is_told() -> None:
    both = json.loads(hook.rendered("SessionStart", b"Words", b"Look"))
    alone = json.loads(hook.rendered("SessionStart", b"", b"Look"))

    assert both["hookSpecificOutput"]["additionalContext"] == "Words"
    assert both["systemMessage"] == "Look"
    assert alone == {"continue": True, "suppressOutput": True, "systemMessage": "Look"}


def test_nothing_to_tell_is_no_answer() -> None:
    assert hook.rendered("SessionStart", b"") == b""


@pytest.mark.parametrize("chosen", ["{home}", "{home}/", "~/home", "~/home/", "../home"])
def test_the_home_may_be_chosen_in_any_spelling(chosen: str, home: Home) -> None:
    variables = {"HOME": str(home.scratch), "TACIT_HOME": chosen.format(home=home.path)}

    home.hook("Stop", {}, env=variables)

    assert (len(home.entries), list(home.project.iterdir())) == (1, [])


@pytest.mark.parametrize("ending", ["", "/", "/."])
def test_a_home_that_is_a_link_stays_refused_in_any_spelling(ending: str, home: Home) -> None:
    home.path.symlink_to(home.project)

    ran = home.hook("Stop", {}, env=home.environment(TACIT_HOME=f"{home.path}{ending}"))

    assert (ran.code, ran.out, ran.err, list(home.project.iterdir())) == (0, b"", b"", [])


def test_the_envelope_of_a_large_payload_tells_the_size_that_was_sent(home: Home) -> None:
    raw = b'{"prompt":"' + b"x" * (hook.LARGEST + (5 << 20)) + b'"}'

    home.hook("UserPromptSubmit", raw)

    dropped = json.loads(home.entries[0].payload)["tacit_dropped"]
    assert (dropped["reason"], dropped["bytes"]) == ("large", len(raw))


@pytest.mark.parametrize("event", ["PermissionRequest", "PostToolBatch", "NewerEvent"])
def test_the_process_looks_through_any_event_with_fields_of_tools(event: str, home: Home) -> None:
    exclude(home, home.scratch / "diary")
    call: dict[str, Any] = {"tool_name": "Read", "tool_input": {"file_path": "../diary/x"}}

    home.hook(event, call | {"tool_calls": [call]})

    assert home.entries == []


def test_the_process_leaves_our_own_words_out_of_a_batch(home: Home) -> None:
    ours = {"tool_name": "mcp__tacit__search", "tool_response": "our words"}
    command = {"tool_name": "Bash", "tool_input": {"command": "tacit status"}}

    home.hook("PostToolBatch", {"tool_calls": [ours, command | {"tool_response": "our words"}]})

    calls = json.loads(home.entries[0].payload)["tool_calls"]
    assert calls == [command | {"tool_response": "[tacit's own output]"}]


def test_a_process_whose_age_makes_no_sense_is_dated_by_the_clock() -> None:
    for now_ns in (0, 1 << 61):  # before it began, and long after
        assert spool.begun(now_ns) == now_ns


@only_linux
def test_a_process_is_dated_by_its_start() -> None:
    read_end, write_end = os.pipe()
    started_ns = time.time_ns()
    if not (pid := os.fork()):
        time.sleep(0.2)
        woke_ns = time.time_ns()
        os.write(write_end, f"{spool.begun(woke_ns)} {woke_ns}".encode())
        os._exit(0)
    os.waitpid(pid, 0)

    begun_ns, woke_ns = map(int, os.read(read_end, 100).split())

    assert started_ns - 20_000_000 < begun_ns < woke_ns - 150_000_000
