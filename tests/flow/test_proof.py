"""`tacit doctor --prove` in a home with a daemon: each step with its time, and no trace."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from flow.keeping import tacit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rig import Home

STEPS = 6
TROUBLES = {"failed", "held up", "chores failed", "died", "wedged", "not read", "not understood"}


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


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep processors busy with some loops while something else happens."""
    command = [sys.executable, "-S", "-c", "while True: pass"]
    started = [subprocess.Popen(command, env={}) for _ in range(loops)]
    try:
        yield
    finally:
        for each in started:
            each.kill()
            each.wait()


def kill(daemons: Daemons) -> None:
    """Kill the daemon, if there is one."""
    with suppress(FileNotFoundError, ProcessLookupError):
        os.kill(daemons.told()["pid"], signal.SIGKILL)


def restart(daemons: Daemons) -> None:
    """Stop the daemon and start it again, as a user does."""
    daemons.stop()
    daemons.start()


def nothing(daemons: Daemons) -> None:
    """Leave the daemon as it is."""
    del daemons


def prove(daemons: Daemons, disturb: Callable[[Daemons], None], after: int) -> str:
    """Run a proof and disturb its daemon when that many lines are shown; return all lines."""
    proof = subprocess.Popen(
        [sys.executable, "-m", "tacit", "doctor", "--prove"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=daemons.home.scratch,
    )
    assert proof.stdout is not None
    shown = "".join(proof.stdout.readline() for _ in range(after))
    disturb(daemons)
    shown += proof.communicate()[0]
    passed = [line for line in shown.splitlines() if line.startswith("ok ")]
    assert (proof.returncode, len(passed)) == (0, STEPS), shown
    return shown


def left(home: Home) -> list[str]:
    """Return what a proof has left in a home, and who speaks of one."""
    walked = os.walk(home.path)
    names = [(place, name) for place, inside, files in walked for name in (*inside, *files)]
    files = [f"{place}/{name}" for place, name in names if "proving" in name]
    logs = home.path / "logs" / "daemon.log"
    kept = [home.path / "capture.conf", *([logs] if logs.exists() else [])]
    files += [str(file) for file in kept if b"proving" in file.read_bytes()]
    return files + (["canary"] if b"canary" in home.bytes_on_disk() else [])


def assert_no_blame(daemons: Daemons) -> None:
    """Fail if the daemon, the hook, the doctor or the status complain, or know of a proof."""
    for verb in ("doctor", "status"):
        ended = tacit(daemons.home.path, verb)
        assert "proving" not in ended.stdout + ended.stderr
        assert ended.returncode == 0, ended.stdout
    assert (daemons.home.log, TROUBLES & set(daemons.events())) == ([], set())


BEFORE = (nothing, restart, kill, Daemons.stop, Daemons.start)
DURING = (nothing, kill, restart)


def campaign(daemons: Daemons, count: int) -> list[float]:
    """Prove that often, the daemon restarted or killed before and meanwhile; return the times."""
    daemons.start()
    daemons.prompt("first")
    took = []
    for number in range(count):
        BEFORE[number % len(BEFORE)](daemons)
        began = time.monotonic()
        prove(daemons, DURING[number % len(DURING)], after=number % STEPS)
        took.append(time.monotonic() - began)
        assert left(daemons.home) == [], number
    assert_no_blame(daemons)
    return took


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


@pytest.mark.parametrize("step", range(1, STEPS))
def test_what_a_daemon_killed_after_a_step_leaves_undone_is_done(
    daemons: Daemons, step: int
) -> None:
    daemons.start()

    prove(daemons, kill, after=step + 1)  # the first step takes two lines

    assert left(daemons.home) == []
    assert_no_blame(daemons)


def test_proofs_pass_one_after_another_while_the_daemon_comes_and_goes(daemons: Daemons) -> None:
    campaign(daemons, 3)


def test_the_daemon_removes_what_a_killed_proof_has_left(daemons: Daemons) -> None:
    killed = subprocess.Popen(
        [sys.executable, "-m", "tacit", "doctor", "--prove"], stdout=subprocess.PIPE
    )
    assert killed.stdout is not None
    killed.stdout.readline()
    killed.kill()
    killed.communicate()
    assert left(daemons.home) != []
    assert_no_blame(daemons)

    daemons.start()

    until(lambda: left(daemons.home) == [], "a home without leftovers")
    assert_no_blame(daemons)


@pytest.mark.long
def test_thirty_proofs_pass_in_a_row_beside_a_load_of_four(
    daemons: Daemons, capsys: pytest.CaptureFixture[str]
) -> None:
    with busy(4):
        took = campaign(daemons, 30)
    pid = daemons.start()

    until(lambda: held(pid) == [], "a daemon that has let go of what is gone", 45)
    with capsys.disabled():
        sys.stdout.write(f"\n30 proofs, {min(took):.1f} to {max(took):.1f} s each\n")
