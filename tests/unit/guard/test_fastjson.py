"""JSON without `json`: the same values, the same text, the same refusals."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.guard import fastjson

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4)
    ),
    max_leaves=12,
)
_REFUSED = [
    b"",
    b" \n",
    b"\xef\xbb\xbf",
    b"{} {}",
    b"1 2",
    b'{"a":1}x',
    b"{",
    b"[1,",
    b"[1,]",
    b'{"a":}',
    b"{'a':1}",
    b'"open',
    b'"\\x"',
    b"nul",
    b"undefined",
    b"\xff",
    b"\xc3(",
    b"1" * 5000,
]


def _read(raw: bytes) -> object:
    try:
        return fastjson.loads(raw)
    except ValueError:
        return ValueError


def _read_by_json(text: str) -> object:
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return ValueError


@pytest.fixture(params=["scanner", "json"])
def _engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run once with the C scanner and once as where it is missing."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "json":
            patch.setitem(sys.modules, "_json", None)
        yield


@given(_VALUES, st.booleans())
def test_what_json_writes_is_read_as_json_reads_it(value: Any, is_ascii: bool) -> None:  # noqa: FBT001
    text = json.dumps(value, ensure_ascii=is_ascii)

    assert fastjson.loads(text.encode()) == json.loads(text)


@given(_VALUES)
def test_a_value_is_written_as_json_writes_it(value: Any) -> None:
    written = fastjson.dumps(value)

    assert written == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(st.text('{}[]",:\\ntrue123.-e \t\n"', max_size=12))
def test_any_text_is_read_or_refused_as_json_does(text: str) -> None:
    assert _read(text.encode()) == _read_by_json(text)


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize("raw", _REFUSED)
def test_what_is_not_one_json_value_is_refused(raw: bytes) -> None:
    assert _read(raw) is ValueError


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b' \t\r\n{"a": [1, 2.5, true, null]}\n', {"a": [1, 2.5, True, None]}),
        (b'\xef\xbb\xbf"bom"', "bom"),
        (b'"a\tb\nc\x01"', "a\tb\nc\x01"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"\\ud800"', "\ud800"),
        (b'"\xed\xa0\x80"', "\ud800"),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b"-Infinity", -math.inf),
        (b"1e999", math.inf),
        (b"1" * 4000, int("1" * 4000)),
    ],
)
def test_what_clients_write_is_read(raw: bytes, value: object) -> None:
    assert fastjson.loads(raw) == value


def test_not_a_number_is_read_as_such() -> None:
    value = fastjson.loads(b"NaN")

    assert isinstance(value, float)
    assert math.isnan(value)


@pytest.mark.usefixtures("_engine")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (10**30, "1" + "0" * 30),
        (1e16, "1e+16"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        ('é\u2028\x00\x7f"\\/', '"é\u2028\\u0000\x7f\\"\\\\/"'),
        ("\ud800", '"\ud800"'),
        ({"a b": [1, {}], "": []}, '{"a b":[1,{}],"":[]}'),
    ],
)
def test_a_value_is_written_without_blanks_and_with_its_characters(
    value: fastjson.Json, text: str
) -> None:
    assert fastjson.dumps(value) == text


@pytest.mark.usefixtures("_engine")
def test_nesting_beyond_the_stack_is_told_as_recursion() -> None:
    raw = b"[" * 100_000 + b"]" * 100_000

    with pytest.raises(RecursionError):
        fastjson.loads(raw)
