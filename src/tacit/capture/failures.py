"""Failures of the hook: its log, and how many events were lost.

The log has one line for each failure, never payload text; the file and its predecessor hold at most
a quarter of a megabyte each. Losses are counted in a file that is written whole when the home is
made and later only in place, so that a loss can be counted on a full disk: one row a reason, of one
width, with the count and the first and the last time.
"""

from __future__ import annotations

import posix
import time

from tacit.capture import state
from tacit.paths import HOOK_LOG, LOGS, LOSSES

LARGEST = 256 << 10
OLD = HOOK_LOG + ".1"
_WIDTH, _ROWS, _FIELDS = 128, 32, 4
_SIZE = _WIDTH * _ROWS
_OTHER = "other"
_END = 2  # of a file, for lseek
_TRIES, _PAUSE = 50, 0.001


def append(root: int, event: str, error: BaseException) -> None:
    """Write one line: when, which event, what went wrong."""
    write(root, f"{event} {_told(error)}")


def write(root: int, told: str) -> None:
    """Append one line, with the time, starting a new file when this one is full."""
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ ", time.gmtime())
    plain = " ".join((when + told).encode("ascii", "replace").decode().split())
    line = plain[:400].encode() + b"\n"
    logs = state.open_directory(root, LOGS)
    try:
        if _is_full(logs, len(line)):
            posix.rename(HOOK_LOG, OLD, src_dir_fd=logs, dst_dir_fd=logs)
        descriptor = state.open_file(
            logs, HOOK_LOG, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND
        )
        try:
            state.write_all(descriptor, line)
        finally:
            posix.close(descriptor)
    finally:
        posix.close(logs)


def _is_full(logs: int, more: int) -> bool:
    try:
        return posix.stat(HOOK_LOG, dir_fd=logs, follow_symlinks=False).st_size + more > LARGEST
    except FileNotFoundError:
        return False


def lines(root: int) -> list[str]:
    """Return all lines, oldest first."""
    found: list[str] = []
    if not state.is_there(root, LOGS):
        return found
    logs = state.open_directory(root, LOGS)
    try:
        for name in (OLD, HOOK_LOG):
            try:
                found += state.read(logs, name, LARGEST).decode("ascii", "replace").splitlines()
            except FileNotFoundError:
                continue
    finally:
        posix.close(logs)
    return found


def time_of(line: str) -> int:
    """Return when a line of the log was written, in seconds since 1970; 0 if it does not say."""
    from calendar import timegm

    try:
        return timegm(time.strptime(line.partition(" ")[0], "%Y-%m-%dT%H:%M:%SZ"))
    except ValueError:
        return 0


def _told(error: BaseException) -> str:
    """Name the error; its text only if the system wrote it, for others may quote the payload."""
    name = type(error).__name__
    if isinstance(error, OSError):
        return f"{name}: {error.strerror or error} {error.filename or ''}".rstrip()
    return name


class Loss:
    """Events that were lost for one reason."""

    __slots__ = ("count", "first", "last", "reason")

    def __init__(self, reason: str, count: int, first: int, last: int) -> None:
        self.reason = reason
        self.count = count
        self.first = first  # seconds since 1970
        self.last = last


def reason_of(error: BaseException) -> str:
    """Return in one word why an event was lost: what the system calls its error, else the type."""
    import errno

    number = error.errno if isinstance(error, OSError) else None
    return errno.errorcode.get(number, "") if number else type(error).__name__.removesuffix("Error")


def reserve_losses(home: int) -> None:
    """Preallocate the file, unless it is there whole."""
    descriptor = state.open_file(home, LOSSES, posix.O_RDWR | posix.O_CREAT)
    try:
        missing = _SIZE - posix.fstat(descriptor).st_size
        if missing > 0:
            posix.lseek(descriptor, 0, _END)
            state.write_all(descriptor, b"\0" * missing)
            posix.fsync(descriptor)
    finally:
        posix.close(descriptor)


def count_loss(home: int, reason: str) -> None:
    """Count one lost event, in place."""
    descriptor = state.open_file(home, LOSSES, posix.O_RDWR | posix.O_CREAT)
    try:
        _lock(descriptor)
        rows = _rows(posix.pread(descriptor, _SIZE, 0))
        now = int(time.time())
        name = reason if reason in rows or len(rows) < _ROWS - 1 else _OTHER
        known = rows.setdefault(name, Loss(name, 0, now, now))
        known.count, known.last = known.count + 1, now
        _write_at(descriptor, list(rows).index(name) * _WIDTH, _row(known))
    finally:
        posix.close(descriptor)


def losses(home: int) -> list[Loss]:
    """Return what was lost, by reason, the latest first."""
    try:
        rows = _rows(state.read(home, LOSSES, _SIZE))
    except OSError:
        return []
    return sorted(rows.values(), key=lambda loss: -loss.last)


def _lock(descriptor: int) -> None:
    """Lock the file; after a moment go on without, for a count may be wrong but never missing."""
    for _ in range(_TRIES):
        try:
            posix.lockf(descriptor, posix.F_TLOCK, 0)
        except OSError:
            time.sleep(_PAUSE)
        else:
            return


def _write_at(descriptor: int, offset: int, line: bytes) -> None:
    while line:
        written = posix.pwrite(descriptor, line, offset)
        offset, line = offset + written, line[written:]


def _row(loss: Loss) -> bytes:
    plain = "".join(char if char.isascii() and char.isalnum() else "-" for char in loss.reason)
    text = f"{plain[:40] or _OTHER} {loss.count} {loss.first} {loss.last}"
    return text.encode().ljust(_WIDTH - 1) + b"\n"


def _rows(data: bytes) -> dict[str, Loss]:
    """Return the rows that can be read, by reason, in their order."""
    rows: dict[str, Loss] = {}
    for at in range(0, len(data), _WIDTH):
        words = data[at : at + _WIDTH].decode("ascii", "replace").split()
        if len(words) != _FIELDS or not all(word.isdigit() for word in words[1:]):
            break
        rows[words[0]] = Loss(words[0], *(int(word) for word in words[1:]))
    return rows
