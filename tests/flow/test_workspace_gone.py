"""A workspace that goes away while the daemon serves it, and comes back: nothing breaks.

Its events wait, other groups go on, status and doctor say so, and nothing is made in its place. A
directory that only looks like a workspace is never one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flow.daemons import Daemons, until
from flow.keeping import bodies, keys, tacit
from flow.working import lying, mapping, text
from rig import only_linux

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rig import Home

pytestmark = only_linux


@pytest.fixture
def daemons(home: Home) -> Iterator[Daemons]:
    with Daemons(home) as started:
        yield started


@pytest.fixture
def place(home: Home) -> Path:
    made = home.scratch / "papers"
    assert tacit(home.path, "init", str(made)).returncode == 0
    return made


def _card(home: Home, place: Path, words: str) -> None:
    """Let the real hook record a card, in the workspace's directory."""
    given = {"card_id": "c1", "title": "Plan", "blocks": text(words)}
    fields = {"tool_name": "create_card", "tool_use_id": words, "tool_input": given}
    ended = home.hook("PostToolUse", home.payload("PostToolUse", **fields), cwd=place)
    assert ended.code == 0


def test_while_a_workspace_is_away_others_go_on_and_it_catches_up(
    home: Home, daemons: Daemons, place: Path
) -> None:
    daemons.start()
    _card(home, place, "one")
    until(lambda: lying(place) == {"projects/plan.md": "one"}, "the page")
    place.rename(home.scratch / "away")
    place.mkdir()  # where its disk was mounted

    _card(home, place, "two")
    assert home.hook("UserPromptSubmit", {"prompt": "elsewhere please"}).code == 0
    until(lambda: len(home.spooled) == 1, "what belongs to others")
    status = tacit(home.path, "status")
    doctor = json.loads(tacit(home.path, "doctor", "--json").stdout)

    assert keys(bodies(home.path)) == ["elsewhere"]
    assert "workspace   papers: " in status.stdout
    assert "is not there" in status.stdout
    assert [each["is_fine"] for each in doctor if each["name"] == "workspace papers"] == [False]
    assert list(place.iterdir()) == []
    place.rmdir()
    (home.scratch / "away").rename(place)
    until(lambda: lying(place) == {"projects/plan.md": "two"}, "the page as it is now")
    assert home.spooled == []


def test_a_clone_that_looks_like_a_workspace_is_ignored(home: Home, daemons: Daemons) -> None:
    clone = home.scratch / "clone"
    (clone / ".os" / "memory").mkdir(parents=True)
    (clone / ".os" / "VERSION").write_text("0.1.0\n", encoding="utf-8")
    (clone / "projects").mkdir()
    (clone / ".tacit.toml").write_text('project = "evil"\n', encoding="utf-8")
    daemons.start()

    _card(home, clone, "planted")
    until(lambda: home.spooled == [], "the event")
    doctor = tacit(home.path, "doctor", cwd=clone)

    assert keys(bodies(home.path)) == ["planted"]
    assert lying(clone) == {".tacit.toml": 'project = "evil"'}
    assert list((clone / ".os" / "memory").iterdir()) == []
    assert "is not registered and is ignored" in doctor.stdout


def test_two_homes_know_nothing_of_each_other_s_workspaces(home: Home, place: Path) -> None:
    _card(home, place, "one")
    tacit(home.path, "cards", cwd=place)

    other = tacit(home.scratch / "other", "cards", cwd=place)

    assert other.returncode == 6
    assert mapping(place) == {"c1": ("open", "plan.md", None)}
