"""Files that tools touched, exactly as they were named, from where the project lies.

Wherever a command has gone meanwhile, a file has one name; outside the project it is the one given.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tacit.curate.rules.tables import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.curate.rules.view import Act

_READ_TOOLS = frozenset(("Read", "NotebookRead"))
_EDIT_TOOLS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
_NAMES = (
    "file_path",
    "notebook_path",
    "path",
    "file",
    "filename",
    "document",
    "doc",
    "left",
    "right",
)
_READS = frozenset(listed("reading"))
_EDITS = frozenset(listed("editing"))
_VERBS = re.compile(r"[a-z]+")
_A_FILE = re.compile(r"[^\s*?<>|]+\.[A-Za-z0-9]{1,8}$|^[\w.-]+(?:/[\w.-]+)+$")


def touched(act: Act, root: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the files that one use of a tool has read, and those that it has edited."""
    if act.is_failed:
        return (), ()
    how = _how(act.tool)
    files = tuple(dict.fromkeys(_files(act, root))) if how else ()
    return (files, ()) if how == "read" else ((), files)


def _how(tool: str) -> str:
    """Say what a tool does with the files it is given."""
    if tool in _READ_TOOLS:
        return "read"
    if tool in _EDIT_TOOLS:
        return "edited"
    if not tool.startswith("mcp__"):
        return ""
    verbs = _VERBS.findall(tool.rsplit("__", 1)[-1].lower())
    if any(verb in _EDITS for verb in verbs):
        return "edited"
    return "read" if any(verb in _READS for verb in verbs) else ""


def _files(act: Act, root: str) -> Iterator[str]:
    """Yield the files that a tool was given, each as it is called from the project's root."""
    told = act.said.payload.get("cwd")
    where = told if isinstance(told, str) else ""
    for name in _NAMES:
        value = act.given.get(name)
        if isinstance(value, str) and _A_FILE.search(value.strip()):
            yield _relative(value.strip(), where, root)


def _relative(path: str, where: str, root: str) -> str:
    """Return a path from the root, or else from where the work is done, if it lies there."""
    named = PurePosixPath(path)
    if root and where and not named.is_absolute() and PurePosixPath(where).is_relative_to(root):
        named = PurePosixPath(where, path)
    for place in (root, where):
        if place and named.is_absolute() and named.is_relative_to(place):
            return str(named.relative_to(place))
    return path.removeprefix("./")
