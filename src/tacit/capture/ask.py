r"""Asking the daemon, over its socket and within a deadline; silence is an answer too.

    question: tacit1 <event> <group> <length>\n<payload, cleaned>
    answer:   tacit1 <id> <length>\n<text, escaped for JSON>

Whatever is late, cut off or of another version counts as silence. The socket is reached from inside
the home, so that no home has too long a path for it.
"""

from __future__ import annotations

import posix
import time

from tacit.capture.spool import FORMAT
from tacit.paths import DAEMON_SOCKET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket as Socket  # noqa: N812

SECONDS = 0.15
LONGEST = 64 << 10


def ask(
    root: int,
    event: str,
    group: str,
    payload: bytes,
    seconds: float = SECONDS,
    longest: int = LONGEST,
) -> tuple[str, bytes] | None:
    """Return (id, text) if the daemon has something to say in time; stands in the home then."""
    try:
        posix.stat(DAEMON_SOCKET, dir_fd=root, follow_symlinks=False)
    except FileNotFoundError:
        return None
    import _socket  # `socket` would cost as much as the interpreter

    posix.fchdir(root)
    until = time.monotonic() + seconds
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        line.settimeout(seconds)
        line.connect(DAEMON_SOCKET)
        line.sendall(f"{FORMAT} {event} {group} {len(payload)}\n".encode() + payload)
        return _answer(_heard(line, until, longest))
    except OSError:
        return None
    finally:
        line.close()


def _heard(line: Socket, until: float, longest: int) -> bytes:
    """Return what is said until it is whole, the line is closed or the time is up."""
    heard = b""
    while (left := until - time.monotonic()) > 0 and len(heard) < longest and not _answer(heard):
        line.settimeout(left)
        piece = line.recv(longest)
        if not piece:
            break
        heard += piece
    return heard


def _answer(heard: bytes) -> tuple[str, bytes] | None:
    head, _, text = heard.partition(b"\n")
    words = head.decode("ascii", "replace").split(" ")
    if len(words) != 3 or words[0] != FORMAT or words[2] != str(len(text)) or not text:  # noqa: PLR2004
        return None
    is_plain = words[1].isascii() and words[1].replace("-", "a").isalnum()
    return (words[1], text) if is_plain and b"\n" not in text else None
