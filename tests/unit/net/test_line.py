"""The line: every way in which a server can fail becomes one trouble, told without its words."""

from __future__ import annotations

import gc
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tacit.net.endpoint import parsed
from tacit.net.line import Line, is_key
from tacit.net.trouble import (
    Broken,
    Garbled,
    Late,
    Redirected,
    Refused,
    TooLong,
    Trouble,
    Unreachable,
)
from unit.net.serving import certificate_of, served

if TYPE_CHECKING:
    from pathlib import Path

    from unit.net.serving import Asked, Script

MOST = 100_000
QUESTION = {"model": "m", "input": ["x"]}


def line_to(url: str, seconds: float = 5) -> Line:
    return Line(parsed(url), "a-key", seconds)


def trouble(script: Script, seconds: float = 5) -> Trouble:
    with served(script) as server, pytest.raises(Trouble) as told:
        line_to(server.url, seconds).ask("/x", QUESTION, MOST)
    return told.value


def test_a_question_is_answered() -> None:
    with served(lambda asked: asked.answer(asked.question)) as server:
        answer = line_to(f"{server.url}/below/").ask("/x", QUESTION, MOST)

    assert answer == QUESTION
    assert server.asked[0].path == "/below/x"
    assert server.asked[0].headers["Host"] == f"127.0.0.1:{server.server_port}"
    assert server.asked[0].headers["Authorization"] == "Bearer a-key"


@pytest.mark.parametrize("status", [201, 400, 401, 403, 404, 413, 429, 500, 503, 529])
def test_any_other_status_is_told(status: int) -> None:
    told = trouble(lambda asked: asked.answer({"error": "the server's own words"}, status))

    assert isinstance(told, Refused)
    assert (told.status, str(told)) == (status, f"refuses the question (status {status})")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirection_is_followed(status: int) -> None:
    with served(lambda asked: asked.answer({"secret": 1})) as other:
        told = trouble(lambda asked: asked.answer({}, status, Location=f"{other.url}/x"))

    assert isinstance(told, Redirected)
    assert other.asked == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>hello</html>",
        b'{"embeddings": [[1.0, 2',
        b"\xff\xfe{}",
        b"[" * 50_000,
        b"1" * 5_000,
    ],
)
def test_an_answer_that_is_not_json_is_told(body: bytes) -> None:
    told = trouble(lambda asked: asked.answer(body))

    assert isinstance(told, Garbled)
    assert "not JSON" in str(told)


def test_an_answer_that_breaks_off_is_told() -> None:
    def script(asked: Asked) -> None:
        asked.answer(b'{"embeddings": ', Content_Length="1000")
        asked.connection.shutdown(socket.SHUT_RDWR)

    told = trouble(script)

    assert isinstance(told, Broken)
    assert str(told) == "cannot be reached (RemoteProtocolError)"


def test_a_server_that_hangs_up_is_told() -> None:
    told = trouble(lambda asked: asked.connection.shutdown(socket.SHUT_RDWR))

    assert isinstance(told, Unreachable)


def test_something_that_does_not_speak_http_is_told() -> None:
    def script(asked: Asked) -> None:
        asked.wfile.write(b"220 smtp ready\r\n\r\n")

    assert str(trouble(script)) == "cannot be reached (RemoteProtocolError)"


def test_an_answer_that_is_too_long_is_not_read_to_its_end() -> None:
    sent = []

    def script(asked: Asked) -> None:
        asked.send_response(200)
        asked.end_headers()
        for _ in range(10_000):
            asked.wfile.write(b" " * 10_000)
            sent.append(10_000)

    assert isinstance(trouble(script), TooLong)
    assert sum(sent) < 100_000_000


def test_a_server_that_says_nothing_is_given_up() -> None:
    assert isinstance(trouble(lambda _: time.sleep(1), seconds=0.2), Late)


def test_a_server_that_says_little_for_long_is_given_up() -> None:
    def script(asked: Asked) -> None:
        asked.send_response(200)
        asked.end_headers()
        for _ in range(100):
            asked.wfile.write(b" ")
            time.sleep(0.05)

    assert isinstance(trouble(script, seconds=0.3), Late)


