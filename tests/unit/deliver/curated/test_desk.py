"""The desk: the four pages of a group, or of some of its projects, with what lies on the disk."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from contract.memories import to_do
from tacit.deliver.curated.desk import sheets
from tacit.deliver.curated.names import RENDERED
from unit.deliver.curated.conftest import entries, fresh_desk, happen, know

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tacit.deliver.curated.desk import Desk


def test_a_group_that_knows_nothing_has_four_empty_pages(desk: Desk) -> None:
    made = sheets(desk)

    assert tuple(made) == RENDERED
    assert all(each.is_empty for each in made.values())


def test_the_words_of_a_memory_and_of_an_action_are_found_by_their_id(desk: Desk) -> None:
    know(desk, "mem-1", "Use tabs")
    desk.store.actions.put(to_do("act-1", content="Ship it"))

    assert [desk.words(name) for name in ("mem-1", "act-1", "mem-2", "act-2")] == [
        "Use tabs",
        "Ship it",
        None,
        None,
    ]


def test_one_project_needs_no_name(desk: Desk) -> None:
    happen(desk, "e-1", "project-1", "/srv/shop")
    happen(desk, "e-2", "project-2", "/srv/till")
    desk.transcript.join("project-2", "project-1")

    assert desk.scope().labels == {}


def test_of_several_projects_each_is_called_by_its_own_name(desk: Desk) -> None:
    for number, name in enumerate(("shop", "till", "bar"), 1):
        happen(desk, f"e-{number}", f"project-{number}", f"/srv/{name}")
        desk.transcript.rename(f"project-{number}", name)
    desk.transcript.join("project-3", "project-2")

    assert desk.scope().labels == {"project-1": "shop", "project-2": "till", "project-3": "till"}


def test_pages_of_a_project_tell_what_holds_there_and_everywhere(desk: Desk) -> None:
    know(desk, "mem-1", "Port 5433")
    know(desk, "mem-2", "Port 9999", project="project-2")
    know(desk, "mem-3", "Lives in Ghent", project=None)

    made = sheets(desk, ("project-1",))

    assert [line[2:11] for line in entries(made["context.md"].text)] == ["Port 5433"]
    assert "Ghent" in made["user.md"].text


def test_the_top_levels_are_those_of_the_projects_meant_the_newest_first(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "somebody"))
    for number, name in enumerate(("shop", "till"), 1):
        (tmp_path / name / "src").mkdir(parents=True)
        happen(desk, f"e-{number}", f"project-{number}", str(tmp_path / name))

    assert entries(sheets(desk)["files.md"].text) == ["- `till/`: `src/`", "- `shop/`: `src/`"]
    assert entries(sheets(desk, ("project-1",))["files.md"].text) == ["- `shop/`: `src/`"]


def test_names_on_the_disk_lose_their_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "somebody"))
    (tmp_path / "shop" / "hunter2").mkdir(parents=True)
    with fresh_desk(clean=lambda text: text.replace("hunter2", "[redacted]")) as desk:
        happen(desk, "e-1", "project-1", str(tmp_path / "shop"))

        text = sheets(desk)["files.md"].text

    assert ("hunter2" in text, "[redacted]" in text) == (False, True)


def test_what_is_private_is_not_looked_at(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "shop" / "src").mkdir(parents=True)
    happen(desk, "e-1", "project-1", str(tmp_path / "shop"))
    private = replace(desk.surroundings, private=(str(tmp_path / "shop"),))

    assert sheets(replace(desk, surroundings=private))["files.md"].is_empty


def test_in_a_workspace_its_own_top_levels_are_told(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "stack" / "documents").mkdir(parents=True)
    happen(desk, "e-1", "project-1", str(tmp_path))
    there = replace(desk.files, workspace=tmp_path / "stack")

    text = sheets(replace(desk, files=there))["files.md"].text

    assert entries(text) == ["- `stack/`: `documents/`"]
