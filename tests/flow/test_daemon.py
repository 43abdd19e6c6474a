"""The daemon at work: events come in by themselves, hooks bring it back, it is alone and private.

Without it everything still works. Every process that is started here is gone at the end.
"""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flow.daemons import SLOW_TO_GO, Daemons, until
from flow.keeping import bodies, keys, said, spool, tacit
from rig import Home, only_linux

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = only_linux


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    with Daemons(home) as started:
        yield started


def _crashing(tries: Path, seconds: float = 0) -> str:
    """Return a daemon's program that notes its start and fails."""
    noted = f"open({str(tries)!r}, 'a', encoding='ascii').write('tried\\n')"
    return f"import sys, time\n{noted}\ntime.sleep({seconds})\nsys.exit(1)\n"


def _sockets(pid: int) -> set[str]:
    """Return the inodes of the sockets that a process has open."""
    links = [str(file.readlink()) for file in Path(f"/proc/{pid}/fd").iterdir()]
    return {link[8:-1] for link in links if link.startswith("socket:")}


def _listening(pid: int) -> dict[str, str]:
    """Return the Unix sockets that somebody listens at: inode and path."""
    lines = Path(f"/proc/{pid}/net/unix").read_text(encoding="utf-8").splitlines()[1:]
    found = [line.split() for line in lines]
    return {each[6]: each[7] for each in found if each[3] == "00010000" and len(each) > 7}


def test_events_of_the_hook_are_taken_in_without_any_command(daemons: Daemons) -> None:
    daemons.start()

    codes = [daemons.prompt("first"), daemons.tool("second"), daemons.tool("third")]

    assert codes == [0, 0, 0]
    assert daemons.until_taken() == ["first", "second", "third"]


def test_what_waited_before_the_daemon_came_is_taken_in(daemons: Daemons) -> None:
    events = [said(number) for number in range(30)]
    spool(daemons.home.path, events)

    daemons.start()

    assert daemons.until_taken() == [each.key for each in events]


def test_a_daemon_that_runs_is_not_started_again(daemons: Daemons) -> None:
    first = daemons.start()

    second = daemons.start()

    assert (second, daemons.alive()) == (first, [first])


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_the_next_hook_brings_a_killed_daemon_back(daemons: Daemons, event: str) -> None:
    killed = daemons.start()
    os.kill(killed, signal.SIGKILL)
    until(lambda: daemons.alive() == [], "its death")

    ended = daemons.home.hook(event, {"prompt": "back please", "source": "startup"})

    assert (ended.code, ended.err) == (0, b"")
    assert daemons.until_alone() != killed
    assert len(daemons.until_taken()) == 1


def test_after_stop_no_hook_starts_a_daemon(daemons: Daemons) -> None:
    daemons.start()
    daemons.stop()

    code = daemons.prompt("alone")

    assert code == 0
    assert (daemons.home.path / "daemon.stopped").exists()
    assert not (daemons.home.path / "daemon.tried").exists()
    assert daemons.alive() == []


def test_stop_waits_for_the_end_of_the_process(daemons: Daemons) -> None:
    daemons.prompt("makes a home")
    slow = daemons.child("-c", SLOW_TO_GO, str(daemons.home.path))
    until(lambda: "started" in daemons.events(), "its start")

    daemons.stop()

    assert slow.wait(timeout=0.5) == 0


def test_without_a_daemon_reading_verbs_take_events_in(daemons: Daemons) -> None:
    codes = [daemons.prompt("first"), daemons.tool("second")]

    listed = tacit(daemons.home.path, "sessions", "--json")

    assert (codes, listed.returncode) == ([0, 0], 0)
    assert sorted(keys(bodies(daemons.home.path))) == ["first", "second"]
    assert daemons.alive() == []


def test_a_reading_verb_and_the_daemon_take_each_event_in_once(daemons: Daemons) -> None:
    events = [said(number) for number in range(400)]
    daemons.start()

    spool(daemons.home.path, events)
    ended = tacit(daemons.home.path, "sessions", "--json")

    assert (ended.returncode, ended.stderr) == (0, "")
    assert daemons.until_taken() == [each.key for each in events]


def test_r29_a_daemon_that_crashes_at_start_is_tried_once_a_minute(daemons: Daemons) -> None:
    tries = daemons.home.scratch / "tries"
    daemons.home.wake(_crashing(tries))

    codes = [daemons.prompt(f"prompt-{number}") for number in range(10)]
    until(tries.exists, "the first try")
    first = tries.read_text(encoding="ascii")
    daemons.let_hooks_try()
    codes += [daemons.prompt(f"later-{number}") for number in range(3)]

    assert codes == [0] * 13
    assert first == "tried\n"
    until(lambda: tries.read_text(encoding="ascii") == "tried\n" * 2, "one more try")
    assert len(daemons.home.spooled) == 13


