r"""The brief, as the hook tells it: a prepared file, its ages put right; or the daemon's fresh one.

    first line: the home's stamp; a file without it says nothing
    second:     <id>
    third:      the text, escaped for JSON, each age as \x01<seconds since 1970>\x01
    fourth:     `unlanded` if the last session there could not be curated, else there is none

A session that starts or was cleared is told the file. After a compaction the daemon is asked for
what it knows by now, and the file does if it is silent. A session that is resumed has been told
before: only the daemon knows what is new since.
"""

from __future__ import annotations

import time

from tacit.capture import state
from tacit.capture.intake import field

MARK = b"\x01"
FOR_AGENTS = ".agents"  # the shorter one beside it, for subagents
UNLANDED = b"unlanded"
SECONDS = 0.35  # a compaction took many times as long
_DAY = 86_400
_ASKED = ("compact", "resume", "fork")


def is_asked(event: str, payload: bytes) -> tuple[bool, bool]:
    """Say whether the daemon is asked first, and whether the prepared file is told without it."""
    source = field(payload, b"source") if event == "SessionStart" else ""
    return source in _ASKED, source not in {"resume", "fork"}


def fresh(root: int, event: str, group: str, payload: bytes) -> tuple[str, bytes] | None:
    """Return (id, text) of what the daemon says now."""
    from tacit.capture.ask import ask

    return ask(root, event, group, payload, SECONDS)


def brief(root: int, event: str, file: str, key: bytes) -> tuple[str, bytes, bool]:
    """Return (id, text) of what was prepared for a session, or for a subagent; both may be empty.

    And whether the last session there did not land.
    """
    file = file if event == "SessionStart" else file + FOR_AGENTS
    told = state.read_stamped(root, file, key)
    if told is None:
        raise state.Refused(f"{file} is not a brief of this home")
    name, text, landed = (*told.split(b"\n"), b"", b"")[:3]
    is_plain = name.isascii() and name.replace(b"-", b"a").isalnum()
    text = aged(text, time.time()) if is_plain else b""
    return name.decode() if is_plain else "", text, landed == UNLANDED


def aged(text: bytes, now: float) -> bytes:
    """Return the text with its marks replaced by how many days ago that was."""
    parts = text.split(MARK)
    for at in range(1, len(parts) - 1, 2):
        parts[at] = b"%dd ago" % max(0, (int(now) - int(parts[at])) // _DAY)
    return b"".join(parts)
