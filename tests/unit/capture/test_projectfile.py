"""The project file narrows: off and private paths; nothing in it can widen anything."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tacit.capture.projectfile import narrowed

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop" / "src").mkdir(parents=True)
    return tmp_path / "shop"


def write(folder: Path, text: str) -> None:
    (folder / ".tacit.toml").write_text(text, encoding="utf-8")


def test_without_a_file_nothing_is_narrowed(project: Path) -> None:
    assert narrowed([str(project / "src")]) == (False, [])


@pytest.mark.parametrize("where", ["shop", "shop/src", "."])
def test_a_file_counts_for_everything_below_it(tmp_path: Path, project: Path, where: str) -> None:
    write(tmp_path / where, "off = true")

    assert narrowed([str(project / "src")]) == (True, [])


def test_a_file_says_nothing_about_its_neighbours(tmp_path: Path, project: Path) -> None:
    (tmp_path / "bakery").mkdir()
    write(tmp_path / "bakery", "off = true")

    assert narrowed([str(project)]) == (False, [])


def test_private_paths_of_all_files_on_the_way_up_count(project: Path) -> None:
    write(project, 'private = ["notes", "keys/**"]')
    write(project / "src", 'private = ["../drafts"]')

    found = narrowed([str(project / "src")])

    expected = [str(project / name) for name in ("drafts", "notes", "keys")]
    assert found == (False, expected)


def test_a_session_in_a_private_path_is_off(project: Path) -> None:
    write(project, 'private = ["src"]')

    assert narrowed([str(project / "src" / "deep")])[0]


@pytest.mark.parametrize(
    "text", ["off = ", 'off = "yes"', "off = 1", "private = 3", "private = [1]", "[[", "\udc80"]
)
def test_a_file_that_cannot_be_understood_keeps_everything_out(project: Path, text: str) -> None:
    (project / ".tacit.toml").write_bytes(text.encode("utf-8", "surrogateescape"))

    assert narrowed([str(project)]) == (True, [])


def test_what_else_a_file_says_means_nothing(project: Path) -> None:
    write(project, 'off = false\ngroup = "other"\nbase_url = "https://example.com"\n[hooks]\na = 1')

    assert narrowed([str(project)]) == (False, [])


@pytest.mark.parametrize("kind", ["directory", "pipe", "dangling"])
def test_what_is_no_file_is_passed_over(project: Path, kind: str) -> None:
    file = project / ".tacit.toml"
    if kind == "directory":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("nowhere")

    assert narrowed([str(project)]) == (False, [])


@pytest.mark.parametrize("directory", ["", "relative", "/" * 300, "/a" * 3000])
def test_odd_directories_are_no_trouble(directory: str) -> None:
    assert narrowed([directory]) == (False, [])


def test_the_hook_writes_nothing_of_a_project_that_is_off(home: Home) -> None:
    write(home.project, "off = true")

    home.hook("UserPromptSubmit", {"prompt": "canary-7413"})

    assert b"canary-7413" not in home.bytes_on_disk()
    assert home.spooled == []


def test_the_hook_writes_nothing_about_a_private_path(home: Home) -> None:
    write(home.project, 'private = ["diary"]')
    file = str(home.project / "diary" / "monday.md")
    read = {"tool_name": "Read", "tool_input": {"file_path": file}, "tool_response": "canary-7413"}

    home.hook("PostToolUse", read)
    home.hook("UserPromptSubmit", {"prompt": "something else"})

    assert b"canary-7413" not in home.bytes_on_disk()
    assert [entry.event for entry in home.entries] == ["UserPromptSubmit"]


@pytest.mark.parametrize("odd", ["\0", "a\0b", "\ud800"], ids=["nul", "within", "surrogate"])
def test_a_directory_that_no_file_can_have_is_narrowed_by_those_above_it(
    project: Path, odd: str
) -> None:
    write(project, 'private = ["notes"]')

    found = narrowed([f"{project}/{odd}/deep"])

    assert found == (False, [str(project / "notes")])
