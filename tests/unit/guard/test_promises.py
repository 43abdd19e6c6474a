"""The promises of the redactor and the gate as a whole, on the corpus and on made-up texts."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig import corpus
from stopwatch import cpu_seconds, grows_within
from tacit.compose import redactor
from tacit.guard import gate, judge, payload, private, rows
from tacit.guard.normalise import normalise
from tacit.guard.redact import Redactor
from unit.guard.fragments import EXAMPLES, texts

if TYPE_CHECKING:
    from collections.abc import Callable

_KEY = b"k" * 32
_FAST, _PLAIN = redactor(_KEY), Redactor(_KEY)
_TOKEN = b"ghp_" + b"Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4o"
_CORPUS = [
    sample["text"].replace("{s}", "".join(sample.get("parts", []))).encode()
    for sample in (*corpus("secrets"), *corpus("benign"))
]


def test_redacting_the_corpus_twice_changes_nothing() -> None:
    once = [_FAST.redact(text) for text in _CORPUS]

    assert [text for text in once if _FAST.redact(text) != text] == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_redacting_an_example_twice_changes_nothing(example: bytes) -> None:
    once = _FAST.redact(example)

    assert _FAST.redact(once) == once


@settings(max_examples=500, deadline=None)
@given(texts)
def test_redacting_any_text_twice_changes_nothing(text: bytes) -> None:
    once = _FAST.redact(text)

    assert _FAST.redact(once) == once


@pytest.mark.parametrize("kind", ["github-token", "authorization", "private-key"])
@pytest.mark.parametrize(
    "around", ["token={}&a=1", "https://{}@host/x", "app:{}@tcp(db)", "echo 'app:{}' | chpasswd"]
)
def test_a_mark_is_no_secret_wherever_it_stands(kind: str, around: str) -> None:
    text = around.format(_FAST.mark(kind, b"k3Jd8sPq0z").decode()).encode()

    assert _FAST.redact(text) == text


def _is_overlooked(text: str, *, is_ascii: bool = True) -> bool:
    raw = json.dumps({"prompt": text}, ensure_ascii=is_ascii).encode()
    return gate.is_clean(raw) and payload.clean(raw, _PLAIN) != raw


@pytest.mark.parametrize(
    "text",
    [
        "\x0b" + _TOKEN.decode(),
        "\x1f" + _TOKEN.decode(),
        "\x1b[K" + _TOKEN.decode(),
        "state%3D" + base64.b64encode(b"use " + _TOKEN).decode(),
        "next=%3Fcode%3D4fAeaYSHq7Rz2LmX9v",
        "a=1%26sig%3Dq7Rz2LmX9vTbK4sWp8Yd25",
        "net%20user%20app%20k3Jd8sPq0z",
        "jdbc%3Aoracle%3Athin%3Aapp%2Fk3Jd8sPq0z%40db",
    ],
)
def test_what_is_wrapped_is_not_overlooked(text: str) -> None:
    assert not _is_overlooked(text)


@settings(max_examples=1500, deadline=None)
@given(texts, st.booleans())
def test_nothing_is_overlooked(raw: bytes, is_ascii: bool) -> None:  # noqa: FBT001
    assert not _is_overlooked(raw.decode("utf-8", "replace"), is_ascii=is_ascii)


def test_a_token_late_in_a_list_is_not_overlooked() -> None:
    raw = json.dumps({"token": ["some words " * 10, "k3Jd8sPq0zLmWx7"]}).encode()

    assert not gate.is_clean(raw)


@pytest.mark.parametrize(
    "secret",
    [
        b"AQEyhmf+K3Jd8sPq0zLmWx7RtY2vBn4cZt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4oBi0x",
        b"eyJ0eXAiOiJqd3Q." + b"eyJzdWIiOiI0MiJ9." + b"Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6g",
        b"eyJ0eXAi-OiJKV1QiLCJhbGciOiJIUzI1NiJ9." + b"eyJzdWIiOiI0MiJ9." + b"Zt5bQ8nXw2LrV7kMd3Hs",
    ],
    ids=["adyen-key with a sign among its first 16", "jwt: short header", "jwt: dash in header"],
)
def test_a_token_whose_first_word_is_short_is_caught(secret: bytes) -> None:
    redacted = _FAST.redact(b"see " + secret + b" there")

    assert secret not in redacted


@pytest.mark.parametrize("value", [{"k": "a\n\0", "j": "b"}, ["\n\0", "x"], ["x", "\0\ny"]])
def test_strings_that_hold_half_of_the_mark_between_them_keep_their_places(value: object) -> None:
    raw = json.dumps(value).encode()

    assert payload.clean(raw, _PLAIN) == raw


def test_two_private_keys_keep_their_values() -> None:
    raw = json.dumps({"<private>a</private>": 1, "<private>b</private>": 2}).encode()

    assert sorted(json.loads(payload.clean(raw, _PLAIN)).values()) == [1, 2]


def test_a_heading_in_one_string_judges_no_other() -> None:
    raw = json.dumps({"columns": "token|x", "build": "v1-2024-rc.3b"}).encode()

    assert payload.clean(raw, _PLAIN) == raw


@pytest.mark.parametrize("raw", [b"not JSON \\u0041", b'{"cut": "say \\u0022hi\\u0022'])
def test_text_with_nothing_to_hide_comes_back_byte_for_byte(raw: bytes) -> None:
    assert payload.clean(raw, _PLAIN) == raw


@pytest.mark.parametrize("last", [b"\\u0041", b"%41"])
def test_the_last_character_of_a_secret_goes_with_its_escape(last: bytes) -> None:
    redacted = _FAST.redact(b"use " + _TOKEN[:-1] + last + b" now")

    assert re.fullmatch(rb"use \[redacted:github-token:[0-9a-f]{4}\] now", redacted)


def test_each_secret_beside_one_keyword_is_caught() -> None:
    first, second = b"s.k3Jd8sPq0zLmWx7RtY2vBn4c", b"s.m3Jd8sPq0zLmWx7RtY2vBn4d"

    redacted = _FAST.redact(b"vault: " + first + b" " + second)

    assert second not in redacted


@pytest.mark.parametrize("fill", range(440, 500))
def test_both_engines_see_the_same_end_of_what_a_row_looks_at(fill: int) -> None:
    text = b"vault" + b" " * (fill - 5) + b"s.k3Jd8sPq0zLmWx7RtY2vBn4cAAAA"

    assert _FAST.redact(text) == _PLAIN.redact(text)


@pytest.mark.parametrize(
    ("clean", "unit", "tail"),
    [
        (_FAST.redact, b"b3BlbnNzaC1rZXktdjE xxxx ", b""),
        (_FAST.redact, b"_ops_eyJxxxx", b""),
        (_FAST.redact, b"token,", b""),
        (private.strip, b"<private>", b"</private>"),
    ],
    ids=["dull openssh keys", "dull 1password tokens", "one long heading", "nested private spans"],
)
def test_time_is_linear(clean: Callable[[bytes], bytes], unit: bytes, tail: bytes) -> None:
    small, big = (unit * (size // len(unit)) + tail for size in (60_000, 240_000))

    assert grows_within(8, lambda: clean(small), lambda: clean(big))


def test_base64_of_plain_text_costs_no_more_than_the_budget() -> None:
    text = base64.b64encode(b"is this it? maybe > not, who knows " * 1700)

    budget = 0.0002 * len(text) / 1024  # 0.2 ms a KB
    assert cpu_seconds(lambda: _FAST.redact(text)) < 5 * budget


@pytest.mark.parametrize(
    "text", [b"List<PrivateKey> keys = load();", b"<privateer>Drake</privateer> sails"]
)
def test_only_the_tag_itself_opens_a_private_span(text: bytes) -> None:
    assert private.strip(text) == text


@pytest.mark.parametrize("char", ["\u180f", "\U0001bca0", "\U00013430", "\U000e0fff"])
def test_what_is_ignorable_by_default_is_not_shown(char: str) -> None:
    assert normalise(f"rm{char} -rf") == "rm -rf"


@pytest.mark.parametrize("text", ["a\u200db", "密\u200c码", "Vi\u1ec7\u200d\u1ec7t", "“\u200d”"])
def test_a_joiner_between_what_it_cannot_join_is_not_shown(text: str) -> None:
    assert "\u200c" not in normalise(text)
    assert "\u200d" not in normalise(text)


@pytest.mark.parametrize("name", [b"getAccessTokenFromRequest", b"loadCredentialsFromVaultOrEnv"])
def test_a_name_in_camel_case_is_not_random(name: bytes) -> None:
    assert not judge.is_random(name)


_WIDER = """
    doppler-token dynatrace-token facebook-token gitlab-token honeycomb-key hubspot-token
    netlify-token password-hash sentry-dsn slack-token square-token stripe-key
"""


@pytest.mark.parametrize(
    "row", [row for row in rows.ROWS if row[0] in _WIDER.split()], ids=lambda row: row[0]
)
@settings(max_examples=60, deadline=None)
@given(choice=st.data())
def test_whatever_a_pattern_matches_has_a_keyword(row: rows.Row, choice: st.DataObject) -> None:
    _, keywords, reach, pattern, _ = row

    secret = choice.draw(st.from_regex(re.compile(pattern), fullmatch=True))

    begins = secret.startswith(keywords)
    assert any(word in secret.lower() for word in keywords) if reach else begins
