"""Ways by which a secret once got past the gate or the redactor: each is closed for good."""

from __future__ import annotations

import base64
import json

import pytest

from stopwatch import grows_within
from tacit.compose import redactor
from tacit.guard import gate
from tacit.guard.compiled import with_re
from tacit.guard.payload import clean
from tacit.guard.redact import Redactor

TOKEN = "ghp_" + "Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4o"
WORD = "k3Jd8sPq0z"
KEY = b"k" * 32

BEHIND = {
    "a newline escape": "see\n",
    "grep's colours": "\x1b[01;31m\x1b[K",
    "true colour": "\x1b[38;2;255;100;100m",
    "many parameters": "\x1b[1;38;5;208;48;5;16m",
    "a link's bell": "\x1b]8;;x\x07",
    "a tab": "\t",
    "a vertical tab": "\x0b",
    "a backspace": "\x08",
    "a unit separator": "\x1f",
    "an erase": "\x1b[K",
}


@pytest.mark.parametrize("lead", BEHIND.values(), ids=BEHIND.keys())
@pytest.mark.parametrize("is_ascii", [True, False])
def test_a_token_behind_a_control_character_is_not_clean(lead: str, *, is_ascii: bool) -> None:
    raw = json.dumps({"prompt": lead + TOKEN}, ensure_ascii=is_ascii).encode()
    spelled = raw.replace(b"\\n", b"\\u000a").replace(b"\\t", b"\\u0009")

    assert TOKEN.encode() not in clean(spelled, Redactor(KEY))
    assert not gate.is_clean(spelled)


@pytest.mark.parametrize(
    "text",
    [
        "state%3D" + base64.b64encode(f"use {TOKEN}".encode()).decode(),
        "next=%3Fcode%3D4fAeaYSHq7Rz2LmX9v",
        "a=1%26sig%3Dq7Rz2LmX9vTbK4sWp8Yd25",
        f"net%20user%20app%20{WORD}",
        f"jdbc%3Aoracle%3Athin%3Aapp%2F{WORD}%40db",
        f"&lt;password&gt;{WORD}&lt;/password&gt;",
    ],
)
def test_what_an_encoding_hides_is_not_clean(text: str) -> None:
    raw = json.dumps({"prompt": text}).encode()

    assert clean(raw, Redactor(KEY)) != raw
    assert not gate.is_clean(raw)


@pytest.mark.parametrize(
    "payload",
    [
        '{"password/main":"letmeinplease"}',
        '{"PASSWORD@prod":"letmeinplease"}',
        '{"password of the db":"letmeinplease"}',
        '{"password"' + " " * 250 + ':"k3Jd8sPq0z"}',
        '{"api_key":[' + "null," * 50 + '"q7Rz2LmX9vTbK4sWp8Yd"]}',
        '{"api_key":"12,k3Jd8sPq0zLmWx7RtY"}',
        '{"token": ["' + "some words " * 10 + '", "k3Jd8sPq0zLmWx7"]}',
    ],
)
def test_what_only_a_key_tells_is_not_clean(payload: str) -> None:
    raw = payload.encode()

    assert clean(raw, Redactor(KEY)) != raw
    assert not gate.is_clean(raw)


@pytest.mark.parametrize(
    "colour", ["\x1b[33m", "\\x1b[33m", "\\u001b[1;33m", "\\033[0m", "\\e[33m"]
)
def test_a_token_behind_a_colour_however_spelled_is_found_by_both_engines(colour: str) -> None:
    text = f"push rejected for {colour}{TOKEN}{colour} (scope)".encode()

    found = [redactor(KEY).redact(text), Redactor(KEY, with_re).redact(text)]

    assert found[0] == found[1]
    assert TOKEN.encode() not in found[0]
    assert not gate.is_clean(json.dumps({"prompt": text.decode()}).encode())


@pytest.mark.parametrize("first", [TOKEN, "<private>x</private>", f"password = '{WORD}'"])
def test_a_key_that_stands_twice_hides_nothing(first: str) -> None:
    raw = f'{{"prompt":{json.dumps(first)},"prompt":"hi"}}'.encode()

    cleaned = clean(raw, Redactor(KEY))

    assert json.loads(cleaned) == {"prompt": "hi"}
    assert first.encode() not in cleaned


def test_bad_bytes_do_not_hide_a_key() -> None:
    raw = b'{"q":"\xff","password/x":"letmeinplease"}'

    assert b"letmeinplease" not in clean(raw, Redactor(KEY))


SECOND = {
    "a column": ("user,password,token\napp,k3Jd8sPq0z,q7Rz2LmX9vTbK4\n", "q7Rz2LmX9vTbK4"),
    "a token nearby": ("vault s.k3Jd8sPq0zLmWx7RtY2vBn4c s.k3Jd8sPq0zLmWx7RtY2vBn4d", "RtY2vBn4d"),
    "a late cookie": ("Cookie: " + "a=plainvalue;" * 99 + f" sid={WORD}LmWx7", f"{WORD}LmWx7"),
    "a long bearer's end": ("Authorization: Bearer " + "k3Jd8sPq0z" * 130 + "END7x", "END7x"),
    "a long password's end": (f'password = "{WORD * 250}END7x"', "END7x"),
    "a key cut before its end": (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEk3Jd8sPq0zLmWx7RtY2vBn4c\n-----END RSA PRIVATE KEY",
        "MIIEk3Jd8sPq0z",
    ),
    "an escaped last character": (TOKEN[:-1] + "\\u0041", "u0041"),
}


@pytest.mark.parametrize(("text", "rest"), SECOND.values(), ids=SECOND.keys())
def test_nothing_of_a_secret_is_left_behind_another(text: str, rest: str) -> None:
    redacted = redactor(KEY).redact(text.encode())

    assert rest.encode() not in redacted
    assert redacted == Redactor(KEY).redact(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        f"https://{TOKEN}@github.com/x",
        f"app:{WORD}@tcp(db:3306)/x",
        f"echo 'app:{WORD}' | chpasswd",
        f"curl -u '{TOKEN}:' https://example.com",
        "token=[redacted:authorization:fb61]&a=1",
    ],
)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    fast = redactor(KEY)

    once = fast.redact(text.encode())

    assert fast.redact(once) == once


def test_a_generic_type_is_no_private_span() -> None:
    raw = b'{"code":"List<PrivateKey> keys = load();"}'

    assert clean(raw, Redactor(KEY)) == raw


HOSTILE = {
    "base64 parted by slashes": base64.b64encode(b"aaaaaaaaaaaaaaaaaaaa?") + b"/",
    "dull tokens": b"-ops_eyJaaaa",
    "headings": b"password,",
    "dull keys": b"b3BlbnNzaC1rZXktdjE xxxx ",
    "opened spans": b"<private>",
    "every wrapping": b"\x1b[1m\\n%3d&quot;&#61;a ",
    "heading lines": b"password,\n",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_redacted_in_linear_time(piece: bytes) -> None:
    small, big = (
        json.dumps({"x": (piece * (size // len(piece))).decode()}).encode()
        for size in (25_000, 100_000)
    )

    assert grows_within(8, lambda: clean(small, redactor(KEY)), lambda: clean(big, redactor(KEY)))
