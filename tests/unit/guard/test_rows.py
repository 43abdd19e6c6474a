"""The rows: each knows its secret, in both engines, and the gate can find it by its keywords."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tacit import compose
from tacit.guard import rows
from tacit.guard.redact import Redactor
from tacit.guard.rows import ROWS, Row
from tacit.linear import with_re2

_KEY = b"k" * 32
_FAST = compose.redactor(_KEY)
_IDS = [f"{rank}-{row[0]}" for rank, row in enumerate(ROWS)]
_BESIDE = 200  # a row that reaches so far has its keyword beside the secret, not in it
_HOLDING = [row for row in ROWS if row[2] < _BESIDE]

each_row = pytest.mark.parametrize("row", ROWS, ids=_IDS)


def _secret(row: Row) -> bytes:
    """Return what the row's pattern takes for the secret of its example."""
    found = re.search(row[3], row[4].encode())
    assert found
    return found.group(min(found.re.groups, 1))


@each_row
@pytest.mark.parametrize("engine", ["re", "re2"])
def test_a_row_catches_its_own_example(row: Row, engine: str) -> None:
    redactor = _FAST if engine == "re2" else Redactor(_KEY)
    secret = _secret(row)

    redacted = redactor.redact(row[4].encode())

    assert redacted == row[4].encode().replace(secret, redactor.mark(row[0], secret))


@each_row
@pytest.mark.parametrize(
    "around", ["say {} now", '{{"a": "{}"}}', "x={}\n", "({})", "\x1b[1m{}\x1b[0m"]
)
def test_a_row_catches_its_example_among_other_text(row: Row, around: str) -> None:
    redactor = _FAST

    redacted = redactor.redact(around.format(row[4]).encode())

    assert _secret(row) not in redacted


@each_row
def test_a_pattern_is_the_same_in_both_engines(row: Row) -> None:
    text = row[4].encode()

    found = with_re2(row[3]).search(text, 0, len(text))

    expected = re.search(row[3], text)
    assert found
    assert expected
    assert tuple(found) == expected.regs


@each_row
def test_a_pattern_has_at_most_one_group(row: Row) -> None:
    assert re.compile(row[3]).groups <= 1


@pytest.mark.parametrize("row", [row for row in ROWS if row[2]], ids=lambda row: row[0])
def test_what_is_looked_for_in_lower_case_is_lower_case(row: Row) -> None:
    assert [word for word in row[1] if word != word.lower()] == []


@each_row
def test_the_source_holds_no_example_whole(row: Row) -> None:
    source = Path(rows.__file__).read_text(encoding="utf-8")

    assert row[4] not in source


def test_there_are_at_least_sixty_kinds() -> None:
    assert len({row[0] for row in ROWS}) >= 60


def test_a_kind_is_a_plain_word() -> None:
    assert [row[0] for row in ROWS if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row[0])] == []


@pytest.mark.parametrize("row", _HOLDING, ids=[row[0] for row in _HOLDING])
@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(choice=st.data())
def test_whatever_a_pattern_matches_has_a_keyword(row: Row, choice: st.DataObject) -> None:
    _, keywords, reach, pattern, _ = row

    secret = choice.draw(st.from_regex(re.compile(pattern), fullmatch=True))

    begins = secret.startswith(keywords)
    assert any(word in secret.lower() for word in keywords) if reach else begins
