"""The redactor: secrets out of text, before the first write.

Each secret is replaced by `[redacted:<kind>:<4 hex of a keyed hash>]`, so that equal secrets stay
comparable and none can be read back. The text is also seen through its wrappings: escapes, colours,
URL, HTML and base64 encoding. The same text gives the same result with `re` and with RE2, and doing
it twice changes nothing.
"""

from __future__ import annotations

from tacit.guard import gate, judge, views
from tacit.guard.compiled import with_re
from tacit.guard.context import JUDGES, weighed
from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import blake2b

    from tacit.guard.engine import Compile, Found, Pattern, Places, Span, Words
    from tacit.guard.views import Back

    Secret = tuple[int, int, int]  # start, end, rank of the row
    Parts = list[tuple[int, int]]  # start, stop
    Seen = tuple[list[Span], int]  # secret spans, and where the row may be tried next
    Look = Callable[[bytes, bytes, int, bytes], Seen | None]  # at (text, low, place, keyword)

_DEPTH = 2
_ROUNDS = 4
# How far around itself a secret can be seen by a row; farther if it held what parts cells or lines.
_NEAR, _FAR, _PARTING = 300, 4200, b"|,;\t\r\n\"'"
_ESCAPE = 12  # the longest escape
_LONGEST_MARK = 80
_LONGEST = 300  # of a secret behind its keyword, where the row looks around
_MOST_LEADS, _LONGEST_LEAD = 512, 64  # kept in mind
_LONG = 400  # so long is hardly any value
_DRAWN = (
    b"your",
    b"xxxx",
    b"placeholder",
    b"changeme",
    b"...",
    b"-here",
    b"_here",
    b"<",
    b"[redacted",
)
_BASE64 = len(ROWS) + len(CONTEXT)
_KINDS = (*(row[0] for row in ROWS), *(row[0] for row in CONTEXT), "base64")


class Redactor:
    """Takes secrets out of bytes; patterns are compiled when first needed."""

    def __init__(
        self,
        key: bytes,
        compile_pattern: Compile = with_re,
        places: Places = gate.places,
        words: Words = gate.words_of,
        kept: frozenset[int] = frozenset(),
    ) -> None:
        self._key = key
        self._compile = compile_pattern
        self._places = places
        self._words = words
        self._kept = kept  # ranks of rows whose finds stay
        self._looks: list[Look | None] = [None] * _BASE64
        self._blake2b: type[blake2b] | None = None

    def redact(self, text: bytes) -> bytes:
        """Return *text* with each secret replaced."""
        near: Parts = [(0, len(text))]
        for _ in range(_ROUNDS):  # what a secret was glued to may be one itself
            found = _merged(_outside_marks(text, self.secrets(text, near)))
            if not found:
                break
            text, near = self._without(text, found)
        return text

    def _without(self, text: bytes, found: list[Secret]) -> tuple[bytes, Parts]:
        """Return *text* with marks instead of secrets, and the parts that could see them."""
        parts: list[bytes] = []
        near: Parts = []
        start = length = 0
        for begin, end, rank in found:
            secret = text[begin:end]
            mark = self.mark(_KINDS[rank], secret)
            parts += (text[start:begin], mark)
            length += begin - start + len(mark)
            start = end
            sight = _FAR if secret.translate(None, _PARTING) != secret else _NEAR
            near.append((length - len(mark) - sight, length + sight))
        parts.append(text[start:])
        return b"".join(parts), _joined(near, length + len(parts[-1]))

    def mark(self, kind: str, secret: bytes) -> bytes:
        """Return what stands in the place of *secret*."""
        blake2b = self._blake2b or self._load()
        digest = blake2b(secret, key=self._key, digest_size=2).hexdigest()
        return f"[redacted:{kind}:{digest}]".encode()

    def _load(self) -> type[blake2b]:
        """Load, and keep, the hash: only a text with a secret needs it."""
        try:
            from _blake2 import blake2b
        except ImportError:
            from hashlib import blake2b
        self._blake2b = blake2b
        return blake2b

    def secrets(self, text: bytes, near: Parts, depth: int = 0) -> list[Secret]:
        """Return all that is secret in parts of *text*, as it is and through its wrappings."""
        found: list[Secret] = []
        low = text.lower()
        done: dict[int, int] = {}
        missed: list[int] = []
        looks = self._looks
        looked = 0
        for start, stop, words in gate.pieces(text, near, self._words):
            for position, rank, keyword in sorted(self._places(text, low, words, start, stop)):
                if rank in self._kept or (rank in done and position < done[rank]):
                    continue
                look = looks[rank] or self._look(rank)
                if seen := look(text, low, position, keyword):
                    spans, done[rank] = seen
                    found += [(begin, end, rank) for begin, end in spans if end > begin]
                else:
                    missed.append(position)
            for begin, end in gate.wrapped(text, words, start, stop) if depth < _DEPTH else ():
                if end > looked and self._is_hiding(text[begin:end], depth):
                    found.append((begin, end, _BASE64))
                looked = max(looked, end)
        for view, back in views.of(text, missed) if depth < _DEPTH else ():
            shown = _shown(view, back, near)
            inside = self.secrets(view, shown, depth + 1) if shown else []
            found += [(back(start), _last(back, end), rank) for start, end, rank in inside]
        return found

    def _look(self, rank: int) -> Look:
        """Make, and keep, what looks at a place for row *rank*."""
        if rank >= len(ROWS):
            _, _, judge, pattern, _ = CONTEXT[rank - len(ROWS)]
            compiled = self._compile(pattern)
            look = _weighing(compiled) if judge == "assigned" else _judging(compiled, judge)
        else:
            _, _, reach, pattern, _ = ROWS[rank]
            compiled = self._compile(pattern)
            look = _around(compiled, reach) if reach else _exactly(compiled)
        self._looks[rank] = look
        return look

    def _is_hiding(self, run: bytes, depth: int) -> bool:
        """Say whether base64 text holds a secret."""
        plain = gate.decoded(run)
        return gate.is_plain(plain) and bool(self.secrets(plain, [(0, len(plain))], depth + 1))


