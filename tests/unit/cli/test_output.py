"""How the command line writes: clean lines, ages and sizes for people, JSON for programs."""

from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.cli import output

SECOND_NS = 1_000_000_000
NOW_NS = 1_790_000_000 * SECOND_NS
HOSTILE = "\x1b[31mred\x1b[0m\r\n\u202eevil\u2066\x9b2J\x07\tend\u2028"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Inner:
    digest: bytes


@dataclass(frozen=True, slots=True)
class Outer:
    path: Path
    inner: Inner
    inners: list[Inner]
    none: str | None = None


def printed(value: object, capsys: pytest.CaptureFixture[str]) -> object:
    """Return what a program reads when *value* is printed for it."""
    output.as_json(value)
    return json.loads(capsys.readouterr().out)


def failing_work() -> None:
    with output.progress("Verifying") as told:
        assert told is not None
        told(1000, 3000)
        raise ValueError("damaged")


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (-3600, "now"),
        (0, "now"),
        (1, "1 s ago"),
        (59, "59 s ago"),
        (60, "1 min ago"),
        (3599, "59 min ago"),
        (3600, "1 h ago"),
        (86_399, "23 h ago"),
        (86_400, "1 d ago"),
        (400 * 86_400, "400 d ago"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(seconds: int, told: str) -> None:
    assert output.age(NOW_NS - seconds * SECOND_NS, NOW_NS) == told


@given(when_ns=st.integers(), now_ns=st.integers())
def test_an_age_is_never_negative(when_ns: int, now_ns: int) -> None:
    told = output.age(when_ns, now_ns)

    assert "-" not in told


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 KB"),
        (65_536, "65.5 KB"),
        (50 << 20, "52.4 MB"),
        (3_200_000_000, "3.2 GB"),
        (4_000_000_000_000, "4000.0 GB"),
    ],
)
def test_a_size_is_told_as_people_say_it(number: int, told: str) -> None:
    assert output.size(number) == told


@pytest.mark.parametrize(("number", "told"), [(0, "0 events"), (1, "1 event"), (2, "2 events")])
def test_a_noun_agrees_with_its_number(number: int, told: str) -> None:
    assert output.count(number, "event") == told


@pytest.mark.parametrize(
    ("text", "told"), [("four", "four"), ("fives", "fiv…"), ("a\n\n b", "a b"), ("", "")]
)
def test_a_text_is_cut_where_there_is_no_more_room(text: str, told: str) -> None:
    assert output.short(text, 4) == told


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_a_shortened_text_is_one_line_within_its_room(text: str, room: int) -> None:
    told = output.short(text, room)

    assert (len(told) <= room, len(told.splitlines()) <= 1) == (True, True)


def test_a_table_has_its_columns_under_their_heads(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("name", "n", "where"), [("shop", "12", "/srv/shop"), ("a", "1", "")])

    assert capsys.readouterr().out.splitlines() == [
        "name  n   where",
        "shop  12  /srv/shop",
        "a     1",
    ]


def test_no_cell_can_break_its_line_or_reach_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output.table(("first", "last"), [(HOSTILE, HOSTILE)])

    assert capsys.readouterr().out == "first         last\nred evil end  red evil end\n"


def test_piped_the_last_column_has_the_room_of_a_long_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output.table(("name", "text"), [("a", "x" * 500)])

    lines = capsys.readouterr().out.splitlines()
    assert (len(lines[1]), lines[1][-1]) == (200, "…")


def shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int, said: str) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(columns))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    output.table(("memory", "kind", "content"), [("mem-1", "fact", said), ("mem-2", "fact", "x")])
    return re.sub(r"\x1b\[\d*m", "", terminal.getvalue()).splitlines()


def test_what_fits_stands_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_on_a_terminal(monkeypatch, 40, "The sky is blue")

    assert shown == [
        "memory  kind  content",
        "mem-1   fact  The sky is blue",
        "mem-2   fact  x",
    ]


def test_what_does_not_fit_has_a_line_of_its_own_and_is_cut_at_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = shown_on_a_terminal(monkeypatch, 40, "The sky is blue, and so is the sea " * 9)

    assert shown[0] == "memory  kind"
    assert (shown[1], shown[3:]) == ("mem-1   fact", ["mem-2   fact", "  x"])
    assert (len(shown[2]), shown[2][:11], shown[2][-1]) == (80, "  The sky i", "…")


def test_with_room_enough_what_is_too_long_is_cut_on_its_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = shown_on_a_terminal(monkeypatch, 90, "The sky is blue, and so is the sea " * 9)

    assert len(shown) == 3
    assert (len(shown[1]), shown[1][-1]) == (90, "…")


def test_piped_nothing_is_coloured(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("name", "text"), [("a", "b")])

    assert "\x1b" not in capsys.readouterr().out


def test_programs_get_every_field_in_plain_types(capsys: pytest.CaptureFixture[str]) -> None:
    value = Outer(Path("/srv/größe"), Inner(b"\x00\xff"), [Inner(b"a")])

    found = printed([value], capsys)

    assert found == [
        {
            "path": "/srv/größe",
            "inner": {"digest": "00ff"},
            "inners": [{"digest": "61"}],
            "none": None,
        }
    ]


def test_programs_get_a_text_as_it_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    found = printed({"text": HOSTILE}, capsys)

    assert found == {"text": HOSTILE}


def test_a_text_that_is_no_unicode_can_be_printed_for_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="utf-8"))

    output.as_json({"text": "half \ud83d of a pair"})

    assert json.loads(raw.getvalue())["text"].startswith("half ")


ALIKE = ["mem-01a1e92e-98de-7fe8-981f-b6c2", "mem-01a1e92e-98de-7fe8-9ab2-0003"]
OTHER = "mem-01a1e92f-0001-7111-8222-d25d"


def test_piped_an_id_is_whole() -> None:
    assert output.ids([*ALIKE, OTHER]) == [*ALIKE, OTHER]


def test_on_a_terminal_an_id_is_as_long_as_it_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())

    assert output.ids([OTHER]) == ["mem-01a1e92f-0001-7111"]
    assert output.ids([*ALIKE, OTHER]) == [each[:25] for each in (*ALIKE, OTHER)]
    assert output.ids(["act-1", "act-1"]) == ["act-1", "act-1"]
    assert output.ids([]) == []


def test_piped_no_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with output.progress("Verifying") as told:
        pass

    assert (told, capsys.readouterr().err) == (None, "")


def test_on_a_terminal_progress_is_shown_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    with output.progress("Verifying") as told:
        assert told is not None
        told(1000, 3000)

    assert terminal.getvalue() == "\rVerifying: 1000 of 3000\r\033[K"


def test_progress_is_taken_away_when_the_work_fails_too(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    with pytest.raises(ValueError, match="damaged"):
        failing_work()

    assert terminal.getvalue().endswith("\r\033[K")
