"""How memories are told and days are read: one safe line each, and a day in the machine's zone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click
import pytest

from tacit.cli.memory import telling
from tacit.model.memory import Memory

if TYPE_CHECKING:
    from unit.cli.memory.conftest import Cli

SECOND_NS = 1_000_000_000
NOON = int(datetime(2026, 5, 31, 12, tzinfo=UTC).timestamp()) * SECOND_NS


def memory(**changes: Any) -> Memory:
    fields: dict[str, Any] = {
        "id": "mem-0001",
        "kind": "fact",
        "content": "The sky is blue",
        "importance": 3,
        "confidence": 1.0,
        "tags": (),
        "project": None,
        "origin": "owner",
        "via": "cli",
        "session": "",
        "turn": None,
        "quote": "The sky is blue",
        "topic": "",
        "extractor": "told-1",
        "created_at": NOON,
        "valid_from": NOON,
    }
    return Memory(**fields | changes)


def read(value: str) -> int:
    return telling.Day().convert(value, None, None)


@pytest.mark.parametrize(
    "value",
    [
        "2026-05-31T12:00Z",
        "2026-05-31T14:00+02:00",
        "2026-05-31 12:00:00+00:00",
        "20260531T120000Z",
    ],
)
def test_a_moment_with_a_zone_is_that_moment(value: str) -> None:
    assert read(value) == NOON


@pytest.mark.usefixtures("tokyo")
@pytest.mark.parametrize(
    ("value", "hours"), [("2026-05-31", -21), ("2026-05-31T21:00", 0), ("2026-05-31 21:00:00", 0)]
)
def test_a_day_without_a_zone_is_one_of_the_machine_s(value: str, hours: int) -> None:
    assert read(value) == NOON + hours * 3600 * SECOND_NS


@pytest.mark.parametrize(
    "value", ["", "yesterday", "2026-13-01", "31.05.2026", "1790000000", "\x1b"]
)
def test_what_is_no_day_is_refused_and_shown_how_to_write_one(value: str) -> None:
    with pytest.raises(click.BadParameter, match="is no date: write it like 2026-05-31"):
        read(value)


@pytest.mark.parametrize(
    "option", [("list", "--as-of"), ("forget", "--dry-run", "--before")], ids=["list", "forget"]
)
@pytest.mark.parametrize("value", ["0001-01-01", "1500-01-01", "9999-12-31"])
def test_a_day_beyond_all_memory_is_a_day_or_a_refusal(
    option: tuple[str, ...], value: str, cli: Cli
) -> None:
    cli.remember("The sky is blue")

    told = cli(*option, value)

    assert told.code in {0, 2}


@pytest.mark.parametrize(
    ("state", "sign"),
    [
        ("active", ""),
        ("superseded", "~"),
        ("forgotten", "-"),
        ("quarantined", "!"),
        ("candidate", "?"),
        ("archived", "."),
    ],
)
def test_a_sign_says_what_is_not_simply_true_now(
    state: str, sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    telling.table([memory(state=state)], {})

    head, row = capsys.readouterr().out.splitlines()
    assert row[head.index("kind") : head.index("since")].split()[1:] == sign.split()


def test_a_pinned_memory_has_a_star(capsys: pytest.CaptureFixture[str]) -> None:
    telling.table([memory(pinned=True)], {})

    assert "fact  *  " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("project", "shown"), [(None, "everywhere"), ("prj-1", "shop"), ("prj-2", "prj-2")]
)
def test_a_memory_stands_beside_the_name_of_its_project(project: str | None, shown: str) -> None:
    assert telling.where(memory(project=project), {"prj-1": "shop"}) == shown


def test_a_long_name_of_a_project_leaves_room_for_the_content(
    capsys: pytest.CaptureFixture[str],
) -> None:
    telling.table([memory(project="prj-1")], {"prj-1": "x" * 300})

    assert "The sky is blue" in capsys.readouterr().out


def test_each_memory_is_one_line_whatever_it_holds(
    hostile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    held = memory(content=hostile, origin=f"tool:{hostile}", project="prj-1")

    telling.table([held, memory()], {"prj-1": hostile})

    shown = capsys.readouterr().out
    assert {char for char in shown if not char.isprintable()} == {"\n"}
    assert len(shown.splitlines()) == 3


def test_a_memory_on_a_line_has_its_kind_its_words_and_its_id() -> None:
    assert telling.line(memory()) == "[fact] The sky is blue (mem-0001)"
