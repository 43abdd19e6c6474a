"""Compiled patterns, kept: what comes back matches as `re` does, or is compiled anew."""

from __future__ import annotations

import hashlib
import marshal
import re
import sys
from re import _compiler  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard.compiled import compiler, dump, with_re
from tacit.guard.contextrows import CONTEXT
from tacit.guard.redact import Redactor
from tacit.guard.rows import ROWS

if TYPE_CHECKING:
    from tacit.guard.engine import Compile, Span

_KEY = b"k" * 32
_PATTERNS = [*(row[3] for row in ROWS), *(row[3] for row in CONTEXT)]
_EXAMPLES = [*(row[4].encode() for row in ROWS), *(row[4].lower().encode() for row in CONTEXT)]
_KEPT = dump()
_DIGEST = 16
_TAG, _PROGRAMS = marshal.loads(_KEPT[_DIGEST:])  # noqa: S302  (made one line above)
_FIRST = _PATTERNS[0]


def _spans(compile_pattern: Compile, pattern: bytes, text: bytes) -> list[Span] | None:
    """Return where the pattern and its groups stand in the text."""
    compiled = compile_pattern(pattern)
    found = compiled.search(text, 0, len(text))
    return list(found) if found else None


def _sealed(value: Any) -> bytes:
    """Return the value as a kept file: behind the digest of its bytes."""
    body = marshal.dumps(value)
    return hashlib.blake2b(body, digest_size=_DIGEST).digest() + body


def test_every_match_is_told_also_one_inside_another() -> None:
    pattern = with_re(rb"key.|pass(key)?")

    assert pattern.every(b"passkey1 pass", 0, 13) == [(0, 7), (4, 8), (9, 13)]
    assert pattern.every(b"passkey1 pass", 1, 12) == [(4, 8)]


def test_a_match_ends_where_its_groups_say() -> None:
    pattern = with_re(rb"b(x)?(yy?)?")

    assert pattern.end(b"aabxyyy", 2) == 6
    assert pattern.end(b"aabxyyy", 1) == -1


def _with(programs: Any, tag: Any = _TAG) -> bytes:
    return _sealed((tag, programs))


@pytest.mark.parametrize(("pattern", "text"), list(zip(_PATTERNS, _EXAMPLES, strict=True)))
def test_a_kept_pattern_matches_its_example_as_re_does(pattern: bytes, text: bytes) -> None:
    kept = _spans(compiler(_KEPT), pattern, text)

    assert kept is not None
    assert kept == _spans(with_re, pattern, text)


@given(st.sampled_from(_PATTERNS), st.sampled_from(_EXAMPLES), st.binary(max_size=20))
def test_a_kept_pattern_matches_any_text_as_re_does(
    pattern: bytes, example: bytes, noise: bytes
) -> None:
    text = noise + example[: len(example) - len(noise) % 3] + noise

    assert _spans(compiler(_KEPT), pattern, text) == _spans(with_re, pattern, text)


def test_kept_patterns_redact_as_compiled_ones_do() -> None:
    text = "\n".join([*(row[4] for row in ROWS), *(row[4] for row in CONTEXT)]).encode()

    redacted = Redactor(_KEY, compiler(_KEPT)).redact(text)

    assert redacted == Redactor(_KEY).redact(text)


def test_kept_patterns_are_restored_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_pattern = compiler(_KEPT)
    monkeypatch.delattr(re, "compile")

    restored = [compile_pattern(pattern).groups for pattern in _PATTERNS]

    assert restored == [_PROGRAMS[pattern][0] for pattern in _PATTERNS]


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"garbage",
        b"\x00" * 64,
        _KEPT[:1],
        _KEPT[: len(_KEPT) // 2],
        _KEPT[:-1],
        _KEPT[_DIGEST:],
        _sealed(7),
        _sealed("two"),
        _sealed((1, 2, 3)),
        _with(_PROGRAMS, tag="another interpreter"),
        _with(_PROGRAMS, tag=None),
    ],
)
def test_what_was_not_made_by_this_interpreter_is_left_to_re(kept: bytes) -> None:
    assert compiler(kept) is with_re


@given(st.binary(max_size=40))
def test_no_garbage_is_taken_for_patterns(garbage: bytes) -> None:
    assert compiler(garbage) is with_re


@pytest.mark.parametrize("place", [0, 20, len(_KEPT) // 2, len(_KEPT) - 1])
def test_a_single_wrong_byte_leaves_all_to_re(place: int) -> None:
    flipped = bytes((_KEPT[place] ^ 1,))

    assert compiler(_KEPT[:place] + flipped + _KEPT[place + 1 :]) is with_re


def test_a_kept_file_is_whole_where_the_fast_hash_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "_blake2", None)

    assert dump() == _KEPT


@pytest.mark.parametrize(
    "programs",
    [
        {},
        [],
        None,
        {_FIRST: None},
        {_FIRST: (0,)},
        {_FIRST: (0, b"")},
        {_FIRST: (0, b"odd")},
        {_FIRST: (0, "text")},
        {_FIRST: ("none", _PROGRAMS[_FIRST][1])},
        {_FIRST: (0, b"\xff" * 64)},
        {_FIRST: (0, _PROGRAMS[_FIRST][1][:-8])},
    ],
)
def test_a_program_that_does_not_fit_is_compiled_anew(programs: object) -> None:
    compile_pattern = compiler(_with(programs))

    found = [_spans(compile_pattern, _FIRST, text) for text in _EXAMPLES]

    assert found == [_spans(with_re, _FIRST, text) for text in _EXAMPLES]


def test_a_pattern_that_was_not_kept_is_compiled_anew() -> None:
    compile_pattern = compiler(_KEPT)

    assert _spans(compile_pattern, rb"not (a) row", b"not a row") == [(0, 9), (4, 5)]


def test_without_the_machine_of_re_nothing_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_sre", None)

    assert compiler(_KEPT) is with_re


def test_where_re_hides_its_parts_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(_compiler, "_code")

    assert dump() == b""
