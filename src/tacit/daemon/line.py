"""The line: questions over a Unix socket, answered by a few threads.

Bound and reached from inside the home, so that no home has too long a path for it. Only the owner
of the home is listened to. A question of another version, too long or too slow, meets silence.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit.capture.spool import FORMAT
from tacit.guard.names import is_name
from tacit.paths import DAEMON_SOCKET

if TYPE_CHECKING:
    from collections.abc import Callable

    # (event, group, payload) -> (id, text) or nothing to say
    Answer = Callable[[str, str, bytes], tuple[str, bytes] | None]

WORKERS = 8
SECONDS = 2.0
LARGEST = 4 << 20
_HEAD = 4096
_BACKLOG = 64
_PAUSE = 0.5
_QUEUE = 0.1  # a hook waits hardly longer


class Line:
    """The daemon's ear: listens until it is closed."""

    def __init__(self, root: int, answer: Answer) -> None:
        self._answer = answer
        self._free = threading.BoundedSemaphore(WORKERS)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        os.fchdir(root)
        with suppress(FileNotFoundError):  # of one that died: we hold the lock, so it is nobody's
            os.unlink(DAEMON_SOCKET)  # noqa: PTH108  (relative to the home)
        self._socket.bind(DAEMON_SOCKET)
        os.chmod(DAEMON_SOCKET, 0o600)  # noqa: PTH101
        self._socket.listen(_BACKLOG)
        self._thread = threading.Thread(target=self._listen, name="line", daemon=True)
        self.asked = threading.Event()
        self._is_closed = False

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening; what is being answered may end."""
        self._is_closed = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        with suppress(FileNotFoundError):
            os.unlink(DAEMON_SOCKET)  # noqa: PTH108

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                if self._is_closed:
                    return
                time.sleep(_PAUSE)  # too many files are open, say: later
                continue
            self.asked.set()
            if not self._free.acquire(timeout=_QUEUE):
                caller.close()  # all are busy: silence is an answer too
                continue
            threading.Thread(target=self._serve, args=(caller,), name="answer", daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        try:
            self._reply(caller)
        finally:
            self._free.release()

    def _reply(self, caller: socket.socket) -> None:
        with caller:
            try:
                until = time.monotonic() + SECONDS
                asked = _heard(caller, until) if _is_owner(caller) else None
                told = self._answer(*asked) if asked else None
                if told:
                    name, text = told
                    caller.sendall(f"{FORMAT} {name} {len(text)}\n".encode() + text)
            except Exception:  # noqa: BLE001  (a prompt that cannot be answered is met with silence)
                return


def _is_owner(caller: socket.socket) -> bool:
    """Say whether the other end is a process of ours; where nobody can tell, the modes must do."""
    if not sys.platform.startswith("linux"):
        return True
    form = "3i"
    raw = caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize(form))
    _, uid, _ = struct.unpack(form, raw)
    return bool(uid == os.geteuid())


def _heard(caller: socket.socket, until: float) -> tuple[str, str, bytes] | None:
    """Return the question, whole and in time; None for what is none."""
    heard = b""
    while b"\n" not in heard:
        piece = _next(caller, _HEAD, until)
        if not piece or len(heard) > _HEAD:
            return None
        heard += piece
    head, _, payload = heard.partition(b"\n")
    words = head.decode("ascii").split(" ")
    if len(words) != 4 or words[0] != FORMAT or not is_name(words[2]) or not words[1].isalnum():  # noqa: PLR2004
        return None
    size = int(words[3])
    if not 0 <= size <= LARGEST:
        return None
    while len(payload) < size:
        piece = _next(caller, min(1 << 16, size - len(payload)), until)
        if not piece:
            return None
        payload += piece
    return words[1], words[2], payload[:size]


def _next(caller: socket.socket, most: int, until: float) -> bytes:
    """Return what comes next; nothing if the time is up."""
    left = until - time.monotonic()
    if left <= 0:
        return b""
    caller.settimeout(left)
    return caller.recv(most)
