"""The redactor: secrets out of text, before the first write.

Each secret is replaced by `[redacted:<kind>:<4 hex of a keyed hash>]`, so that equal secrets stay
comparable and none can be read back. The text is also seen through its wrappings: escapes, colours,
URL, HTML and base64 encoding. The same text gives the same result with `re` and with RE2, and doing
it twice changes nothing.
"""

from __future__ import annotations

from tacit.guard import gate, views
from tacit.guard.compiled import with_re
from tacit.guard.context import JUDGES
from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.guard.engine import Compile, Pattern

    Secret = tuple[int, int, int]  # start, end, rank of the row

_DEPTH = 3
_LONGEST = 300  # of a secret behind its keyword, where the row looks around
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

    def __init__(self, key: bytes, compile_pattern: Compile = with_re) -> None:
        self._key = key
        self._compile = compile_pattern
        self._patterns: dict[int, Pattern] = {}

    def redact(self, text: bytes) -> bytes:
        """Return *text* with each secret replaced."""
        pieces: list[bytes] = []
        start = 0
        for begin, end, rank in _merged(self.secrets(text)):
            pieces += (text[start:begin], self.mark(_KINDS[rank], text[begin:end]))
            start = end
        return b"".join((*pieces, text[start:])) if pieces else text

    def mark(self, kind: str, secret: bytes) -> bytes:
        """Return what stands in the place of *secret*."""
        try:
            from _blake2 import blake2b
        except ImportError:
            from hashlib import blake2b
        digest = blake2b(secret, key=self._key, digest_size=2).hexdigest()
        return f"[redacted:{kind}:{digest}]".encode()

    def secrets(self, text: bytes, depth: int = 0) -> list[Secret]:
        """Return all that is secret in *text*, seen as it is and through its wrappings."""
        words = gate.words_of(text)
        found = self._by_rows(text, text.lower(), words)
        if depth < _DEPTH:
            for view, back in views.of(text):
                found += [
                    (back(start), back(end - 1) + 1, rank)
                    for start, end, rank in self.secrets(view, depth + 1)
                ]
            found += [
                (start, end, _BASE64)
                for start, end in gate.wrapped(text, words)
                if self._is_hiding(text[start:end], depth)
            ]
        return found

    def _by_rows(self, text: bytes, low: bytes, words: set[bytes]) -> list[Secret]:
        found: list[Secret] = []
        done: dict[int, int] = {}
        for position, rank, _ in sorted(gate.places(text, low, words)):
            if position >= done.get(rank, 0):
                spans = self._at(text, low, position, rank)
                found += [(start, end, rank) for start, end in spans if end > start]
                done[rank] = max((end for _, end in spans), default=0)
        return found

    def _at(self, text: bytes, low: bytes, position: int, rank: int) -> list[tuple[int, int]]:
        """Return the secret spans of row *rank* at a keyword's position."""
        if rank >= len(ROWS):
            _, _, judge, pattern, _ = CONTEXT[rank - len(ROWS)]
            found = self._pattern(rank, pattern).match(low, position)
            return JUDGES[judge](text, low, found) if found else []
        _, _, reach, pattern, _ = ROWS[rank]
        compiled = self._pattern(rank, pattern)
        found = (
            compiled.search(text, max(0, position - reach), position + reach + _LONGEST)
            if reach
            else compiled.match(text, position)
        )
        if not found:
            return []
        span = found.span(min(compiled.groups, 1))
        return [] if _is_dull(text[span[0] : span[1]]) else [span]

    def _pattern(self, rank: int, pattern: bytes) -> Pattern:
        if rank not in self._patterns:
            self._patterns[rank] = self._compile(pattern)
        return self._patterns[rank]

    def _is_hiding(self, run: bytes, depth: int) -> bool:
        """Say whether base64 text holds a secret."""
        plain = gate.decoded(run)
        return gate.is_plain(plain) and bool(self.secrets(plain, depth + 1))


def _is_dull(secret: bytes) -> bool:
    """Say whether a well-formed token is only a drawing of one: `ghp_xxxxxxxx`."""
    low = secret[:400].lower()
    return len(set(secret[-12:])) <= 2 or any(word in low for word in _DRAWN)


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
