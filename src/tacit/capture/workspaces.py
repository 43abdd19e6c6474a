"""The workspaces of a home: groups whose databases lie in a directory of the user's.

Only the user's own `config.toml` says which there are; no directory says so of itself. Read again
when that file has changed; while it cannot be read, what was last known counts.
"""

from __future__ import annotations

from tacit import settings
from tacit.capture import compile as capture_conf
from tacit.capture.conf import sources
from tacit.errors import SettingsUnreadable


class Workspaces:
    """Knows which groups are workspaces, and where they lie."""

    __slots__ = ("_home", "_known", "_root", "_stamp")

    def __init__(self, root: int, home: str) -> None:
        self._root = root
        self._home = home
        self._known: dict[str, str] = {}
        self._stamp = ""

    def all(self) -> dict[str, str]:
        """Return the directory of each workspace."""
        stamp = sources(self._root)
        if stamp != self._stamp:
            self._known, self._stamp = self._read(), stamp
        return self._known

    def _read(self) -> dict[str, str]:
        try:
            chosen = settings.load(self._home)
        except SettingsUnreadable:
            return self._known or capture_conf.workspaces(self._root)
        return {name: places[0] for name, places in chosen.workspaces.items()}
