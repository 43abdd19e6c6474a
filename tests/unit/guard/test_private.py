"""Private spans: nested or not, closed or not, nothing between the tags is ever written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard import payload, private
from tacit.guard.redact import Redactor

_PLAIN = st.text("ab <>/\n", max_size=20).map(str.encode)


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        (b"", b""),
        (b"nothing here", b"nothing here"),
        (b"</private> alone", b"</private> alone"),
        (b"a <private>x</private> b", b"a [private] b"),
        (b"<private></private>", b"[private]"),
        (b"a <private>x", b"a [private]"),
        (b"a <private", b"a [private]"),
        (b"a <private>x</private", b"a [private]"),
        (b"a <PRIVATE>x</Private> b", b"a [private] b"),
        (b"<private>x</private> a <private>y</private> b", b"[private] a [private] b"),
        (b"<private>x</private><private>y</private>", b"[private][private]"),
        (b"<private>x</private> a <private>y", b"[private] a [private]"),
        (b"a <private>x <private>y</private> z</private> b", b"a [private] b"),
        (b"a <private><private><private>x</private></private></private> b", b"a [private] b"),
        (b"a <private><private>x</private> y", b"a [private]"),
        (b'a <private reason="family">x</private> b', b"a [private] b"),
        (b"a <private\n>x\ny</private  > b", b"a [private] b"),
        (b"a <private>x</private> b</private> c", b"a [private] b</private> c"),
        ("é <private>ü</private> ñ".encode(), "é [private] ñ".encode()),
        (b"\xff <private>\xfe</private> \xff", b"\xff [private] \xff"),
    ],
)
def test_each_private_span_becomes_a_mark(text: bytes, stripped: bytes) -> None:
    assert private.strip(text) == stripped


def test_a_text_without_private_spans_comes_back_as_it_is() -> None:
    text = b"a privateer <sails> </private>"

    assert private.strip(text) is text


@given(_PLAIN, st.text(max_size=30), _PLAIN)
def test_what_stands_around_a_span_stays(before: bytes, inside: str, after: bytes) -> None:
    hidden = inside.replace("<", "").encode()

    stripped = private.strip(before + b"<private>" + hidden + b"</private>" + after)

    assert stripped == before + b"[private]" + after


@given(st.lists(st.sampled_from([b"<private>", b"</private>", b"x", b"<PRIVATE a=1>"])))
def test_stripping_twice_changes_nothing(pieces: list[bytes]) -> None:
    once = private.strip(b"".join(pieces))

    assert private.strip(once) == once


@given(st.integers(min_value=1, max_value=40))
def test_spans_may_nest_to_any_depth(depth: int) -> None:
    text = b"a " + b"<private>" * depth + b"secret" + b"</private>" * depth + b" b"

    assert private.strip(text) == b"a [private] b"


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ({"prompt": "a <private>x</private> b"}, {"prompt": "a [private] b"}),
        ({"prompt": "a <private>x", "cwd": "/srv"}, {"prompt": "a [private]", "cwd": "/srv"}),
        ({"a": ["<private>x</private>", "y"]}, {"a": ["[private]", "y"]}),
        ({"<private>x</private>": 1}, {"[private]": 1}),
        ({"a": "<private>", "b": "</private>"}, {"a": "[private]", "b": "</private>"}),
    ],
)
def test_a_span_of_a_payload_ends_with_its_string(value: object, cleaned: object) -> None:
    raw = json.dumps(value).encode()

    written = payload.clean(raw, Redactor(b"k" * 32))

    assert json.loads(written) == cleaned
