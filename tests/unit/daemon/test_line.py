"""The line: whole questions are answered, everything else meets silence, nobody is held up."""

from __future__ import annotations

import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from tacit.capture import state
from tacit.capture.ask import ask
from tacit.daemon import line as line_module
from tacit.daemon.line import LARGEST, WORKERS, Line
from tacit.errors import StoreBusy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rig import Home
    from tacit.daemon.line import Answer

    Listening = Callable[[Answer], Line]

GREETING = b"tacit1 s-1 5\nhello"
QUESTION = b"tacit1 UserPromptSubmit main 2\n{}"


def greet(_event: str, _group: str, _payload: bytes) -> tuple[str, bytes]:
    return "s-1", b"hello"


@pytest.fixture
def listening(
    root: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Answer], Line]]:
    """Return what begins to listen; it ends, and we come back from the home, with the test."""
    monkeypatch.chdir(tmp_path)
    begun: list[Line] = []

    def begin(answer: Answer) -> Line:
        begun.append(Line(root, answer))
        begun[-1].start()
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


def connected() -> socket.socket:
    """Reach the socket from inside the home, into which listening leads."""
    caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    caller.settimeout(10)
    caller.connect("daemon.sock")
    return caller


def rest(caller: socket.socket) -> bytes:
    """Return what is said until the line is closed."""
    heard = b""
    with suppress(ConnectionResetError):  # closed before it had heard everything
        while piece := caller.recv(1 << 16):
            heard += piece
    return heard


def said(question: bytes, *, is_cut_off: bool = False) -> bytes:
    """Return everything that is answered to these bytes."""
    with connected() as caller:
        with suppress(BrokenPipeError):
            caller.sendall(question)
        if is_cut_off:
            caller.shutdown(socket.SHUT_WR)
        return rest(caller)


def test_an_answer_comes_back(root: int, listening: Listening) -> None:
    listening(greet)

    answer = ask(root, "UserPromptSubmit", "main", b"{}")

    assert answer == ("s-1", b"hello")


def test_an_answer_is_said_as_the_protocol_has_it(listening: Listening) -> None:
    listening(greet)

    assert said(QUESTION) == GREETING


def test_a_question_is_passed_on_whole(listening: Listening) -> None:
    heard: list[tuple[str, str, bytes]] = []
    listening(lambda *asked: heard.append(asked))
    payload = b'{"prompt":"a\nb"}' * 50_000

    said(b"tacit1 Stop work %d\n" % len(payload) + payload)

    assert heard == [("Stop", "work", payload)]


def test_a_question_in_pieces_is_answered(listening: Listening) -> None:
    listening(greet)

    with connected() as caller:
        for byte in QUESTION:
            caller.sendall(bytes((byte,)))
        answer = rest(caller)

    assert answer == GREETING


def test_an_empty_payload_is_a_question_too(listening: Listening) -> None:
    listening(greet)

    assert said(b"tacit1 SessionStart main 0\n") == GREETING


def test_who_has_nothing_to_say_is_silent_at_once(listening: Listening) -> None:
    listening(lambda *_: None)

    assert said(QUESTION) == b""


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(b"tacit2 Stop main 2\n{}", id="another version"),
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="another protocol"),
        pytest.param(b"tacit1 Stop ../main 2\n{}", id="a group that is no name"),
        pytest.param(b"tacit1 Stop  2\n{}", id="no group"),
        pytest.param(b"tacit1 Stop 2\n{}", id="a word too few"),
        pytest.param(b"tacit1 Stop main 2 more\n{}", id="a word too many"),
        pytest.param(b"tacit1 Stop main two\n{}", id="a length that is no number"),
        pytest.param(b"tacit1 Stop main -1\n{}", id="a negative length"),
        pytest.param(b"tacit1 Stop main %d\n{}" % (LARGEST + 1), id="too long"),
        pytest.param(b"tacit1 Stop m\xc3\xa9 2\n{}", id="beyond ASCII"),
        pytest.param(b"\xff\x00\n\n" * 50, id="garbage"),
        pytest.param(b"x" * 100_000, id="a head without end"),
        pytest.param(b"\n", id="an empty line"),
    ],
)
def test_whatever_is_no_question_meets_silence(question: bytes, listening: Listening) -> None:
    heard: list[Any] = []

    def answer(*asked: Any) -> tuple[str, bytes]:
        heard.append(asked)
        return "s-1", b"hello"

    listening(answer)

    told = said(question)

    assert (told, heard) == (b"", [])


