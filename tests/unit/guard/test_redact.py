"""The redactor: secrets out, everything else as it was, in linear time, with either engine."""

from __future__ import annotations

import base64
import json
import re
import sys
from typing import Any

import pytest
from hypothesis import given, settings

from rig import corpus
from stopwatch import cpu_seconds, grows_within
from tacit.compose import redactor
from tacit.guard.contextrows import CONTEXT
from tacit.guard.redact import Redactor
from tacit.guard.rows import ROWS
from unit.guard.fragments import KEYWORDS, texts

_KEY = b"k" * 32
_FAST, _PLAIN = redactor(_KEY), Redactor(_KEY)
_SECRETS, _BENIGN = corpus("secrets"), corpus("benign")
_TOKEN = b"ghp_" + b"Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4o"
_MARK = re.compile(rb"\[redacted:([a-z0-9-]+):([0-9a-f]{4})\]")
_KINDS = sorted({row[0] for row in (*ROWS, *CONTEXT)} | {"base64"})


def _text(sample: dict[str, Any]) -> bytes:
    return str(sample["text"]).replace("{s}", "".join(sample.get("parts", []))).encode()


def _missed(samples: list[dict[str, Any]]) -> list[str]:
    return [
        sample["text"]
        for sample in samples
        if "".join(sample["parts"]).encode() in _FAST.redact(_text(sample))
    ]


def test_secrets_in_odd_surroundings_are_taken_out() -> None:
    samples = corpus("secrets-seventh")

    assert len(_missed(samples)) <= 0.02 * len(samples)


def test_look_alikes_of_odd_surroundings_stay() -> None:
    samples = corpus("benign-seventh")

    touched = [sample for sample in samples if _FAST.redact(_text(sample)) != _text(sample)]

    assert len(touched) <= 0.005 * len(samples)


def test_at_least_ninety_seven_of_a_hundred_secrets_are_caught() -> None:
    missed = _missed(_SECRETS)

    assert len(missed) <= 0.03 * len(_SECRETS)


def test_at_least_ninety_nine_of_a_hundred_known_tokens_are_caught() -> None:
    tokens = [sample for sample in _SECRETS if sample["tier"] == "A"]

    missed = _missed(tokens)

    assert len(missed) <= 0.01 * len(tokens)


@pytest.mark.parametrize("engine", [_FAST, _PLAIN], ids=["re2", "re"])
@pytest.mark.parametrize("size", [10, 79, 80, 81, 500, 2047, 2048, 2049, 5000])
@pytest.mark.parametrize("end", [b"", b" ", b"\n", b"\t", b"\v", b"\f", b";", b"\\n"])
def test_a_value_goes_whole_however_long_it_is(engine: Redactor, size: int, end: bytes) -> None:
    value = (b"k3Jd8sPq0zLmWx7" * 400)[:size]
    rest = end + b"and more" if end else b""

    redacted = engine.redact(b"password=" + value + rest)

    assert redacted == b"password=" + engine.mark("secret", value) + rest


def test_at_most_one_of_a_hundred_harmless_texts_is_touched() -> None:
    touched = [sample for sample in _BENIGN if _FAST.redact(_text(sample)) != _text(sample)]

    assert len(touched) <= 0.01 * len(_BENIGN)


def test_both_engines_agree_on_the_corpus() -> None:
    samples = [_text(sample) for sample in (*_SECRETS, *_BENIGN)]

    assert [_FAST.redact(text) for text in samples] == [_PLAIN.redact(text) for text in samples]


@settings(max_examples=300, deadline=None)
@given(texts)
def test_both_engines_agree_on_any_text(text: bytes) -> None:
    assert _FAST.redact(text) == _PLAIN.redact(text)


@settings(max_examples=200, deadline=None)
@given(texts)
def test_what_is_not_a_mark_was_in_the_text(text: bytes) -> None:
    position = 0

    for piece in _MARK.split(_FAST.redact(text))[::3]:
        found = text.find(piece, position)
        assert found >= 0
        position = found + len(piece)


def test_a_secret_leaves_a_mark_with_its_kind_and_four_digits() -> None:
    redacted = _FAST.redact(b"use " + _TOKEN + b" now")

    assert re.fullmatch(rb"use \[redacted:github-token:[0-9a-f]{4}\] now", redacted)


def test_equal_secrets_leave_equal_marks() -> None:
    redacted = _FAST.redact(_TOKEN + b" and " + _TOKEN)

    assert redacted == _FAST.mark("github-token", _TOKEN) + b" and " + _FAST.redact(_TOKEN)


def test_another_secret_leaves_another_mark() -> None:
    redacted = _FAST.redact(_TOKEN[:-1] + b"p")

    assert redacted != _FAST.redact(_TOKEN)


def test_another_key_gives_another_mark() -> None:
    other = redactor(b"x" * 32)

    assert other.redact(_TOKEN) != _FAST.redact(_TOKEN)


