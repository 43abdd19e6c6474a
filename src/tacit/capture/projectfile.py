"""The project file, `.tacit.toml`: what a project itself wants kept out. It may only narrow.

    off = true                     record nothing here and below
    private = ["notes", "keys/"]   exclude these directories, in sessions here and below

Every such file on the way up from a directory counts. One that cannot be understood stands for
`off`: its author wanted something kept out. Nothing else in it means anything to the hook.
"""

from __future__ import annotations

import posix

from tacit.paths import is_under

PROJECT_FILE = ".tacit.toml"
_LARGEST = 64 << 10
_DEEPEST = 64


def narrowed(directories: list[str]) -> tuple[bool, list[str]]:
    """Return whether nothing of these directories may be recorded, and what below is private."""
    private: list[str] = []
    for folder in _ancestors(directories):
        try:
            text = _read(f"{folder.rstrip('/')}/{PROJECT_FILE}")
        except (OSError, ValueError):  # not there, or no name of a file: a NUL, half a character
            continue
        said = _parsed(text)
        if said is None:
            return True, []
        private += [_below(folder, each) for each in said]
    is_private = any(is_under(each, place) for each in directories for place in private)
    return is_private, private


def _ancestors(directories: list[str]) -> list[str]:
    """Return the directories and all above them, each once."""
    found: list[str] = []
    for directory in directories:
        folder = directory
        for _ in range(_DEEPEST):
            if not folder.startswith("/") or folder in found:
                break
            found.append(folder)
            folder = folder.rpartition("/")[0] or "/"
    return found


def _read(path: str) -> bytes:
    """Return what a project file says; only a plain file is one."""
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    try:
        return posix.read(descriptor, _LARGEST)
    finally:
        posix.close(descriptor)


def _parsed(text: bytes) -> list[str] | None:
    """Return the private directories that a file names; None if nothing may be recorded."""
    import tomllib

    try:
        said = tomllib.loads(text.decode())
    except (ValueError, RecursionError):
        return None
    private = said.get("private", [])
    is_list = isinstance(private, list) and all(isinstance(each, str) for each in private)
    if said.get("off", False) is not False or not is_list:
        return None
    return [str(each) for each in private]


def _below(folder: str, path: str) -> str:
    from posixpath import join, normpath

    return normpath(join(folder, path.removesuffix("/**")))
