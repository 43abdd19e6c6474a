"""Every way in which a model's server can fail, for each kind of server: one class, one sentence.

Nothing that is told holds the key, a text, or a word of the server; nor does what Python prints of
the error with all that led to it.
"""

from __future__ import annotations

import logging
import socket
import time
import traceback
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

import pytest

from tacit.errors import (
    ModelBusy,
    ModelKeyRefused,
    ModelStrange,
    ModelUnavailable,
    ModelUnknown,
    ModelUnreachable,
)
from unit.llm.asking import KEY, REQUEST, UNREAD, chosen, completion, message, saying
from unit.net.serving import certificate_of, served

if TYPE_CHECKING:
    from pathlib import Path

    from unit.net.serving import Asked, Script

PROVIDERS = ["anthropic", "openai"]
WORDS = "the server's own words"
SAID: dict[str, Any] = {"error": {"message": f"{WORDS}: {KEY} {UNREAD}"}}
each_provider = pytest.mark.parametrize("provider", PROVIDERS)


def shown(error: BaseException) -> str:
    """Return everything that Python tells of an error."""
    return "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))


def failure(provider: str, script: Script, seconds: int = 5) -> ModelUnavailable:
    with served(script) as server, pytest.raises(ModelUnavailable) as told:
        chosen(provider, server.url, timeout_seconds=seconds).ask(REQUEST)
    assert_silent(told.value)
    return told.value


def assert_silent(error: ModelUnavailable) -> None:
    everything = shown(error)
    told = str(error)
    assert [each for each in (KEY, UNREAD, WORDS) if each in everything] == []
    assert ("\n" in told, told.endswith("."), len(told) < 300) == (False, True, True)


@each_provider
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ModelStrange),
        (401, ModelKeyRefused),
        (402, ModelKeyRefused),
        (403, ModelKeyRefused),
        (404, ModelUnknown),
        (408, ModelUnreachable),
        (413, ModelStrange),
        (429, ModelBusy),
        (500, ModelBusy),
        (502, ModelUnreachable),
        (503, ModelBusy),
        (504, ModelUnreachable),
        (529, ModelBusy),
        (204, ModelStrange),
    ],
)
def test_each_status_has_its_class(
    provider: str, status: int, kind: type[ModelUnavailable]
) -> None:
    assert type(failure(provider, saying(SAID, status))) is kind


@each_provider
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_the_key_never_follows_a_redirection(provider: str, status: int) -> None:
    with served(saying(message())) as other:
        error = failure(provider, saying(SAID, status, Location=f"{other.url}/elsewhere"))

    assert type(error) is ModelUnknown
    assert other.asked == []


@each_provider
@pytest.mark.parametrize(
    ("told", "pause"),
    [("7", 7.0), (formatdate(4_000_000_000, usegmt=True), 86_400.0), ("soon", None), (None, None)],
)
@pytest.mark.parametrize("status", [429, 503, 529])
def test_a_busy_server_says_when_to_come_back(
    provider: str, status: int, told: str | None, pause: float | None
) -> None:
    headers = {"Retry_After": told} if told else {}

    error = failure(provider, saying(SAID, status, **headers))

    assert isinstance(error, ModelBusy)
    assert error.retry_after == pause


@each_provider
def test_a_server_that_is_refused_is_asked_for_no_more_than_a_status(provider: str) -> None:
    sent = []

    def script(asked: Asked) -> None:
        asked.send_response(500)
        asked.send_header("Content-Type", "application/json")
        asked.end_headers()
        for _ in range(5000):
            asked.wfile.write(b" " * 10_000)
            sent.append(10_000)

    assert type(failure(provider, script)) is ModelBusy
    assert sum(sent) < 50_000_000


def broken(asked: Asked) -> None:
    asked.answer(b'{"choices": ', Content_Length="1000")
    asked.connection.shutdown(socket.SHUT_RDWR)


def hung_up(asked: Asked) -> None:
    asked.connection.shutdown(socket.SHUT_RDWR)


def not_http(asked: Asked) -> None:
    asked.wfile.write(f"220 {WORDS} {KEY}\r\n\r\n".encode())


def hanging(asked: Asked) -> None:
    asked.connection.recv(1)


def trickling(asked: Asked) -> None:
    asked.send_response(200)
    asked.send_header("Content-Type", "application/json")
    asked.end_headers()
    for _ in range(200):
        asked.wfile.write(b" ")
        time.sleep(0.05)


def trickling_headers(asked: Asked) -> None:
    asked.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(200):
        asked.wfile.write(f"X-{number}: {WORDS}\r\n".encode())
        time.sleep(0.05)