def test_a_server_that_trickles_its_headers_is_given_up() -> None:
    def script(asked: Asked) -> None:
        asked.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(100):
            asked.wfile.write(f"X-{number}: x\r\n".encode())
            time.sleep(0.05)

    assert isinstance(trouble(script, seconds=0.3), Late)


def test_a_port_where_nobody_listens_is_told() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

        with pytest.raises(Unreachable, match=r"cannot be reached \(ConnectError\)"):
            line_to(url).ask("/x", QUESTION, MOST)


def test_a_question_that_nobody_took_in_time_was_not_taken() -> None:
    with socket.socket() as full, ExitStack() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):
            other = waiting.enter_context(socket.socket())
            other.setblocking(False)  # noqa: FBT003  (the library's own)
            other.connect_ex(full.getsockname())

        with pytest.raises(Unreachable, match="ConnectTimeout") as told:
            line_to(f"http://127.0.0.1:{full.getsockname()[1]}", 0.5).ask("/x", QUESTION, MOST)

    assert not isinstance(told.value, Broken)


def test_a_name_with_several_addresses_is_tried_at_each(monkeypatch: pytest.MonkeyPatch) -> None:
    ask_system = socket.getaddrinfo

    def resolve(host: str, *args: Any, **options: Any) -> list[Any]:
        hosts = ["127.0.0.2", "127.0.0.1"] if host == "several" else [host]
        return [found for each in hosts for found in ask_system(each, *args, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with served(lambda asked: asked.answer({})) as server:  # on the second alone
        answer = line_to(f"http://several:{server.server_port}", 1).ask("/x", QUESTION, MOST)

    assert answer == {}


def test_no_proxy_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    with served(lambda asked: asked.answer({})) as server:
        assert line_to(server.url).ask("/x", QUESTION, MOST) == {}


def test_a_server_with_an_authority_of_its_own_is_believed_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, context = certificate_of(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with served(lambda asked: asked.answer({}), context) as server:
        answer = line_to(f"https://localhost:{server.server_port}").ask("/x", QUESTION, MOST)

    assert answer == {}


@pytest.mark.parametrize(("name", "trusted"), [("localhost", "nobody"), ("elsewhere", "it")])
def test_a_certificate_of_nobody_or_of_another_name_is_refused(
    name: str, trusted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, context = certificate_of(tmp_path, name)
    if trusted == "it":
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with served(lambda asked: asked.answer({}), context) as server:
        line = line_to(f"https://localhost:{server.server_port}")
        with pytest.raises(Unreachable, match="cannot be reached"):
            line.ask("/x", QUESTION, MOST)

    assert server.asked == []


def test_a_line_that_is_cut_tells_its_asker_at_once() -> None:
    asked_for = threading.Event()

    def script(asked: Asked) -> None:
        asked_for.set()
        asked.connection.recv(1)  # until the other side has gone

    with served(script) as server, ThreadPoolExecutor(1) as pool:
        line = line_to(server.url, 60)
        asking = pool.submit(line.ask, "/x", QUESTION, MOST)
        assert asked_for.wait(5)
        line.cut()

        told = asking.exception(timeout=10)

    assert isinstance(told, Broken)


def test_a_line_can_be_used_again_after_it_was_cut() -> None:
    with served(lambda asked: asked.answer({})) as server:
        line = line_to(server.url)
        line.ask("/x", QUESTION, MOST)
        line.cut()

        answer = line.ask("/x", QUESTION, MOST)

    assert answer == {}


@pytest.mark.parametrize(
    ("text", "can_be"),
    [("sk-abc", True), ("", False), ("a b", False), ("schlüssel", False), ("a\nb", False)],
)
def test_a_key_is_what_can_stand_in_a_header(text: str, can_be: bool) -> None:  # noqa: FBT001
    assert is_key(text) == can_be


def test_a_line_that_nobody_holds_is_closed() -> None:
    with served(lambda asked: asked.answer({})) as server:
        line_to(server.url).ask("/x", QUESTION, MOST)  # an open socket would be a warning, an error
        gc.collect()

        line_to(server.url).ask("/x", QUESTION, MOST)

    assert len({asked.client for asked in server.asked}) == 2
