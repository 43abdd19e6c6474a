"""A scripted server of embeddings on this machine: real HTTP, and what the test wants said."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator
    from email.message import Message

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
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.question = json.loads(body)
        client = self.connection.getpeername()[:2]
        self.server.asked.append(Question(self.path, self.question, self.headers, client))
        self.server.script(self)

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


def vector(text: str) -> list[float]:
    """Return some vector that tells texts apart."""
    return [3.0 * len(text), 4.0, float(sum(map(ord, text)) % 97)]


def ollama(asked: Asked) -> None:
    """Answer as Ollama does."""
    asked.answer({"embeddings": [vector(text) for text in asked.question["input"]]})


def openai(asked: Asked) -> None:
    """Answer as OpenAI does, in an order of its own."""
    rows = [
        {"object": "embedding", "index": place, "embedding": vector(text)}
        for place, text in enumerate(asked.question["input"])
    ]
    asked.answer({"object": "list", "data": rows[::-1], "model": asked.question["model"]})
