"""The line to a server: one question as JSON, one answer, or a `Trouble`.

No redirection is followed, no proxy or password is taken from the environment, and an answer that
is too long or takes too long is not read to its end. What is told of a failure holds neither the
key nor a text, nor anything that the server has said.
"""

from __future__ import annotations

import json
import weakref
from typing import TYPE_CHECKING, Any

from tacit.net.trouble import Garbled

if TYPE_CHECKING:
    from tacit.net.endpoint import Endpoint

SECONDS = 60.0


class Line:
    """An open line; it is closed when nobody holds it any more."""

    def __init__(self, endpoint: Endpoint, key: str | None, seconds: float) -> None:
        from tacit.net.transport import Transport, client

        self._endpoint = endpoint
        self._seconds = seconds
        self._transport = Transport(endpoint)
        self._client = client(self._transport, {"Authorization": f"Bearer {key}"} if key else {})
        weakref.finalize(self, self._client.close)

    def ask(
        self, path: str, question: dict[str, Any], most: int, seconds: float | None = None
    ) -> Any:
        """Return the answer to a question; one of more than `most` bytes is refused."""
        from tacit.net.wire import allowing

        with allowing(self._seconds if seconds is None else seconds, most):
            answer = self._client.post(self._endpoint.url + path, json=question)
        return parsed(answer.content)

    def cut(self) -> None:
        """End what is under way, from another thread: its asker is told that the line broke."""
        self._transport.cut()


def parsed(answer: bytes) -> Any:
    """Return what an answer says in JSON."""
    try:
        return json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise Garbled from error


def is_key(text: str) -> bool:
    """Say whether a text can stand in a header as a key."""
    return bool(text) and text.isascii() and text.isprintable() and " " not in text
