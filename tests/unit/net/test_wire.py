"""The wire: only judged addresses, and one allowance for all that a question takes."""

from __future__ import annotations

import socket
import time
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

import httpcore2
import pytest

from tacit.net.endpoint import parsed
from tacit.net.trouble import HostRefused
from tacit.net.wire import Wiring, allowed, allowing, left

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Peer = Callable[[socket.socket], None]


@contextmanager
def peer(does: Peer) -> Iterator[str]:
    """Give the URL of somebody who takes one connection and does something with it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def run() -> None:
            connection, _ = listening.accept()
            with connection:
                does(connection)

        thread = Thread(target=run)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


def connected(url: str) -> httpcore2.NetworkStream:
    place = parsed(url)
    return Wiring(place).connect_tcp(place.host, place.port)


def test_what_is_allowed_is_known_inside_and_nowhere_else() -> None:
    with allowing(60, 5):
        with allowing(1, 3):
            inner = allowed()
        outer = allowed()

    assert (inner.most, outer.most) == (3, 5)
    with pytest.raises(LookupError):
        allowed()


def test_when_no_time_is_left_that_is_told() -> None:
    with allowing(0, 1), pytest.raises(httpcore2.TimeoutException):
        left()


def test_bytes_that_trickle_use_up_the_time_of_the_whole_question() -> None:
    def drip(connection: socket.socket) -> None:
        try:
            while True:
                connection.send(b".")
                time.sleep(0.02)
        except OSError:
            return

    read: list[bytes] = []
    with peer(drip) as url, allowing(0.3, 1000):
        wire = connected(url)
        with pytest.raises(httpcore2.ReadTimeout):
            read.extend(iter(lambda: wire.read(100, timeout=60), b""))
        wire.close()

    assert len(read) > 1


def test_a_peer_that_takes_nothing_is_given_up() -> None:
    is_over = Event()

    def take_nothing(_: socket.socket) -> None:
        is_over.wait()

    with peer(take_nothing) as url, allowing(0.3, 1000):
        wire = connected(url)
        with pytest.raises(httpcore2.WriteTimeout):
            wire.write(b"x" * 50_000_000, timeout=60)
        wire.close()
        is_over.set()


def test_a_peer_that_takes_little_by_little_is_given_up_too() -> None:
    is_over = Event()

    def sip(connection: socket.socket) -> None:
        while not is_over.wait(0.02):
            connection.recv(4096)

    with peer(sip) as url, allowing(0.4, 1000):
        wire = connected(url)
        with pytest.raises((httpcore2.WriteTimeout, httpcore2.ReadTimeout)):
            wire.write(b"x" * 50_000_000, timeout=60)
        wire.close()
        is_over.set()


def test_a_peer_that_has_gone_is_told() -> None:
    with peer(lambda _: None) as url, allowing(5, 1000):
        wire = connected(url)
        wire.read(1)
        with pytest.raises(httpcore2.WriteError):
            wire.write(b"x" * 10_000_000)
        wire.close()


@pytest.mark.parametrize(("host", "port"), [("127.0.0.2", 1), ("localhost", 1), ("127.0.0.1", 2)])
def test_nothing_but_the_endpoint_is_connected_to(host: str, port: int) -> None:
    wiring = Wiring(parsed("http://127.0.0.1:1"))

    with allowing(5, 1), pytest.raises(HostRefused):
        wiring.connect_tcp(host, port)


def test_a_name_is_judged_again_for_each_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    wiring = Wiring(parsed("https://example.com"))
    told = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: told)

    with allowing(5, 1), pytest.raises(HostRefused):
        wiring.connect_tcp("example.com", 443)
