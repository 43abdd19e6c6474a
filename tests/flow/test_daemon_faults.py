"""The daemon crowded, killed, stopped, wedged and overtaken: nothing lost, nothing twice."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import apsw
import pytest

from flow.daemons import Daemons, until
from flow.keeping import bodies, database, keys, said, spool, tacit, troubles
from rig import only_linux
from tacit.capture import state
from tacit.daemon import control, hold
from tacit.errors import DaemonSilent
from tacit.transcript import lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flow.keeping import Said
    from rig import Home

pytestmark = only_linux

QUEUED = 1297
BACK_SECONDS = 5
LEAVING_SECONDS = 5.0

# A daemon with short limits whose first round never ends; started afresh, it works.
WEDGED = """
import sys, time
from pathlib import Path
from tacit.capture import state
from tacit.compose import open_app
from tacit.daemon.run import Daemon, Limits, Services
from tacit.log import Log

home = Path(sys.argv[1])
been = home.parent / "been"

def block():
    if not been.exists():
        been.touch()
        time.sleep(600)

root = state.open_home(str(home))
(home / "logs").mkdir(exist_ok=True)
log = Log(home / "logs" / "daemon.log", time.time_ns)
limits = Limits(poll=0.05, red=1.0, restart=3.0, leave=1.0)
daemon = Daemon(root, log, limits)
opening = lambda beat: open_app(str(home), beat=beat)
sys.exit(daemon.run(lambda: (opening, Services(rounds=(block,)))))
"""


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    with Daemons(home) as started:
        yield started


def _crowd(daemons: Daemons, size: int, times: int) -> None:
    """Start many at once, again and again; one lives, the others leave without a complaint."""
    for _ in range(times):
        crowd = [daemons.child() for _ in range(size)]
        until(lambda: sum(each.poll() is None for each in crowd) <= 1, "the end of the others")  # noqa: B023

        pid = daemons.until_alone()
        codes = [each.poll() for each in crowd if each.pid != pid]
        assert codes == [0] * (size - 1)

        os.kill(pid, signal.SIGKILL)
        until(lambda: daemons.alive() == [], "its death")


@pytest.mark.alone
def test_r14_of_100_daemons_started_at_once_twice_one_lives(daemons: Daemons) -> None:
    _crowd(daemons, 100, 2)


@pytest.mark.long
def test_r14_of_100_daemons_started_at_once_twenty_times_one_lives(daemons: Daemons) -> None:
    _crowd(daemons, 100, 20)


def test_r14_a_reused_process_id_is_no_obstacle_and_no_victim(daemons: Daemons) -> None:
    os.kill(daemons.start(), signal.SIGKILL)
    until(lambda: daemons.alive() == [], "its death")
    with subprocess.Popen(["sleep", "600"], env={}) as stranger:
        pulse = daemons.home.path / "daemon.json"
        pulse.write_text(json.dumps(daemons.told() | {"pid": stranger.pid}), encoding="ascii")

        pid = daemons.start()
        daemons.stop()
        is_spared = stranger.poll() is None
        stranger.kill()

    assert pid != stranger.pid
    assert is_spared
    assert daemons.alive() == []


def test_r14_a_daemon_that_has_not_told_its_id_costs_no_stranger_its_life(
    daemons: Daemons,
) -> None:
    os.kill(daemons.start(), signal.SIGKILL)
    until(lambda: daemons.alive() == [], "its death")
    root = state.open_home(str(daemons.home.path))
    held = hold.take(root)
    assert held is not None
    with subprocess.Popen(["sleep", "600"], env={}) as stranger:
        pulse = daemons.home.path / "daemon.json"
        pulse.write_text(json.dumps(daemons.told() | {"pid": stranger.pid}), encoding="ascii")

        with suppress(DaemonSilent):
            control.stop(root, patience=0.2)
        is_spared = stranger.poll() is None
        stranger.kill()
    os.close(held)
    os.close(root)

    assert is_spared


def test_r14_a_lock_that_is_a_link_is_refused_in_plain_words(daemons: Daemons) -> None:
    victim = daemons.home.scratch / "victim"
    victim.write_text("mine", encoding="ascii")
    daemons.home.make()
    (daemons.home.path / "daemon.lock").symlink_to(victim)

    ended = tacit(daemons.home.path, "daemon", "start")

    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr
    assert ended.stderr.strip()
    assert victim.read_text(encoding="ascii") == "mine"


def _left(home: Home) -> list[str]:
    """Return which events still wait in the spool."""
    return keys(entry.payload for entry in home.entries)


def _taken(home: Home) -> list[str]:
    return keys(bodies(home.path)) if database(home.path).exists() else []


def _pile_up(home: Home, events: list[Said]) -> None:
    """Put events into the spool without the syncs, which would take most of the test's time."""
    spool(home.path, events[:1])
    (first,) = home.spooled
    for each in events[1:]:
        header = f"tacit1 {each.received_ns} {each.event} claude-code 1 main -\n"
        file = first.with_name(f"{each.received_ns:020d}-000001-1-00000000")
        file.write_bytes(header.encode() + each.payload)


def test_r16_told_to_go_with_1297_waiting_it_loses_none(daemons: Daemons) -> None:
    home, events = daemons.home, [said(number) for number in range(QUEUED)]
    _pile_up(home, events)
    child = daemons.child()
    until(lambda: len(home.spooled) < QUEUED, "the first batch")

    child.terminate()
    code = child.wait(10 * LEAVING_SECONDS)
    alive, left, taken = daemons.alive(), _left(home), _taken(home)
    daemons.start()
    daemons.until_taken()
    daemons.stop()

    assert (code, alive) == (0, [])
    assert sorted(left + taken) == [each.key for each in events]
    assert troubles(home.path, "main", [each.key for each in events]) == []


