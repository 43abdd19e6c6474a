"""What is told of a model that cannot be had: the kind of error, a sentence, the next step.

Holds neither the key nor a text, nor anything that the server has said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.errors import (
    ModelBusy,
    ModelKeyRefused,
    ModelStrange,
    ModelUnavailable,
    ModelUnknown,
    ModelUnreachable,
)
from tacit.net.trouble import (
    HostRefused,
    HostUnknown,
    Late,
    Redirected,
    Refused,
    Trouble,
    Unreachable,
)

if TYPE_CHECKING:
    from tacit.llm.form import Unusable

_KEY = frozenset((401, 402, 403))
_UNKNOWN = 404
_BUSY = 429
_SERVERS_OWN = range(500, 600)  # trouble of the server's, whatever it was asked
_BEHIND = frozenset((408, 502, 504))
_AGAIN = "It is asked again later."


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Of whom something is told, and what the owner can do."""

    name: str  # "The model at api.example.com"
    key: str  # what to do about a key that is not accepted
    model: str  # about a model that is not known
    place: str  # about a server that is not where it was said to be

    def unavailable(self, trouble: Trouble | Unusable) -> ModelUnavailable:
        """Return the error for what went wrong."""
        match trouble:
            case Refused():
                return self._refused(trouble)
            case Redirected() | HostRefused():
                return ModelUnknown(f"{self.name} {trouble}. {self.place}")
            case Late() | Unreachable() | HostUnknown():
                return ModelUnreachable(f"{self.name} {trouble}. {self.place}")
            case _:
                return ModelStrange(f"{self.name} {trouble}. {_AGAIN}")

    def _refused(self, refused: Refused) -> ModelUnavailable:
        status = refused.status
        if status in _KEY:
            return ModelKeyRefused(f"{self.name} does not accept the key. {self.key}")
        if status == _UNKNOWN:
            return ModelUnknown(f"{self.name} does not know the model or the path. {self.model}")
        if status in _BEHIND:
            return ModelUnreachable(f"{self.name} is not there (status {status}). {self.place}")
        if status == _BUSY or status in _SERVERS_OWN:
            words = f"{self.name} cannot answer now (status {status}). {_AGAIN}"
            return ModelBusy(words, refused.retry_after)
        return ModelStrange(f"{self.name} {refused}. {_AGAIN}")
