"""The line: `tacit mcp` as a process, and a client that says on it whatever a test likes.

Each answer is one line of JSON. A server that stays silent is killed after a while, so that a test
fails and never hangs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig import Home

PATIENCE = 60.0
PROJECT = "/srv/shop"
COMMAND = ("-P", "-m", "tacit", "mcp", "--project", PROJECT)
NEWEST = "2025-11-25"  # the last version that begins with a handshake
MODERN = "2026-07-28"  # the first that does not
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a server ended, with what it said beside its answers."""

    code: int
    out: bytes
    err: bytes


class Line:
    """A running server; for as long as the block lasts."""

    def __init__(self, home: Home, *options: str) -> None:
        self._asked = 0
        self._err = tempfile.TemporaryFile()  # noqa: SIM115 - a pipe that nobody reads fills up
        self.process = subprocess.Popen(
            [sys.executable, *options, *COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._err,
            cwd=home.project,
            env=home.environment(TACIT_HOME=str(home.path)),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self._err.close()

    def say(self, said: bytes | dict[str, Any]) -> None:
        """Say one thing, which may be no JSON at all."""
        assert self.process.stdin is not None
        line = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Return the next thing that the server says."""
        assert self.process.stdout is not None
        with self._impatiently():
            heard: dict[str, Any] = json.loads(self.process.stdout.readline())
        return heard

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the answer to a question, which must be the next thing that the server says."""
        self._asked += 1
        self.say({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        heard = self.hear()
        assert heard["id"] == self._asked
        return heard

    def introduce(self, version: str = NEWEST) -> dict[str, Any]:
        """Begin as a client does that speaks this version; return what it is told."""
        client = {"name": "test", "version": "1"}
        told = self.ask("initialize", protocolVersion=version, capabilities={}, clientInfo=client)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = told["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return what a tool answers."""
        result: dict[str, Any] = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return result

    def end(self) -> Ended:
        """Close the line, and return how the server ended."""
        with self._impatiently():
            out, _ = self.process.communicate()
        return Ended(code=self.process.returncode, out=out, err=self.errors())

    def errors(self) -> bytes:
        """Return what the server has written to standard error."""
        self._err.seek(0)
        return self._err.read()

    @contextmanager
    def _impatiently(self) -> Iterator[None]:
        """Kill the server if it lets us wait too long for what happens inside."""
        watch = threading.Timer(PATIENCE, self.process.kill)
        watch.start()
        try:
            yield
        finally:
            watch.cancel()
