"""`tacit doctor --prove` in a home with a daemon: each step with its time, and no trace."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from flow.keeping import tacit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    with Daemons(home) as started:
        yield started


def held(pid: int) -> list[str]:
    """Return the files that a process holds open though they are deleted."""
    found = []
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(str(each.readlink()))
    return [link for link in found if link.endswith("(deleted)")]


def test_the_daemon_takes_a_turn_all_the_way_and_nothing_of_it_stays(daemons: Daemons) -> None:
    pid = daemons.start()

    ended = tacit(daemons.home.path, "doctor", "--prove", "--json")
    steps = json.loads(ended.stdout)

    assert (ended.returncode, [step["name"] for step in steps if not step["is_fine"]]) == (0, [])
    assert "by the daemon" in steps[1]["text"]
    assert all(step["milliseconds"] >= 0 for step in steps)
    assert b"canary" not in daemons.home.bytes_on_disk()
    until(lambda: held(pid) == [], "a daemon that has let go of what is gone", 45)


def test_a_daemon_that_does_not_work_is_told(daemons: Daemons) -> None:
    pid = daemons.start()
    os.kill(pid, 19)  # it holds its lock and does nothing

    ended = tacit(daemons.home.path, "doctor", "--prove", env=os.environ | {"COLUMNS": "200"})

    assert ended.returncode == 1
    shown = ended.stdout if isinstance(ended.stdout, str) else ended.stdout.decode()
    assert "the daemon has not done it within" in shown
    assert "tacit daemon stop" in shown
    assert b"canary" not in daemons.home.bytes_on_disk()
