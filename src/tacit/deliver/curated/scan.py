"""The top levels of a directory: what lies there, and what lies one step below.

Only looks, a little at a time: so many names of each directory, so many directories, no links, no
hidden names, nothing that is private. A place that is no project's own, such as a user's home, is
passed over.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.capture import projectfile
from tacit.deliver.curated import plain
from tacit.paths import is_under

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_ROOTS, MOST_BELOW = 5, 24
_LOOKED_AT, _SHOWN = 400, 8  # names of one directory
_DULL = frozenset(
    ("node_modules", "__pycache__", "venv", "dist", "build", "target", "vendor", "coverage")
)


@dataclass(frozen=True, slots=True)
class _Found:
    folders: list[str]
    files: list[str]
    is_more: bool = False

    @property
    def names(self) -> list[str]:
        """Return all names, those of directories first."""
        return [*(f"{each}/" for each in self.folders), *self.files]


def lines(roots: Sequence[str], private: Sequence[str]) -> list[str]:
    """Return what lies at the top levels of these, a line for each directory."""
    found = [line for root in roots[:MOST_ROOTS] for line in _of(root, [*private])]
    return [f"- {line}" for line in found]


def _of(root: str, private: list[str]) -> Iterator[str]:
    if not root.startswith("/") or is_under(str(Path.home()), root):
        return
    is_off, below = projectfile.narrowed([root])
    hidden = [*private, *below]
    if is_off or any(is_under(root, each) for each in hidden):
        return
    top = _look(root, hidden)
    inside = [(name, _look(f"{root}/{name}", hidden)) for name in top.folders[:MOST_BELOW]]
    for name, found in [("", top), *inside]:
        if found.names:
            yield _told("/".join(filter(None, (Path(root).name, name))), found)


def _look(folder: str, hidden: Sequence[str]) -> _Found:
    """Return what lies in a directory; nothing if it cannot be looked at."""
    try:
        with os.scandir(folder) as entries:
            seen = sorted(islice(entries, _LOOKED_AT), key=lambda each: each.name)
            folders = [each.name for each in seen if each.is_dir(follow_symlinks=False)]
            files = [each.name for each in seen if each.is_file(follow_symlinks=False)]
    except OSError:
        return _Found([], [])

    def is_shown(name: str) -> bool:
        is_open = not name.startswith(".") and name not in _DULL
        return is_open and not any(is_under(f"{folder}/{name}", each) for each in hidden)

    return _Found([*filter(is_shown, folders)], [*filter(is_shown, files)], len(seen) == _LOOKED_AT)


def _told(name: str, found: _Found) -> str:
    shown = ", ".join(plain.path(_text(each)) for each in found.names[:_SHOWN])
    count = f"{len(found.names)}{' or more' * found.is_more}"
    rest = f", … ({count})" if len(found.names) > _SHOWN else ""
    return f"{plain.path(_text(f'{name}/'))}: {shown}{rest}"


def _text(name: str) -> str:
    return name.encode("utf-8", "replace").decode()
