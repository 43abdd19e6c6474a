"""Told once: of two hooks that run for one event at one time, one answers.

Both record; what they record is one event. That happens where a client has our hooks twice: in two
of its settings, or in its settings and in a plugin. Who was told lately stands in a small file, one
digest a line, nobody's words. A session hears a thing twice rather than never: whatever is wrong
with the file, whoever asks is the first.
"""

from __future__ import annotations

import posix
import time

from tacit.capture import state
from tacit.capture.intake import field
from tacit.paths import TOLD

WITHIN_NS = 500_000_000  # a client starts its hooks for one event at one time
_FIELDS = (b"session_id", b"source", b"agent_id", b"prompt_id")
_MOST = 64  # sessions that start at one time, and more
_LONGEST = 32 << 10
_TRIES, _PAUSE = 100, 0.001


def is_first(root: int, event: str, payload: bytes, begun_ns: int) -> bool:
    """Say whether nobody else has answered this event, and that we do now."""
    words = [field(payload, name) for name in _FIELDS]
    if not words[0]:
        return True
    line = _digest("\t".join((event, *words)).encode("utf-8", "replace"))
    try:
        descriptor = state.open_file(root, TOLD, posix.O_RDWR | posix.O_CREAT)
    except OSError:
        return True
    try:
        return not _is_held(descriptor) or _is_new(descriptor, line, begun_ns)
    except (OSError, ValueError):
        return True
    finally:
        posix.close(descriptor)


def _digest(words: bytes) -> bytes:
    """Return what stands for the words that name an event: they are a client's, and may be any."""
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return blake2b(words, digest_size=16).hexdigest().encode()


def _is_held(descriptor: int) -> bool:
    """Say whether nobody else can write now; a hook does not wait for long."""
    for _ in range(_TRIES):
        try:
            posix.lockf(descriptor, posix.F_TLOCK, 0)
        except BlockingIOError:
            time.sleep(_PAUSE)
        else:
            return True
    return False


def _is_new(descriptor: int, line: bytes, begun_ns: int) -> bool:
    known = [each for each in posix.read(descriptor, _LONGEST).split(b"\n") if each]
    for each in known:
        told_ns, _, what = each.partition(b"\t")
        if what == line and abs(int(told_ns) - begun_ns) <= WITHIN_NS:
            return False
    lines = [*known[-_MOST:], b"%d\t%s" % (begun_ns, line)]
    posix.lseek(descriptor, 0, 0)
    posix.ftruncate(descriptor, 0)
    state.write_all(descriptor, b"\n".join(lines) + b"\n")
    return True
