"""Tending: a moment at a time, seldom, and a workspace in trouble holds up no other."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from tacit.compose import open_app
from tacit.daemon import tending
from tacit.daemon.tending import EVERY, PAUSE, Tending
from tacit.log import Log
from tacit.policy import Caller

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home
    from tacit.app import App


class Watch:
    """The time, as a test sets it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def app(home: Home) -> Iterator[App]:
    opened = open_app(str(home.path))
    yield opened
    opened.close()


def workspace(home: Home, app: App, name: str) -> Path:
    """Make a workspace in which something has happened."""
    place = home.scratch / name
    app.init(str(place), Caller())
    home.hook("UserPromptSubmit", home.payload("UserPromptSubmit", prompt="hi"), cwd=place)
    app.drain()
    return place


def made(home: Home, app: App, watch: Watch) -> Tending:
    return Tending(app, Log(home.path / "daemon.log", time.time_ns), watch)


def test_what_is_missing_is_made_at_once_and_looked_after_again_later(
    home: Home, app: App, watch: Watch
) -> None:
    folder = workspace(home, app, "papers") / "documents"
    tending = made(home, app, watch)
    found = []

    for seconds in (0.0, 1.0, EVERY):
        folder.rmdir() if folder.exists() else None
        watch.now += seconds
        tending.look()
        found.append(folder.exists())

    assert found == [True, False, True]


def test_a_look_that_is_not_done_goes_on_soon(
    home: Home, app: App, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tending, "SLICE", 0.0)  # a step each time
    place = workspace(home, app, "papers")
    (place / "documents" / "a.pdf").touch()
    slow = made(home, app, watch)

    for _ in range(40):
        slow.look()
        watch.now += PAUSE

    connection = app._spaces.ask("papers", lambda store: store.connection)  # noqa: SLF001
    assert connection.value("SELECT name FROM seen") == "a.pdf"


def test_one_in_trouble_is_told_in_one_word_and_holds_up_no_other(
    home: Home, app: App, watch: Watch
) -> None:
    one, two = (workspace(home, app, name) for name in ("one", "two"))
    app.rest()
    (one / ".os" / "memory" / "workspace.db").unlink()
    (one / ".os" / "memory" / "workspace.db").symlink_to(home.scratch / "elsewhere")
    (two / "documents").rmdir()

    made(home, app, watch).look()

    text = (home.path / "daemon.log").read_text(encoding="utf-8")
    told = [json.loads(line) for line in text.splitlines()]
    assert [(line["event"], line["group"], line["error"]) for line in told] == [
        ("not looked after", "one", "StoreRefused")
    ]
    assert ((two / "documents").exists(), (home.scratch / "elsewhere").exists()) == (True, False)


def test_without_workspaces_nothing_is_done(home: Home, app: App, watch: Watch) -> None:
    made(home, app, watch).look()

    assert not (home.path / "daemon.log").exists()
