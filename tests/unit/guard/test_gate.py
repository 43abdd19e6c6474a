"""The gate: it may point at too much, never at too little."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rig import corpus
from tacit.compose import redactor
from tacit.guard import gate, payload
from tacit.guard.redact import Redactor
from tacit.guard.rows import ROWS
from unit.guard.fragments import plain_texts

if TYPE_CHECKING:
    from collections.abc import Callable

_KEY = b"k" * 32
_REDACTOR = Redactor(_KEY)
_SAMPLES = [
    sample["text"].replace("{s}", "".join(sample.get("parts", [])))
    for sample in (*corpus("secrets"), *corpus("benign"))
]
_TOKEN = "ghp_" + "Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4o"


def _is_overlooked(text: str, *, is_ascii: bool) -> bool:
    """Say whether the gate lets a payload pass that would have been changed."""
    raw = json.dumps({"prompt": text}, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
    return gate.is_clean(raw) and payload.clean(raw, _REDACTOR) != raw


@pytest.mark.parametrize("is_ascii", [True, False])
def test_nothing_of_the_corpus_is_overlooked(is_ascii: bool) -> None:  # noqa: FBT001
    overlooked = [text for text in _SAMPLES if _is_overlooked(text, is_ascii=is_ascii)]

    assert overlooked == []


@settings(max_examples=400, deadline=None)
@given(plain_texts, st.booleans())
def test_nothing_that_is_written_plainly_is_overlooked(plain: bytes, is_ascii: bool) -> None:  # noqa: FBT001
    text = plain.decode("utf-8", "replace")

    assert not _is_overlooked(text, is_ascii=is_ascii)


@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        f"{_TOKEN}",
        f"\n{_TOKEN}",
        f"\t{_TOKEN}",
        f"\x1b[31m{_TOKEN}\x1b[0m",
        f"é{_TOKEN}",
        f"a%20{_TOKEN}",
        f"<private>{_TOKEN}</private>",
        "<PRIVATE>nothing else",
        base64.b64encode(f"use {_TOKEN}".encode()).decode(),
        json.dumps({"password": "letmein"}),
        "postgres://app:letmein@db/app",
        "postgres://" + "\\" * 100 + ":" + "\\" * 200 + "@db/app",
        "postgres%3A%2F%2Fapp%3Aletmein%40db",
        "\x00",
    ],
)
def test_what_holds_something_is_not_clean(text: str, is_ascii: bool) -> None:  # noqa: FBT001
    raw = json.dumps({"prompt": text}, ensure_ascii=is_ascii).encode()

    assert not gate.is_clean(raw.replace(b"\\u0000", b"\x00"))


@pytest.mark.parametrize(
    "value",
    [
        {"password": "letmein"},
        {"env": [{"name": "DB_PASSWORD", "value": "letmein"}]},
        {"env": [{"value": "letmein", "name": "DB_PASSWORD"}]},
        {"token": ["k3Jd8sPq0zLm"]},
        {"api_key": "abcdefgh-GHIJklmnOPQRstuvWXYZ"},
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_what_only_its_key_gives_away_is_not_clean(value: object, indent: int | None) -> None:
    assert not gate.is_clean(json.dumps(value, indent=indent).encode())


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"session_id": "66fbdfb8-16b6-46fa-8462-674ae6a5722c", "hook_event_name": "Stop"},
        {"prompt": "Please fix the failing test in tests/test_login.py"},
        {"prompt": "Größe, naïve café, 東京, emoji 🎉"},
        {"tool_name": "Bash", "tool_input": {"command": "git log --oneline | head -20"}},
        {"stdout": "commit efda4cbf7af8f9ba242c0568f3545708ceddf3a4\nAuthor: Mira Keller\n"},
        {"file_path": "src/monkey/keyboard.py", "content": "def compass(pattern): ...\n"},
        {"max_tokens": 4096, "tokens": 12, "key": 7},
        {"prompt": "see https://example.com:8080/users?page=2#top"},
        {"stdout": "Authorised with [redacted:github-token:1a2b], done"},
        {"image": base64.b64encode(bytes(range(128, 256)) * 4).decode()},
    ],
)
def test_an_ordinary_payload_is_clean(value: object) -> None:
    raw = json.dumps(value, ensure_ascii=False).encode()

    assert gate.is_clean(raw)


_POINTED = [
    (rank, row)
    for rank, row in enumerate(ROWS)
    if not row[2] and row[0] not in {"adyen-key", "jwt"}
]


@settings(
    max_examples=300,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(
    st.sampled_from(_POINTED), st.data(), st.sampled_from([b"", b" ", b'"', b"=", b"\\n", b"%3D"])
)
def test_the_gate_points_at_whatever_a_keyword_begins(
    ranked: tuple[int, tuple[str, tuple[bytes, ...], int, bytes, str]],
    choice: st.DataObject,
    before: bytes,
) -> None:
    rank, (_, keywords, _, pattern, _) = ranked
    secret = choice.draw(st.from_regex(re.compile(pattern), fullmatch=True))
    text = before + choice.draw(st.sampled_from(keywords)) + secret[3:] + before + secret

    places = set(gate.places(text, text.lower(), gate.words_of(text)))

    expected = {
        (len(before), rank, word) for word in keywords if text.startswith(word, len(before))
    }
    assert expected <= places


@pytest.mark.parametrize("rank", gate.BEHIND)
@pytest.mark.parametrize("rest", [b"", b": x", b'": "password"', b"=", b" | ", b",", b"\nkey\n"])
def test_a_check_says_no_whatever_follows_a_byte_that_may_not_stand_behind(
    rank: int, rest: bytes
) -> None:
    others = {bytes((char,)) for char in range(256)} - gate.BEHIND[rank]
    texts = [b"word" + behind + rest for behind in sorted(others) if behind == behind.lower()]

    passed = [text for text in texts if gate.CHECKS[rank](text, text, 0, len(b"word"))]

    assert passed == []
    assert not gate.CHECKS[rank](b"word", b"word", 0, len(b"word"))


@pytest.mark.parametrize(
    ("text", "position", "keyword", "is_glued"),
    [
        (b"ghp_x", 0, b"ghp_", False),
        (b" ghp_x", 1, b"ghp_", False),
        (b"aghp_x", 1, b"ghp_", True),
        (b"9ghp_x", 1, b"ghp_", True),
        (b"_ghp_x", 1, b"ghp_", False),
        (b"\\nghp_x", 2, b"ghp_", False),
        (b"nghp_x", 1, b"ghp_", True),
        (b"%20ghp_x", 3, b"ghp_", False),
        (b"\x1b[31mghp_x", 5, b"ghp_", False),
        (b"mghp_x", 1, b"ghp_", True),
        (b"_eyJ", 1, b"eyJ", True),
        (b"-eyJ", 1, b"eyJ", True),
        (b".eyJ", 1, b"eyJ", False),
        (b"a:$1$", 1, b":$1$", False),
    ],
)
def test_a_keyword_in_the_middle_of_a_word_is_glued(
    text: bytes,
    position: int,
    keyword: bytes,
    is_glued: bool,  # noqa: FBT001
) -> None:
    assert gate.is_glued(text, position, keyword) == is_glued


@given(st.text("abcdefghijklmnopqrstuvwxyz0123456789 =:_-", min_size=15, max_size=200))
def test_a_run_of_base64_is_found_whole(plain: str) -> None:
    held = plain.encode()
    run = base64.b64encode(held)
    text = b'x: "' + run + b'" y'

    spans = list(gate.wrapped(text, gate.words_of(text)))

    assert (4, 4 + len(run)) in spans


@given(st.binary(max_size=100), st.sampled_from([base64.b64encode, base64.urlsafe_b64encode]))
def test_base64_of_either_alphabet_is_decoded(
    plain: bytes, encode: Callable[[bytes], bytes]
) -> None:
    run = encode(plain)

    assert gate.decoded(run) == gate.decoded(run.rstrip(b"=")) == plain


@pytest.mark.parametrize("run", [b"", b"=", b"a", b"====", b"abcde!"])
def test_what_is_no_base64_holds_nothing(run: bytes) -> None:
    assert gate.decoded(run) == b""


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [
        (b"", False),
        (b"plain text\n", True),
        (b"x" * 40 + b"\x00", True),
        (b"x" * 10 + b"\x00", False),
        ("größe".encode(), False),
        (bytes(range(256)), False),
    ],
)
def test_text_is_plain_but_for_a_few_bytes(text: bytes, is_plain: bool) -> None:  # noqa: FBT001
    assert gate.is_plain(text) == is_plain


@pytest.mark.parametrize("value", [b"k3Jd8sPq0zLm", b"hunter42", b"sk9Jd8sPq0zLm22x"])
def test_a_quoted_name_with_a_bare_value_is_seen_as_yaml_has_it(value: bytes) -> None:
    text = b'"DB_PASSWORD": ' + value + b'\n"b": 1'

    redacted = [_REDACTOR.redact(text), redactor(_KEY).redact(text)]

    assert [value in each for each in redacted] == [False, False]


@pytest.mark.parametrize("value", [b"null", b"true", b"4096", b"-1.5e3", b"[1, 2]", b"{}"])
def test_a_bare_word_of_json_is_no_secret(value: bytes) -> None:
    text = b'{"password": ' + value + b', "token": ' + value + b"}"

    redacted = [_REDACTOR.redact(text), redactor(_KEY).redact(text)]

    assert redacted == [text, text]


def test_what_ends_the_text_unglues_nothing_at_its_beginning() -> None:
    text = b"xpassword: hunter42 %>"

    assert redactor(_KEY).redact(text) == _REDACTOR.redact(text)