def test_r16_told_to_go_before_it_took_any_in_it_leaves_all_1297(daemons: Daemons) -> None:
    home, events = daemons.home, [said(number) for number in range(QUEUED)]
    _pile_up(home, events)
    with lock.held(home.path, seconds=1.0):  # as a command does that mends for a while
        child = daemons.child()
        until(lambda: "started" in daemons.events(), "the start")

        child.terminate()
        code = child.wait(10 * LEAVING_SECONDS)

    assert (code, daemons.alive()) == (0, [])
    assert _left(home) == [each.key for each in events]
    daemons.start()
    assert daemons.until_taken() == [each.key for each in events]


def test_stopped_and_continued_it_works_on_and_no_hook_waits_for_it(daemons: Daemons) -> None:
    pid = daemons.start()
    os.kill(pid, signal.SIGSTOP)

    codes = [daemons.prompt("first"), daemons.tool("second")]
    waiting = len(daemons.home.spooled)
    os.kill(pid, signal.SIGCONT)

    assert (codes, waiting) == ([0, 0], 2)
    assert daemons.until_taken() == ["first", "second"]
    assert daemons.alive() == [pid]


def test_r31_work_that_is_stuck_is_told_and_ends_in_a_fresh_start(daemons: Daemons) -> None:
    child = daemons.child("-P", "-c", WEDGED, str(daemons.home.path))
    until(lambda: daemons.events().count("started") == 2, "a fresh start")

    code = daemons.prompt("after")

    assert (code, daemons.until_taken()) == (0, ["after"])
    assert daemons.events()[:4] == ["started", "wedged", "restarting", "started"]
    assert [line["pid"] for line in daemons.log() if line["event"] == "started"] == [child.pid] * 2


def test_work_that_is_stuck_does_not_keep_it_from_leaving(daemons: Daemons) -> None:
    child = daemons.child("-P", "-c", WEDGED, str(daemons.home.path))
    until((daemons.home.scratch / "been").exists, "stuck work")

    child.terminate()

    assert child.wait(10 * LEAVING_SECONDS) == 0
    assert daemons.events()[-1] == "stopped"


def _kill_campaign(daemons: Daemons, kills: int) -> None:
    daemons.start()
    codes: dict[str, int] = {}
    is_over = threading.Event()

    def stream() -> None:
        while not is_over.is_set():
            key = f"key-{len(codes):06d}"
            codes[key] = daemons.prompt(key) if len(codes) % 2 else daemons.tool(key)

    hooks = threading.Thread(target=stream)
    hooks.start()
    try:
        for _ in range(kills):
            pid = daemons.told()["pid"]
            before = len(codes)
            until(lambda: len(codes) > before + 5, "more hooks")  # noqa: B023
            daemons.until_working()  # one that never did is not started again for a minute
            os.kill(pid, signal.SIGKILL)
            until(lambda: daemons.told()["pid"] != pid, "the next daemon", 10 * BACK_SECONDS)  # noqa: B023
    finally:
        is_over.set()
        hooks.join()
    daemons.until_taken()
    daemons.stop()

    assert set(codes.values()) == {0}
    assert sorted(_taken(daemons.home)) == sorted(codes)
    assert daemons.home.log == []


def test_r03_a_daemon_killed_3_times_under_load_loses_and_doubles_nothing(
    daemons: Daemons,
) -> None:
    _kill_campaign(daemons, 3)


@pytest.mark.long
def test_r03_a_daemon_killed_200_times_under_load_loses_and_doubles_nothing(
    daemons: Daemons,
) -> None:
    _kill_campaign(daemons, 200)


def test_r06_a_full_disk_holds_it_up_only_while_it_is_full(daemons: Daemons) -> None:
    pid = daemons.start()
    daemons.prompt("before")
    before = daemons.until_taken()
    limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, limits[1]))

    code = daemons.prompt("meanwhile")
    time.sleep(1.5)  # the daemon cannot even write that it cannot write
    resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
    until(lambda: daemons.home.spooled == [], "an empty spool")

    assert (before, code) == (["before"], 0)
    assert sorted(_taken(daemons.home)) == ["before", "meanwhile"]


def _overtake(home: Home) -> None:
    """Let the transcript look as if a newer Tacit had written it."""
    connection = apsw.Connection(str(database(home.path)))
    (version,) = next(connection.execute("PRAGMA user_version"))
    connection.execute(f"PRAGMA user_version = {version + 1}")
    connection.close()


def test_r21_before_a_newer_schema_it_leaves_and_hooks_still_spool(daemons: Daemons) -> None:
    spool(daemons.home.path, [said(0)])
    daemons.start()
    daemons.until_taken()
    daemons.stop()
    _overtake(daemons.home)
    codes = [daemons.prompt("first")]

    child = daemons.child()
    left = child.wait(10 * LEAVING_SECONDS)
    codes += [daemons.prompt("second")]

    assert (left, codes) == (0, [0, 0])
    # the first prompt may have woken another, which then is the one to say so
    until(lambda: "newer" in daemons.log()[-1].get("why", ""), "why it left")
    assert _left(daemons.home) == ["first", "second"]
    assert _taken(daemons.home) == ["main-00000"]


def test_r21_a_schema_that_grows_under_a_running_daemon_makes_it_leave(daemons: Daemons) -> None:
    child = daemons.child()
    codes = [daemons.prompt("first")]
    taken = daemons.until_taken()
    _overtake(daemons.home)

    codes += [daemons.prompt("second")]
    left = child.wait(10 * LEAVING_SECONDS)

    assert (left, codes, taken) == (0, [0, 0], ["first"])
    assert "newer" in daemons.log()[-1]["why"]
    assert _left(daemons.home) == ["second"]
