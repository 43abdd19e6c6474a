"""The high-water mark: how far the transcript had come, written beside it after every commit.

A damaged log loses rows without a word: SQLite then sees a shorter but consistent database. The
mark notices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.digest import sha256
from tacit.paths import MARK
from tacit.store.port import Head
from tacit.transcript import files as _files

if TYPE_CHECKING:
    from tacit.transcript.files import Files


def read(files: Files) -> Head | None:
    """Return how far the transcript had come; None if nobody knows."""
    try:
        line, _, seal = (files.directory / MARK).read_text(encoding="ascii").strip().rpartition(" ")
        seq, chain = line.split()
        return Head(int(seq), bytes.fromhex(chain)) if seal == _seal(line) else None
    except (FileNotFoundError, ValueError):
        return None


def write(files: Files, head: Head) -> None:
    """Remember how far the transcript has come."""
    line = f"{head.seq} {head.chain.hex()}"
    _files.replace(files.directory / MARK, f"{line} {_seal(line)}\n".encode("ascii"))


def _seal(line: str) -> str:
    """Return what tells a damaged mark from a whole one: it must not look like lost events."""
    return sha256(line.encode("ascii")).hexdigest()[:16]
