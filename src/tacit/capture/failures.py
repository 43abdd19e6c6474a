"""Failures of the hook: its log, and how many events were lost.

The log has one line for each failure, never payload text; the file and its predecessor hold at most
a quarter of a megabyte each. Losses are counted in a file that is written whole when the home is
opened and later only in place, so that a loss can be counted on a full disk: one row a reason, of
one width, with the count and the first and the last time. Where it is missing there, a file that
can be made anew takes its place. A failure has the time of its event, from the clock
that dates recorded events, so that they can be compared; where older versions noted whole seconds,
their end counts.
"""

from __future__ import annotations

import errno
import posix
import time

from tacit.capture import state
from tacit.capture.state import LOSSES_SIZE
from tacit.paths import HOOK_LOG, LOGS, LOSSES, REMADE

LARGEST = 256 << 10
OLD = HOOK_LOG + ".1"
_WIDTH, _FIELDS = 128, 4
_ROWS = LOSSES_SIZE // _WIDTH
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_OTHER = "other"
_END = 2  # of a file, for lseek
_TRIES, _PAUSE = 50, 0.001
_SECOND_NS, _MILLISECOND_NS = 1_000_000_000, 1_000_000
_MOST_SECONDS = 1 << 40  # beyond any year that a clock shows


def append(root: int, event: str, error: BaseException, at_ns: int | None = None) -> None:
    """Write one line: the time of the event (default: now), its name, what went wrong."""
    write(root, f"{event} {_told(error)}", at_ns)


def write(root: int, told: str, at_ns: int | None = None) -> None:
    """Append one line, with the time, starting a new file when this one is full."""
    seconds, rest = divmod(time.time_ns() if at_ns is None else at_ns, _SECOND_NS)
    when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    stamp = f"{when}.{rest // _MILLISECOND_NS:03d}Z"
    plain = " ".join(f"{stamp} {told}".encode("ascii", "replace").decode().split())
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
    """Return when a line was written at the latest, in nanoseconds since 1970; 0 if unknown."""
    from calendar import timegm

    whole, dot, rest = line.partition(" ")[0].removesuffix("Z").partition(".")
    try:
        at_ns = timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) * _SECOND_NS
        return at_ns + ((int(rest) + 1) * _MILLISECOND_NS if dot else _SECOND_NS) - 1
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

    __slots__ = ("count", "first_ns", "last_ns", "reason")

    def __init__(self, reason: str, count: int, first_ns: int, last_ns: int) -> None:
        self.reason = reason
        self.count = count
        self.first_ns = first_ns
        self.last_ns = last_ns


def reason_of(error: BaseException) -> str:
    """Return in one word why an event was lost: what the system calls its error, else the type."""
    number = error.errno if isinstance(error, OSError) else None
    return errno.errorcode.get(number, "") if number else type(error).__name__.removesuffix("Error")


def reserve_losses(home: int) -> None:
    """Preallocate the file, unless it is there whole."""
    descriptor = state.open_file(home, LOSSES, posix.O_RDWR | posix.O_CREAT)
    try:
        missing = LOSSES_SIZE - posix.fstat(descriptor).st_size
        if missing > 0:
            posix.lseek(descriptor, 0, _END)
            state.write_all(descriptor, b"\0" * missing)
            posix.fsync(descriptor)
    finally:
        posix.close(descriptor)


def count_loss(home: int, reason: str, at_ns: int | None = None) -> None:
    """Count one lost event, in place, under the time of the event (default: now)."""
    at_ns = time.time_ns() if at_ns is None else at_ns
    try:
        _count(home, reason, at_ns)
    except OSError as error:
        if error.errno not in _NO_ROOM or not _take_place(home):
            raise
        _count(home, reason, at_ns)


def _take_place(home: int) -> bool:
    """Turn a file that can be made anew into an empty count; return whether there was one."""
    for name in REMADE:
        try:
            descriptor = state.open_file(home, name, posix.O_RDWR)
        except OSError:
            continue
        try:
            size = min(posix.fstat(descriptor).st_size, LOSSES_SIZE)
            if size:
                posix.rename(name, LOSSES, src_dir_fd=home, dst_dir_fd=home)
                posix.ftruncate(descriptor, size)
                _write_at(descriptor, 0, b"\0" * size)
                return True
        finally:
            posix.close(descriptor)
    return False


def _count(home: int, reason: str, at_ns: int) -> None:
    descriptor = state.open_file(home, LOSSES, posix.O_RDWR | posix.O_CREAT)
    try:
        _lock(descriptor)
        rows = _rows(posix.pread(descriptor, LOSSES_SIZE, 0))
        name = reason if reason in rows or len(rows) < _ROWS - 1 else _OTHER
        known = rows.setdefault(name, Loss(name, 0, at_ns, at_ns))
        known.count, known.last_ns = known.count + 1, max(known.last_ns, at_ns)
        _write_at(descriptor, list(rows).index(name) * _WIDTH, _row(known))
    finally:
        posix.close(descriptor)


def losses(home: int) -> list[Loss]:
    """Return what was lost, by reason, the latest first."""
    try:
        rows = _rows(state.read(home, LOSSES, LOSSES_SIZE))
    except OSError:
        return []
    return sorted(rows.values(), key=lambda loss: -loss.last_ns)


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
    text = f"{plain[:40] or _OTHER} {loss.count} {loss.first_ns} {loss.last_ns}"
    return text.encode().ljust(_WIDTH - 1) + b"\n"


def _rows(data: bytes) -> dict[str, Loss]:
    """Return the rows that can be read, by reason, in their order."""
    rows: dict[str, Loss] = {}
    for at in range(0, len(data), _WIDTH):
        words = data[at : at + _WIDTH].decode("ascii", "replace").split()
        if len(words) != _FIELDS or not all(word.isdigit() for word in words[1:]):
            break
        count, first, last = (int(word) for word in words[1:])
        rows[words[0]] = Loss(words[0], count, _nanoseconds(first), _nanoseconds(last))
    return rows


def _nanoseconds(time_: int) -> int:
    """Return a time in nanoseconds; older versions noted seconds, of which the end counts."""
    return time_ if time_ > _MOST_SECONDS else (time_ + 1) * _SECOND_NS - 1
