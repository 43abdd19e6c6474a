"""The daemon and its hooks in need: no room, no home, a crowd of hooks, very many turns.

No agent waits or is told anything, nothing that was acknowledged is lost or doubled, and the work
goes on as soon as it can. A small disk is mounted for a home where this machine lets us.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from flow.daemons import HASTY, Daemons, Disk, Limit, full, missing, read_only, until
from flow.keeping import bodies, database, keys, opened, said, spool, tacit, troubles
from rig import DEADLINE, ROOT, only_linux
from tacit.install.command import packages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from flow.keeping import Said
    from rig import Home, Ran

    Trouble = Callable[[Disk], AbstractContextManager[None]]

pytestmark = only_linux

HOOK_SECONDS, FULL_SECONDS = 0.3, 0.5
RESUMING_SECONDS = 60.0
EACH, CROWD, BACKLOG = 40, 100, 300
WAKING = ("SessionStart", "UserPromptSubmit", "PostToolUse")


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    with Daemons(home) as started:
        yield started


@pytest.fixture
def disk(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    made = Disk(home.scratch / "disk")
    monkeypatch.setenv("TACIT_HOME", str(made.home.path))
    try:
        with made.daemons:
            yield made
            made.free()
    finally:
        made.close()


def _note_starts(home: Home, tries: Path) -> None:
    """Let hooks start the daemon by way of a program that notes each start."""
    noted = f"open({str(tries)!r}, 'a', encoding='ascii').write('tried\\n')\n"
    program = str(packages() / "tacit" / "__main__.py")
    home.wake(f"{noted}exec(compile(open({program!r}).read(), __file__, 'exec'))\n")


def _in_need(disk: Disk, trouble: Trouble, *, is_dead: bool) -> tuple[list[Ran], int]:
    """Let hooks come while there is trouble; return how they ended, and how often one started."""
    daemons, tries = disk.daemons, disk.home.scratch.with_name("tries")
    pid = daemons.start()
    _note_starts(disk.home, tries)
    assert daemons.prompt("before") == 0
    assert daemons.until_taken() == ["before"]
    if is_dead:
        os.kill(pid, signal.SIGKILL)
        until(lambda: daemons.alive() == [], "its death")
    with trouble(disk):
        ran = [_hook(disk, event, number) for number in range(3) for event in WAKING]
    return ran, tries.read_text(encoding="ascii").count("tried") if tries.exists() else 0


def _hook(disk: Disk, event: str, number: int) -> Ran:
    key = f"{event}-{number}"
    fields = {"prompt": f"{key} please", "source": "startup", "tool_name": "Bash"}
    return disk.home.hook(event, fields | {"tool_use_id": key}, cwd="/", **disk.options)


in_need = pytest.mark.parametrize("trouble", [read_only, missing, full])
with_or_without = pytest.mark.parametrize("is_dead", [False, True], ids=["running", "killed"])


@in_need
@with_or_without
def test_r08_in_need_hooks_are_quick_and_silent_and_no_storm_breaks_loose(
    disk: Disk, trouble: Trouble, *, is_dead: bool
) -> None:
    ran, starts = _in_need(disk, trouble, is_dead=is_dead)

    assert {(each.code, each.err) for each in ran} == {(0, b"")}
    assert {each.out for each in ran[1::3] + ran[2::3]} == {b""}
    assert {b"tacit doctor" in each.out for each in ran[::3]} == {True}  # of each session's start
    assert max(each.seconds for each in ran) < 10 * HOOK_SECONDS
    assert starts <= 1


@in_need
@with_or_without
def test_r08_after_need_all_that_was_acknowledged_is_there_and_work_goes_on(
    disk: Disk, trouble: Trouble, *, is_dead: bool
) -> None:
    _in_need(disk, trouble, is_dead=is_dead)
    disk.daemons.let_hooks_try()

    code = disk.daemons.prompt("after")

    taken = disk.daemons.until_taken()
    tried = {f"{event}-{number}" for event in WAKING for number in range(3)}
    assert code == 0
    assert sorted(set(taken) - tried) == ["after", "before"]
    assert len(taken) == len(set(taken))


def test_r08_without_a_home_in_the_environment_a_hook_still_wakes_the_daemon(
    daemons: Daemons,
) -> None:
    os.kill(daemons.start(), signal.SIGKILL)
    until(lambda: daemons.alive() == [], "its death")

    ran = daemons.home.hook("UserPromptSubmit", {"prompt": "homeless words"}, env={"LANG": "C"})

    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    daemons.until_alone()
    assert daemons.until_taken() == ["homeless"]


def test_r08_a_daemon_whose_home_is_deleted_leaves_and_makes_no_other(daemons: Daemons) -> None:
    daemons.start()
    gone = daemons.home.path.with_name("gone")

    daemons.home.path.rename(gone)
    shutil.rmtree(gone)
    with suppress(AssertionError):
        until(lambda: daemons.alive() == [], "its end")

    assert daemons.alive() == []
    assert not daemons.home.path.exists()


def test_a_daemon_does_not_ignore_the_signal_that_its_hook_ignores(daemons: Daemons) -> None:
    told = daemons.home.scratch / "told"
    copied = f"shutil.copy('/proc/self/status', '{told}.half')"
    daemons.home.wake(f"import os, shutil\n{copied}\nos.rename('{told}.half', '{told}')\n")

    assert daemons.prompt("first") == 0
    until(told.exists, "what was started")

    (line,) = [each for each in told.read_text(encoding="ascii").splitlines() if "SigIgn" in each]
    assert not int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1


def _crowd(commands: list[list[str]], payloads: list[Path]) -> list[float]:
    """Start all commands at once, each with its payload; return how long each took, in order."""
    started = time.monotonic()
    waiting = []
    for command, payload in zip(commands, payloads, strict=True):
        with payload.open("rb") as stdin:  # all of it is there when the hook starts
            waiting.append(subprocess.Popen(command, stdin=stdin))
    taken = []
    while waiting:
        ended = [each for each in waiting if each.poll() is not None]
        assert {each.returncode for each in ended} <= {0}
        taken += [time.monotonic() - started] * len(ended)
        waiting = [each for each in waiting if each not in ended]
        time.sleep(0.001)
    return taken


def _payloads(home: Home, names: list[str]) -> list[Path]:
    """Return files that hold what the client says of these uses of a tool."""
    fields = {"tool_name": "Bash", "tool_response": "all is well " * 200}
    for name in names:
        payload = home.payload("PostToolUse", **fields, tool_use_id=name)
        (home.scratch / name).write_bytes(payload)
    return [home.scratch / name for name in names]


@pytest.mark.alone
def test_r13_a_hundred_hooks_three_times_beside_a_busy_daemon_lose_nothing(
    daemons: Daemons,
) -> None:
    home, pid = daemons.home, daemons.start()
    bare, command = [*home.program("x")[:3], "-c", "pass"], home.command("PostToolUse")
    expected, ratios, slowest = [], [], 0.0

    for number in range(3):
        backlog = [said(number * BACKLOG + each) for each in range(BACKLOG)]
        names = [f"crowd-{number}-{each}" for each in range(CROWD)]
        payloads = _payloads(home, names)
        baseline = _crowd([bare] * CROWD, payloads)
        os.kill(pid, signal.SIGSTOP)  # so that it has something to do when they come
        spool(home.path, backlog)
        os.kill(pid, signal.SIGCONT)
        taken = _crowd([command] * CROWD, payloads)
        expected += [*names, *(each.key for each in backlog)]
        ratios.append(taken[94] / baseline[94])
        slowest = max(slowest, taken[-1] / max(DEADLINE, 3 * baseline[-1]))

    told = f"{[round(each, 2) for each in ratios]}, slowest {slowest:.2f} of what it may take"
    print(f"p95 of {CROWD} hooks to {CROWD} bare interpreters: {told}")  # noqa: T201
    assert daemons.until_taken() == sorted(expected)
    assert home.log == []
    assert slowest < 1
    assert statistics.median(ratios) < 5


def test_r14_a_lock_with_a_reused_process_id_is_no_obstacle_and_no_victim(
    daemons: Daemons,
) -> None:
    os.kill(daemons.start(), signal.SIGKILL)
    until(lambda: daemons.alive() == [], "its death")
    with subprocess.Popen(["sleep", "600"], env={}) as stranger:
        told = json.dumps(daemons.told() | {"pid": stranger.pid})
        (daemons.home.path / "daemon.json").write_text(told, encoding="ascii")
        (daemons.home.path / "daemon.lock").write_text(f"{stranger.pid}\n", encoding="ascii")

        ended = tacit(daemons.home.path, "daemon", "stop")  # there is none: nobody is to be killed
        pid = daemons.start()
        daemons.stop()
        is_spared = stranger.poll() is None
        stranger.kill()

    assert ended.returncode == 0
    assert pid != stranger.pid
    assert is_spared
    assert daemons.alive() == []


@pytest.mark.parametrize("verb", ["start", "run"])
@pytest.mark.parametrize("is_old", [False, True], ids=["no lock yet", "a lock"])
def test_r14_a_lock_in_a_read_only_directory_is_refused_in_plain_words(
    disk: Disk, verb: str, *, is_old: bool
) -> None:
    disk.home.hook("Stop", {})
    if is_old:
        disk.daemons.start()
        disk.daemons.stop()

    with read_only(disk):
        ended = tacit(disk.home.path, "daemon", verb, cwd="/", timeout=60)

    assert ended.returncode != 0
    assert ended.stderr.count("\n") == 1
    assert "Read-only file system" in ended.stderr or "Permission denied" in ended.stderr
    assert disk.daemons.alive() == []


def _published(home: Home, events: list[Said]) -> list[str]:
    """Put events into the spool; return which of them were acknowledged."""
    done = []
    for each in events:
        with suppress(OSError):
            spool(home.path, [each])
            done.append(each.key)
    return done


def _fill_campaign(daemons: Daemons, full: Disk | Limit, points: int) -> None:
    """Fill and free the disk again and again, before events come and after."""
    home, pid = daemons.home, daemons.alive()[0]
    random.seed(points)
    acknowledged: list[str] = []
    hooks: list[Ran] = []
    held_up = 0
    for point in range(points):
        share = random.random()  # noqa: S311
        for is_later in (False, True):
            if point % 2 == is_later:
                full.fill(share)
            else:
                numbers = range(point * EACH, (point + 1) * EACH)
                acknowledged += _published(home, [said(number) for number in numbers])
        hooks += [home.hook("UserPromptSubmit", {"prompt": f"hook-{point} please"}, cwd="/")]
        time.sleep(0.6)  # so that the daemon runs into it
        held_up += bool(home.spooled) or len(acknowledged) < (point + 1) * EACH
        full.free()
        until(lambda: home.spooled == [], "an empty spool", RESUMING_SECONDS)
    print(f"held up at {held_up} of {points} points")  # noqa: T201

    taken = Counter(keys(bodies(home.path)))
    assert {(each.code, each.out, each.err) for each in hooks} == {(0, b"", b"")}
    assert max(each.seconds for each in hooks) < 10 * FULL_SECONDS
    assert [key for key in acknowledged if taken[key] != 1] == []
    assert max(taken.values()) == 1
    assert daemons.alive() == [pid]
    assert held_up >= points // 3
    daemons.stop()
    assert tacit(home.path, "verify").returncode == 0
    assert troubles(home.path, "main", keys(bodies(home.path))) == []


@pytest.mark.parametrize("points", [6, pytest.param(100, marks=pytest.mark.long)])
def test_r06_a_small_disk_filled_again_and_again_loses_and_doubles_nothing(
    disk: Disk, points: int
) -> None:
    if not disk.is_small:
        pytest.skip("no small disk may be mounted here: the test with a limit shows the same")
    disk.daemons.start()

    _fill_campaign(disk.daemons, disk, points)


@pytest.mark.parametrize("points", [6, pytest.param(100, marks=pytest.mark.long)])
def test_r06_files_that_may_not_grow_again_and_again_lose_and_double_nothing(
    daemons: Daemons, points: int
) -> None:
    limit = Limit(daemons.start(), daemons.home)

    _fill_campaign(daemons, limit, points)


def _beset(disk: Disk) -> None:
    """Let events wait on a disk that is full to the last byte."""
    if not disk.is_small:
        pytest.skip("no small disk may be mounted here")
    pid = disk.daemons.start()
    os.kill(pid, signal.SIGSTOP)
    spool(disk.home.path, [said(number) for number in range(20)])
    disk.fill()
    os.kill(pid, signal.SIGCONT)


def test_r06_on_a_full_disk_status_shows_how_things_stand_and_that_it_is_full(disk: Disk) -> None:
    _beset(disk)

    ended = tacit(disk.home.path, "status", cwd="/")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "20 events in the spool" in ended.stdout
    assert "full" in ended.stdout or "space" in ended.stdout


def test_r06_on_a_full_disk_a_daemon_that_lives_does_not_look_wedged(disk: Disk) -> None:
    _beset(disk)

    time.sleep(12)  # twice as long as between two beats that are told
    ended = tacit(disk.home.path, "daemon", "status", "--json", cwd="/")

    assert json.loads(ended.stdout)["beat_seconds"] < 12


def _grown(home: Home, count: int) -> None:
    """Let a transcript of so many events be there, quicker than hooks would fill it."""
    spool(home.path, [said(0)])
    (first,) = home.spooled
    for each in [said(number) for number in range(1, count)]:
        header = f"tacit1 {each.received_ns} {each.event} claude-code 1 main -\n"
        file = first.with_name(f"{each.received_ns:020d}-000001-1-00000000")
        file.write_bytes(header.encode() + each.payload)
    with opened(home.path) as app:
        app.drain(seconds=None, curating=False)


def test_r31_a_long_recovery_is_not_taken_for_stuck_work_and_begun_again(daemons: Daemons) -> None:
    home = daemons.home
    _grown(home, 8000)
    file = database(home.path)
    file.write_bytes(b"no database" + file.read_bytes()[11:])

    daemons.child("-P", "-c", HASTY, str(home.path))
    code = daemons.prompt("after")
    with suppress(AssertionError):
        until(lambda: home.spooled == [], "an empty spool", patience=360)

    assert (code, home.spooled) == (0, [])
    assert "restarting" not in daemons.events()
    assert len(bodies(home.path)) == 8001


@pytest.mark.alone
def test_r19_a_short_soak_holds_its_bars(home: Home) -> None:
    soak = [sys.executable, str(ROOT / "bench" / "soak.py"), "--every", "1"]

    ended = subprocess.run(
        [*soak, "--turns", "200", "--idle", "8"],
        env=home.environment(TMPDIR=str(home.scratch)),
        capture_output=True,
        text=True,
        check=False,
    )

    print(ended.stdout)  # noqa: T201
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.count("<=") == 8
