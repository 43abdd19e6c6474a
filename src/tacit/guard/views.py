"""The views: a text seen through its wrappings, with the way back.

A secret may stand behind colour codes, string escapes, HTML or URL encoding. Each view is the text
without one of them and a function that leads from a position in the view to the position in the
text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Back = Callable[[int], int]
    # What a wrapping makes of the bytes behind its mark: (plain bytes, how many it took), or None
    Undo = Callable[[bytes], tuple[bytes, int] | None]

_HEX = frozenset(b"0123456789abcdefABCDEF")
_SIMPLE = {
    wrapped: (bytes((plain,)), 1)
    for wrapped, plain in zip(b"ntr\"'\\/`", b"\n\t\r\"'\\/`", strict=True)
}
_ENTITIES = {
    b"quot": b'"',
    b"#34": b'"',
    b"#39": b"'",
    b"#x27": b"'",
    b"apos": b"'",
    b"amp": b"&",
    b"lt": b"<",
    b"gt": b">",
    b"#61": b"=",
    b"#x3d": b"=",
    b"#64": b"@",
}


def of(text: bytes) -> Iterator[tuple[bytes, Back]]:
    """Yield each view of the text: the lines that are wrapped, without the wrapping."""
    for mark, hint, undo in _WRAPPINGS:
        if text.find(mark) >= 0 and (not hint or any(text.find(sign) >= 0 for sign in hint)):
            yield _unwrap(text, mark, undo)


def _unwrap(text: bytes, mark: bytes, undo: Undo) -> tuple[bytes, Back]:
    """Return the lines that hold the mark, unwrapped, and the way back."""
    pieces: list[bytes] = []
    stops: list[int] = []  # positions in the view …
    shifts: list[int] = []  # … from which on the text is this far ahead
    length = end = 0
    position = text.find(mark)
    while position >= 0:
        if position >= end:  # the next line that holds the mark
            start = max(text.rfind(b"\n", 0, position) + 1, end)
            end = (text.find(b"\n", position) + 1) or len(text)
            stops.append(length)
            shifts.append(start - length)
        behind = position + len(mark)
        undone = undo(text[behind : behind + 24])
        if undone:
            plain, taken = undone
            pieces += (text[start:position], plain)
            length += position - start + len(plain)
            behind = start = min(behind + taken, end)
            stops.append(length)
            shifts.append(start - length)
        position = text.find(mark, behind)
        if position < 0 or position >= end:
            pieces.append(text[start:end])
            length += end - start
    return b"".join(pieces), _way_back(stops, shifts)


def _way_back(stops: list[int], shifts: list[int]) -> Back:
    from bisect import bisect_right

    return lambda position: position + shifts[bisect_right(stops, position) - 1]


def _colour(behind: bytes) -> tuple[bytes, int] | None:
    rest = behind.lstrip(b"0123456789;:?")
    return (b"", len(behind) - len(rest) + 1) if rest else None


def _escape(behind: bytes) -> tuple[bytes, int] | None:
    if behind[:1] == b"u" and len(behind) >= 5 and all(char in _HEX for char in behind[1:5]):
        code = int(behind[1:5], 16)
        return (bytes((code,)), 5) if code < 128 else None
    return _SIMPLE.get(behind[0]) if behind else None


def _percent(behind: bytes) -> tuple[bytes, int] | None:
    if len(behind) >= 2 and behind[0] in _HEX and behind[1] in _HEX:
        return bytes((int(behind[:2], 16),)), 2
    return None


def _entity(behind: bytes) -> tuple[bytes, int] | None:
    name, end, _ = behind.partition(b";")
    plain = _ENTITIES.get(name.lower())
    return (plain, len(name) + len(end)) if plain and end else None


_WRAPPINGS: tuple[tuple[bytes, tuple[bytes, ...], Undo], ...] = (
    (b"\x1b[", (), _colour),
    (b"\\", (b'\\"', b"\\n", b"\\u", b"\\\\", b"\\'"), _escape),
    (b"%", (b"%2", b"%3", b"%4", b"%5", b"%7", b"%0"), _percent),
    (b"&", (b"&quot;", b"&#", b"&amp;", b"&apos;", b"&lt;", b"&gt;"), _entity),
)
