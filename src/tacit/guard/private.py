"""Private spans: what the user put between `<private>` and `</private>` is never written.

Spans may nest; one that is not closed reaches to the end of its text.
"""

from __future__ import annotations

OPENING, CLOSING, MARK = b"<private", b"</private", b"[private]"


def strip(text: bytes) -> bytes:
    """Return *text* with each private span replaced by a mark."""
    low = text.lower()
    if OPENING not in low:
        return text
    pieces: list[bytes] = []
    position = 0
    start = low.find(OPENING)
    while start >= 0:
        pieces += (text[position:start], MARK)
        position = _end(low, start)
        start = low.find(OPENING, position)
    return b"".join((*pieces, text[position:]))


def _end(low: bytes, start: int) -> int:
    """Return where the span that opens at *start* ends, nested spans included."""
    depth = 0
    position = start
    while True:
        opening = low.find(OPENING, position)
        closing = low.find(CLOSING, position)
        if closing < 0:
            return len(low)
        if 0 <= opening < closing:
            depth += 1
            position = opening + len(OPENING)
            continue
        depth -= 1
        position = closing + len(CLOSING)
        if depth == 0:
            tail = low.find(b">", position, position + 16)
            return tail + 1 if tail >= 0 else position
