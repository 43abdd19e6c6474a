"""The client's own memory of a project: what its index shows a session anyway.

The client keeps notes of its own beside its transcripts, with an index that every session begins
with. What stands there need not be said again. Only looked at, never written; whatever cannot be
read safely counts as nothing.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

INDEX = "memory/MEMORY.md"
_LARGEST = 64 << 10
_BULLETS = "-*# \t"


def lines(transcripts: Iterable[str]) -> tuple[str, ...]:
    """Return the lines of the index that lies beside any of these transcripts of the client."""
    folders = dict.fromkeys(
        str(Path(each).parent)
        for each in transcripts
        if each.endswith(".jsonl") and each.startswith("/") and "\0" not in each
    )
    return tuple(line for folder in folders for line in _read(Path(folder) / INDEX))


def _read(file: Path) -> list[str]:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return []
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            return []
        text = os.read(descriptor, _LARGEST).decode("utf-8", "replace")
    except OSError:
        return []
    finally:
        os.close(descriptor)
    told = (line.strip(_BULLETS) for line in text.splitlines())
    return [line for line in told if line]
