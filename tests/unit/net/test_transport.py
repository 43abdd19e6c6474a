"""The transport: a library above it sees good answers, and nothing of any other."""

from __future__ import annotations

import zlib
from email.utils import formatdate
from typing import TYPE_CHECKING

import httpx2
import pytest

from tacit.net.endpoint import parsed
from tacit.net.transport import LONGEST_PAUSE, Transport, client
from tacit.net.trouble import Garbled, HostRefused, Late, Refused, TooLong, Trouble
from tacit.net.wire import allowing
from unit.net.serving import served

if TYPE_CHECKING:
    from unit.net.serving import Asked, Script

NOON = 1_790_000_000


def trouble(script: Script, most: int = 1000) -> Trouble:
    with (
        served(script) as server,
        client(Transport(parsed(server.url))) as asking,
        allowing(5, most),
        pytest.raises(Trouble) as told,
    ):
        asking.post(f"{server.url}/x", json={})
    return told.value


@pytest.mark.parametrize("kind", [None, "application/json", "Application/JSON; charset=utf-8"])
def test_json_goes_through(kind: str | None) -> None:
    headers = {"Content_Type": kind} if kind else {}
    with (
        served(lambda asked: asked.answer({"a": 1}, 200, **headers)) as server,
        client(Transport(parsed(server.url))) as asking,
        allowing(5, 1000),
    ):
        answer = asking.post(f"{server.url}/x", json={})

    assert answer.json() == {"a": 1}


@pytest.mark.parametrize("kind", ["text/html", "text/event-stream", "application/jsonx", "json"])
def test_another_type_than_json_is_not_read(kind: str) -> None:
    assert isinstance(trouble(lambda asked: asked.answer({}, Content_Type=kind)), Garbled)


@pytest.mark.parametrize("packing", ["gzip", "deflate", "br", "GZIP", "gzip, identity"])
def test_what_is_packed_is_not_unpacked(packing: str) -> None:
    bomb = zlib.compress(b" " * 50_000_000)

    told = trouble(lambda asked: asked.answer(bomb, Content_Encoding=packing), most=1_000_000)

    assert isinstance(told, Garbled)
    assert "packing" in str(told)


def test_one_byte_more_than_allowed_is_too_long() -> None:
    assert isinstance(trouble(lambda asked: asked.answer(b"1" * 1001)), TooLong)


def test_as_much_as_is_allowed_goes_through() -> None:
    with (
        served(lambda asked: asked.answer(b"1" * 1000)) as server,
        client(Transport(parsed(server.url))) as asking,
        allowing(5, 1000),
    ):
        assert len(asking.post(f"{server.url}/x", json={}).content) == 1000


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({}, None),
        ({"Retry_After": "7"}, 7.0),
        ({"Retry_After": "0"}, 0.0),
        ({"Retry_After": "99999999999999999999"}, LONGEST_PAUSE),
        ({"Retry_After": "-3"}, None),
        ({"Retry_After": "1.5"}, None),
        ({"Retry_After": "soon"}, None),
        ({"Retry_After": formatdate(NOON + 90, usegmt=True)}, 90.0),
        ({"Retry_After": formatdate(NOON - 90, usegmt=True)}, 0.0),
        ({"Retry_After": formatdate(NOON + 10**6, usegmt=True)}, LONGEST_PAUSE),
        ({"Retry_After": "Fri, 31 Dec 9999 23:59:59 GMT"}, LONGEST_PAUSE),
        ({"Retry_After": "Mon, 99 Foo 2026 99:99:99 GMT"}, None),
    ],
)
def test_a_server_that_wants_a_pause_is_heard_by_its_own_clock(
    headers: dict[str, str], pause: float | None
) -> None:
    def script(asked: Asked) -> None:
        asked.date_time_string = lambda timestamp=None: formatdate(NOON, usegmt=True)  # type: ignore[method-assign]  # noqa: ARG005
        asked.answer({}, 429, **headers)

    told = trouble(script)

    assert isinstance(told, Refused)
    assert told.retry_after == pause


def test_nothing_is_asked_of_another_host() -> None:
    with (
        served(lambda asked: asked.answer({})) as server,
        client(Transport(parsed("http://127.0.0.2:1"))) as asking,
        allowing(5, 1000),
        pytest.raises(HostRefused),
    ):
        asking.post(f"{server.url}/x", json={})

    assert server.asked == []


def test_a_name_that_only_looks_like_an_address_is_refused() -> None:
    with pytest.raises(HostRefused, match="a name that no server has"):
        Transport(parsed("https://256.1.1.1"))


def test_nothing_is_asked_without_time() -> None:
    with (
        served(lambda asked: asked.answer({})) as server,
        client(Transport(parsed(server.url))) as asking,
        allowing(0, 1000),
        pytest.raises(Late),
    ):
        asking.post(f"{server.url}/x", json={})

    assert server.asked == []


def test_a_library_that_wants_to_follow_cannot() -> None:
    with served(lambda asked: asked.answer({})) as other:

        def script(asked: Asked) -> None:
            asked.answer({}, 307, Location=other.url)

        with (
            served(script) as server,
            httpx2.Client(transport=Transport(parsed(server.url))) as asking,
            allowing(5, 1000),
            pytest.raises(Trouble, match="points elsewhere"),
        ):
            asking.post(f"{server.url}/x", json={}, follow_redirects=True)

    assert other.asked == []
