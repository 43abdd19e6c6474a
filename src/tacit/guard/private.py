"""Private spans: what the user put between `<private>` and `</private>` is never written.

Spans may nest; one that is not closed reaches to the end of its text.
"""

from __future__ import annotations

_AFTER = frozenset((b">", b" ", b"\t", b"\n", b"\r", b"", b"/"))
OPENING, CLOSING, MARK = b"<private", b"</private", b"[private]"


def strip(text: bytes) -> bytes:
    """Return *text* with each private span replaced by a mark."""
    low = text.lower()
    if OPENING not in low:
        return text
    pieces: list[bytes] = []
    depth = position = 0
    for start, end, is_opening in _tags(low):
        if is_opening:
            if depth == 0:
                pieces += (text[position:start], MARK)
            depth += 1
        elif depth:
            depth -= 1
            position = position if depth else end
    return b"".join((*pieces, b"" if depth else text[position:]))


def _tags(low: bytes) -> list[tuple[int, int, bool]]:
    """Return each tag, in order: where it begins and ends, and whether it opens a span."""
    found = []
    for tag, is_opening in ((OPENING, True), (CLOSING, False)):
        start = low.find(tag)
        while start >= 0:
            behind = start + len(tag)
            if low[behind : behind + 1] in _AFTER:
                end = low.find(b">", behind, behind + 200)
                found.append((start, end + 1 if end >= 0 else behind, is_opening))
            start = low.find(tag, behind)
    return sorted(found)
