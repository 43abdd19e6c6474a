"""The line: questions over a Unix socket, answered by a small pool of threads.

Bound and reached from inside the home, so that no home has too long a path for it. Only the owner
of the home is listened to. A question of another version, too long or too slow, meets silence.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit.capture.spool import FORMAT
from tacit.guard.names import is_name
from tacit.paths import DAEMON_SOCKET

if TYPE_CHECKING:
    from collections.abc import Callable

    # (event, group, payload) -> (id, text) or nothing to say
    Answer = Callable[[str, str, bytes], tuple[str, bytes] | None]

WORKERS = 4
SECONDS = 2.0
LARGEST = 4 << 20
_HEAD = 4096
_BACKLOG = 64


class Line:
    """The daemon's ear: listens until it is closed."""

    def __init__(self, root: int, answer: Answer) -> None:
        self._answer = answer
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="answer")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        os.fchdir(root)
        with suppress(FileNotFoundError):  # of one that died: we hold the lock, so it is nobody's
            os.unlink(DAEMON_SOCKET)  # noqa: PTH108  (relative to the home)
        self._socket.bind(DAEMON_SOCKET)
        os.chmod(DAEMON_SOCKET, 0o600)  # noqa: PTH101
        self._socket.listen(_BACKLOG)
        self._thread = threading.Thread(target=self._listen, name="line", daemon=True)
        self.asked = threading.Event()

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening; what is being answered may end."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        with suppress(FileNotFoundError):
            os.unlink(DAEMON_SOCKET)  # noqa: PTH108
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            self.asked.set()
            try:
                self._pool.submit(self._serve, caller)
            except RuntimeError:  # closing
                caller.close()
                return

    def _serve(self, caller: socket.socket) -> None:
        with caller:
            caller.settimeout(SECONDS)
            try:
                asked = _heard(caller) if _is_owner(caller) else None
                told = self._answer(*asked) if asked else None
                if told:
                    name, text = told
                    caller.sendall(f"{FORMAT} {name} {len(text)}\n".encode() + text)
            except (OSError, ValueError):
                return


def _is_owner(caller: socket.socket) -> bool:
    """Say whether the other end is a process of ours; where nobody can tell, the modes must do."""
    if not sys.platform.startswith("linux"):
        return True
    form = "3i"
    raw = caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize(form))
    _, uid, _ = struct.unpack(form, raw)
    return bool(uid == os.geteuid())


def _heard(caller: socket.socket) -> tuple[str, str, bytes] | None:
    """Return the question, whole; None for what is none."""
    heard = b""
    while b"\n" not in heard:
        piece = caller.recv(_HEAD)
        if not piece or len(heard) > _HEAD:
            return None
        heard += piece
    head, _, payload = heard.partition(b"\n")
    words = head.decode("ascii").split(" ")
    if len(words) != 4 or words[0] != FORMAT or not is_name(words[2]):  # noqa: PLR2004
        return None
    size = int(words[3])
    if not 0 <= size <= LARGEST:
        return None
    while len(payload) < size:
        piece = caller.recv(min(1 << 16, size - len(payload)))
        if not piece:
            return None
        payload += piece
    return words[1], words[2], payload[:size]