@pytest.mark.parametrize("length", [0, 3, len(QUESTION) - 3, len(QUESTION) - 1])
def test_a_question_that_is_cut_off_meets_silence(length: int, listening: Listening) -> None:
    listening(greet)

    assert said(QUESTION[:length], is_cut_off=True) == b""


def test_a_question_that_does_not_go_on_meets_silence(
    listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "SECONDS", 0.1)
    listening(greet)

    assert said(QUESTION[:-1]) == b""


def test_a_question_that_trickles_in_meets_silence(
    listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "SECONDS", 0.2)
    listening(greet)

    with connected() as caller:
        with suppress(BrokenPipeError):
            for byte in QUESTION:  # takes some five times as long as a question may
                caller.sendall(bytes((byte,)))
                time.sleep(0.03)
        answer = rest(caller)

    assert answer == b""


@pytest.mark.parametrize("error", [OSError(), ValueError(), StoreBusy("Busy."), KeyError("x")])
def test_an_answer_that_fails_is_silence_and_the_next_is_heard(
    error: Exception, listening: Listening
) -> None:
    errors = [error]

    def answer(_event: str, _group: str, _payload: bytes) -> tuple[str, bytes]:
        if errors:
            raise errors.pop()
        return "s-1", b"hello"

    listening(answer)

    assert (said(QUESTION), said(QUESTION)) == (b"", GREETING)


def test_many_are_answered_at_once(listening: Listening) -> None:
    listening(lambda _event, _group, payload: ("s-1", payload))

    with ThreadPoolExecutor(16) as callers:
        questions = [b"tacit1 Stop main 3\n%03d" % number for number in range(100)]
        answers = list(callers.map(said, questions))

    assert answers == [b"tacit1 s-1 3\n%03d" % number for number in range(100)]


def test_callers_that_say_nothing_do_not_keep_others_waiting(listening: Listening) -> None:
    listening(greet)
    silent = [connected() for _ in range(WORKERS - 1)]

    answer = said(QUESTION)
    for each in silent:
        each.close()

    assert answer == GREETING


def test_a_caller_that_leaves_early_is_no_trouble(listening: Listening) -> None:
    listening(lambda *_: ("s-1", b"x" * 1_000_000))
    with connected() as caller:
        caller.sendall(QUESTION)

    assert len(said(QUESTION)) > 1_000_000


def test_being_asked_is_noticed(listening: Listening) -> None:
    line = listening(greet)
    before = line.asked.is_set()

    said(QUESTION)

    assert (before, line.asked.is_set()) == (False, True)


def test_the_socket_is_its_owner_s_alone(home: Home, listening: Listening) -> None:
    listening(greet)

    assert (home.path / "daemon.sock").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("is_socket", [True, False])
def test_what_a_dead_daemon_left_is_replaced(
    is_socket: bool,  # noqa: FBT001
    home: Home,
    listening: Listening,
) -> None:
    if is_socket:
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(os.path.relpath(home.path / "daemon.sock"))
    else:
        (home.path / "daemon.sock").touch()

    listening(greet)

    assert said(QUESTION) == GREETING


def test_a_line_that_is_closed_leaves_no_socket_and_answers_no_more(
    home: Home, root: int, listening: Listening
) -> None:
    line = listening(greet)

    line.close()

    assert (
        (home.path / "daemon.sock").exists(),
        ask(root, "Stop", "main", b"{}"),
    ) == (False, None)


def test_a_home_with_too_long_a_path_for_a_socket_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / ("long" * 20) / ("longer" * 20)
    root = state.open_home(str(path))
    line = Line(root, greet)
    line.start()

    answer = ask(root, "Stop", "main", b"{}")
    line.close()
    os.close(root)

    assert answer == ("s-1", b"hello")
