"""Symbolic links: where a path leads. Each name is looked up on disk once, and not too many are."""

from __future__ import annotations

import posix

_MOST_LOOKUPS = 30_000
_MOST_LINKS = 40  # in one path: the kernel follows no more
_LONGEST_PATH = 4096  # the kernel opens no longer one


class Links:
    """A resolver that remembers its lookups."""

    __slots__ = ("_bases", "_targets")

    def __init__(self) -> None:
        self._targets: dict[str, str] = {}
        self._bases: dict[str, str] = {"": ""}

    @property
    def is_exhausted(self) -> bool:
        """Return whether no more names are looked up."""
        return len(self._targets) >= _MOST_LOOKUPS

    def resolve(self, path: str, base: str = "") -> str:
        """Return a path from *base* on without links, `.` and `..`, whether or not it exists."""
        if base not in self._bases:
            self._bases[base] = self.resolve(base)
        found, left = self._bases[base], _MOST_LINKS
        if len(path) > _LONGEST_PATH:
            return f"{found}/{path}"
        rest = path.split("/")[::-1]
        while rest:
            name = rest.pop()
            if name == "..":
                found = found.rpartition("/")[0]
            if name in {"", ".", ".."}:
                continue
            target = self._target(f"{found}/{name}") if left else ""
            if target:
                left -= 1
                found = "" if target.startswith("/") else found
                rest += target.split("/")[::-1]
            else:
                found = f"{found}/{name}"
        return found or "/"

    def _target(self, path: str) -> str:
        """Return what a link points at; nothing if the path is no link."""
        known = self._targets.get(path)
        if known is None:
            known = "" if self.is_exhausted else _read_link(path)
            self._targets[path] = known
        return known


def _read_link(path: str) -> str:
    try:
        return posix.readlink(path)
    except (OSError, ValueError):  # ValueError: what no file can be called
        return ""
