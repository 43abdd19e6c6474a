"""The workspaces of a home: groups whose databases lie in a directory of the user's.

Only the user's own `config.toml` says which there are; no directory says so of itself. Read again
when that file has changed; where it cannot be read whole, what was known counts as well.
"""

from __future__ import annotations

from tacit import settings
from tacit.capture.conf import sources


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
            chosen = settings.load(self._home)
            found = {name: places[0] for name, places in chosen.workspaces.items()}
            self._known = self._known | found if chosen.problems else found
            self._stamp = stamp
        return self._known
