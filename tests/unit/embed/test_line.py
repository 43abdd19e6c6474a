"""The line: every way in which a server can fail becomes one sentence."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tacit.embed.endpoint import parsed
from tacit.embed.line import Line
from tacit.errors import EmbedderUnavailable
from unit.embed.serving import served

if TYPE_CHECKING:
    from pathlib import Path

    from unit.embed.serving import Asked, Script

MOST = 100_000
QUESTION = {"model": "m", "input": ["x"]}


def line_to(url: str, seconds: float = 5) -> Line:
    return Line(parsed(url), "a-key", seconds)


def refusal(script: Script, seconds: float = 5) -> str:
    with served(script) as server, pytest.raises(EmbedderUnavailable) as refused:
        line_to(server.url, seconds).ask("/x", QUESTION, MOST)
    return str(refused.value)


def test_a_question_is_answered() -> None:
    with served(lambda asked: asked.answer(asked.question)) as server:
        answer = line_to(f"{server.url}/below/").ask("/x", QUESTION, MOST)

    assert answer == QUESTION
    assert server.asked[0].path == "/below/x"
    assert server.asked[0].headers["Host"] == f"127.0.0.1:{server.server_port}"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (401, "does not accept the key. Set OPENAI_API_KEY"),
        (403, "does not accept the key. Set OPENAI_API_KEY"),
        (404, "`ollama pull`"),
        (400, "refuses the question (status 400)"),
        (413, "refuses the question (status 413)"),
        (429, "cannot answer now (status 429)"),
        (500, "cannot answer now (status 500)"),
        (503, "cannot answer now (status 503)"),
        (201, "refuses the question (status 201)"),
    ],
)
def test_each_status_has_its_sentence(status: int, told: str) -> None:
    assert told in refusal(lambda asked: asked.answer({}, status))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirection_is_followed(status: int) -> None:
    with served(lambda asked: asked.answer({"secret": 1})) as other:
        told = refusal(lambda asked: asked.answer({}, status, Location=f"{other.url}/x"))

    assert "points elsewhere. Set embed.base_url" in told
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
    assert "not JSON" in refusal(lambda asked: asked.answer(body))


def test_an_answer_that_breaks_off_is_told() -> None:
    def script(asked: Asked) -> None:
        asked.answer(b'{"embeddings": ', Content_Length="1000")
        asked.connection.shutdown(socket.SHUT_RDWR)

    assert "cannot be reached (RemoteProtocolError)" in refusal(script)


def test_a_server_that_hangs_up_is_told() -> None:
    assert "cannot be reached" in refusal(lambda asked: asked.connection.shutdown(socket.SHUT_RDWR))


def test_something_that_does_not_speak_http_is_told() -> None:
    def script(asked: Asked) -> None:
        asked.wfile.write(b"220 smtp ready\r\n\r\n")

    assert "cannot be reached (RemoteProtocolError)" in refusal(script)


def test_an_answer_that_is_packed_wrongly_is_told() -> None:
    told = refusal(lambda asked: asked.answer(b"not packed", Content_Encoding="gzip"))

    assert "cannot be reached (DecodingError)" in told


def test_an_answer_that_is_too_long_is_not_read_to_its_end() -> None:
    sent = []

    def script(asked: Asked) -> None:
        asked.send_response(200)
        asked.end_headers()
        for _ in range(10_000):
            asked.wfile.write(b" " * 10_000)
            sent.append(10_000)

    assert "more than any embedder would" in refusal(script)
    assert sum(sent) < 100_000_000


def test_a_server_that_says_nothing_is_given_up() -> None:
    assert "does not answer in time" in refusal(lambda _: time.sleep(1), seconds=0.2)


def test_a_server_that_says_little_for_long_is_given_up() -> None:
    def script(asked: Asked) -> None:
        asked.send_response(200)
        asked.end_headers()
        for _ in range(100):
            asked.wfile.write(b" ")
            time.sleep(0.05)

    assert "does not answer in time" in refusal(script, seconds=0.3)


def test_a_port_where_nobody_listens_is_told() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

        with pytest.raises(EmbedderUnavailable, match=r"cannot be reached \(ConnectError\)"):
            line_to(url).ask("/x", QUESTION, MOST)


def test_a_name_with_several_addresses_is_tried_at_each() -> None:
    with served(lambda asked: asked.answer({})) as server:  # on 127.0.0.1, not on ::1
        answer = line_to(f"http://localhost:{server.server_port}").ask("/x", QUESTION, MOST)

    assert answer == {}


def test_no_proxy_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    with served(lambda asked: asked.answer({})) as server:
        assert line_to(server.url).ask("/x", QUESTION, MOST) == {}


def _certificate(directory: Path, name: str) -> tuple[Path, ssl.SSLContext]:
    """Return the certificate of a name, and what a server needs to show it."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("openssl is not here: no certificate can be made")
    key, certificate = directory / "key.pem", directory / "certificate.pem"
    subprocess.run(
        [
            program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
            "-keyout", str(key), "-out", str(certificate),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return certificate, context


def test_a_server_with_an_authority_of_its_own_is_believed_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, context = _certificate(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with served(lambda asked: asked.answer({}), context) as server:
        answer = line_to(f"https://localhost:{server.server_port}").ask("/x", QUESTION, MOST)

    assert answer == {}


@pytest.mark.parametrize(("name", "trusted"), [("localhost", "nobody"), ("elsewhere", "it")])
def test_a_certificate_of_nobody_or_of_another_name_is_refused(
    name: str, trusted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, context = _certificate(tmp_path, name)
    if trusted == "it":
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    with served(lambda asked: asked.answer({}), context) as server:
        line = line_to(f"https://localhost:{server.server_port}")
        with pytest.raises(EmbedderUnavailable, match="cannot be reached"):
            line.ask("/x", QUESTION, MOST)

    assert server.asked == []
