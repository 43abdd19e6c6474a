"""The views: a text seen through its wrappings, with the way back.

A secret may stand behind colour codes, string escapes, HTML or URL encoding. Each view is the text
without one of them and a function that leads from a position in the view to the position in the
text. So is a text without its margins: a patch's sign, a quote's, the number of each line.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Back = Callable[[int], int]
    # What a wrapping makes of the bytes behind its mark: (plain bytes, how many it took), or None
    Undo = Callable[[bytes], tuple[bytes, int] | None]

_HEX = frozenset(b"0123456789abcdefABCDEF")
_DIGITS, _BLANK = b"0123456789", b" \t"
_LONGEST = 6  # digits of a line's number
_AFTER_NUMBER = (b"\t", b"|", b":", b"-", b"\xe2\x86\x92", b"\xe2\x94\x82")
_DRAWN = (b">", b"|", b"< ", b"\xe2\x94\x82", b"\xe2\x8e\xbf")
_SIGNS = frozenset((b"+", b"-"))
_MARGINAL = _SIGNS | {bytes((char,)) for char in _DIGITS + b"<>|\xe2"}
_INDENTED = frozenset((b" ", b"\t", b"\r", b"\n"))
_SHAPE = bytes(43 if char in b"+-<>|\xe2" + _DIGITS else char for char in range(256))
_AROUND, _WIDEST = 2000, 16  # how far around a place lines are seen; of a margin
_REST = 48  # of a line behind a name whose value stands below
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


def of(text: bytes, places: Sequence[int] = ()) -> Iterator[tuple[bytes, Back]]:
    """Yield each view of the text: the lines that are wrapped, without the wrapping.

    Without margins only the lines around *places* are seen.
    """
    for mark, hint, undo in _WRAPPINGS:
        if text.find(mark) >= 0 and (not hint or any(text.find(sign) >= 0 for sign in hint)):
            yield _unwrap(text, mark, undo)
    yield from _without_margins(text, places)


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


def margin(line: bytes) -> int:
    """Return how wide the margin before a line is, 0 if it has none."""
    if line[:1] in _SIGNS:
        return int(line[1:2] != line[:1])
    bare = line.lstrip(_BLANK)
    if bare[:1] not in _MARGINAL:
        return 0
    if bare[4:6] == b": " and _HEX.issuperset(bare[:4]):  # where a trace shows bytes
        return len(line) - len(bare) + 5
    behind = bare.lstrip(_DIGITS)
    number = len(bare) - len(behind)
    if number > _LONGEST:
        return 0
    rest = behind.lstrip(b" ") if number else bare
    for sign in _AFTER_NUMBER if number else _DRAWN:
        if rest.startswith(sign):
            return len(line) - len(rest) + len(sign)
    return len(line) - len(behind) + 1 if number and len(rest) < len(behind) else 0


def _without_margins(text: bytes, places: Sequence[int]) -> Iterator[tuple[bytes, Back]]:
    """Yield the lines around places, if they have margins, without them."""
    pieces: list[bytes] = []
    stops: list[int] = []
    shifts: list[int] = []
    length = done = stop = 0
    if b"\n+" not in (b"\n" + text).translate(_SHAPE, _BLANK):
        return
    for place in places:
        if place < stop:  # of a line that has been seen
            continue
        start = text.rfind(b"\n", stop, place) + 1 or stop
        stop = text.find(b"\n", place) + 1 or len(text)
        near = (text[first : first + _WIDEST] for first in (start, stop))
        if place < done or stop - place > _REST or not any(map(margin, near)):
            continue
        for first, line in _block(text, place, done):
            width = margin(line)
            is_sign = width == 1 and line[:1] in _SIGNS
            shown = b" " + line[1:] if is_sign else line[width:]
            pieces.append(shown)  # a blank keeps lines of a patch beneath each other
            done = first + len(line)
            stops.append(length)
            shifts.append(done - len(shown) - length)
            length += len(shown)
    if pieces:
        yield b"".join(pieces), _way_back(stops, shifts)


def _block(text: bytes, place: int, done: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines around a place, up to one on each side that has neither margin nor indent."""
    start = first = text.rfind(b"\n", done, place) + 1 or done
    for line in reversed(text[max(done, start - _AROUND) : start].splitlines(keepends=True)):
        first -= len(line)
        if line[:1] not in _INDENTED and not margin(line):
            break
    for line in text[first : place + _AROUND].splitlines(keepends=True):
        yield first, line
        if first > place and line[:1] not in _INDENTED and not margin(line):
            break
        first += len(line)


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