def _weighing(pattern: Pattern) -> Look:
    """Look for `name = value`: by far the most places, so what is dear is asked last."""
    end, groups = pattern.end, _grouping(pattern)

    def look(text: bytes, low: bytes, position: int, keyword: bytes) -> Seen | None:
        begin = end(low, position)
        if begin < 0:
            return None
        name_end = position + len(keyword)
        if _is_long(text, begin) and not gate.may_name(text, low, position, name_end, judge.rate):
            return None  # a long value is dear to weigh
        spans = weighed(text, low, (position, begin), groups)
        if spans and gate.may_name(text, low, position, name_end, judge.rate):
            return spans, spans[-1][1]
        return None

    return look


def _grouping(pattern: Pattern) -> Callable[[bytes], Found]:
    """Return what tells the groups of a lead, from the name to the value: leads repeat."""
    match = pattern.match
    known: dict[bytes, Found] = {}

    def groups(lead: bytes) -> Found:
        found = known.get(lead)
        if found is None:
            if len(known) >= _MOST_LEADS:
                known.clear()
            found = match(lead, 0) or ()
            if len(lead) <= _LONGEST_LEAD:
                known[lead] = found
        return found

    return groups


def _is_long(text: bytes, begin: int) -> bool:
    """Say whether the value at *begin* has neither a blank nor an end of line for long."""
    end = begin + _LONG
    return text.find(b" ", begin, end) < 0 and text.find(b"\n", begin, end) < 0


def _judging(pattern: Pattern, name: str) -> Look:
    """Look for what a judge takes for a secret."""
    match, judge = pattern.match, JUDGES[name]

    def look(text: bytes, low: bytes, position: int, _keyword: bytes) -> Seen | None:
        found = match(low, position)
        if not found:
            return None
        spans = judge(text, low, found)
        if name == "cookies":  # the header is settled as a whole
            return spans, found[0][1]
        if name == "column":  # a heading may stand beside another one
            return spans, 0
        return (spans, max(stop for _, stop in spans)) if spans else None

    return look


