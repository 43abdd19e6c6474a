"""`tacit watch`: the daemon, the spool, the groups and their sessions, in clean lines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from tacit.compose import open_app
from tacit.daemon import hold
from tacit.daemon.pulse import Pulse

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program


def shown(program: Program) -> list[str]:
    """Return one screen."""
    ended = program("watch", "--once")
    assert (ended.returncode, ended.stderr) == (0, b"")
    return ended.stdout.decode().splitlines()


def take_in() -> None:
    app = open_app()
    app.drain()
    app.close()


def test_a_new_home_is_all_quiet(program: Program) -> None:
    assert shown(program) == [
        "daemon    stopped",
        "spool     0 events waiting",
        "hook      0 failures",
    ]


def test_what_waits_is_counted_and_left_to_the_daemon(home: Home, program: Program) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})

    lines = shown(program)

    assert (lines[1], len(home.spooled)) == ("spool     1 event waiting", 1)


def test_groups_and_their_sessions_are_shown(home: Home, program: Program) -> None:
    home.hook("UserPromptSubmit", {"prompt": "mend the gate"})
    take_in()

    group, session = shown(program)[3:]

    assert group.startswith("group     main: 1 event, 1 session, ")
    words = session.split()
    assert (words[0], words[1]) == ("66fbdfb8", "active")
    assert session.endswith("1 turns, 0 tools  mend the gate")


def test_only_the_latest_sessions_are_shown(home: Home, program: Program) -> None:
    for number in range(10):
        home.hook("UserPromptSubmit", {"session_id": f"session{number}", "prompt": "hi"})
    take_in()

    sessions = [line.split()[0] for line in shown(program)[4:]]

    assert sessions == [f"session{number}"[:8] for number in range(9, 1, -1)]


def test_a_running_daemon_is_shown(root: int, program: Program) -> None:
    held = hold.take(root)
    Pulse(root).tell()

    lines = shown(program)
    os.close(held or 0)

    assert lines[0].startswith("daemon    healthy")


def test_failures_of_the_hook_are_counted(home: Home, program: Program) -> None:
    home.hook("Stop", b"")

    assert shown(program)[2] == "hook      1 failure"


def test_a_prompt_cannot_fool_the_terminal(home: Home, program: Program) -> None:
    home.hook("UserPromptSubmit", {"prompt": "\x1b[31mred\ndaemon    healthy\u202e" + "x" * 200})
    take_in()

    lines = shown(program)

    assert (len(lines), lines[-1].isprintable(), len(lines[-1]) < 120) == (5, True, True)


def test_the_id_of_a_session_cannot_fool_the_terminal(home: Home, program: Program) -> None:
    home.hook("UserPromptSubmit", {"session_id": "\x1b[2J\na\u202eb", "prompt": "hi"})
    take_in()

    lines = shown(program)

    assert [line for line in lines if not line.isprintable()] == []


def test_without_once_it_goes_on_until_it_is_interrupted(home: Home) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tacit", "watch", "--every", "0.2"],
        cwd=home.project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as watching:
        try:
            assert watching.stdout is not None
            lines = [watching.stdout.readline() for _ in range(6)]
            watching.send_signal(signal.SIGINT)
            _, complaint = watching.communicate(timeout=10)
        finally:
            watching.kill()

    assert (lines[:3] == lines[3:], b"Traceback" in complaint) == (True, False)
