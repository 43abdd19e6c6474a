"""The scan finds what the gate finds, and the pieces of a text together what the whole shows."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig import corpus
from tacit.compose import redactor
from tacit.guard import gate
from tacit.guard.compiled import with_re
from tacit.guard.redact import Redactor
from tacit.guard.scan import Scanner
from tacit.linear import with_re2
from unit.guard.fragments import KEYWORDS, texts

_KEY = b"k" * 32
_FAST, _PLAIN = redactor(_KEY), Redactor(_KEY)
_SCANNERS = {"re": Scanner(with_re), "re2": Scanner(with_re2)}
_CORPUS = [
    sample["text"].replace("{s}", "".join(sample.get("parts", []))).encode()
    for sample in (*corpus("secrets"), *corpus("benign"))
]


def _places(text: bytes, engine: str) -> set[tuple[int, int, bytes]]:
    words = gate.words_of(text)
    return set(_SCANNERS[engine].places(text, text.lower(), words, 0, len(text)))


@given(text=texts)
def test_the_scan_misses_nothing_that_the_gate_points_at(text: bytes) -> None:
    pointed = set(gate.places(text, text.lower(), gate.words_of(text)))

    assert pointed <= _places(text, "re2")


@given(text=texts)
def test_both_engines_scan_alike(text: bytes) -> None:
    assert _places(text, "re") == _places(text, "re2")


@given(text=texts)
def test_the_words_of_the_scan_show_all_that_may_be_wrapped(text: bytes) -> None:
    for scanner in _SCANNERS.values():
        shown = list(gate.wrapped(text, scanner.words(text)))

        assert shown == list(gate.wrapped(text, gate.words_of(text)))


@pytest.mark.parametrize("lead", [b"", b" ", b"_", b"x_", b"\\n", b"\\t", b"\\b", b"-", b"="])
@pytest.mark.parametrize("plain", [b"user:k3Jd8sPq0zLm", b"use the token, not the key", b"b" * 60])
def test_a_wrapped_text_is_shown_whatever_stands_before_it(lead: bytes, plain: bytes) -> None:
    run = base64.b64encode(plain)
    text = b"say: " + lead + run + b" now"

    shown = list(gate.wrapped(text, _SCANNERS["re2"].words(text)))

    assert [text[start:end].endswith(run) for start, end in shown] == [True]


@given(text=texts, cut=st.integers(0, 400))
def test_two_parts_of_a_text_show_what_the_whole_shows(text: bytes, cut: int) -> None:
    low, words = text.lower(), gate.words_of(text)
    cut = min(cut, len(text))

    parts = [
        place
        for start, stop, near in gate.pieces(text, [(0, cut), (cut, len(text))], gate.words_of)
        for place in gate.places(text, low, near, start, stop)
    ]

    assert set(parts) == set(gate.places(text, low, words))
    assert len(parts) == len(set(parts))


@pytest.mark.parametrize("keyword", KEYWORDS, ids=repr)
def test_a_keyword_on_the_border_of_two_pieces_is_seen(keyword: bytes) -> None:
    size = gate.PIECE

    for before in range(len(keyword) + 2):
        text = b" " * (size - before) + keyword + b" " * size
        low = text.lower()
        found = {
            found
            for start, stop, near in gate.pieces(text, [(0, len(text))], gate.words_of)
            for found in gate.places(text, low, near, start, stop)
        }
        assert found == set(gate.places(text, low, gate.words_of(text)))


def test_so_many_spellings_that_some_are_forgotten_show_the_same_places() -> None:
    names = [b"password", b"token", b"secret", b"auth", b"value", b"api_key", b"key", b"pat"]
    words = [spelled for name in names for spelled in (name, name.upper(), name.title())]
    behind = [bytes((char,)) for char in range(256)]
    text = b" ".join(word + each + b" = 1" for word in words for each in behind)
    scanner = Scanner(with_re2)
    low = text.lower()

    first, again = (scanner.places(text, low, set(), 0, len(text)) for _ in range(2))

    assert first == again
    assert set(gate.places(text, low, gate.words_of(text))) <= set(first)


def test_a_text_of_many_pieces_is_redacted_as_its_samples_are() -> None:
    joined = b"\n\n\n".join(_CORPUS)

    redacted = _FAST.redact(joined)

    assert redacted == _PLAIN.redact(joined)
    assert _FAST.redact(redacted) == redacted
