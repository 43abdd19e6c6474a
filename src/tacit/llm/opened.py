"""The open line to a provider: its key is asked for by the first question, and anew if refused.

The usual place of a provider wants a key; a server of somebody's own may do without.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from tacit.errors import ModelKeyRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.llm.keys import Keys


class Cuttable(Protocol):
    """What can be cut while somebody waits for it."""

    def cut(self) -> None:
        """End it now."""
        ...


T = TypeVar("T", bound=Cuttable)


class Opened(Generic[T]):
    """One line, held open by whoever asks; any thread may."""

    def __init__(
        self, name: str, keys: Keys, open_with: Callable[[str | None], T], *, is_usual: bool
    ) -> None:
        self._name = name
        self._keys = keys
        self._open_with = open_with
        self._is_usual = is_usual
        self._line: T | None = None
        self._lock = Lock()

    def get(self) -> T:
        """Return the line, opened if it is not."""
        with self._lock:
            if self._line is None:
                key = self._keys.key()
                if key is None and self._is_usual:
                    raise ModelKeyRefused(f"There is no key for {self._name}. {self._keys.remedy}")
                self._line = self._open_with(key)
            return self._line

    def let_go(self) -> None:
        """Have the next question ask for the key anew."""
        self._keys.forget()
        with self._lock:
            self._line = None

    def close(self) -> None:
        """Let the line go; a question that is under way ends."""
        self._keys.close()
        with self._lock:
            if self._line is not None:
                self._line.cut()
            self._line = None
