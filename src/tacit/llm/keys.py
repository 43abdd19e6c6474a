"""The key: from the environment or from a program that the owner has named, kept in memory alone.

Never from a project, never on disk, never in a log. Where a server was named by the environment, it
gets the environment's key and no other: a directory that sets a variable does not get what the
owner keeps elsewhere.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from tacit.errors import ModelKeyRefused
from tacit.llm import programs
from tacit.llm.child import Children, Place
from tacit.net.line import is_key
from tacit.net.trouble import Trouble, Unreachable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SECONDS = 15.0
_BYTES = 16 * 1024
_COMMAND = "llm.key_command"


class Keys:
    """The key of one provider; nothing shows it by accident."""

    def __init__(
        self, variable: str, environment: Mapping[str, str], command: Sequence[str] = ()
    ) -> None:
        self._variable = variable
        self._environment = environment
        self._command = list(command)
        self._children = Children()
        self._printed: str | None = None
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"Keys({self._command[0] if self._command else self._variable!r})"

    @property
    def remedy(self) -> str:
        """Return what the owner can do about a key that is missing or not accepted."""
        if self._command:
            return f"See what {_COMMAND} prints."
        return f"Set {self._variable} to one that it knows, or {_COMMAND} in config.toml."

    def key(self) -> str | None:
        """Return the key, None if there is none; a program is asked once until it is forgotten."""
        if not self._command:
            return self._plain(self._environment.get(self._variable, ""), self._variable)
        with self._lock:
            if self._printed is None:
                self._printed = self._plain(self._asked(), _COMMAND)
            if self._printed is None:
                raise ModelKeyRefused(f"{_COMMAND} prints nothing. Correct it in config.toml.")
            return self._printed

    def forget(self) -> None:
        """Ask the program anew the next time: its key was not accepted."""
        with self._lock:
            self._printed = None

    def close(self) -> None:
        """End the program if it is under way."""
        self._children.kill()

    def _asked(self) -> str:
        program = programs.found(self._command[0], self._environment)
        if program is None:
            raise ModelKeyRefused(
                f"{_COMMAND} cannot be started: `{self._command[0]}` is not found. "
                "Write its whole path in config.toml."
            )
        known = programs.beside(program, {**self._environment, "TACIT_INTERNAL": "1"})
        place, command = Place(directory="/", environment=known), [program, *self._command[1:]]
        try:
            ended = self._children.run(command, b"", place, _SECONDS, _BYTES)
        except Trouble as trouble:
            raise ModelKeyRefused(f"{_COMMAND} {trouble}. Correct it in config.toml.") from trouble
        if ended.code < 0:
            raise Unreachable(f"has no key yet: {_COMMAND} was ended before its time")
        if ended.code:
            raise ModelKeyRefused(
                f"{_COMMAND} fails (status {ended.code}). Run it yourself and see what it says."
            )
        return ended.out.decode("utf-8", "replace")

    @staticmethod
    def _plain(found: str, source: str) -> str | None:
        key = found.strip()
        if key and not is_key(key):
            raise ModelKeyRefused(f"{source} holds what no key does. Set it anew.")
        return key or None
