"""The context rows: each knows its secret by what stands beside it, in both engines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from rig import corpus
from tacit import compose
from tacit.guard import contextrows, gate
from tacit.guard.compiled import with_re
from tacit.guard.context import JUDGES
from tacit.guard.contextrows import CONTEXT, NAMES, ContextRow
from tacit.guard.redact import Redactor
from tacit.guard.rows import ROWS
from tacit.linear import with_re2
from unit.guard.fragments import texts

_KEY = b"k" * 32
_FAST = compose.redactor(_KEY)
_IDS = [f"{rank}-{row[0]}-{b' '.join(row[1][:1]).decode()}" for rank, row in enumerate(CONTEXT)]
# The secrets of the examples; where one holds another the longer stands first.
_SECRETS = [
    b"k3Jd8sPq0zLmWx7RtY2vBn4cQ9xTz3Lw\nk3Jd8sPq0zLmWx7RtY2vBn4c==\n-----END RSA PRIVATE KEY-----",
    b"4539 1488 0343 6467",
    b"DE89 3704 0044 0532 0130 00",
    b"536-22-8146",
    b"k3Jd8!sPq0z",
    b"k3Jd8sPq0Z",
    b"4817",
    b"-----BEGIN RSA PRIVATE KEY-----\nMIIEk3Jd8sPq0zLmWx7RtY2vBn4c\n-----END RSA PRIVATE KEY-----",
    b"ripple scissors kick mammal hire column oak again sun offer wealth tomorrow",
    b"qhzt lmwe vbnk oapx",
    b"q7Rz2LmX9vTbK4sWp8Ydq7Rz2LmX9vTbK4sWp8Ydq7Rz==",
    b"k3jd8-pq0zl\nw7rt2-yv4bn",
    b"4/0AeaYSHq7Rz2LmX9vTbK4sWp8Yd",
    b"2q7Rz2LmX9vTbK4sWp8Yd_k3Jd8",
    b"9f2b7c1de8a64053b1f7d2c98e03a46b",
    b"q7Rz2LmX9vTbK4sWp8Yd%3D",
    b"q7Rz2LmX9vTbK4sWp8YdAb",
    b"q7Rz2LmX9vTbK4sWp8Yd",
    b"YXBwOmszSmQ4c1Bx",
    b"k3Jd8sPq0zLmWx7",
    b"pass:k3Jd8sPq0z",
    b"k3Jd8sPq0z",
]
# `-pass pass:…` is a flag with its value: the row of names takes more of it.
_CLAIMED = {b"pass:k3Jd8sPq0z": "secret"}

_ASSIGN = re.compile(next(row[3] for row in CONTEXT if row[2] == "assigned"))
_QUOTE, _VALUE, _SIGN, _XML = 9, 2, 3, 6  # groups of it
_ENGINES = {"re": with_re(_ASSIGN.pattern), "re2": with_re2(_ASSIGN.pattern)}
_CORPUS = [
    sample["text"].replace("{s}", "".join(sample.get("parts", []))).encode()
    for sample in (*corpus("secrets"), *corpus("benign"))
]

each_row = pytest.mark.parametrize("row", CONTEXT, ids=_IDS)


def _secret(row: ContextRow) -> bytes:
    return next(secret for secret in _SECRETS if secret in row[4].encode())


@each_row
@pytest.mark.parametrize("engine", ["re", "re2"])
def test_a_row_catches_its_own_example(row: ContextRow, engine: str) -> None:
    redactor = _FAST if engine == "re2" else Redactor(_KEY)
    secret = _secret(row)

    redacted = redactor.redact(row[4].encode())

    mark = redactor.mark(_CLAIMED.get(secret, row[0]), secret)
    assert redacted == row[4].encode().replace(secret, mark)


@each_row
@pytest.mark.parametrize("around", ["say: {}\nnow", "x\n  {}\r\n", "# {}\n", "\x1b[1m{}\x1b[0m"])
def test_a_row_catches_its_example_among_other_lines(row: ContextRow, around: str) -> None:
    redactor = _FAST

    redacted = redactor.redact(around.format(row[4]).encode())

    assert _secret(row) not in redacted


@each_row
def test_a_pattern_is_the_same_in_both_engines(row: ContextRow) -> None:
    text = row[4].lower().encode()

    found = with_re2(row[3]).search(text, 0, len(text))

    expected = re.search(row[3], text)
    assert found
    assert expected
    assert tuple(found) == expected.regs


@each_row
def test_a_pattern_matches_where_a_keyword_of_its_example_stands(row: ContextRow) -> None:
    low = row[4].lower().encode()
    pattern = re.compile(row[3])

    places = [low.find(word) for word in row[1] if word in low]
    if not row[1]:  # numbers are found by their digits
        places = [place for place, _, _ in gate.numbered(row[4].encode(), 0, len(low))]

    assert any(pattern.match(low, place) for place in places)


@each_row
def test_keywords_are_lower_case(row: ContextRow) -> None:
    assert [word for word in row[1] if word != word.lower()] == []


@each_row
def test_a_row_names_a_judge(row: ContextRow) -> None:
    assert row[2] in JUDGES


@pytest.mark.parametrize("judge", JUDGES)
def test_each_judge_has_a_row(judge: str) -> None:
    assert judge in {row[2] for row in CONTEXT}


@pytest.mark.parametrize("row", [row for row in CONTEXT if row[0] != "seed-phrase"])
def test_the_source_holds_no_example_whole(row: ContextRow) -> None:
    source = Path(contextrows.__file__).read_text(encoding="utf-8")

    assert row[4] not in source


@pytest.mark.parametrize("name", NAMES)
def test_a_value_under_a_telling_name_is_caught(name: bytes) -> None:
    joined = b"api_" + name if name in {b"key", b"pat"} else name
    text = joined + b' = "q7Rz2LmX9vTbK4sWp8Yd"'

    redacted = Redactor(_KEY).redact(text)

    mark = Redactor(_KEY).mark("secret", b"q7Rz2LmX9vTbK4sWp8Yd")
    assert redacted == joined + b' = "' + mark + b'"'


def _assignments(text: bytes) -> list[re.Match[bytes]]:
    """Return what the `name = value` pattern matches at every name."""
    low = text.lower()
    places = {found.start() for name in NAMES for found in re.finditer(re.escape(name), low)}
    return [found for place in sorted(places) if (found := _ASSIGN.match(low, place))]


def _open_oddly(text: bytes) -> list[bytes]:
    """Return matches of which the last byte does not tell whether a quote opens the value."""
    return [
        found[0]
        for found in _assignments(text)
        if found[0].endswith((b'"', b"'", b"`", b";")) != (found[_QUOTE] is not None)
    ]


def _join_oddly(text: bytes) -> list[bytes]:
    """Return matches in which a sign joins name and value that is none of those we know."""
    return [
        found[0]
        for found in _assignments(text)
        if not re.search(rb"[:=>[\xef\xe2\xe3`~]|send", found[0])
        and any(found[group] is not None for group in (_VALUE, _SIGN, _XML))
    ]


def test_a_name_and_its_value_are_joined_in_the_corpus_as_the_judge_believes() -> None:
    assert [odd for text in _CORPUS for odd in _open_oddly(text) + _join_oddly(text)] == []


@given(texts)
def test_the_last_byte_before_a_value_tells_whether_it_is_quoted(text: bytes) -> None:
    assert _open_oddly(text) == []


@given(texts)
def test_a_name_and_its_value_are_joined_by_a_known_sign_or_by_words(text: bytes) -> None:
    assert _join_oddly(text) == []


def _grouped_oddly(text: bytes, engine: str) -> list[bytes]:
    """Return matches whose groups are others if the match alone is looked at."""
    match = _ENGINES[engine].match
    odd = []
    for found in _assignments(text):
        start = found.start()
        alone = match(found[0], 0) or ()
        shifted = [(begin + start, end + start) if begin >= 0 else (-1, -1) for begin, end in alone]
        odd += [found[0]] if tuple(shifted) != found.regs else []
    return odd


@pytest.mark.parametrize("engine", ["re", "re2"])
def test_the_groups_of_a_match_of_the_corpus_are_told_by_the_match_alone(engine: str) -> None:
    assert [odd for text in _CORPUS for odd in _grouped_oddly(text, engine)] == []


@given(texts)
def test_the_groups_of_a_match_are_told_by_the_match_alone(text: bytes) -> None:
    assert _grouped_oddly(text, "re") + _grouped_oddly(text, "re2") == []


@each_row
@pytest.mark.parametrize("engine", ["re", "re2"])
def test_a_match_ends_where_its_groups_say(row: ContextRow, engine: str) -> None:
    pattern = (with_re2 if engine == "re2" else with_re)(row[3])
    low = row[4].lower().encode()

    ends = [pattern.end(low, place) for place in range(len(low))]

    found = [pattern.match(low, place) for place in range(len(low))]
    assert ends == [each[0][1] if each else -1 for each in found]
    assert max(ends) > 0


def test_all_rows_together_know_more_than_a_hundred_kinds() -> None:
    assert len({row[0] for row in (*ROWS, *CONTEXT)}) >= 100
