"""The hook's own log: one line for each failure, never payload text, capped.

The file and its predecessor hold at most a quarter of a megabyte each.
"""

from __future__ import annotations

import posix
import time

from tacit.capture import state
from tacit.paths import HOOK_LOG, LOGS

LARGEST = 256 << 10
OLD = HOOK_LOG + ".1"


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


def _told(error: BaseException) -> str:
    """Name the error; its text only if the system wrote it, for others may quote the payload."""
    name = type(error).__name__
    if isinstance(error, OSError):
        return f"{name}: {error.strerror or error} {error.filename or ''}".rstrip()
    return name
