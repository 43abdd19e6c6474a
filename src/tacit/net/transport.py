"""The transport: what stands between a client library and the wire, and lets only answers through.

It goes to one endpoint alone. Redirections, any other status than 200, packed bodies, other types
than JSON and more bytes than allowed become a `Trouble` before the library has read anything of
them: a library can follow nothing, retry nothing and tell nothing. Loaded by whoever asks first.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import httpcore2
import httpx2

from tacit.net.trouble import (
    Broken,
    Garbled,
    HostRefused,
    Late,
    Redirected,
    Refused,
    TooLong,
    Unreachable,
)
from tacit.net.wire import Wiring, allowed, left

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Iterator

    from tacit.net.endpoint import Endpoint

LONGEST_PAUSE = 86_400.0  # seconds: whoever asks for more is asked again all the same
_OK, _REDIRECTED = 200, range(300, 400)
_IDLE = 5.0  # seconds, for a connection that nobody uses
_CUT = (httpcore2.ReadError, httpcore2.RemoteProtocolError)
_BROKEN = (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol)


@contextmanager
def _told() -> Iterator[None]:
    """Make a `Trouble` of whatever the library below raises."""
    try:
        yield
    except httpcore2.ConnectTimeout as error:  # nobody has taken the question
        raise Unreachable("cannot be reached (ConnectTimeout)") from error
    except httpcore2.TimeoutException as error:
        raise Late from error
    except _CUT as error:
        raise Broken(f"cannot be reached ({type(error).__name__})") from error
    except _BROKEN as error:
        raise Unreachable(f"cannot be reached ({type(error).__name__})") from error


class _Body(httpx2.SyncByteStream):
    """The bytes of an answer, no more than allowed."""

    def __init__(self, parts: Iterable[bytes], answer: httpcore2.Response) -> None:
        self._parts = parts
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        rest = allowed().most
        with _told():
            for part in self._parts:
                rest -= len(part)
                if rest < 0:
                    raise TooLong
                yield part

    def close(self) -> None:
        self._answer.close()


class Transport(httpx2.BaseTransport):
    """Requests to one endpoint, each under the allowance of its thread."""

    def __init__(self, endpoint: Endpoint) -> None:
        try:
            httpx2.URL(endpoint.url)
        except httpx2.InvalidURL as error:
            raise HostRefused("has a name that no server has") from error
        self._endpoint = endpoint
        self._wiring = Wiring(endpoint)
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_trust() if endpoint.scheme == "https" else None,
            keepalive_expiry=_IDLE,
            network_backend=self._wiring,
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return an answer that is one; its body is still to be read."""
        if (request.url.scheme, request.url.host) != (self._endpoint.scheme, self._endpoint.host):
            raise HostRefused("is not where the question goes")
        with _told():
            asked = httpcore2.Request(
                method=request.method,
                url=str(request.url),
                headers=request.headers.raw,
                content=request.read(),
                extensions={"timeout": {"pool": left()}},
            )
            answer = self._pool.handle_request(asked)
        headers = httpx2.Headers(answer.headers)
        try:
            _check(answer.status, headers)
        except (Redirected, Refused, Garbled):
            answer.close()
            raise
        parts: Iterable[bytes] = answer.stream  # type: ignore[assignment]
        return httpx2.Response(answer.status, headers=headers, stream=_Body(parts, answer))

    def cut(self) -> None:
        """End everything that is under way, from another thread."""
        self._wiring.cut()

    def close(self) -> None:
        """Let the connections go."""
        self._pool.close()


def client(transport: Transport, headers: dict[str, str] | None = None) -> httpx2.Client:
    """Return a client that takes nothing from the environment and follows nobody."""
    usual = {"Accept-Encoding": "identity", "User-Agent": "tacit"}
    return httpx2.Client(
        transport=transport,
        trust_env=False,
        follow_redirects=False,
        headers=usual | (headers or {}),
    )


def _trust() -> ssl.SSLContext:
    """Return whom this machine trusts: 40 ms that only https needs."""
    context = httpx2.create_ssl_context(trust_env=False)
    context.load_default_certs()  # a server at home may have an authority of its own
    return context


def _check(status: int, headers: httpx2.Headers) -> None:
    if status in _REDIRECTED:
        raise Redirected
    if status != _OK:
        raise Refused(status, _pause(headers))
    if headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Garbled("answers in a packing that was not asked for")
    kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind and kind != "application/json" and not kind.endswith("+json"):
        raise Garbled


def _pause(headers: httpx2.Headers) -> float | None:
    """Return for how many seconds the server wants to be left alone, if it says so."""
    told = headers.get("Retry-After", "").strip()
    if told.isascii() and told.isdecimal():
        return min(float(told[:10]), LONGEST_PAUSE)
    then = _moment(told)
    if then is None:
        return None
    # By the server's own clock where it tells the time: ours may be another.
    now = _moment(headers.get("Date", "")) or time.time()
    return min(max(then - now, 0.0), LONGEST_PAUSE)


def _moment(date: str) -> float | None:
    """Return the seconds of a date of HTTP."""
    try:
        found = parsedate_to_datetime(date)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
