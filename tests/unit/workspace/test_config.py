"""What a workspace chooses for itself: a few things, read again when they change."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tacit.errors import SettingsUnreadable
from tacit.settings import Settings
from tacit.workspace import config
from tacit.workspace.config import Canvases

if TYPE_CHECKING:
    from pathlib import Path

    from unit.workspace.desk import Desk


def choose(desk: Desk, text: str) -> Path:
    file = desk.place / ".os" / "config.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_it_chooses_counts(desk: Desk) -> None:
    choose(desk, "[upkeep]\ncorrections = 3\n")

    chosen = config.read(desk.place, Settings(values={"upkeep.orphaned_hours": 1}))

    assert (chosen.value("upkeep.corrections"), chosen.value("upkeep.orphaned_hours")) == (3, 1)


def test_without_a_file_the_user_s_choice_counts(desk: Desk, tmp_path: Path) -> None:
    usual = Settings()
    (desk.place / ".os" / "config.toml").unlink()

    assert config.read(desk.place, usual) is usual
    assert config.read(tmp_path, usual) is usual


@pytest.mark.parametrize("text", ["[upkeep", "[backup]\nkeep = 1\n", "# " + "x" * 70_000])
def test_what_is_not_for_it_is_refused_and_counts_for_nothing(desk: Desk, text: str) -> None:
    choose(desk, text)

    with pytest.raises(SettingsUnreadable):
        config.read(desk.place, Settings())
    assert config.read_or_usual(desk.place, Settings()).value("upkeep.corrections") == 10


def test_a_link_is_not_followed(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("[upkeep]\ncorrections = 3\n", encoding="utf-8")
    file = desk.place / ".os" / "config.toml"
    file.unlink()
    file.symlink_to(tmp_path / "other.toml")

    with pytest.raises(SettingsUnreadable, match="link"):
        config.read(desk.place, Settings())


def test_the_canvas_is_read_again_when_somebody_chooses_another(desk: Desk, tmp_path: Path) -> None:
    home = tmp_path / "home"
    canvases = Canvases(str(home))
    found = [canvases.of(str(desk.place)).card]
    (home / "config.toml").write_text('[canvas]\ncard_field = "user"\n', encoding="utf-8")
    found.append(canvases.of(str(desk.place)).card)
    file = choose(desk, '[canvas]\ncard_field = "own"\n')
    os.utime(file, (1, 1))

    found.append(canvases.of(str(desk.place)).card)

    assert found == ["card_id", "user", "own"]
