"""The state directory, opened so that nobody can lead us elsewhere.

Every file is reached through descriptors of directories that are ours: not a link, not somebody
else's, closed to others. A directory is a home only if it carries our marker, which names its
inode; `home` decides about all others. Whatever is not so is refused before a byte or a mode is
changed. New directories are 0700, new files 0600, whatever the umask. Uses `posix`, which is `os`
without its Python half: loading that half would be a tenth of the hook's cost.
"""

from __future__ import annotations

import posix

from tacit.paths import HOME_MARKER, LOSSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_DIRECTORY = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC
_FILE = posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NONBLOCK
_KIND, _PLAIN_FILE = 0o170000, 0o100000
_LONGEST_MARKER = 100
LOSSES_SIZE = 4096
_STAMP_BYTES = 16
_READ_ONLY = 30  # EROFS, on every system that we run on


class Refused(OSError):  # noqa: N818  (a decision, not a mishap)
    """The state directory, or a file in it, is not safely ours."""


class Moved(Refused):
    """The directory is a home, but was made elsewhere: only its owner can tell whose it is."""


def proven() -> bool:
    """Return that a path is proof enough: written at install, or opened before by this program."""
    return True


def open_home(
    path: str, *, is_proven: Callable[[], bool] = lambda: False, making: bool = True
) -> int:
    """Return a descriptor of the home at *path*; refuse a directory that is not a home.

    *is_proven* is asked only where the marker is missing or does not fit: whether the path itself
    is the proof, because it was written at install or is the default one. A missing or empty
    directory becomes a home, unless not *making*.
    """
    try:
        descriptor = open_own(path)
    except FileNotFoundError:
        if not making:
            raise
        from tacit.capture.home import make_home

        return make_home(path)
    try:
        if not is_marked(descriptor):
            from tacit.capture.home import admit

            admit(descriptor, path, is_proven, making=making)
        elif not _is_counting(descriptor):
            _reserve_losses(descriptor)
        close_to_others(descriptor)
    except OSError:
        posix.close(descriptor)
        raise
    return descriptor


def open_own(path: str) -> int:
    """Return a descriptor of a directory that is this user's; refuse anything else."""
    try:
        descriptor = posix.open(path, _DIRECTORY)
    except NotADirectoryError as error:
        raise Refused(f"{path} is a link or not a directory") from error
    try:
        _check_owner(descriptor, path)
    except OSError:
        posix.close(descriptor)
        raise
    return descriptor


def _is_counting(home: int) -> bool:
    """Return whether the file that counts losses is there, and whole."""
    try:
        return posix.stat(LOSSES, dir_fd=home, follow_symlinks=False).st_size >= LOSSES_SIZE
    except OSError:
        return False


def _reserve_losses(home: int) -> None:
    """Make the file that counts losses, if that is possible now."""
    from tacit.capture.failures import reserve_losses

    try:
        reserve_losses(home)
    except OSError:  # full or read-only: it is tried again
        pass


def is_marked(home: int) -> bool:
    """Return whether the directory carries a marker that was made for it."""
    try:
        marker = posix.open(HOME_MARKER, posix.O_RDONLY | _FILE, dir_fd=home)
    except OSError:
        return False
    try:
        found = posix.fstat(marker)
        return _is_own(found) and posix.read(marker, _LONGEST_MARKER) == marker_text(home, found)
    finally:
        posix.close(marker)


def marker_text(home: int, marker: posix.stat_result) -> bytes:
    """Return what the marker of a home says: its directory's inode and its own."""
    return b"tacit home %d %d\n" % (posix.fstat(home).st_ino, marker.st_ino)


def is_there(parent: int, name: str) -> bool:
    """Return whether a directory has an entry of that name, whatever it is."""
    try:
        posix.stat(name, dir_fd=parent, follow_symlinks=False)
    except OSError:
        return False
    return True


def is_writable(directory: int) -> bool:
    """Return whether files can be made in a directory: it is ours, and its disk not read-only."""
    return posix.access(".", posix.W_OK, dir_fd=directory)


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
    if not _is_own(found):
        posix.close(descriptor)
        raise Refused(f"{name} is not a plain file of our own")
    if found.st_mode & 0o077:
        posix.fchmod(descriptor, 0o600)
    return descriptor


def _is_own(found: posix.stat_result) -> bool:
    """Return whether a file is a plain one of this user's, with one name."""
    return (
        found.st_uid == posix.geteuid()
        and found.st_nlink <= 1  # 0 where another one has just taken its place
        and found.st_mode & _KIND == _PLAIN_FILE
    )


def read(parent: int, name: str, limit: int = 1 << 20) -> bytes:
    """Return the file's bytes, at most *limit* of them."""
    return _read_all(open_file(parent, name, posix.O_RDONLY), limit)


def _read_all(descriptor: int, limit: int) -> bytes:
    """Return the bytes of an open file, at most *limit* of them, and close it."""
    try:
        pieces = []
        while limit > 0 and (piece := posix.read(descriptor, min(limit, 1 << 20))):
            pieces.append(piece)
            limit -= len(piece)
        return b"".join(pieces)
    finally:
        posix.close(descriptor)


def stamped(key: bytes, name: str, data: bytes) -> bytes:
    """Return what a file says behind a line that only the home's secret could have made.

    The name is part of it, so that no stamped file stands in for another.
    """
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    digest = blake2b(name.encode() + b"\n" + data, key=key, digest_size=_STAMP_BYTES)
    return b"stamp %s\n" % digest.hexdigest().encode() + data


def read_stamped(parent: int, name: str, key: bytes, limit: int = 1 << 20) -> bytes | None:
    """Return what a file says if we stamped it and it is closed to others, else None."""
    try:
        descriptor = posix.open(name, posix.O_RDONLY | _FILE, dir_fd=parent)
    except OSError:
        return None
    found = posix.fstat(descriptor)
    data = _read_all(descriptor, limit)
    if not _is_own(found) or found.st_mode & 0o077:
        return None
    said = data.partition(b"\n")[2]
    return said if stamped(key, name, said) == data else None


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
    try:
        _check_owner(descriptor, name)
        close_to_others(descriptor)
    except OSError:
        posix.close(descriptor)
        raise
    return descriptor


def _check_owner(directory: int, name: str) -> None:
    if posix.fstat(directory).st_uid != posix.geteuid():
        raise Refused(f"{name} belongs to another user")


def close_to_others(directory: int) -> None:
    """Take the rights of group and others from a directory."""
    if posix.fstat(directory).st_mode & 0o077:
        try:
            posix.fchmod(directory, 0o700)
        except OSError as error:
            if error.errno != _READ_ONLY:
                raise