def test_a_mark_is_the_same_where_the_fast_hash_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    mark = _FAST.mark("secret", b"k3Jd8sPq0z")

    monkeypatch.setitem(sys.modules, "_blake2", None)

    assert _FAST.mark("secret", b"k3Jd8sPq0z") == mark


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize(
    "around", ["password = '{}'", '"api_key": "{}",', "{}", "token={}", "Bearer {}"]
)
def test_a_mark_is_no_secret(kind: str, around: str) -> None:
    text = around.format(_FAST.mark(kind, b"k3Jd8sPq0z").decode()).encode()

    assert _FAST.redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "commit efda4cbf7af8f9ba242c0568f3545708ceddf3a4",
        "key 9f2b7c1de8a64053b1f7d2c98e03a46b",
        "sha256:" + "9f2b7c1de8a64053" * 4,
        '"integrity": "sha512-n2Faavke1fQGJltW83+gA2foctHYwQ8b5PBqNNOmL0VPVZEErKOocWnrS1GjGAs/k=="',
        'etag: W/"4f1c9a7e-2b6d"',
        "session_id 4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264",
        "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 3).decode(),
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-ant-api03-your-key-here-your-key-here",
        "AKIA................",
        base64.b64encode(b"nothing but a long and harmless sentence, really").decode(),
    ],
)
def test_what_only_looks_secret_stays(text: str) -> None:
    assert _FAST.redact(text.encode()) == text.encode()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"a \x1b[1mghp_Zt5bQ8nXw2\x1b[0mLrV7kMd3HsJ9fPcY6gTe1uRa4o b", "github-token"),
        (rb'"{\"password\": \"k3Jd8sPq0z\"}"', "secret"),
        (rb'"{\\\"password\\\": \\\"k3Jd8sPq0z\\\"}"', "secret"),
        (b"password%3Dk3Jd8sPq0z", "secret"),
        (b"password%253Dk3Jd8sPq0z", "secret"),
        (b"password=&quot;k3Jd8sPq0z&quot;", "secret"),
        (b"&lt;password&gt;k3Jd8sPq0z&lt;/password&gt;&quot;", "secret"),
        (base64.b64encode(b"the password is k3Jd8sPq0z"), "base64"),
        (base64.b64encode(base64.b64encode(b"the password is k3Jd8sPq0z")), "base64"),
        (base64.urlsafe_b64encode(b"the password is k3Jd8sPq0z??"), "base64"),
    ],
)
def test_a_secret_is_seen_through_its_wrapping(text: bytes, kind: str) -> None:
    redacted = _FAST.redact(text)

    assert [mark[0] for mark in _MARK.findall(redacted)] == [kind.encode()]
    assert b"k3Jd8sPq0z" not in redacted


def test_where_secrets_overlap_the_widest_names_the_kind() -> None:
    redacted = _FAST.redact(b'auth = "Bearer ' + _TOKEN + b'"')

    assert len(_MARK.findall(redacted)) == 1
    assert _TOKEN not in redacted


def test_the_whole_of_a_long_text_is_read() -> None:
    text = b"harmless\n" * 50_000 + b"password = 'k3Jd8sPq0z'\n"

    redacted = _FAST.redact(text)

    assert redacted == text.replace(b"k3Jd8sPq0z", _FAST.mark("secret", b"k3Jd8sPq0z"))


_SMALL, _GROWTH, _SHORT = 10_000, 4, 0.02
_FILLERS = [b"a", b" ", b"A1", b"=", b'"', b"\\", b"-", b":", b"/", b"\n", b"0", b"x."]


def _is_linear(head: bytes, unit: bytes, small: int = _SMALL) -> bool:
    """Say whether four times the text costs less than eight times the time, or hardly any."""
    less, more = (head + unit * (size // len(unit)) for size in (small, _GROWTH * small))
    return cpu_seconds(lambda: _FAST.redact(more), tries=1) < _SHORT or grows_within(
        8, lambda: _FAST.redact(less), lambda: _FAST.redact(more)
    )


@pytest.mark.parametrize("rank", range(len(ROWS) + len(CONTEXT)))
def test_no_row_is_slower_than_linear(rank: int) -> None:
    row = (*ROWS, *CONTEXT)[rank]
    example, keyword = row[4].encode(), (row[1] or (b"4539 1488 ",))[0]
    filler = _FILLERS[rank % len(_FILLERS)]

    inputs = [(b"", keyword), (b"", keyword + b"="), (keyword, filler), (b"", example)]

    assert [text for text in inputs if not _is_linear(*text)] == []


@pytest.mark.long
@pytest.mark.parametrize("keyword", KEYWORDS)
def test_no_keyword_with_any_filler_is_slower_than_linear(keyword: bytes) -> None:
    inputs = [text for filler in _FILLERS for text in ((b"", keyword + filler), (keyword, filler))]

    slow = [text for text in inputs if not _is_linear(*text, 2 * _SMALL)]

    assert slow == []


@pytest.mark.parametrize(
    "unit",
    [
        b"-----BEGIN ",
        b"-----BEGIN RSA PRIVATE KEY-----\n",
        b"-----BEGIN RSA PRIVATE KEY-----\nMIIEk3Jd8sPq0zLmWx7RtY2vBn4c\n",
        b"eyJ",
        b"eyJ.",
        b"eyJhbGciOiJIUzI1NiJ9.",
        b"\\\\",
        b'\\"',
        b"\\u005c",
        b"%25",
        b"%2525",
        b"&amp;",
        b"&amp;quot;",
        b"\x1b[",
        b"\x1b[0m",
        b"<private>",
        b"://a:",
        b"password ",
        b"password password=",
        b"YWFhYWFhYWFhYWFhYWFhYWFhYWFh ",
        json.dumps(json.dumps({"password": "k3Jd8sPq0z"})).encode(),
    ],
)
def test_no_wrapping_is_slower_than_linear(unit: bytes) -> None:
    assert _is_linear(b"", unit, 20_000)
