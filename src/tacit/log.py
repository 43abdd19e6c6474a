"""The log of a background program: one structured line per event, rotated and capped.

Says what happened and how much of it, never what it was about: no payload text, no environment.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LARGEST = 1 << 20
_LONGEST = 300
_OPEN = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC

Field = str | int | float | bool | None


class Log:
    """One file, and the one before it."""

    def __init__(self, file: Path, now_ns: Callable[[], int]) -> None:
        self._file = file
        self._now_ns = now_ns

    def line(self, event: str, **fields: Field) -> None:
        """Write one line; where that is impossible the work goes on."""
        when = datetime.fromtimestamp(self._now_ns() / 1e9, UTC).isoformat(timespec="milliseconds")
        told = {name: _short(value) for name, value in fields.items()}
        text = json.dumps({"at": when, "event": event, **told}, ensure_ascii=True) + "\n"
        try:
            self._rotate(len(text))
            descriptor = os.open(self._file, _OPEN, 0o600)
            try:
                os.write(descriptor, text.encode())
            finally:
                os.close(descriptor)
        except OSError:
            return  # nobody is left to tell

    def _rotate(self, more: int) -> None:
        if self._file.exists() and self._file.stat().st_size + more > LARGEST:
            self._file.replace(self._file.with_name(self._file.name + ".1"))


def _short(value: Field) -> Field:
    return " ".join(value.split())[:_LONGEST] if isinstance(value, str) else value
