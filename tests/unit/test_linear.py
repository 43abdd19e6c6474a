"""RE2 as the guard's engine."""

from __future__ import annotations

import gc

import pytest

from tacit import linear
from tacit.linear import with_re2


@pytest.fixture(params=[True, False], ids=["direct", "public"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask RE2 directly, and by its public way."""
    monkeypatch.setattr(linear, "_IS_OPEN", request.param)


def test_re2_reads_bytes_one_by_one() -> None:
    pattern = with_re2(rb"a(.)b")

    found = pattern.search(b"\xc3\xa9 a\xffb", 0, 6)

    assert found is not None
    assert (tuple(found), pattern.groups) == (((3, 6), (4, 5)), 1)


def test_a_match_begins_at_its_place() -> None:
    pattern = with_re2(rb"b(x)?")

    assert pattern.match(b"aab", 1) is None
    assert tuple(pattern.match(b"aab", 2) or ()) == ((2, 3), (-1, -1))


def test_a_match_ends_where_its_groups_say() -> None:
    pattern = with_re2(rb"b(x)?(yy?)?")

    assert pattern.end(b"aabxyyy", 2) == 6
    assert pattern.end(b"aabxyyy", 1) == -1


def test_a_search_stays_within_its_bounds() -> None:
    assert with_re2(rb"bc").search(b"abcd", 0, 2) is None


def test_every_match_is_told_also_one_inside_another() -> None:
    pattern = with_re2(rb"key.|pass(key)?")

    assert pattern.every(b"passkey1 pass", 0, 13) == [(0, 7), (4, 8), (9, 13)]
    assert pattern.every(b"passkey1 pass", 1, 12) == [(4, 8)]


def test_a_pattern_that_is_none_is_told_by_an_error_alone(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(Exception, match="missing"):
        with_re2(b"(")

    assert capfd.readouterr().err == ""


def test_a_pattern_that_nobody_uses_any_more_is_let_go() -> None:
    text = rb"nobody (uses) this"
    with_re2(text)

    held = [each for each in gc.get_objects() if type(each).__name__ == "_Regexp"]

    assert text not in [each.pattern for each in held]
