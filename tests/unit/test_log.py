"""The log: one structured line per event, capped, owner-only, and never a reason to stop."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tacit import log

if TYPE_CHECKING:
    from pathlib import Path

NOW_NS = 1_790_000_000_123_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.log"


def opened(file: Path) -> log.Log:
    return log.Log(file, lambda: NOW_NS)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]


def test_an_event_is_one_line_with_its_time_and_its_fields(file: Path) -> None:
    opened(file).line("drained", taken=3, group="main", ratio=0.5, error=None)

    assert lines(file) == [
        {
            "at": "2026-09-21T14:13:20.123+00:00",
            "event": "drained",
            "taken": 3,
            "group": "main",
            "ratio": 0.5,
            "error": None,
        }
    ]


def test_events_follow_each_other(file: Path) -> None:
    told = opened(file)

    for event in ("started", "drained", "stopped"):
        told.line(event)

    assert [line["event"] for line in lines(file)] == ["started", "drained", "stopped"]


@pytest.mark.parametrize("text", ["a\nb", "a\r\n\tb", " a \v\f b ", "a\x85b", "a\u2028b"])
def test_line_breaks_in_a_field_are_flattened(text: str, file: Path) -> None:
    opened(file).line("failed", error=text)

    assert [line["error"] for line in lines(file)] == ["a b"]


def test_a_long_field_is_cut(file: Path) -> None:
    opened(file).line("failed", error="x" * 5000)

    assert [len(line["error"]) for line in lines(file)] == [300]


def test_text_beyond_ascii_and_control_characters_are_escaped(file: Path) -> None:
    opened(file).line("failed", error="\x1b[31m caf\u00e9 \udcff")

    raw = file.read_bytes()
    assert (raw.isascii(), b"\x1b" in raw, lines(file)[0]["error"]) == (
        True,
        False,
        "\x1b[31m caf\u00e9 \udcff",
    )


def test_the_file_is_its_owner_s_alone(file: Path) -> None:
    opened(file).line("started")

    assert file.stat().st_mode & 0o777 == 0o600


def test_a_full_file_makes_way_and_the_one_before_it_is_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "LARGEST", 100)
    told = opened(file)

    for number in range(2):
        told.line("drained", number=number, text="x" * 20)

    before = file.with_name("some.log.1")
    assert ([line["number"] for line in lines(before)], len(lines(file))) == ([0], 1)


def test_the_log_never_grows_beyond_two_files_of_its_largest_size(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "LARGEST", 500)
    told = opened(file)

    for number in range(100):
        told.line("drained", number=number)

    sizes = {each.name: each.stat().st_size <= 500 for each in file.parent.iterdir()}
    assert (sizes, lines(file)[-1]["number"]) == ({"some.log": True, "some.log.1": True}, 99)


def test_a_line_that_just_fits_does_not_rotate(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = opened(file)
    told.line("started")
    monkeypatch.setattr(log, "LARGEST", 2 * file.stat().st_size)

    told.line("started")

    assert [each.name for each in file.parent.iterdir()] == ["some.log"]


def test_a_folder_that_is_missing_is_no_trouble(tmp_path: Path) -> None:
    opened(tmp_path / "missing" / "some.log").line("started")

    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_the_file_is_no_trouble(file: Path) -> None:
    file.mkdir()

    opened(file).line("started")

    assert list(file.iterdir()) == []


def test_a_link_in_the_place_of_the_file_is_not_followed(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("kept", encoding="utf-8")
    file.symlink_to(target)

    opened(file).line("started")

    assert target.read_text(encoding="utf-8") == "kept"
