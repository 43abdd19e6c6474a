"""RE2 as the guard's engine: linear time on any input, byte by byte as `re` does it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import re2

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.guard.engine import Found, Pattern, Span


class _Linear:
    """A pattern of RE2 as the guard wants it, asked without the detours of its Python half."""

    def __init__(self, compiled: re2._Regexp) -> None:
        self.groups: int = compiled.groups
        self._pattern: bytes = compiled.pattern
        self._ask = compiled._regexp.Match  # noqa: SLF001  (a third of the time of `match`)

    @cached_property
    def _ask_bare(self) -> Callable[..., Found]:
        """Return how to ask without groups: finding those takes most of the time of a match."""
        return _compiled(self._pattern, is_bare=True)._regexp.Match  # type: ignore[no-any-return]  # noqa: SLF001

    def match(self, text: bytes, pos: int, /) -> Found | None:
        found: Found = self._ask(_AT, text, pos, len(text))
        return found if found[0][0] >= 0 else None

    def end(self, text: bytes, pos: int, /) -> int:
        return self._ask_bare(_AT, text, pos, len(text))[0][1]

    def search(self, text: bytes, pos: int, endpos: int, /) -> Found | None:
        found: Found = self._ask(_IN, text, pos, endpos)
        return found if found[0][0] >= 0 else None

    def every(self, text: bytes, pos: int, endpos: int, /) -> list[Span]:
        spans: list[Span] = []
        ask, anywhere, add = self._ask, _IN, spans.append
        while True:
            span = ask(anywhere, text, pos, endpos)[0]
            pos = span[0] + 1
            if not pos:
                return spans
            add(span)


class _Public:
    """The same by the public way, for a version of RE2 that is built otherwise."""

    def __init__(self, compiled: re2._Regexp) -> None:
        self.groups: int = compiled.groups
        self._compiled = compiled

    def match(self, text: bytes, pos: int, /) -> Found | None:
        return self._spans(self._compiled.match(text, pos))

    def end(self, text: bytes, pos: int, /) -> int:
        found = self._compiled.match(text, pos)
        return found.end() if found else -1

    def search(self, text: bytes, pos: int, endpos: int, /) -> Found | None:
        return self._spans(self._compiled.search(text, pos, endpos))

    def every(self, text: bytes, pos: int, endpos: int, /) -> list[Span]:
        spans = []
        while found := self._compiled.search(text, pos, endpos):
            spans.append(found.span())
            pos = found.start() + 1
        return spans

    def _spans(self, found: re2._Match | None) -> Found | None:
        return tuple(found.span(group) for group in range(self.groups + 1)) if found else None


try:
    _AT, _IN = re2._Anchor.ANCHOR_START, re2._Anchor.UNANCHORED  # noqa: SLF001
    _IS_OPEN = hasattr(re2.compile(b""), "_regexp")
except AttributeError:
    _IS_OPEN = False


def with_re2(pattern: bytes) -> Pattern:
    """Compile with RE2."""
    compiled = _compiled(pattern, is_bare=False)
    return _Linear(compiled) if _IS_OPEN else _Public(compiled)


def _compiled(pattern: bytes, *, is_bare: bool) -> re2._Regexp:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.never_capture = is_bare
    compiled = re2.compile(pattern, options)
    re2.purge()  # it would hold on to what nobody uses any more
    return compiled
