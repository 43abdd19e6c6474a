"""What texts with secrets are made of, for the properties of the guard."""

from __future__ import annotations

import base64
import html
import json
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

from hypothesis import strategies as st

from tacit.guard.contextrows import CONTEXT
from tacit.guard.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable

KEYWORDS = sorted({keyword for row in (*ROWS, *CONTEXT) for keyword in row[1]})
EXAMPLES = [row[4].encode() for row in (*ROWS, *CONTEXT)]
VALUES = [
    b"k3Jd8sPq0z",
    b"hunter2",
    b"letmein",
    b"1234",
    b"user",
    b"Copper_Quartz6530?",
    b"9f2b7c1de8a64053b1f7d2c98e03a46b",
    b"4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264",
    b"q7Rz2LmX9vTbK4sWp8Yd",
    b"[redacted:secret:1a2b]",
]
SIGNS = [bytes((sign,)) for sign in b"=:\"'` \n\t,|;{}()[]<>@/-_."] + [
    b": ", b" = ", b"://", b" is ", b" -p ", b"value", b"name", b"\r\n",
    b"-----END RSA PRIVATE KEY-----", "é".encode(), "密码".encode(), "🔑".encode(),
]  # fmt: skip
WRAPPED = [
    b"\\", b"\\n", b'\\"', b"\\u0022", b"\\\\", b"%22", b"%3D", b"%25", b"&quot;", b"&amp;",
    b"&#39;", b"\x1b[31m", b"\x1b[0m", b"\x00", b"\xff",
]  # fmt: skip


def _as_text(plain: bytes) -> str:
    return plain.decode("utf-8", "replace")


_WRAPPERS: list[Callable[[bytes], bytes]] = [
    base64.b64encode,
    base64.urlsafe_b64encode,
    lambda plain: quote_from_bytes(plain, safe="").encode(),
    lambda plain: html.escape(_as_text(plain)).encode(),
    lambda plain: json.dumps(_as_text(plain)).encode(),
]

# No control characters and nothing that begins an escape: those are among the wrapped ones.
_LETTERS = st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="%\\&")
_plain_pieces = (
    st.sampled_from(KEYWORDS)
    | st.sampled_from(EXAMPLES)
    | st.sampled_from(VALUES)
    | st.sampled_from(SIGNS)
    | st.text(_LETTERS, max_size=3).map(str.encode)
)

plain_texts = st.lists(_plain_pieces, max_size=10).map(b"".join)
"""Keywords, examples, values and signs in any order."""

_pieces = _plain_pieces | st.sampled_from(WRAPPED)

texts = st.recursive(
    st.lists(_pieces, max_size=10).map(b"".join),
    lambda inner: st.builds(
        lambda before, wrap, plain, after: before + wrap(plain) + after,
        _pieces,
        st.sampled_from(_WRAPPERS),
        inner,
        _pieces,
    ),
    max_leaves=3,
)
"""The same among escapes, colours and encodings, and wrapped in them up to some depth."""
