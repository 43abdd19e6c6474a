"""A scripted server on this machine: real HTTP, and what the test wants said."""

from __future__ import annotations

import json
import ssl
import subprocess
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from rig import needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from email.message import Message
    from pathlib import Path

    Script = Callable[["Asked"], None]


class Question(NamedTuple):
    """What was asked, and over which connection."""

    path: str
    body: Any
    headers: Message
    client: tuple[str, int]


class Asked(BaseHTTPRequestHandler):
    """One question; what a script does with it is the answer."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        """Read the question, keep it, and let the script answer."""
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.question: Any = json.loads(body) if body else None
        client = self.connection.getpeername()[:2]
        self.server.asked.append(Question(self.path, self.question, self.headers, client))
        self.server.script(self)

    do_GET = do_POST  # noqa: N815  (what a client makes of a question that was redirected)

    def answer(self, content: object, status: int = 200, **headers: str) -> None:
        """Send an answer: bytes as they are, anything else as JSON."""
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Stay quiet."""


class Server(ThreadingHTTPServer):
    """The server, with all that it was asked."""

    daemon_threads = True
    script: Script
    asked: list[Question]

    @property
    def url(self) -> str:
        """Return where it is."""
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: Any) -> None:
        """Stay quiet: tests break lines on purpose."""


@contextmanager
def served(script: Script, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    """Serve a script for a while."""
    server = Server(("127.0.0.1", 0), Asked)
    server.script, server.asked = script, []
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def certificate_of(directory: Path, name: str) -> tuple[Path, ssl.SSLContext]:
    """Return the certificate of a name, and what a server needs to show it."""
    program = needed("openssl")
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
