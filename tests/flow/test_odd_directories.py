"""A `cwd` that is no directory: the event is kept all the way, and what is excluded stays out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from flow.keeping import keys, opened, rows, tacit

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

ABSENT = object()
ODD: dict[str, Any] = {
    "nul": "/x\0y",
    "nul-below-dots": "/x/../y\0z/.",
    "nul-alone": "\0",
    "surrogate": "/x\ud800y",
    "empty": "",
    "relative": "some/where",
    "long": "/" + "a" * 10_240,
    "deep": "/" + "ab/" * 3_400,
    "lines": "/x\ny\tz",
    "number": 5,
    "list": ["/x"],
    "null": None,
    "absent": ABSENT,
}


def _record(home: Home, name: str, directory: object, **options: Any) -> None:
    """Run the real hook for a prompt and a tool of a session of this name."""
    fields: dict[str, object] = {"session_id": f"{name}-session"}
    fields |= {} if directory is ABSENT else {"cwd": directory}
    prompt = {**fields, "prompt": f"{name} please"}
    tool = {**fields, "tool_name": "Bash", "tool_use_id": f"{name}-tool", "tool_response": "done"}
    for event, payload in (("UserPromptSubmit", prompt), ("PostToolUse", tool)):
        ended = home.hook(event, json.dumps(payload).encode(), **options)
        assert (ended.code, ended.out, ended.err) == (0, b"", b"")


def _drained(home: Path) -> list[str]:
    with opened(home) as app:
        done = app.drain(seconds=None)
    assert (done.bad, done.waiting, done.troubles) == (0, 0, [])
    table = rows(home / "groups" / "main" / "transcript.db")
    return keys(bytes(row[2]) for row in table["payloads"])


@pytest.mark.parametrize(
    "exclude", ["", '[capture]\nexclude = ["/srv/secret"]\n'], ids=["", "excluding"]
)
def test_events_of_odd_directories_reach_the_transcript(home: Home, exclude: str) -> None:
    home.path.mkdir()
    (home.path / "config.toml").write_text(exclude, encoding="utf-8")
    for name, cwd in ODD.items():
        _record(home, name, cwd)

    taken = _drained(home.path)

    assert home.log == []
    assert sorted(taken) == sorted([*ODD, *(f"{name}-tool" for name in ODD)])


def test_sessions_of_odd_directories_are_listed_and_shown(home: Home) -> None:
    for name, cwd in ODD.items():
        _record(home, name, cwd)

    listed = tacit(home.path, "sessions", "--json")
    table = tacit(home.path, "sessions")
    shown = [tacit(home.path, "show", f"{name}-session") for name in ("nul", "surrogate", "lines")]

    assert sorted(each["id"] for each in json.loads(listed.stdout)) == sorted(
        f"{name}-session" for name in ODD
    )
    assert (table.returncode, table.stderr) == (0, "")
    assert [(each.returncode, each.stderr) for each in shown] == [(0, "")] * 3
    assert "nul please" in shown[0].stdout


@pytest.mark.parametrize("odd", ["\0y", "\0/../z", "\ud800"], ids=["nul", "dots", "surrogate"])
def test_below_an_excluded_directory_nothing_is_recorded(home: Home, odd: str) -> None:
    secret = home.scratch / "secret"
    secret.mkdir()
    home.path.mkdir()
    (home.path / "config.toml").write_text(f'[capture]\nexclude = ["{secret}"]\n', encoding="utf-8")
    own = home.scratch / "own"
    own.mkdir()
    (own / ".tacit.toml").write_text("off = true\n", encoding="utf-8")

    _record(home, "below", f"{secret}/{odd}")
    _record(home, "inside", f"/elsewhere/{odd}", cwd=secret)
    _record(home, "off", f"{own}/{odd}")
    touching = {"cwd": f"/x{odd}", "tool_name": "Read", "tool_response": f"{secret}/plan.txt"}
    home.hook("PostToolUse", json.dumps(touching).encode())

    assert home.spooled == []
    assert home.log == []
