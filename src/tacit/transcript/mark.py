"""The high-water mark: how far the transcript had come, written beside it after every commit.

A damaged log loses rows without a word: SQLite then sees a shorter but consistent database. The
mark notices. A copy of it elsewhere in the home tells what was lost where the group's own directory
is gone.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit.capture import state
from tacit.digest import sha256
from tacit.paths import MARK, REACHED
from tacit.store.port import Head
from tacit.transcript import files as _files

if TYPE_CHECKING:
    from tacit.transcript.files import Files


def read(files: Files) -> Head | None:
    """Return how far the transcript had come; None if nobody knows."""
    try:
        return _parsed((files.directory / MARK).read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        return None


def read_copy(files: Files) -> Head | None:
    """Return how far the transcript had come by the copy of its mark; None if nobody knows."""
    try:
        text = (files.home / REACHED / files.group).read_text(encoding="ascii")
        return _parsed(text.partition("\n")[0])
    except (OSError, ValueError):
        return None


def write(files: Files, head: Head) -> None:
    """Remember how far the transcript has come."""
    line = f"{head.seq} {head.chain.hex()}"
    text = f"{line} {_seal(line)}\n".encode("ascii")
    _files.replace(files.directory / MARK, text)
    if not files.is_proof:
        with suppress(OSError):  # it only tells what was lost, and holds nothing up
            _write_copy(files, text)


def _write_copy(files: Files, text: bytes) -> None:
    """Write the copy in place and let the system bring it to disk when it likes: it is sealed."""
    home = os.open(files.home, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        folder = state.open_directory(home, REACHED)
    finally:
        os.close(home)
    try:
        copy = state.open_file(folder, files.group, os.O_WRONLY | os.O_CREAT)
    finally:
        os.close(folder)
    try:
        os.pwrite(copy, text, 0)
    finally:
        os.close(copy)


def _parsed(text: str) -> Head | None:
    line, _, seal = text.strip().rpartition(" ")
    seq, chain = line.split()
    return Head(int(seq), bytes.fromhex(chain)) if seal == _seal(line) else None


def _seal(line: str) -> str:
    """Return what tells a damaged mark from a whole one: it must not look like lost events."""
    return sha256(line.encode("ascii")).hexdigest()[:16]
