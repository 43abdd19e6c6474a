"""Leftovers: files that killed programs left half-written.

Every program names its temporary files after its process id and holds them open until they are
renamed. A file is removed only when no process of that id holds it, and when it is older than a
hook can live: a hook in a container has an id that means another process here, or none.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

GRACE_NS = 5_000_000_000  # more than twice as long as a hook lives
# `.<name>.<pid>.<random>` of a file that is replaced, `<time>-<serial>-<pid>-<random>` of the spool
_NAME = re.compile(r"(?:\..+\.|[0-9]{20}-[0-9]{6}-)([0-9]{1,10})[.-][0-9a-f]{8}")
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_leftovers(directory: Path, before_ns: int) -> int:
    """Remove half-written files older than *before_ns* from a directory; return how many."""
    removed = 0
    with suppress(OSError):  # not there, or not ours to read
        folder = os.open(directory, _DIRECTORY)
        try:
            for name in os.listdir(folder):  # noqa: PTH208  (of a descriptor)
                if _NAME.fullmatch(name) and is_leftover(folder, name, before_ns):
                    with suppress(OSError):
                        os.unlink(name, dir_fd=folder)
                        removed += 1
        finally:
            os.close(folder)
    return removed


def is_leftover(folder: int, name: str, before_ns: int) -> bool:
    """Return whether a file is older than *before_ns* and not held open by its process."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    matched = _NAME.fullmatch(name)
    is_old = found.st_mtime_ns < before_ns
    return is_old and not (matched and _holds(int(matched[1]), found))


def is_running(pid: int) -> bool:
    """Return whether there is a process of this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _holds(pid: int, file: os.stat_result) -> bool:
    """Return whether a process has a file open; where that cannot be seen, whether it runs."""
    try:
        descriptors = list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return is_running(pid)
    return any(_is_same(descriptor, file) for descriptor in descriptors)


def _is_same(descriptor: Path, file: os.stat_result) -> bool:
    try:
        found = descriptor.stat()
    except OSError:  # closed meanwhile
        return False
    return (found.st_dev, found.st_ino) == (file.st_dev, file.st_ino)