def _exactly(pattern: Pattern) -> Look:
    """Look for what the pattern finds at the place itself."""
    match, group = pattern.match, min(pattern.groups, 1)

    def look(text: bytes, _low: bytes, position: int, _keyword: bytes) -> Seen | None:
        found = match(text, position)
        if not found:
            return None
        begin, end = found[group]
        return [] if _is_dull(text[begin:end]) else [(begin, end)], found[0][1]

    return look


def _around(pattern: Pattern, reach: int) -> Look:
    """Look for all that the pattern finds around the place."""
    search, group = pattern.search, min(pattern.groups, 1)

    def look(text: bytes, _low: bytes, position: int, _keyword: bytes) -> Seen | None:
        first = max(0, position - reach)
        window = text[first : position + reach + _LONGEST]
        spans = []
        start = 0
        while found := search(window, start, len(window)):
            begin, end = found[group]
            if not _is_dull(window[begin:end]):
                spans.append((first + begin, first + end))
            start = max(found[0][1], start + 1)
        return (spans, max(end for _, end in spans)) if spans else None

    return look


def _joined(parts: Parts, length: int) -> Parts:
    """Return the parts, in order, without what lies outside the text or in two of them."""
    joined: Parts = []
    for start, stop in sorted(parts):
        first, last = max(0, start), min(stop, length)
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _shown(view: bytes, back: Back, parts: Parts) -> Parts:
    """Return which parts of a view show these parts of the text."""
    shown = [(_first(view, back, start), _first(view, back, stop)) for start, stop in parts]
    return [(start, stop) for start, stop in shown if start < stop]


def _first(view: bytes, back: Back, position: int) -> int:
    """Return from where on a view shows what stands at *position* of the text or behind it."""
    if position <= back(0):
        return 0
    if position > back(len(view) - 1):
        return len(view)
    from bisect import bisect_left

    return bisect_left(range(len(view)), position, key=back)


def _last(back: Back, end: int) -> int:
    """Return where, in the text, that ends which ends at *end* in the view."""
    last = back(end - 1) + 1
    return back(end) if 0 < back(end) - last <= _ESCAPE else last


def _outside_marks(text: bytes, secrets: list[Secret]) -> list[Secret]:
    """Leave out what touches a mark of an earlier redaction."""
    if text.find(gate.MARK) < 0:
        return secrets
    return [secret for secret in secrets if not _touches_mark(text, secret[0], secret[1])]


def _touches_mark(text: bytes, start: int, end: int) -> bool:
    """Say whether a mark begins in what stands at *start*:*end*, or reaches it from before."""
    before = start - _LONGEST_MARK if start > _LONGEST_MARK else 0
    if text.find(gate.MARK, before, end + len(gate.MARK) - 1) < 0:
        return False
    if text.find(gate.MARK, start + 1, end + len(gate.MARK) - 1) >= 0:
        return True
    mark = text.rfind(gate.MARK, before, start + len(gate.MARK))
    if mark < 0 or mark >= end:
        return False
    closing = text.find(b"]", mark, mark + _LONGEST_MARK)
    return start <= (closing if closing >= 0 else mark + len(gate.MARK))


def _is_dull(secret: bytes) -> bool:
    """Say whether a well-formed token is only a drawing of one: `ghp_xxxxxxxx`."""
    low = secret[:400].lower()
    return len(set(secret[-12:])) <= 2 or any(map(low.count, _DRAWN))


def _merged(secrets: list[Secret]) -> list[Secret]:
    """Join what overlaps; the widest names the kind, among equals the first row."""
    merged: list[Secret] = []
    width = 0
    for start, end, rank in sorted(secrets, key=lambda secret: (secret[0], -secret[1], secret[2])):
        if merged and start < merged[-1][1]:
            begin, stop, kind = merged[-1]
            kind = rank if end - start > width else kind
            merged[-1] = (begin, max(stop, end), kind)
        else:
            merged.append((start, end, rank))
            width = 0
        width = max(width, end - start)
    return merged