@each_provider
@pytest.mark.parametrize(
    "script", [broken, hung_up, not_http, hanging, trickling, trickling_headers]
)
def test_a_server_that_does_not_bring_its_answer_to_an_end(provider: str, script: Script) -> None:
    assert type(failure(provider, script, seconds=1)) is ModelUnreachable


@each_provider
@pytest.mark.parametrize("script", [broken, hung_up, hanging, trickling])
def test_an_answer_that_did_not_come_whole_may_have_cost_what_it_could_have_been(
    provider: str, script: Script
) -> None:
    with served(script) as server, pytest.raises(ModelUnreachable) as told:
        chosen(provider, server.url, timeout_seconds=1, usd_per_million=[1, 1000]).ask(REQUEST)

    assert told.value.usd > REQUEST.most_tokens * 1000 / 1e6


@each_provider
def test_a_refused_question_costs_nothing(provider: str) -> None:
    assert failure(provider, saying(SAID, 429)).usd == 0


@each_provider
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"{}",
        b"[]",
        f"<html>{WORDS}</html>".encode(),
        b'{"content": [{"type": "tool_',
        b"\xff\xfe{}",
        b"[" * 100_000,
        b"1" * 5000,
        b'{"content": [], "choices": []}',
    ],
    ids=lambda body: str(body)[:40],
)
def test_an_answer_that_is_none(provider: str, body: bytes) -> None:
    assert type(failure(provider, saying(body))) is ModelStrange


@each_provider
@pytest.mark.parametrize("kind", ["text/html", "text/plain", "text/event-stream"])
def test_an_answer_of_another_type(provider: str, kind: str) -> None:
    good: Any = message() if provider == "anthropic" else completion("{}")

    assert type(failure(provider, saying(good, Content_Type=kind))) is ModelStrange


@each_provider
def test_an_answer_of_fifty_megabytes_is_not_read_to_its_end(provider: str) -> None:
    sent = []

    def script(asked: Asked) -> None:
        asked.send_response(200)
        asked.send_header("Content-Type", "application/json")
        asked.end_headers()
        for _ in range(5000):
            asked.wfile.write(b" " * 10_000)
            sent.append(10_000)

    assert type(failure(provider, script)) is ModelStrange
    assert sum(sent) < 50_000_000


@each_provider
def test_a_text_that_is_too_long_for_an_answer(provider: str) -> None:
    long = {"found": ["x" * 300_000]}
    used = {"type": "tool_use", "name": "memories", "input": long}
    said = message(content=[used]) if provider == "anthropic" else completion(str(long))

    assert type(failure(provider, saying(said))) is ModelStrange


@each_provider
def test_a_port_where_nobody_listens(provider: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        model = chosen(provider, f"http://127.0.0.1:{free.getsockname()[1]}")

        with pytest.raises(ModelUnreachable, match=r"cannot be reached \(ConnectError\)") as told:
            model.ask(REQUEST)

    assert_silent(told.value)
    assert told.value.usd == 0


@each_provider
def test_a_host_that_cannot_be_found(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    with pytest.raises(ModelUnreachable, match=r"cannot be found\. See whether it runs") as told:
        chosen(provider, "https://ai.example.com").ask(REQUEST)

    assert_silent(told.value)


@each_provider
def test_a_certificate_of_nobody(provider: str, tmp_path: Path) -> None:
    _, context = certificate_of(tmp_path, "localhost")

    with served(saying(message()), context) as server:
        model = chosen(provider, f"https://localhost:{server.server_port}")
        with pytest.raises(ModelUnreachable, match="cannot be reached") as told:
            model.ask(REQUEST)

    assert server.asked == []
    assert_silent(told.value)


@each_provider
@pytest.mark.parametrize(
    "address", ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "fe80::1", "224.0.0.1"]
)
def test_a_name_that_leads_to_the_machine_s_surroundings(
    provider: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_by_system = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: told_by_system)

    with pytest.raises(ModelUnknown, match="where no server can be") as told:
        chosen(provider, "https://ai.example.com").ask(REQUEST)

    assert_silent(told.value)


@each_provider
def test_nothing_of_a_question_is_logged(provider: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    good: Any = message() if provider == "anthropic" else completion('{"found": []}')

    with served(saying(good)) as server:
        chosen(provider, server.url).ask(REQUEST)
    failure(provider, saying(SAID, 401))

    assert [each for each in (KEY, UNREAD, WORDS) if each in caplog.text] == []


@each_provider
def test_nothing_shows_the_key(provider: str) -> None:
    model = chosen(provider, "https://ai.example.com")

    everything = repr(model) + str(vars(model)) + repr(REQUEST)

    assert (KEY in everything, UNREAD in everything) == (False, False)
