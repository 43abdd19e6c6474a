"""The high-water mark: how far the transcript had come, written beside it after every commit.

A damaged log loses rows without a word: SQLite then sees a shorter but consistent database. The
mark notices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.paths import MARK
from tacit.store.port import Head
from tacit.transcript import files as _files

if TYPE_CHECKING:
    from tacit.transcript.files import Files


def read(files: Files) -> Head | None:
    """Return how far the transcript had come; None if nobody knows."""
    try:
        words = (files.directory / MARK).read_text(encoding="ascii").split()
        return Head(int(words[0]), bytes.fromhex(words[1]))
    except (FileNotFoundError, ValueError, IndexError):
        return None


def write(files: Files, head: Head) -> None:
    """Remember how far the transcript has come."""
    _files.replace(files.directory / MARK, f"{head.seq} {head.chain.hex()}\n".encode("ascii"))
