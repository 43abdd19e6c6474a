"""The wire: a connection to the addresses of one endpoint that were judged, within an allowance.

Whatever a library above asks for, nothing else is connected to. The allowance is one for the whole
question: connecting, TLS, sending and every byte that trickles back use it up together. Loaded by
whoever asks first, not before.
"""

from __future__ import annotations

import socket
import time
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import httpcore2

from tacit.net.trouble import HostRefused

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Iterator

    from tacit.net.endpoint import Endpoint

_CONNECT = 5.0  # seconds, for each address


@dataclass(frozen=True, slots=True)
class Allowance:
    """How long a question may take, and how many bytes its answer may have."""

    until: float
    most: int


_allowed: ContextVar[Allowance] = ContextVar("allowed")


@contextmanager
def allowing(seconds: float, most: int) -> Iterator[None]:
    """Allow so many seconds and bytes for what this thread asks inside."""
    token = _allowed.set(Allowance(time.monotonic() + seconds, most))
    try:
        yield
    finally:
        _allowed.reset(token)


def allowed() -> Allowance:
    """Return what is allowed to the question under way."""
    return _allowed.get()


def left() -> float:
    """Return how many seconds are left; `httpcore2.ReadTimeout` if none are."""
    seconds = _allowed.get().until - time.monotonic()
    if seconds <= 0:
        raise httpcore2.ReadTimeout
    return seconds


class Wire(httpcore2.NetworkStream):
    """One connection; the timeouts that it is told give way to the allowance."""

    def __init__(self, inner: httpcore2.NetworkStream, wires: WeakSet[Wire]) -> None:
        self._inner = inner
        self._socket: socket.socket = inner.get_extra_info("socket")
        self._wires = wires
        wires.add(self)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        """Return what has come, at least one byte unless nothing more will."""
        return self._inner.read(max_bytes, left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        """Send all, however slowly it is taken, while there is time."""
        rest = memoryview(buffer)
        try:
            while rest:
                self._socket.settimeout(left())
                rest = rest[self._socket.send(rest) :]
        except TimeoutError as error:
            raise httpcore2.WriteTimeout from error
        except OSError as error:
            raise httpcore2.WriteError from error

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        """Return the connection with TLS on it."""
        return Wire(self._inner.start_tls(ssl_context, server_hostname, left()), self._wires)

    def get_extra_info(self, info: str) -> Any:
        """Return what the library wants to know of the socket."""
        return self._inner.get_extra_info(info)

    def cut(self) -> None:
        """End what is under way, from another thread; closing is left to whoever reads."""
        with suppress(OSError):
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class Wiring(httpcore2.NetworkBackend):
    """Connections to one endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._plain = httpcore2.SyncBackend()
        self._wires: WeakSet[Wire] = WeakSet()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first address where somebody listens; the last one's refusal is told."""
        if (host, port) != (self._endpoint.host, self._endpoint.port):
            raise HostRefused("is asked for another host's sake")
        *others, last = self._endpoint.addresses()
        for address in others:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return self._connect(address, local_address, socket_options)
        return self._connect(last, local_address, socket_options)

    def _connect(
        self,
        address: str,
        local_address: str | None,
        options: Iterable[httpcore2.SOCKET_OPTION] | None,
    ) -> Wire:
        seconds = min(_CONNECT, left())
        port = self._endpoint.port
        return Wire(
            self._plain.connect_tcp(address, port, seconds, local_address, options), self._wires
        )

    def cut(self) -> None:
        """End everything that is under way."""
        for wire in list(self._wires):
            wire.cut()
