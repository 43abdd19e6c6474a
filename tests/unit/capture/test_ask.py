"""Asking the daemon: an answer in time, and silence for everything else, within the deadline."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from tacit.capture import state
from tacit.capture.ask import LONGEST, SECONDS, ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rig import Home

    Play = Callable[[socket.socket], None]

SLACK = 0.25  # a busy machine may wake us late
GREETING = b"tacit1 s-1 5\nhello"


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back from the home, into which asking leads."""
    monkeypatch.chdir(tmp_path)


def question(line: socket.socket) -> bytes:
    """Hear a whole question."""
    heard = b""
    while b"\n" not in heard:
        heard += line.recv(1 << 16)
    length = int(heard.partition(b"\n")[0].rsplit(b" ", 1)[1])
    while len(heard.partition(b"\n")[2]) < length:
        heard += line.recv(1 << 16)
    return heard


def answering(answer: bytes, heard: list[bytes] | None = None) -> Play:
    """Play a daemon that hears the question, answers and closes the line."""

    def play(line: socket.socket) -> None:
        said = question(line)
        if heard is not None:
            heard.append(said)
        line.sendall(answer)

    return play


@contextmanager
def daemon(home: Path, play: Play) -> Iterator[None]:
    """Listen on the home's socket and play one answer."""
    descriptor = os.open(home, os.O_RDONLY)
    before = os.open(".", os.O_RDONLY)
    os.fchdir(descriptor)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("daemon.sock")
        os.fchdir(before)
        listener.listen()
        listener.settimeout(10)
        thread = threading.Thread(target=_serve, args=(listener, play))
        thread.start()
        try:
            yield
        finally:
            thread.join()
    os.close(descriptor)
    os.close(before)


def _serve(listener: socket.socket, play: Play) -> None:
    line, _ = listener.accept()
    with line, suppress(BrokenPipeError, ConnectionResetError):
        play(line)


def timed_ask(root: int, payload: bytes = b"{}") -> tuple[tuple[str, bytes] | None, bool]:
    """Ask; return the answer and whether it came within the deadline."""
    started = time.monotonic()
    answer = ask(root, "UserPromptSubmit", "main", payload)
    return answer, time.monotonic() - started < SECONDS + SLACK


def test_an_answer_in_time_is_heard(home: Home, root: int) -> None:
    with daemon(home.path, answering(b"tacit1 s-1 13\nRemember tea.")):
        answer = ask(root, "UserPromptSubmit", "main", b"{}")

    assert answer == ("s-1", b"Remember tea.")


def test_the_question_names_event_group_and_length_before_the_payload(
    home: Home, root: int
) -> None:
    heard: list[bytes] = []

    with daemon(home.path, answering(GREETING, heard)):
        ask(root, "UserPromptSubmit", "work", b'{"prompt":"a\\nb"}\n')

    assert heard == [b'tacit1 UserPromptSubmit work 18\n{"prompt":"a\\nb"}\n']


def test_an_answer_in_pieces_is_heard(home: Home, root: int) -> None:
    def in_pieces(line: socket.socket) -> None:
        question(line)
        for byte in GREETING:
            line.sendall(bytes((byte,)))
            time.sleep(0.001)

    with daemon(home.path, in_pieces):
        answer = ask(root, "UserPromptSubmit", "main", b"{}")

    assert answer == ("s-1", b"hello")


def test_an_answer_is_taken_as_soon_as_it_is_whole_though_the_line_stays_open(
    home: Home, root: int
) -> None:
    done = threading.Event()

    def stay_on_the_line(line: socket.socket) -> None:
        question(line)
        line.sendall(GREETING[:-2])
        line.sendall(GREETING[-2:])
        done.wait(10)

    with daemon(home.path, stay_on_the_line):
        answer = ask(root, "UserPromptSubmit", "main", b"{}")
        done.set()

    assert answer == ("s-1", b"hello")


