"""What is told of a server that embeds and cannot be had: one sentence, and the setting to look at.

Holds neither the key nor a text, nor anything that the server has said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.errors import EmbedderUnavailable
from tacit.net.trouble import HostRefused, HostUnknown, Redirected, Refused, TooLong

if TYPE_CHECKING:
    from tacit.net.endpoint import Endpoint
    from tacit.net.trouble import Trouble

_FAILED, _BUSY = range(500, 600), 429
_UNKNOWN_KEY, _UNKNOWN_MODEL = frozenset((401, 403)), 404
_LOOK = "See whether it runs, and embed.base_url in config.toml."
_CORRECT = "Correct embed.base_url."


def unavailable(endpoint: Endpoint, trouble: Trouble) -> EmbedderUnavailable:
    """Return the error that tells of trouble with an endpoint."""
    what, remedy = _words(trouble)
    return EmbedderUnavailable(f"The embedder at {endpoint.name} {what}. {remedy}")


def _words(trouble: Trouble) -> tuple[str, str]:
    match trouble:
        case Refused():
            return _refused(trouble.status)
        case Redirected():
            return str(trouble), "Set embed.base_url to where it is."
        case HostUnknown():
            return str(trouble), "Correct embed.base_url, or see whether the network is up."
        case HostRefused():
            return str(trouble), _CORRECT
        case TooLong():
            return "answers with more than any embedder would", _LOOK
        case _:
            return str(trouble), _LOOK


def _refused(status: int) -> tuple[str, str]:
    if status in _UNKNOWN_KEY:
        return "does not accept the key", "Set OPENAI_API_KEY to one it knows."
    if status == _UNKNOWN_MODEL:
        return (
            "does not know the model or the path",
            "Correct embed.model and embed.base_url; with Ollama, run `ollama pull` first.",
        )
    if status == _BUSY or status in _FAILED:
        return f"cannot answer now (status {status})", _LOOK
    return f"refuses the question (status {status})", _LOOK