def test_r29_hooks_at_once_start_a_crashing_daemon_once(daemons: Daemons) -> None:
    tries = daemons.home.scratch / "tries"
    daemons.home.wake(_crashing(tries, seconds=0.3))
    payload = daemons.home.payload("UserPromptSubmit", prompt="now")

    hooks = [
        subprocess.Popen(daemons.home.command("UserPromptSubmit"), stdin=subprocess.PIPE)
        for _ in range(10)
    ]
    for hook in hooks:
        hook.communicate(payload)

    assert [hook.returncode for hook in hooks] == [0] * 10
    until(tries.exists, "a try")
    until(lambda: daemons.alive() == [], "its end")
    assert tries.read_text(encoding="ascii") == "tried\n"


def test_a_daemon_program_that_is_gone_costs_no_event(daemons: Daemons) -> None:
    daemons.home.wake("")
    (daemons.home.scratch / "packages" / "tacit" / "__main__.py").unlink()

    ended = daemons.home.hook("UserPromptSubmit", {"prompt": "kept"})

    assert (ended.code, ended.out, ended.err) == (0, b"", b"")
    assert len(daemons.home.spooled) == 1


def test_s13_its_only_socket_lies_in_the_home_for_the_owner_alone(daemons: Daemons) -> None:
    pid = daemons.start(umask=0)

    own = _sockets(pid)
    listening = {path for inode, path in _listening(pid).items() if inode in own}

    assert listening == {"daemon.sock"}
    assert len(own) == 1
    mode = (daemons.home.path / "daemon.sock").stat().st_mode
    assert (stat.S_ISSOCK(mode), stat.S_IMODE(mode)) == (True, 0o600)


def test_s14_started_under_an_open_umask_it_writes_for_the_owner_alone(daemons: Daemons) -> None:
    spool(daemons.home.path, [said(number) for number in range(3)])
    daemons.start(umask=0)
    daemons.until_taken()

    daemons.stop()

    files = list(daemons.home.path.rglob("*"))
    assert [str(file) for file in files if file.lstat().st_mode & 0o077] == []


def test_it_has_no_children_and_nothing_of_the_client(
    daemons: Daemons, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.kill(daemons.start(), signal.SIGKILL)
    monkeypatch.setenv("SOME_CLIENT_TOKEN", "not for daemons")

    daemons.prompt("first")
    pid = daemons.until_alone()
    daemons.until_taken()

    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    assert {task.read_text(encoding="ascii") for task in tasks} == {""}
    assert b"SOME_CLIENT_TOKEN" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert os.getsid(pid) == pid


def test_a_home_with_a_very_long_path_works(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = home.scratch / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    far = Home(deep)
    monkeypatch.setenv("TACIT_HOME", str(far.path))

    with Daemons(far) as daemons:
        daemons.start()
        codes = [daemons.prompt("first"), daemons.tool("second")]
        taken = daemons.until_taken()
        daemons.stop()

    assert (codes, taken) == ([0, 0], ["first", "second"])
    assert far.log == []


def test_stop_ends_it_and_leaves_no_socket(daemons: Daemons) -> None:
    daemons.start()

    daemons.stop()

    assert daemons.alive() == []
    assert not (daemons.home.path / "daemon.sock").exists()
    assert daemons.log()[-1]["why"] == "told to"


def test_a_caller_that_drips_does_not_keep_it_from_leaving(daemons: Daemons) -> None:
    child = daemons.child()
    until(lambda: "started" in daemons.events(), "the start")
    caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    caller.connect(str(daemons.home.path / "daemon.sock"))
    caller.sendall(b"t")
    time.sleep(0.2)

    child.terminate()
    drips = 0
    while child.poll() is None and drips < 12:
        drips += 1
        with suppress(OSError):
            caller.sendall(b"t")
        time.sleep(0.5)
    code = child.poll()
    caller.close()

    assert code == 0


def test_one_that_was_started_by_a_relative_path_starts_itself_afresh(daemons: Daemons) -> None:
    program = Path(sys.executable).with_name("tacit")
    daemons.child("./tacit", "daemon", "run", cwd=program.parent)
    pid = daemons.until_alone()

    (daemons.home.path / "config.toml").write_text("[backup]\nkeep = 3\n", encoding="utf-8")

    until(lambda: daemons.events().count("started") == 2, "a fresh start")
    assert daemons.until_alone() == pid
