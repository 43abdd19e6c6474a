"""The user's space of a workspace, reached so that nothing leads out of it.

Every folder is opened from the workspace down, no link followed; every file is looked at through
its folder's descriptor. What is written is written beside its place and takes that place in one
piece, if what lies there is still what was looked at. Nothing is ever deleted but what we left half
made ourselves.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit import paths
from tacit.capture.state import write_all
from tacit.errors import WorkspaceGone, WorkspaceRefused
from tacit.leftovers import is_running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGEST = 8 << 20  # a file that is larger is none of ours
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PAUSE = 0.02
_HALF_MADE = re.compile(r"\.tacit-([0-9]{1,10})-[0-9a-f]{8}")


class Changed(Exception):  # noqa: N818  (a state, not a mishap)
    """What lies in a place is no longer what was looked at: somebody was quicker."""


@dataclass(frozen=True, slots=True)
class Missing:
    """There is nothing of that name."""


@dataclass(frozen=True, slots=True)
class Odd:
    """Something lies there that is no plain file, or much too large: not ours."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain file, its bytes and its mode, and what tells it from any other."""

    text: bytes
    mode: int
    stamp: tuple[int, ...] | None = field(default=None, compare=False)


Lies = Missing | Odd | Plain


@contextmanager
def opened(workspace: Path, *parts: str, making: bool = False) -> Iterator[int]:
    """Open a folder of a workspace for a while, step by step; *making*: the steps that miss."""
    try:
        descriptor = os.open(workspace, _DIRECTORY)
    except OSError as error:
        raise WorkspaceGone(
            f"The workspace {workspace} is not there: {error.strerror}. See `tacit doctor`."
        ) from error
    try:
        for part in parts:
            inner = _step(descriptor, part, workspace.joinpath(*parts), making=making)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _step(parent: int, name: str, meant: Path, *, making: bool) -> int:
    """Open one folder in another one; what is no folder of its own is refused."""
    if making:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=parent)
    try:
        return os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise WorkspaceRefused(
            f"{meant} cannot be used: it is a link, no directory, or closed to you. "
            "Put a directory of its own in its place; see `tacit doctor`."
        ) from error


@contextmanager
def held(workspace: Path, seconds: float) -> Iterator[bool]:
    """Let no other program change the files meanwhile; say whether that is so in time."""
    until = time.monotonic() + seconds
    with opened(workspace, paths.OS) as descriptor:
        while not (is_ours := _is_locked(descriptor)) and time.monotonic() < until:
            time.sleep(_PAUSE)
        yield is_ours


def _is_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_missing(folder: int, name: str) -> bool:
    """Say whether there is nothing of that name, not even a link that leads nowhere."""
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return True
    return False


def look(folder: int, name: str) -> Lies:
    """Return what lies in a folder under a name; a link is never followed."""
    try:
        descriptor = os.open(name, _READING, dir_fd=folder)
    except FileNotFoundError:
        return Missing()
    except OSError:  # a link, a socket, closed to us
        return Odd()
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
            return Odd()
        with os.fdopen(os.dup(descriptor), "rb") as file:
            text = file.read(LARGEST + 1)
        return Plain(text, stat.S_IMODE(found.st_mode), _stamp(found))
    finally:
        os.close(descriptor)


def head(folder: int, name: str, size: int) -> bytes:
    """Return how a plain file begins; nothing of anything else."""
    try:
        descriptor = os.open(name, _READING, dir_fd=folder)
    except OSError:
        return b""
    try:
        is_plain = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.read(descriptor, size) if is_plain else b""
    finally:
        os.close(descriptor)


def write(folder: int, name: str, text: bytes, over: Lies) -> None:
    """Write a file in the place of what was looked at; a reader sees the old or the new one."""
    try:
        _write(folder, name, text, over)
    except OSError as error:  # it names what was to take the place of the file
        raise OSError(error.errno, error.strerror, name) from error


def _write(folder: int, name: str, text: bytes, over: Lies) -> None:
    mode = over.mode if isinstance(over, Plain) else 0o600
    temporary = f".tacit-{os.getpid()}-{os.urandom(4).hex()}"
    descriptor = os.open(temporary, _WRITING, 0o600, dir_fd=folder)
    try:
        write_all(descriptor, text)
        os.fchmod(descriptor, mode & 0o777)
        os.fsync(descriptor)
        _check_same(folder, name, over)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except (OSError, Changed):
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    finally:
        os.close(descriptor)
    os.fsync(folder)


def _check_same(folder: int, name: str, over: Lies) -> None:
    """Refuse to go on if something else lies there than what was looked at."""
    try:
        now = _stamp(os.stat(name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        now = None
    if now != (over.stamp if isinstance(over, Plain) else None):
        raise Changed


def _stamp(found: os.stat_result) -> tuple[int, ...]:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def move(folder: int, name: str, into: int, as_name: str) -> bool:
    """Give a file another place, if nothing lies there; say whether it has it now."""
    if not is_missing(into, as_name):
        return False
    os.rename(name, as_name, src_dir_fd=folder, dst_dir_fd=into)
    os.fsync(into)
    os.fsync(folder)
    return True


def names(folder: int) -> list[str]:
    """Return what lies in a folder, in order; names that are no text are left out."""
    found = os.listdir(folder)
    return sorted(name for name in found if is_text(name))


def is_text(name: str) -> bool:
    """Say whether a name can be written down."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def sweep(folder: int) -> None:
    """Remove what killed programs of ours left half made."""
    for name in names(folder):
        matched = _HALF_MADE.fullmatch(name)
        if matched and not _is_at_work(int(matched[1])):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)


def _is_at_work(pid: int) -> bool:
    return pid != os.getpid() and is_running(pid)
