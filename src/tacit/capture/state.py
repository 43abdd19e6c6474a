"""The state directory, opened so that nobody can lead us elsewhere.

Every file is reached through descriptors of directories that are ours: not a link, not somebody
else's, closed to others. Whatever is not so is refused. New directories are 0700, new files 0600,
whatever the umask. Uses `posix`, which is `os` without its Python half: loading that half would be
a tenth of the hook's cost.
"""

from __future__ import annotations

import posix

_DIRECTORY = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC
_FILE = posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NONBLOCK
_KIND, _PLAIN_FILE = 0o170000, 0o100000


class Refused(OSError):  # noqa: N818  (a decision, not a mishap)
    """The state directory, or a file in it, is not safely ours."""


def open_home(path: str, *, making: bool = True) -> int:
    """Open the home, making it if it is missing, unless one that is gone must stay so."""
    try:
        return _checked(posix.open(path, _DIRECTORY), path)
    except FileNotFoundError:
        if not making:
            raise
        import os

        os.makedirs(path, 0o700, exist_ok=True)
        return _checked(posix.open(path, _DIRECTORY), path)
    except NotADirectoryError as error:
        raise Refused(f"{path} is not a directory of its own") from error


def open_directory(parent: int, name: str) -> int:
    """Open the directory *name* in *parent*, making it if it is missing."""
    try:
        return _checked(posix.open(name, _DIRECTORY, dir_fd=parent), name)
    except FileNotFoundError:
        try:
            posix.mkdir(name, 0o700, dir_fd=parent)
        except FileExistsError:
            pass
        return _checked(posix.open(name, _DIRECTORY, dir_fd=parent), name)


def open_file(parent: int, name: str, flags: int) -> int:
    """Open the file *name* in *parent*; refuse links, second names and foreign files."""
    descriptor = posix.open(name, flags | _FILE, 0o600, dir_fd=parent)
    found = posix.fstat(descriptor)
    if (
        found.st_uid != posix.geteuid()
        or found.st_nlink > 1
        or found.st_mode & _KIND != _PLAIN_FILE
    ):
        posix.close(descriptor)
        raise Refused(f"{name} is not a plain file of our own")
    if found.st_mode & 0o077:
        posix.fchmod(descriptor, 0o600)
    return descriptor


def read(parent: int, name: str, limit: int = 1 << 20) -> bytes:
    """Return the file's bytes, at most *limit* of them."""
    descriptor = open_file(parent, name, posix.O_RDONLY)
    try:
        pieces = []
        while limit > 0 and (piece := posix.read(descriptor, min(limit, 1 << 20))):
            pieces.append(piece)
            limit -= len(piece)
        return b"".join(pieces)
    finally:
        posix.close(descriptor)


def replace(parent: int, name: str, data: bytes) -> None:
    """Write the file anew so that a reader sees the old or the new one, never half of it."""
    temporary = f".{name}.{posix.getpid()}.{posix.urandom(4).hex()}"
    descriptor = open_file(parent, temporary, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL)
    try:
        write_all(descriptor, data)
        posix.fsync(descriptor)
        posix.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
    except BaseException:
        posix.unlink(temporary, dir_fd=parent)
        raise
    finally:
        posix.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of *data*."""
    view = memoryview(data)
    while view:
        view = view[posix.write(descriptor, view) :]


def _checked(descriptor: int, name: str) -> int:
    found = posix.fstat(descriptor)
    if found.st_uid != posix.geteuid():
        posix.close(descriptor)
        raise Refused(f"{name} belongs to somebody else")
    if found.st_mode & 0o077:
        posix.fchmod(descriptor, 0o700)
    return descriptor
