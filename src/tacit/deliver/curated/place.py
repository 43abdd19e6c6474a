"""Where the curated files lie, and how they are reached: through directories that are ours.

Links are never followed, foreign files never read; what is written is written in one piece, closed
to others. One program changes them at a time.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.capture import state
from tacit.errors import StoreBusy
from tacit.transcript.files import open_memory_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.transcript.files import Files

FOLDER = "files"
LARGEST = 1 << 20
PATIENCE = 10.0  # seconds that somebody waits for another program
OPEN, READ_ONLY = 0o600, 0o400
_PAUSE = 0.02


class Changed(Exception):  # noqa: N818  (a state, not a mishap)
    """A file does not say any more what it said when it was looked at: somebody was quicker."""


@dataclass(frozen=True, slots=True)
class Disk:
    """A file as it lies there: its text, or why it has none."""

    text: str | None = None
    trouble: str = ""

    @property
    def is_there(self) -> bool:
        """Say whether anything of that name lies there."""
        return self.text is not None or bool(self.trouble)


def directory(files: Files) -> Path:
    """Return where the curated files of a group lie: below its directory, or in a workspace's."""
    return files.directory if files.workspace else files.directory / FOLDER


def exists(files: Files) -> bool:
    """Say whether there is a directory of curated files."""
    try:
        found = directory(files).lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode)


@contextmanager
def opened(files: Files) -> Iterator[int]:
    """Open the directory of the curated files, making it if it is missing."""
    descriptor = _opened(files)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _opened(files: Files) -> int:
    if files.workspace:
        return open_memory_of(files.workspace)
    descriptor = state.open_home(str(files.home), is_proven=state.proven)
    for part in directory(files).relative_to(files.home).parts:
        try:
            inner = state.open_directory(descriptor, part)
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor


@contextmanager
def inner(folder: int, name: str) -> Iterator[int]:
    """Open a directory of ours in another one, making it; a link in its place goes."""
    with suppress(FileNotFoundError):
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=folder)
    descriptor = state.open_directory(folder, name)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def alone(files: Files, seconds: float = PATIENCE) -> Iterator[int]:
    """Open the directory and let no other program change the files meanwhile."""
    until = time.monotonic() + seconds
    with opened(files) as folder:
        while not _is_locked(folder):
            if time.monotonic() >= until:
                raise StoreBusy(
                    "Another program is writing the curated files. Try again in a moment."
                )
            time.sleep(_PAUSE)
        yield folder


def _is_locked(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def look(folder: int, name: str) -> Disk:
    """Return a file as it lies there; whatever is no plain file of ours is not read."""
    try:
        found = state.read(folder, name, LARGEST + 1)
    except FileNotFoundError:
        return Disk()
    except OSError as error:
        return Disk(trouble=error.strerror or str(error))
    if len(found) > LARGEST:
        return Disk(trouble="it is larger than a megabyte")
    return Disk(found.decode("utf-8", "replace").removeprefix("\ufeff"))


def write(folder: int, name: str, text: str, mode: int = OPEN, over: Disk | None = None) -> None:
    """Write a file anew, in one piece: a reader sees the old or the new one.

    In the place of *over* only, if that is given: what somebody has written since is not lost.
    """
    try:
        _write(folder, name, text.encode("utf-8", "replace"), mode, over)
    except OSError as error:  # it names what was to take the place of the file
        raise OSError(error.errno, error.strerror, name) from error


def _write(folder: int, name: str, text: bytes, mode: int, over: Disk | None) -> None:
    temporary = f".{name}.{os.getpid()}.{os.urandom(4).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, mode, dir_fd=folder)
    try:
        os.fchmod(descriptor, mode)
        state.write_all(descriptor, text)
        os.fsync(descriptor)
        _check_same(folder, name, over)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except (OSError, Changed):
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    finally:
        os.close(descriptor)


def _check_same(folder: int, name: str, over: Disk | None) -> None:
    """Refuse to go on if a file is not what was looked at."""
    if over is not None and look(folder, name) != over:
        raise Changed


def remove(folder: int, name: str) -> None:
    """Remove a file, if it is there."""
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def sweep(folder: int, names: tuple[str, ...]) -> None:
    """Remove what killed programs have left half written of these."""
    begun = tuple(f".{name}." for name in names)
    for name in os.listdir(folder):
        if name.startswith(begun):
            remove(folder, name)


def stamp(folder: int, names: tuple[str, ...]) -> list[object]:
    """Return what changes when one of these files does."""
    return [_stat(folder, name) for name in names]


def _stat(folder: int, name: str) -> object:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
