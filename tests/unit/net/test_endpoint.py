"""The endpoint: where texts may be sent, judged by address and not by name."""

from __future__ import annotations

import socket

import pytest

from tacit.net.endpoint import parsed
from tacit.net.trouble import HostRefused, HostUnknown, PlaceRefused

UNSPECIFIED = "0.0.0.0"  # noqa: S104  (nothing is bound)


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("http://127.0.0.1:11434", ("http", "127.0.0.1", 11434, "", "127.0.0.1:11434")),
        ("http://localhost", ("http", "localhost", 80, "", "localhost")),
        (
            "https://API.example.com/v1/",
            ("https", "api.example.com", 443, "/v1", "api.example.com"),
        ),
        ("https://[::1]:8443/a/b", ("https", "::1", 8443, "/a/b", "[::1]:8443")),
        ("HTTPS://example.com:443", ("https", "example.com", 443, "", "example.com")),
    ],
)
def test_a_url_is_taken_apart(url: str, parts: tuple[str, str, int, str, str]) -> None:
    found = parsed(url)

    assert (found.scheme, found.host, found.port, found.path, found.name) == parts


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "must begin with https://"),
        ("localhost:11434", "must begin with https://"),
        ("ftp://example.com", "must begin with https://"),
        ("file:///etc/passwd", "must begin with https://"),
        ("https://", "must name a host"),
        ("https:///v1", "must name a host"),
        ("https://exämple.com", "must name a host, in plain letters"),
        ("https://exam ple.com", "must name a host, in plain letters"),
        ("https://example.com:99999", "is not a URL"),
        ("https://example.com:port", "is not a URL"),
        ("https://[::1", "is not a URL"),
        ("https://me:hunter2@example.com", "neither name nor password"),
        ("https://me@example.com", "neither name nor password"),
        ("https://example.com/v1?key=hunter2", "must end with a path"),
        ("https://example.com/v1#hunter2", "must end with a path"),
    ],
)
def test_what_is_no_place_is_refused_without_being_repeated(url: str, told: str) -> None:
    with pytest.raises(PlaceRefused) as refused:
        parsed(url)

    assert told in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "[::1]", "[::ffff:127.0.0.1]"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_this_machine_may_be_asked_in_any_way(scheme: str, host: str) -> None:
    assert parsed(f"{scheme}://{host}:1").addresses() == [host.strip("[]")]


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.1", "192.168.1.20", "8.8.8.8", "[2001:db8::1]", UNSPECIFIED, "169.254.169.254",
        "[::ffff:8.8.8.8]", "[2002:7f00:1::1]", "[64:ff9b::7f00:1]",
    ],
)  # fmt: skip
def test_another_machine_is_never_asked_in_the_clear(host: str) -> None:
    with pytest.raises(HostRefused, match="is not on this machine"):
        parsed(f"http://{host}").addresses()


@pytest.mark.parametrize(
    "host", ["10.0.0.1", "192.168.1.20", "8.8.8.8", "[fd12::1]", "[64:ff9b::808:808]"]
)
def test_another_machine_may_be_asked_by_https(host: str) -> None:
    assert parsed(f"https://{host}").addresses() == [host.strip("[]")]


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254", "169.254.0.1", "[fe80::1]", "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]", "100.100.100.200", "168.63.129.16",
        "192.0.0.192", "[fd00:ec2::254]", UNSPECIFIED, "[::]", "224.0.0.1", "[ff02::1]",
        "255.255.255.255", "240.0.0.1", "[2002:7f00:1::1]", "[64:ff9b::7f00:1]",
        "2852039166", "0xa9fea9fe",
    ],
)  # fmt: skip
def test_where_a_machine_s_surroundings_answer_nothing_is_sent(host: str) -> None:
    with pytest.raises(HostRefused, match="where no server can be"):
        parsed(f"https://{host}").addresses()


def _resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Have any name stand for these addresses, as the system's resolver would tell it."""
    told = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: told)


def test_a_name_is_judged_by_all_its_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    _resolving(monkeypatch, "8.8.8.8", "169.254.169.254")

    with pytest.raises(HostRefused, match="has an address where no server can be"):
        parsed("https://example.com").addresses()


def test_a_name_that_only_sounds_local_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    _resolving(monkeypatch, "127.0.0.1", "10.0.0.1")

    with pytest.raises(HostRefused, match="is not on this machine"):
        parsed("http://localhost").addresses()


@pytest.mark.parametrize("host", ["a" * 64 + ".invalid", "a..b"])
def test_a_name_that_is_none_is_told(host: str) -> None:
    with pytest.raises(HostUnknown, match="cannot be found"):
        parsed(f"https://{host}").addresses()


def test_a_host_that_cannot_be_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    with pytest.raises(HostUnknown, match="cannot be found"):
        parsed("https://example.com").addresses()


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://EXAMPLE.com:8443/v1/", "https://example.com:8443/v1"),
        ("https://example.com:443", "https://example.com"),
        ("http://[::1]:80/a", "http://[::1]/a"),
    ],
)
def test_a_place_is_written_in_one_way(url: str, found: str) -> None:
    assert parsed(url).url == found


@pytest.mark.parametrize(
    ("url", "is_local"),
    [
        ("http://ollama.home:11434", True),  # or it is refused when it is asked
        ("https://localhost:8443", True),
        ("https://127.0.0.1", True),
        ("https://[::1]", True),
        ("https://[::ffff:127.0.0.1]", True),
        ("https://10.0.0.1", False),
        ("https://localhost.example.com", False),
    ],
)
def test_a_server_of_this_machine_is_known_as_one(url: str, is_local: bool) -> None:  # noqa: FBT001
    assert parsed(url).is_local == is_local
