"""Payloads: secrets out of every string of a client's JSON, and nothing else touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard import payload
from tacit.guard.redact import Redactor

_KEY = b"k" * 32
_TOKEN = "ghp_" + "Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4o"
_SECRET = "k3Jd8sPq0z"  # noqa: S105  (a made-up one)

# No name of a secret can be spelled without these, nor an address, nor a private span.
_text = st.text(
    st.characters(exclude_characters="\x00aepAEP:/码", exclude_categories=["Cs"]), max_size=12
)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_text, inner, max_size=4),
    max_leaves=12,
)


def _clean(raw: bytes) -> bytes:
    return payload.clean(raw, Redactor(_KEY))


def _mark(kind: str, secret: str = _SECRET) -> str:
    return Redactor(_KEY).mark(kind, secret.encode()).decode()


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ({"password": _SECRET}, {"password": _mark("secret")}),
        ({"dbPassword": "letmein"}, {"dbPassword": _mark("secret", "letmein")}),
        ({"passwords": [_SECRET, "hidden"]}, {"passwords": [_mark("secret"), "hidden"]}),
        ({"a": {"b": {"api_key": _SECRET}}}, {"a": {"b": {"api_key": _mark("secret")}}}),
        ({"env": [{"name": "DB_PASSWORD", "value": _SECRET}]},
         {"env": [{"name": "DB_PASSWORD", "value": _mark("secret")}]}),
        ({"Value": _SECRET, "Key": "db_pwd"}, {"Value": _mark("secret"), "Key": "db_pwd"}),
        ({"name": "theme", "value": _SECRET}, {"name": "theme", "value": _SECRET}),
        ({"name": 1, "value": _SECRET}, {"name": 1, "value": _SECRET}),
        ({"name": "DB_PASSWORD"}, {"name": "DB_PASSWORD"}),
        ({"password": {"min": "k3Jd8sPq0z"}}, {"password": {"min": "k3Jd8sPq0z"}}),
        ({"max_tokens": "k3Jd8sPq0z12"}, {"max_tokens": "k3Jd8sPq0z12"}),
        ({"session_id": "4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264"},
         {"session_id": "4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264"}),
        ({"password": 12345678, "token": None}, {"password": 12345678, "token": None}),
        ({"password": "${DB_PASSWORD}"}, {"password": "${DB_PASSWORD}"}),
    ],
)  # fmt: skip
def test_a_string_is_judged_by_its_key(value: object, cleaned: object) -> None:
    written = _clean(json.dumps(value).encode())

    assert json.loads(written) == cleaned


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_json_inside_a_string_is_cleaned_too(depth: int) -> None:
    inner = {"password": _SECRET}
    for _ in range(depth):
        inner = {"text": json.dumps(inner)}

    written = _clean(json.dumps(inner).encode())

    assert written == json.dumps(inner, separators=(",", ":")).encode().replace(
        _SECRET.encode(), _mark("secret").encode()
    )


@pytest.mark.parametrize(
    ("value", "cleaned"),
    [
        ({_TOKEN: 1}, {_mark("github-token", _TOKEN): 1}),
        ([_TOKEN, [_TOKEN]], [_mark("github-token", _TOKEN), [_mark("github-token", _TOKEN)]]),
        (_TOKEN, _mark("github-token", _TOKEN)),
        ({"a": "\ud800" + _TOKEN}, {"a": "\ud800" + _mark("github-token", _TOKEN)}),
        ({"\ud800": _TOKEN}, {"\ud800": _mark("github-token", _TOKEN)}),
        ({"a": "\0", "b": _TOKEN}, {"a": "\0", "b": _mark("github-token", _TOKEN)}),
        ({"a": "x\n\0\ny", "b": _TOKEN}, {"a": "x\n\0\ny", "b": _mark("github-token", _TOKEN)}),
        ({"n": 10**40, "f": 1e300, "b": _TOKEN},
         {"n": 10**40, "f": 1e300, "b": _mark("github-token", _TOKEN)}),
        ({"f": float("inf"), "b": _TOKEN},
         {"f": float("inf"), "b": _mark("github-token", _TOKEN)}),
    ],
)  # fmt: skip
def test_only_the_secret_is_replaced(value: object, cleaned: object) -> None:
    written = _clean(json.dumps(value).encode())

    assert json.loads(written) == cleaned


def test_a_secret_that_would_reach_into_the_next_string_ends_with_its_own() -> None:
    block = "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n" + "AAAAk3Jd8sPq0z" * 4

    written = _clean(json.dumps({"a": block, "b": "stays", "c": "too"}).encode())

    kept = json.loads(written)
    assert {"b": "stays", "c": "too"}.items() <= kept.items()
    assert "AAAAk3Jd8sPq0z" not in kept["a"]


@pytest.mark.parametrize(
    "raw",
    [
        b"{}",
        b'{ "prompt" : "hello" }\n',
        b'\xef\xbb\xbf{"bom": true}',
        b'{"a": "\\u0041\\/\\ud83d\\ude00"}',
        b'{"a": 1.0, "b": 1e5, "n": NaN}',
        b'{"token": "short", "key": "value"}',
        b"not JSON, nothing secret",
        b"\xff\xfe broken",
        b"",
        b"\\u00",
        b"\\u0",
        b"\\u001b[0m \\u00e9 \\u00zz",
    ],
)
def test_a_payload_with_nothing_to_hide_comes_back_byte_for_byte(raw: bytes) -> None:
    assert _clean(raw) == raw


@given(_values, st.booleans(), st.sampled_from([None, 1]))
def test_any_json_without_secrets_comes_back_byte_for_byte(
    value: Any,
    is_ascii: bool,  # noqa: FBT001
    indent: int | None,
) -> None:
    raw = json.dumps(value, ensure_ascii=is_ascii, indent=indent).encode()

    assert _clean(raw) == raw


@given(_values, st.booleans())
def test_the_rest_of_a_payload_with_a_secret_keeps_its_value(value: Any, is_ascii: bool) -> None:  # noqa: FBT001
    raw = json.dumps([value, f"use {_TOKEN} now", value], ensure_ascii=is_ascii).encode()

    written = _clean(raw)

    assert json.loads(written) == [value, f"use {_mark('github-token', _TOKEN)} now", value]


@given(st.binary(max_size=60))
def test_any_bytes_can_be_cleaned(noise: bytes) -> None:
    written = _clean(noise + b" " + _TOKEN.encode() + b" " + noise)

    assert _TOKEN.encode() not in written


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ('{"password": "#"', '{"password": "#"'),
        ('{"password": "#"}}', '{"password": "#"}}'),
        ("password=#", "password=#"),
        ('"password\\u0022: "#"', '"password": "#"'),
        ('{"p": 1, \\u0070assword: "#"', '{"p": 1, password: "#"'),
        ("<private>#</private> {", "[private] {"),
        ("[" * 100_000 + '{"password": "#"}', "[" * 100_000 + '{"password": "#"}'),
        ("1" * 5000 + ' "password": "#"', "1" * 5000 + ' "password": "#"'),
    ],
    ids=["cut", "more", "text", "escaped quote", "escaped key", "private", "deep", "huge number"],
)
def test_what_is_not_json_is_cleaned_as_text(raw: str, cleaned: str) -> None:
    written = _clean(raw.replace("#", _SECRET).encode())

    assert written == cleaned.replace("#", _mark("secret")).encode()


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a": "\xff", "password": "k3Jd8sPq0z"}',
        b'{"a": "\xed\xa0\x80", "password": "k3Jd8sPq0z"}',
        b'{"a": "x\x00", "pass\x00word": "k3Jd8\x00sPq0z"}',
        b'\xff\xfe{"password": "k3Jd8sPq0z"}',
    ],
    ids=["bad UTF-8", "raw surrogate", "NUL", "foreign mark"],
)
def test_broken_bytes_hide_no_secret(raw: bytes) -> None:
    written = _clean(raw)

    assert _SECRET.encode() not in written


def test_nesting_that_only_the_scanner_can_bear_is_cleaned() -> None:
    raw = b"[" * 900 + f'{{"password": "{_SECRET}"}}'.encode() + b"]" * 900

    written = _clean(raw)

    assert written == raw.replace(_SECRET.encode(), _mark("secret").encode())


def test_an_escaped_key_in_what_is_not_json_is_seen() -> None:
    raw = b'{"a": "\\u0067\\u0068p_' + _TOKEN[4:].encode() + b'"'

    written = _clean(raw)

    assert written == b'{"a": "' + _mark("github-token", _TOKEN).encode() + b'"'


@pytest.mark.parametrize("command", ["echo $DB_PASSWORD", "op read op://a/db/pw", "pass show a/db"])
def test_what_a_command_shows_is_secret(command: str) -> None:
    event = {
        "tool_input": {"command": command, "description": "read it"},
        "tool_response": {"stdout": "k3Jd8!sPq0Z\n", "stderr": ""},
    }
    cleaned = _clean(json.dumps(event).encode())

    assert b"k3Jd8!sPq0Z" not in cleaned
