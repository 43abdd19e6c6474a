"""The endpoint: where a server of the owner's choice may be, and where it may not.

https anywhere, http on this machine alone. Never an address that is meant for the machine's own
surroundings, such as the one where clouds hand out credentials. The addresses that were judged are
those that are connected to: a name that changes its mind in between changes nothing.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tacit.net.trouble import HostRefused, HostUnknown, PlaceRefused

if TYPE_CHECKING:
    from typing import TypeAlias

    Address: TypeAlias = IPv4Address | IPv6Address

PORTS = {"http": 80, "https": 443}
# Where clouds tell a machine its secrets, so far as those are not link-local.
_METADATA = frozenset(
    map(ip_address, ("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"))
)
_TRANSLATED = IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A server's place, as the owner has written it."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        """Return the host, with its port where that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """Return the place as a URL, without a slash at its end."""
        return f"{self.scheme}://{self.name}{self.path}"

    @property
    def is_local(self) -> bool:
        """Say whether this is a server of this machine: http goes nowhere else."""
        return self.scheme == "http" or self.host == "localhost" or _is_loopback(self.host)

    def addresses(self) -> list[str]:
        """Return where the host is now; refuse if any of that is where it may not be."""
        try:
            found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise HostUnknown("cannot be found") from error
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        for address in addresses:
            self._judge(address)
        return addresses

    def _judge(self, address: str) -> None:
        place = _plain(ip_address(address))
        if place.is_loopback:
            return
        if self.scheme == "http":
            raise HostRefused("is not on this machine: texts go there by https only")
        if _is_nowhere(place):
            raise HostRefused("has an address where no server can be")


def parsed(url: str) -> Endpoint:
    """Return the endpoint that a URL names; the URL itself is not told, it may hold a password."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise PlaceRefused("is not a URL") from error
    if parts.scheme not in PORTS:
        raise PlaceRefused("must begin with https:// or, on this machine, http://")
    if parts.username is not None or parts.password is not None:
        raise PlaceRefused("must hold neither name nor password")
    if not parts.hostname or not url.isascii() or not url.isprintable() or " " in url:
        raise PlaceRefused("must name a host, in plain letters")
    if parts.query or parts.fragment:
        raise PlaceRefused("must end with a path")
    return Endpoint(
        scheme=parts.scheme,
        host=parts.hostname,
        port=PORTS[parts.scheme] if port is None else port,
        path=parts.path.rstrip("/"),
    )


def _is_loopback(host: str) -> bool:
    try:
        return _plain(ip_address(host)).is_loopback
    except ValueError:
        return False


def _plain(address: Address) -> Address:
    """Return the IPv4 address that is only written as an IPv6 one."""
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def _is_nowhere(address: Address) -> bool:
    """Say whether nobody serves there but the network itself."""
    place = _behind(address)
    return (
        place.is_link_local
        or place.is_loopback  # seen from the gateway: somebody else's machine
        or place.is_multicast
        or place.is_unspecified
        or (isinstance(place, IPv4Address) and place.is_reserved)
        or place in _METADATA
    )


def _behind(address: Address) -> Address:
    """Return the IPv4 address to which a gateway would take an IPv6 one."""
    if isinstance(address, IPv4Address):
        return address
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour or address