def test_a_large_question_is_asked_whole(home: Home, root: int) -> None:
    heard: list[bytes] = []
    payload = b"x" * 1_000_000

    with daemon(home.path, answering(GREETING, heard)):
        answer = ask(root, "UserPromptSubmit", "main", payload)

    assert (answer, len(heard[0].partition(b"\n")[2])) == (("s-1", b"hello"), len(payload))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"tacit2 s-1 5\nhello", id="another version"),
        pytest.param(b"tacit1 s-1 6\nhello", id="cut off"),
        pytest.param(b"tacit1 s-1 4\nhello", id="longer than it says"),
        pytest.param(b"tacit1 s-1 +5\nhello", id="a length spelled oddly"),
        pytest.param(b"tacit1 s-1 0\n", id="an empty text"),
        pytest.param(b"tacit1 5\nhello", id="a word too few"),
        pytest.param(b"tacit1 s-1 5 more\nhello", id="a word too many"),
        pytest.param(b"tacit1 s-1 11\nhello\nworld", id="a line break in the text"),
        pytest.param(b"tacit1 s/1 5\nhello", id="an id with a slash"),
        pytest.param(b"tacit1  5\nhello", id="an empty id"),
        pytest.param(b"tacit1 \xc3\xa9 5\nhello", id="an id beyond ASCII"),
        pytest.param(b"\xff\x00\n\n" * 50, id="garbage"),
        pytest.param(b"tacit1 s-1 200000\n" + b"x" * 200_000, id="far too long"),
    ],
)
def test_whatever_is_not_an_answer_counts_as_silence(answer: bytes, home: Home, root: int) -> None:
    with daemon(home.path, answering(answer)):
        heard = timed_ask(root)

    assert heard == (None, True)


def test_the_longest_answer_is_heard(home: Home, root: int) -> None:
    text = b"x" * (LONGEST - 100)

    with daemon(home.path, answering(b"tacit1 s-1 %d\n" % len(text) + text)):
        answer = ask(root, "UserPromptSubmit", "main", b"{}")

    assert answer == ("s-1", text)


def test_a_home_without_a_socket_is_silent(root: int) -> None:
    heard = timed_ask(root)

    assert heard == (None, True)


def test_a_socket_that_nobody_listens_on_is_silence(home: Home, root: int) -> None:
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(home.path / "daemon.sock"))

    heard = timed_ask(root)

    assert heard == (None, True)


def test_a_file_in_the_place_of_the_socket_is_silence(home: Home, root: int) -> None:
    (home.path / "daemon.sock").touch()

    heard = timed_ask(root)

    assert heard == (None, True)


def test_an_answer_that_is_late_is_silence(home: Home, root: int) -> None:
    done = threading.Event()

    def late(line: socket.socket) -> None:
        question(line)
        done.wait(10)
        line.sendall(GREETING)

    with daemon(home.path, late):
        heard = timed_ask(root)
        done.set()

    assert heard == (None, True)


def test_a_daemon_that_talks_without_end_is_left_in_time(home: Home, root: int) -> None:
    done = threading.Event()

    def on_and_on(line: socket.socket) -> None:
        question(line)
        while not done.wait(0.01):
            line.sendall(b"x")

    with daemon(home.path, on_and_on):
        heard = timed_ask(root)
        done.set()

    assert heard == (None, True)


def test_a_daemon_that_does_not_listen_is_left_in_time(home: Home, root: int) -> None:
    done = threading.Event()

    def deaf(_line: socket.socket) -> None:
        done.wait(10)

    with daemon(home.path, deaf):
        heard = timed_ask(root, b"x" * 5_000_000)
        done.set()

    assert heard == (None, True)


def test_a_home_with_too_long_a_path_for_a_socket_is_asked_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / ("long" * 20) / ("longer" * 20)
    root = state.open_home(str(path))

    with daemon(path, answering(GREETING)):
        answer = ask(root, "UserPromptSubmit", "main", b"{}")
    os.close(root)

    assert (len(str(path)) > 108, answer) == (True, ("s-1", b"hello"))
