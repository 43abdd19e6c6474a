"""How workspaces stand: there or gone, whole or not, and which directories only look like one."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tacit.settings import Settings
from tacit.store.sqlite.workspace import Card
from tacit.workspace import standing

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.workspace.standing import Standing
    from unit.workspace.desk import Desk


def look(place: Path, ours: str = "1.0") -> Standing:
    return standing.look("papers", str(place), Settings(), ours)


def test_a_workspace_that_is_as_it_should_be_has_no_trouble(desk: Desk) -> None:
    found = look(desk.place)

    assert (found.is_there, found.version, found.trouble, found.fix) == (True, "1.0", None, None)


@pytest.mark.parametrize("part", ["", ".os", ".os/memory"])
def test_one_that_is_gone_is_told_with_what_to_do(desk: Desk, part: str) -> None:
    shutil.rmtree(desk.place / part)

    found = look(desk.place)

    assert (found.is_there, str(desk.place) in (found.trouble or "")) == (False, True)
    assert "remove workspaces.papers from config.toml" in (found.fix or "")


def test_a_link_in_the_place_of_its_memory_is_no_workspace(desk: Desk, tmp_path: Path) -> None:
    (desk.place / ".os").rename(tmp_path / "elsewhere")
    (desk.place / ".os").symlink_to(tmp_path / "elsewhere")

    assert not look(desk.place).is_there


def test_a_link_in_the_place_of_a_folder_is_told(desk: Desk, tmp_path: Path) -> None:
    shutil.rmtree(desk.place / "documents")
    (desk.place / "documents").symlink_to(tmp_path)

    found = look(desk.place)

    assert found.is_there
    assert "documents" in (found.trouble or "")


def test_a_folder_that_is_missing_is_no_trouble(desk: Desk) -> None:
    shutil.rmtree(desk.place / "documents")

    assert look(desk.place).trouble is None


def test_settings_of_its_own_that_cannot_be_read_are_told(desk: Desk) -> None:
    (desk.place / ".os" / "config.toml").write_text("[backup]\nkeep = 1\n", encoding="utf-8")

    assert "backup.keep is not for a workspace" in (look(desk.place).trouble or "")


def test_an_older_version_names_the_command_that_mends_it(desk: Desk) -> None:
    found = look(desk.place, ours="2.0")

    assert (found.trouble, found.fix) == (
        "it is of version 1.0, this is Tacit 2.0",
        f"tacit upgrade {desk.place}",
    )


@pytest.mark.parametrize("file", ["VERSION", "LAYOUT"])
def test_a_version_that_an_upgrade_refuses_is_told_with_the_file_it_stands_in(
    desk: Desk, file: str
) -> None:
    (desk.place / ".os" / file).write_text("acme\n", encoding="utf-8")

    found = look(desk.place)

    assert "'acme' is no version that can be compared" in (found.trouble or "")
    assert found.fix == f"write 1.0 into {desk.place / '.os' / file}"


def test_a_newer_version_is_told_as_well(desk: Desk) -> None:
    found = look(desk.place, ours="0.9")

    assert (found.trouble, found.fix) == (
        "it is of version 1.0, this is Tacit 0.9",
        "pip install -U tacit",
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_missing_folder_that_cannot_be_made_is_told(desk: Desk) -> None:
    shutil.rmtree(desk.place / "documents")
    desk.place.chmod(0o500)

    found = look(desk.place)
    desk.place.chmod(0o700)

    assert found.trouble == f"{desk.place / 'documents'} is missing and cannot be made"
    assert found.fix == f"chmod u+rwx {desk.place}"


def test_commands_quote_a_path_with_a_space(desk: Desk, tmp_path: Path) -> None:
    place = tmp_path / "my papers"
    desk.place.rename(place)

    assert look(place, ours="2.0").fix == f"tacit upgrade '{place}'"


def test_an_os_that_nobody_registered_is_found_from_anywhere_below(
    desk: Desk, tmp_path: Path
) -> None:
    deep = desk.place / "documents" / "deep"
    deep.mkdir()
    (tmp_path / ".os").mkdir()  # of somebody else: nothing of ours is in it

    found = [
        standing.unregistered([str(deep)], []),
        standing.unregistered([str(deep)], [str(desk.place)]),
        standing.unregistered(["/nowhere/at/all", "nul\0byte"], []),
    ]

    assert found == [[str(desk.place)], [], []]


def test_a_link_in_the_place_of_the_archive_is_told_with_what_mends_it(
    desk: Desk, tmp_path: Path
) -> None:
    archive = desk.place / "projects" / "archive"
    archive.symlink_to(tmp_path)

    found = look(desk.place)

    assert str(archive) in (found.trouble or "")
    assert found.fix == f"mv {archive} {archive}.aside"


def test_a_card_whose_file_cannot_be_written_is_told_with_what_mends_it(desk: Desk) -> None:
    name = f"{'n' * 250}.md"
    held = Card(card="c1", path=name, at=1, trouble="File name too long")

    found = standing.with_cards(look(desk.place), [held, held])

    file = desk.place / "projects" / name
    assert found.trouble == (
        f"the file of card c1 cannot be written: {file}: File name too long; "
        "the same goes for 1 more"
    )
    assert found.fix == f"mv {file} {file.with_name('n' * 40)}.md"


def test_without_such_cards_it_stands_as_it_stood(desk: Desk) -> None:
    found = look(desk.place)

    assert standing.with_cards(found, []) is found
