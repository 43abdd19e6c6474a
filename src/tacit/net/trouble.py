"""Trouble with a server: what went wrong, for callers who know what the server was for.

    Trouble
    ├── PlaceRefused        the URL is no place for a server
    ├── HostUnknown         the host cannot be found
    ├── HostRefused         the host has an address where nothing may be sent
    ├── Unreachable         no connection, or one that broke
    │   └── Broken          it broke when the question was sent, and before the answer was whole
    ├── Late                not within the time that was allowed
    ├── Redirected          the server points elsewhere; nobody goes there
    ├── Refused             any other status than 200
    ├── TooLong             the answer is longer than was allowed
    └── Garbled             the answer is not JSON

Each says its predicate ("does not answer in time"), to be put after the server's name. It holds
neither key nor text, nor a word of the server's.
"""

from __future__ import annotations


class Trouble(Exception):  # noqa: N818  (a state, not a mishap)
    """Something about a server that its asker has to tell."""


class PlaceRefused(Trouble):
    """The URL is no place for a server."""


class HostUnknown(Trouble):
    """The host cannot be found."""


class HostRefused(Trouble):
    """The host is where nothing may be sent."""


class Unreachable(Trouble):
    """There is no connection, or it broke."""


class Broken(Unreachable):
    """The question was taken; its answer did not come, or not whole."""


class Late(Trouble):
    """The time that was allowed is over."""

    def __init__(self) -> None:
        super().__init__("does not answer in time")


class Redirected(Trouble):
    """The server points elsewhere."""

    def __init__(self) -> None:
        super().__init__("points elsewhere")


class Refused(Trouble):
    """The server answers with another status than 200."""

    def __init__(self, status: int, retry_after: float | None = None) -> None:
        super().__init__(f"refuses the question (status {status})")
        self.status = status
        self.retry_after = retry_after


class TooLong(Trouble):
    """The answer is longer than was allowed."""

    def __init__(self) -> None:
        super().__init__("answers with more than was asked for")


class Garbled(Trouble):
    """The answer is not JSON."""

    def __init__(self, what: str = "answers with something that is not JSON") -> None:
        super().__init__(what)
