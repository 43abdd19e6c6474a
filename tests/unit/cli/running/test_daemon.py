"""`tacit daemon`: started once, stopped once, and plainly told how it is."""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING

import pytest

from tacit.daemon import hold
from tacit.daemon.pulse import Pulse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home
    from unit.cli.conftest import Program


@pytest.fixture
def daemon(program: Program) -> Iterator[Program]:
    """Return the program; no daemon outlives the test."""
    yield program
    program("daemon", "stop")


def pid(told: bytes) -> str:
    """Return the process that is named."""
    found = re.search(rb"process (\d+)", told)
    assert found, told
    return found[1].decode()


def test_a_home_without_a_daemon_says_stopped(program: Program) -> None:
    ended = program("daemon", "status")

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"stopped\n", b"")


def test_programs_get_every_field_of_a_stopped_daemon(program: Program) -> None:
    ended = program("daemon", "status", "--json")

    assert json.loads(ended.stdout) == {
        "state": "stopped",
        "pid": None,
        "version": None,
        "beat_seconds": None,
        "taken": 0,
        "failures": 0,
        "last_failure": None,
        "embedder_trouble": None,
        "model_trouble": None,
    }


def test_a_daemon_is_started_once_and_its_process_named(daemon: Program) -> None:
    first = daemon("daemon", "start")

    second = daemon("daemon", "start")

    named = pid(first.stdout)
    assert (first.returncode, first.stdout.decode(), first.stderr) == (
        0,
        f"The daemon runs as process {named}.\n",
        b"",
    )
    assert (second.returncode, second.stdout.decode()) == (
        0,
        f"The daemon was running as process {named}.\n",
    )


def test_a_running_daemon_says_healthy(daemon: Program) -> None:
    started = daemon("daemon", "start")

    ended = daemon("daemon", "status")

    lines = ended.stdout.decode().splitlines()
    assert (ended.returncode, lines[0].startswith(f"healthy, process {pid(started.stdout)}, ")) == (
        0,
        True,
    )
    assert lines[2:] == ["0 events taken in, 0 failures"]


def test_a_daemon_is_stopped_once(daemon: Program) -> None:
    daemon("daemon", "start")

    first, second = daemon("daemon", "stop"), daemon("daemon", "stop")

    assert (first.stdout, second.stdout) == (
        b"The daemon has stopped.\n",
        b"No daemon was running.\n",
    )
    assert (first.returncode, second.returncode) == (0, 0)


def test_running_ends_at_once_where_one_runs(daemon: Program) -> None:
    started = daemon("daemon", "start")

    ended = daemon("daemon", "run", timeout=10)

    told = json.loads(daemon("daemon", "status", "--json").stdout)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert (told["state"], str(told["pid"])) == ("healthy", pid(started.stdout))


def test_a_wedged_daemon_is_told_with_exit_code_1(home: Home, root: int, program: Program) -> None:
    held = hold.take(root)
    pulse = Pulse(root)
    pulse.fail("StoreFull")
    told = json.loads((home.path / "daemon.json").read_bytes())
    told["beat_ns"] = time.monotonic_ns() - int(61e9)
    (home.path / "daemon.json").write_text(json.dumps(told), encoding="utf-8")

    ended = program("daemon", "status")
    os.close(held or 0)

    lines = ended.stdout.decode().splitlines()
    assert (ended.returncode, lines[0].split(",")[0]) == (1, "wedged")
    assert lines[2:] == ["0 events taken in, 1 failures", "the last failure: StoreFull"]
