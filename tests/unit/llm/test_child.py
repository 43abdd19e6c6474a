"""A program of the user's: bounded in time and length, and gone with all it has started."""

from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rig import only_linux
from tacit.llm.child import Children, Ended, Place
from tacit.net.trouble import Late, TooLong, Unreachable


def ran(program: str, told: bytes = b"", seconds: float = 20, most: int = 10_000) -> Ended:
    place = Place(directory="/", environment={"MARK": "1"})
    command = [sys.executable, "-I", "-c", program]
    return Children().run(command, told, place, seconds, most)


def marked(mark: str) -> list[str]:
    """Return the processes that have a mark in their environment and are not dead."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            state = (each / "stat").read_text().rpartition(")")[2].split()[0]
            if mark.encode() in (each / "environ").read_bytes() and state != "Z":
                found.append(each.name)
        except OSError:
            continue
    return found


def test_a_program_is_told_and_answers() -> None:
    ended = ran("import sys; sys.stdout.write(sys.stdin.read()[::-1]); sys.exit(3)", b"abc")

    assert ended == Ended(3, b"cba")


def test_much_may_be_told_while_much_is_answered() -> None:
    told = os.urandom(3_000_000)

    ended = ran(
        "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())", told, most=3_000_000
    )

    assert ended.out == told


def test_a_program_that_does_not_listen_may_answer_all_the_same() -> None:
    ended = ran("import os; os.close(0); print('here')", b"x" * 1_000_000)

    assert ended == Ended(0, b"here\n")


def test_a_program_knows_what_it_is_given_and_stands_where_it_is_put(tmp_path: Path) -> None:
    place = Place(directory=str(tmp_path), environment={"GIVEN": "yes"})
    show = "import os; print(os.getcwd(), os.environ.get('GIVEN'), os.environ.get('HOME'))"

    ended = Children().run([sys.executable, "-I", "-c", show], b"", place, 20, 10_000)

    assert ended.out.decode().split() == [str(tmp_path), "yes", "None"]


@pytest.mark.parametrize(
    "program",
    [
        "import time; time.sleep(60)",
        "import os, time; os.close(1); time.sleep(60)",
        "import time\nwhile True: print('.', flush=True); time.sleep(0.01)",
        "import sys, time; sys.stdin.close(); time.sleep(60)",
    ],
)
def test_a_program_that_takes_too_long_is_given_up(program: str) -> None:
    with pytest.raises(Late):
        ran(program, seconds=1, most=1_000_000)


def test_a_program_that_says_too_much_is_not_read_to_its_end() -> None:
    with pytest.raises(TooLong):
        ran("while True: print('x' * 1000)")


@pytest.mark.parametrize("command", [["/nowhere/to/be/found"], ["/"], ["a\0b"]])
def test_a_program_that_cannot_be_started_is_told(command: list[str]) -> None:
    place = Place(directory="/", environment={})

    with pytest.raises(Unreachable, match="cannot be started"):
        Children().run(command, b"", place, 5, 100)


FORKING = """
import subprocess, sys
subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(60)"])
print("started", flush=True)
{then}
"""


def forking(then: str, mark: Path, seconds: float) -> Ended:
    """Run a program that starts another one, which holds the pipe open."""
    place = Place(directory="/", environment={"MARK": str(mark)})
    command = [sys.executable, "-I", "-c", FORKING.format(then=then)]
    return Children().run(command, b"", place, seconds, 1000)


def assert_none_is_left(mark: Path) -> None:
    until = time.monotonic() + 10
    while marked(f"MARK={mark}") and time.monotonic() < until:
        time.sleep(0.02)
    assert marked(f"MARK={mark}") == []


@only_linux
def test_what_a_program_leaves_running_is_ended_with_it(tmp_path: Path) -> None:
    assert forking("", tmp_path, 20) == Ended(0, b"started\n")

    assert_none_is_left(tmp_path)


@only_linux
def test_what_a_program_has_started_is_given_up_with_it(tmp_path: Path) -> None:
    with pytest.raises(Late):
        forking("import time; time.sleep(60)", tmp_path, 1)

    assert_none_is_left(tmp_path)


def test_all_that_run_can_be_ended_from_another_thread(tmp_path: Path) -> None:
    children = Children()
    started = tmp_path / "started"
    program = f"open({str(started)!r}, 'w'); import time; time.sleep(60)"
    place = Place(directory="/", environment={})

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(
            children.run, [sys.executable, "-I", "-c", program], b"", place, 60, 1000
        )
        until = time.monotonic() + 10
        while not started.exists() and time.monotonic() < until:
            threading.Event().wait(0.01)
        children.kill()

        assert running.result(timeout=10).code < 0
