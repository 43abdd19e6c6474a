"""Compiled patterns, kept: the hook need not load `re` and compile anew on every event.

`dump` writes what `re` made of every row, `compiler` gives it back as long as it was made by this
interpreter from these rows. The regex machine itself checks the code before it runs it; whatever
does not fit is compiled anew. Uses private parts of `re`; where they are missing there is simply
nothing kept.
"""

from __future__ import annotations

import marshal
import sys

from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS

_DIGEST = 16

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from tacit.guard.engine import Compile, Found, Pattern, Span


class _Standard:
    """A pattern of the standard library as the guard wants it."""

    def __init__(self, compiled: re.Pattern[bytes]) -> None:
        self.groups = compiled.groups
        self._match = compiled.match
        self._search = compiled.search

    def match(self, text: bytes, pos: int, /) -> Found | None:
        found = self._match(text, pos)
        return found.regs if found else None

    def end(self, text: bytes, pos: int, /) -> int:
        found = self._match(text, pos)
        return found.end() if found else -1

    def search(self, text: bytes, pos: int, endpos: int, /) -> Found | None:
        found = self._search(text, pos, endpos)
        return found.regs if found else None

    def every(self, text: bytes, pos: int, endpos: int, /) -> list[Span]:
        spans = []
        while found := self._search(text, pos, endpos):
            spans.append(found.span())
            pos = found.start() + 1
        return spans


def with_re(pattern: bytes) -> Pattern:
    """Compile with the standard library: the hook's engine."""
    import re

    return _Standard(re.compile(pattern))


def compiler(kept: bytes) -> Compile:
    """Return a compiler that takes from *kept* what it can."""
    try:
        from _sre import compile as restore

        if kept[:_DIGEST] != _digest(kept[_DIGEST:]):
            return with_re
        tag, programs = marshal.loads(kept[_DIGEST:])  # noqa: S302  (our own, and whole)
        if tag != _tag():
            return with_re
    except (ImportError, ValueError, EOFError, TypeError):
        return with_re

    def compile_pattern(pattern: bytes) -> Pattern:
        try:
            groups, code = programs[pattern]
            program = list(memoryview(code).cast("I"))
            restored = restore(pattern, 0, program, groups, {}, (None,) * (groups + 1))
        except (KeyError, RuntimeError, TypeError, ValueError):
            return with_re(pattern)
        return _Standard(restored)

    return compile_pattern


def dump() -> bytes:
    """Return all rows compiled, for `compiler`; nothing where `re` does not allow it."""
    try:
        from array import array
        from re import _compiler, _parser  # type: ignore[attr-defined]

        programs = {}
        for pattern in (*(row[3] for row in ROWS), *(row[3] for row in CONTEXT)):
            parsed = _parser.parse(pattern, 0)
            code = array("I", _compiler._code(parsed, 0)).tobytes()  # noqa: SLF001
            programs[pattern] = (parsed.state.groups - 1, code)
    except (ImportError, AttributeError):
        return b""
    body = marshal.dumps((_tag(), programs))
    return _digest(body) + body


def _digest(body: bytes) -> bytes:
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return blake2b(body, digest_size=_DIGEST).digest()


def _tag() -> str:
    from _sre import CODESIZE, MAGIC

    return f"{sys.version} {MAGIC} {CODESIZE}"
