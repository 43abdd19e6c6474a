"""Which directory may be a home: decided once, where its marker is missing or does not fit.

A directory becomes a home if it is new or empty. One that holds something is a home only by a
proof: its path was written at install or is the default one, and it looks like a home of ours; a
moved one is adopted by the owner's own command. Everything else is refused, with nothing changed.
The hook loads this for the first event of a home, and after that no more.
"""

from __future__ import annotations

import errno
import os
import posix

from tacit.capture import failures, state
from tacit.guard.home_directory import home_of
from tacit.paths import CAPTURE_CONF, HOME_MARKER, KEY, OURS, SPOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MARKED = b"tacit home "
_EVIDENCE = (f"{SPOOL}/new", KEY, CAPTURE_CONF)  # every home of before has one of these
_LONGEST = 100
_READING = posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC


def make_home(path: str) -> int:
    """Make a directory and mark it as a home; return its descriptor."""
    os.makedirs(path, 0o700, exist_ok=True)
    return state.open_home(path)


def check_home(path: str, is_proven: Callable[[], bool]) -> None:
    """Refuse a directory that cannot be opened or made as a home; change nothing."""
    try:
        descriptor = state.open_own(path)
    except FileNotFoundError:
        _check_makeable(path)
        return
    try:
        if not state.is_marked(descriptor):
            _check(descriptor, path, is_proven)
    finally:
        posix.close(descriptor)


def _check_makeable(path: str) -> None:
    """Refuse a path below which this user cannot make directories."""
    above = os.path.dirname(path)
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if not os.access(above, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, f"{above} cannot be written", path)


def admit(home: int, path: str, is_proven: Callable[[], bool], *, making: bool) -> None:
    """Mark an open directory as a home if it may be one, else refuse it."""
    is_empty = _check(home, path, is_proven)
    if state.is_marked(home) or (is_empty and not making):  # marked by another hook, just now
        return
    try:
        mark(home)
    except OSError:  # read-only or full: the path may be proof enough
        if not is_proven():
            raise


def _check(home: int, path: str, is_proven: Callable[[], bool]) -> bool:
    """Refuse an open directory that cannot be a home; return whether it is empty."""
    names = _content(home)
    if state.is_marked(home):  # by another hook, just now
        return False
    if _is_never_home(home):
        raise state.Refused(f"{path} cannot be a home of Tacit")
    if names:
        _check_content(home, path, is_proven)
    return not names


def _content(home: int | str) -> list[str]:
    """Return what is in a directory, without markers that are just being made."""
    return [name for name in posix.listdir(home) if not name.startswith(f".{HOME_MARKER}.")]


def _check_content(home: int, path: str, is_proven: Callable[[], bool]) -> None:
    """Refuse a directory that holds something, unless it is a home that is where it should be."""
    if not looks_like_home(home):
        raise state.Refused(f"{path} is not empty and is not a home of Tacit")
    if not is_proven():
        raise state.Moved(
            f"{path} is a home that was not made here: it was moved, copied or came with a "
            f"repository. Only if you put it there yourself, run `tacit adopt {_quoted(path)}`"
        )


def _quoted(path: str) -> str:
    import shlex

    return shlex.quote(path)


def adopt(path: str) -> None:
    """Mark a moved or copied home as made here; an empty directory is none."""
    if not _content(path):
        raise state.Refused(f"{path} is empty, so it is not a home that was moved")
    os.close(state.open_home(path, is_proven=state.proven, making=False))


def mark(home: int) -> None:
    """Write the marker of a home, bound to its inode, and the file that counts losses."""
    state.close_to_others(home)
    temporary = f".{HOME_MARKER}.{posix.getpid()}.{posix.urandom(4).hex()}"
    marker = state.open_file(home, temporary, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL)
    try:
        state.write_all(marker, state.marker_text(home, posix.fstat(marker)))
        posix.fsync(marker)
        posix.rename(temporary, HOME_MARKER, src_dir_fd=home, dst_dir_fd=home)
    except OSError:
        posix.unlink(temporary, dir_fd=home)
        raise
    finally:
        posix.close(marker)
    failures.reserve_losses(home)


def looks_like_home(home: int) -> bool:
    """Return whether a directory holds a marker of ours, fitting or not, or what homes hold."""
    if _has_marker(home) or any(state.is_there(home, name) for name in _EVIDENCE):
        return True
    return all(name in OURS for name in posix.listdir(home))


def _has_marker(home: int) -> bool:
    try:
        marker = posix.open(HOME_MARKER, _READING, dir_fd=home)
    except OSError:
        return False
    try:
        return posix.read(marker, _LONGEST).startswith(_MARKED)
    except OSError:  # a directory
        return False
    finally:
        posix.close(marker)


def _is_never_home(home: int) -> bool:
    """Return whether a directory is the root of the system or the user's own."""
    found = posix.fstat(home)
    return any(_is_same(found, path) for path in ("/", *_user_directories()))


def _user_directories() -> list[str]:
    """Return the user's home directory, by the environment and by the system."""
    named = posix.environ.get(b"HOME", b"").decode("utf-8", "surrogateescape")
    return [path for path in (named, home_of()) if path]


def _is_same(found: posix.stat_result, path: str) -> bool:
    try:
        other = posix.stat(path)
    except (OSError, ValueError):
        return False
    return (found.st_dev, found.st_ino) == (other.st_dev, other.st_ino)
