"""Told once: the first of two hooks for one event answers, and rather both than none."""

from __future__ import annotations

import json
import os
import posix
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tacit.capture import once, state

if TYPE_CHECKING:
    from rig import Home

NOON = 1_760_000_000_000_000_000
START = b'{"session_id":"s-1","source":"startup"}'
HELD = """
import posix, sys
descriptor = posix.open(sys.argv[1], posix.O_RDWR)
posix.lockf(descriptor, posix.F_LOCK, 0)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def root(home: Home) -> int:
    return state.open_home(str(home.path))


def first(root: int, payload: bytes = START, *, event: str = "SessionStart", at: int = 0) -> bool:
    return once.is_first(root, event, payload, NOON + at)


@pytest.mark.parametrize("at", [0, 3_000_000, -3_000_000, once.WITHIN_NS])
def test_of_two_hooks_for_one_event_the_first_answers(root: int, at: int) -> None:
    assert [first(root), first(root, at=at)] == [True, False]


@pytest.mark.parametrize("at", [once.WITHIN_NS + 1, -once.WITHIN_NS - 1])
def test_the_same_event_at_another_time_is_another_one(root: int, at: int) -> None:
    assert [first(root), first(root, at=at)] == [True, True]


@pytest.mark.parametrize(
    "payload",
    [
        b'{"session_id":"s-2","source":"startup"}',
        b'{"session_id":"s-1","source":"resume"}',
        b'{"session_id":"s-1","source":"startup","agent_id":"a-1"}',
        b'{"session_id":"s-1","source":"startup","prompt_id":"p-1"}',
    ],
)
def test_what_differs_is_another_event(root: int, payload: bytes) -> None:
    assert [first(root), first(root, payload)] == [True, True]
    assert not first(root, payload)


def test_another_kind_of_event_is_another_one(root: int) -> None:
    assert [first(root), first(root, event="SubagentStart")] == [True, True]


def test_without_a_session_everybody_answers(root: int) -> None:
    assert [first(root, b"{}"), first(root, b"{}")] == [True, True]


def test_many_sessions_at_one_time_are_told_apart_and_the_file_stays_small(
    root: int, home: Home
) -> None:
    payloads = [json.dumps({"session_id": f"s-{number}"}).encode() for number in range(500)]

    assert all(first(root, each) for each in payloads)
    assert not any(first(root, each) for each in payloads[-50:])
    assert (home.path / "told").stat().st_size < 8_000


@pytest.mark.parametrize("session", [r"a\nb", r"\ud800", r"\t", "ü", "x" * 9000])
def test_whatever_a_session_is_called_it_is_told_once(root: int, session: str) -> None:
    payload = f'{{"session_id":"{session}"}}'.encode()

    assert [first(root, payload), first(root, payload)][0]
    assert first(root)


@pytest.mark.parametrize("spoiled", [b"\xff\n", b"nonsense", b"12\tx\n\n", b"x\tSessionStart\n"])
def test_a_spoiled_file_lets_everybody_answer(root: int, home: Home, spoiled: bytes) -> None:
    (home.path / "told").write_bytes(spoiled)

    assert first(root)


def test_a_link_in_its_place_is_not_followed(root: int, home: Home) -> None:
    (home.scratch / "theirs").write_bytes(b"mine")
    (home.path / "told").symlink_to(home.scratch / "theirs")

    assert [first(root), first(root)] == [True, True]
    assert (home.scratch / "theirs").read_bytes() == b"mine"


def test_whoever_holds_the_file_for_long_holds_nobody_up(root: int, home: Home) -> None:
    first(root)
    command = [sys.executable, "-c", HELD, str(home.path / "told")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()

        is_first = first(root)

        holder.communicate(b"")
    assert is_first


def test_of_two_at_the_same_moment_one_is_the_first(home: Home) -> None:
    root = state.open_home(str(home.path))
    read_end, write_end = posix.pipe()
    children = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            posix.close(write_end)
            posix.read(read_end, 1)
            posix._exit(first(root))  # noqa: SLF001
        children.append(child)

    posix.close(write_end)  # now
    ended = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]

    assert sum(ended) == 1
