"""What the hook answers, and whom it wakes."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
import time
from contextlib import chdir, contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from rig import Home

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def _prepare(home: Home, conf: str, **files: str) -> None:
    """Write `capture.conf` and prepared briefs."""
    home.configure(conf, **files)


def _told(out: bytes) -> str:
    answer = json.loads(out)
    assert answer["continue"] is True
    assert answer["suppressOutput"] is True
    return str(answer["hookSpecificOutput"]["additionalContext"])


@pytest.mark.parametrize(
    ("event", "told", "answered"),
    [
        ("SessionStart", 'line one\nsaid "so"', "b-near"),
        ("SubagentStart", 'line one\nsaid "so", agent', "a-near"),
    ],
)
def test_a_session_is_told_the_prepared_brief_of_its_directory(
    home: Home, event: str, told: str, answered: str
) -> None:
    conf = f"brief\tmain\tfar\t{home.scratch}\nbrief\tmain\tnear\t{home.project}\n"
    _prepare(home, conf, far="elsewhere", near='line one\\nsaid \\"so\\"')

    ran = home.hook(event, {})

    assert _told(ran.out) == told
    assert json.loads(ran.out)["hookSpecificOutput"]["hookEventName"] == event
    assert home.entries[0].answered == answered


def test_a_session_elsewhere_is_told_the_everywhere_brief(home: Home) -> None:
    _prepare(home, "brief\tmain\there\t/nowhere\nbrief\tmain\tall\t*\n", here="no", all="yes")

    ran = home.hook("SessionStart", {})

    assert _told(ran.out) == "yes"
    assert home.entries[0].answered == "b-all"


def test_of_two_hooks_that_run_for_one_start_one_tells_and_both_record(home: Home) -> None:
    _prepare(home, "brief\tmain\tall\t*\n", all="yes")
    payload = home.payload("SessionStart", source="startup")

    running = [
        subprocess.Popen(
            home.command("SessionStart"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=home.project,
        )
        for _ in range(2)
    ]
    said = sorted((each.communicate(payload)[0] for each in running), key=len)

    assert (said[0], _told(said[1])) == (b"", "yes")
    assert sorted(entry.answered for entry in home.entries) == ["-", "b-all"]


@pytest.mark.parametrize("event", ["PostToolUse", "Stop", "SessionEnd", "PreCompact"])
def test_every_other_event_prints_nothing(home: Home, event: str) -> None:
    _prepare(home, "brief\tmain\tall\t*\n", all="yes")

    ran = home.hook(event, {})

    assert ran.out == b""
    assert home.entries[0].answered == "-"


def test_without_briefs_the_answer_is_empty(home: Home) -> None:
    ran = home.hook("SessionStart", {})

    assert ran.out == b""
    assert home.entries[0].answered == "-"


def test_a_missing_brief_costs_the_answer_not_the_event(home: Home) -> None:
    _prepare(home, "brief\tmain\tgone\t*\n")

    ran = home.hook("SessionStart", {})

    assert ran.out == b""
    assert len(home.entries) == 1
    assert "is not a brief of this home" in home.log[0]


def test_a_prompt_is_answered_by_the_daemon_with_the_cleaned_payload(home: Home) -> None:
    _prepare(home, f"group\twork\t{home.project}\n")
    heard: list[bytes] = []
    with _daemon(home.path, b"tacit1 s-7 5\nhello", heard):
        ran = home.hook("UserPromptSubmit", {"prompt": "password: k3Jd8sPq0z"})

    assert _told(ran.out) == "hello"
    assert home.entries[0].answered == "s-7"
    assert heard[0].startswith(b"tacit1 UserPromptSubmit work ")
    assert b"k3Jd8sPq0z" not in heard[0]


def test_a_silent_daemon_delays_a_prompt_no_longer_than_its_share(home: Home) -> None:
    _prepare(home, "")
    plain = min(home.hook("UserPromptSubmit", {"prompt": "hi"}).seconds for _ in range(3))
    with _daemon(home.path, b"", [], wait=3.0):
        ran = home.hook("UserPromptSubmit", {"prompt": "hi"})

    assert (ran.code, ran.out) == (0, b"")
    assert ran.seconds < plain + 10 * 0.15
    assert len(home.entries) == 4


def test_a_home_longer_than_a_socket_address_can_be_asked(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    home = Home(deep)
    home.make()
    with _daemon(home.path, b"tacit1 s-1 2\nhi", []):
        ran = home.hook("UserPromptSubmit", {"prompt": "x"}, env={"TACIT_HOME": str(home.path)})

    assert _told(ran.out) == "hi"


def test_the_daemon_is_started_once_and_never_waited_for(home: Home) -> None:
    seen = home.scratch / "started"
    noted = f"open({str(seen)!r}, 'a', encoding='utf-8').write(' '.join(sys.argv[1:]) + '\\n')"
    home.wake(f"import sys, time\n{noted}\ntime.sleep(20)\n")

    ran = [home.hook(event, {}) for event in ("Stop", "SessionStart", "UserPromptSubmit")]

    _until(seen.exists)
    _until(lambda: seen.read_text(encoding="utf-8") != "")
    assert seen.read_text(encoding="utf-8") == f"daemon run --woken --home {home.path}\n"
    assert max(each.seconds for each in ran) < 10
    assert all(each.code == 0 for each in ran)


def _until(is_true: Callable[[], bool]) -> None:
    for _ in range(200):
        if is_true():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")


@contextmanager
def _daemon(home: Path, answer: bytes, heard: list[bytes], wait: float = 0.0) -> Iterator[None]:
    """Run a scripted daemon that hears one question and says one answer."""

    def serve() -> None:
        line, _ = listener.accept()
        with line, suppress(OSError):
            heard.append(line.recv(1 << 16))
            time.sleep(wait)
            line.sendall(answer)

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        with chdir(home):
            listener.bind("daemon.sock")
        listener.listen(1)
        thread = threading.Thread(target=serve)
        thread.start()
        yield
        thread.join(timeout=10)


def _notice(out: bytes) -> str | None:
    return json.loads(out).get("systemMessage") if out else None


def _age(home: Home, seconds: int) -> None:
    """Let what waits in the spool have waited for so long."""
    then = time.time() - seconds
    for file in home.spooled:
        os.utime(file, (then, then))


@pytest.mark.parametrize(
    ("wakes", "seconds", "is_told"),
    [(True, 3600, True), (True, 60, False), (False, 3600, False)],
    ids=["for an hour", "for a minute", "where no daemon is wanted"],
)
def test_a_person_is_told_once_of_events_that_wait_for_long(
    home: Home, seconds: int, *, wakes: bool, is_told: bool
) -> None:
    if wakes:
        home.wake("")
    home.hook("Stop", {})
    _age(home, seconds)

    started = home.hook("SessionStart", {"source": "startup"})
    prompted = home.hook("UserPromptSubmit", {"prompt": "go on"})

    assert (_notice(started.out) is not None) == is_told
    assert prompted.out == b""


def test_a_person_is_told_that_the_last_session_was_not_curated(home: Home) -> None:
    _prepare(home, "brief\tmain\tall\t*\n", all="yes\nunlanded")

    ran = home.hook("SessionStart", {"source": "startup"})
    agent = home.hook("SubagentStart", {})

    assert _told(ran.out) == "yes"
    assert "tacit queue" in (_notice(ran.out) or "")
    assert _notice(agent.out) is None
