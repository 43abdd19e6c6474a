"""The views: the text behind its wrappings, and from each position the way back."""

from __future__ import annotations

import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard import views

_MARKS = (b"\x1b[", b"\\", b"%", b"&")
_PIECES = [
    b"a", b"Z", b"9", b" ", b"\n", b"\r\n", b'"', b"'", b"=", b"u", b"n", b";", b"m", b"[", b"\xff",
    b"\x1b[", b"\x1b[31m", b"\x1b[0;1;38:5m", b"\x1b[" + b"1;" * 20, b"\x1b",
    b"\\", b"\\n", b'\\"', b"\\'", b"\\\\", b"\\/", b"\\u0041", b"\\u00e9", b"\\u12", b"\\x",
    b"%", b"%20", b"%3D", b"%3d", b"%zz", b"%2", b"%25",
    b"&", b"&quot;", b"&QUOT;", b"&#39;", b"&#x27;", b"&amp;", b"&lt;", b"&nbsp;", b"&#",
]  # fmt: skip
_TEXTS = st.lists(st.sampled_from(_PIECES), max_size=30).map(b"".join)


def _views(text: bytes) -> list[bytes]:
    return [view for view, _ in views.of(text)]


@pytest.mark.parametrize(
    ("text", "view"),
    [
        (b"a\x1b[31mkey\x1b[0m=b", b"akey=b"),
        (b"a\x1b[38;5;196mb", b"ab"),
        (b"a\x1b[?25lb", b"ab"),
        (b"a\x1b[", b"a\x1b["),
        (rb"{\"key\": \"a\\b\"}", rb'{"key": "a\b"}'),
        (rb"a\nb\tc\rd\'e\/f\`g", b"a\nb\tc\rd'e/f`g"),
        (rb"\u0041\u003d\u00e9", rb"A=\u00e9"),
        (rb"a\u12\"", rb'a\u12"'),
        (rb"a\q\"", rb'a\q"'),
        (b"a\\n\\", b"a\n\\"),
        (b"key%3Da%2Fb", b"key=a/b"),
        (b"50%3D%zz%4", b"50=%zz%4"),
        (b"%E2%82%AC%3D", "€=".encode()),
        (b"&quot;a&#34;&#39;&#x27;&apos;", b"\"a\"'''"),
        (b"a&amp;b&lt;c&gt;d&#61;&#x3d;&#64;", b"a&b<c>d==@"),
        (b"&QUOT;&quot;&nope;", b'""&nope;'),
    ],
)
def test_a_wrapping_is_taken_off(text: bytes, view: bytes) -> None:
    assert _views(text) == [view]


@pytest.mark.parametrize(
    "text", [b"", b"plain text", b"100% sure", b"a & b", rb"C:\dir", b"\x1b", "größe".encode()]
)
def test_a_text_without_wrappings_has_no_view(text: bytes) -> None:
    assert _views(text) == []


def test_only_the_lines_that_are_wrapped_are_seen() -> None:
    text = b"plain\na%3Db\nplain\n%22c%22\nplain"

    assert _views(text) == [b'a=b\n"c"\n']


def test_each_wrapping_has_a_view_of_its_own() -> None:
    text = b"\x1b[1m%3D&quot;\\n"

    assert _views(text) == [
        b"%3D&quot;\\n",
        b"\x1b[1m%3D&quot;\n",
        b"\x1b[1m=&quot;\\n",
        b'\x1b[1m%3D"\\n',
    ]


@given(_TEXTS)
def test_each_position_leads_back_to_its_byte_or_its_wrapping(text: bytes) -> None:
    for view, back in views.of(text):
        origins = [back(position) for position in range(len(view))]

        assert all(
            text[origin] == byte or text.startswith(_MARKS, origin)
            for byte, origin in zip(view, origins, strict=True)
        )


@given(_TEXTS)
def test_the_way_back_keeps_the_order(text: bytes) -> None:
    for view, back in views.of(text):
        origins = [back(position) for position in range(len(view))]

        assert origins == sorted(set(origins))


@given(st.text(max_size=40))
def test_what_json_escapes_is_seen_plain(text: str) -> None:
    plain = "".join(char for char in text if char.isascii() and char.isprintable()) + '"'
    escaped = json.dumps(plain).encode()

    assert _views(escaped)[0] == b'"' + plain.encode() + b'"'


@given(st.text(max_size=40))
def test_what_a_url_encodes_is_seen_plain(text: str) -> None:
    plain = text.replace("\n", "") + " "

    assert _views(quote(plain, safe="").encode()) == [plain.encode()]


@given(st.text("ab<>&\"' ", max_size=40))
def test_what_html_encodes_is_seen_plain(text: str) -> None:
    plain = text + '"'

    assert _views(html.escape(plain).encode()) == [plain.encode()]
