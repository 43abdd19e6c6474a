"""`tacit adopt`: a moved home is used again, and nothing else becomes one."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from unit.cli.conftest import Program


@pytest.fixture
def moved(home: Home) -> Path:
    """Record something, then copy the home to another disk."""
    home.hook("UserPromptSubmit", {"prompt": "Remember that we ship on Tuesdays."})
    home.hook("Stop", {})
    place = home.scratch / "other disk"
    shutil.copytree(home.path, place)
    return place


def test_a_moved_home_is_refused_with_the_command_that_adopts_it(
    home: Home, moved: Path, program: Program
) -> None:
    ended = program("list", env=home.environment(TACIT_HOME=str(moved)))

    assert (ended.returncode, ended.stdout, ended.stderr.count(b"\n")) == (4, b"", 1)
    assert f"`tacit adopt '{moved}'`." in ended.stderr.decode()


def test_once_adopted_it_is_read_as_before(home: Home, moved: Path, program: Program) -> None:
    adopted = program("adopt", str(moved))
    ended = program("list", env=home.environment(TACIT_HOME=str(moved)))

    assert (adopted.returncode, adopted.stderr) == (0, b"")
    assert b"We ship on Tuesdays" in ended.stdout


def test_an_agent_cannot_adopt(home: Home, moved: Path, program: Program) -> None:
    ended = program("adopt", str(moved), env=home.environment(CLAUDECODE="1"))

    assert (ended.returncode, b"owner at a terminal" in ended.stderr) == (7, True)


@pytest.mark.parametrize("name", ["project", "nowhere"])
def test_what_is_no_home_is_refused(name: str, home: Home, program: Program) -> None:
    (home.project / "README.md").write_text("mine", encoding="utf-8")

    ended = program("adopt", str(home.scratch / name))

    assert (ended.returncode, ended.stderr.count(b"\n")) == (4, 1)
    assert [file.name for file in home.project.iterdir()] == ["README.md"]


@pytest.mark.parametrize("name", ["empty", "", " ", "."])
def test_an_empty_directory_is_no_home_that_was_moved(
    name: str, home: Home, program: Program
) -> None:
    place = home.scratch / "empty"
    place.mkdir(mode=0o755)
    before = place.stat()

    ended = program("adopt", str(place) if name == "empty" else name, cwd=place)

    assert (ended.returncode, ended.stdout, ended.stderr.count(b"\n")) == (4, b"", 1)
    assert b"Name the directory of a home" in ended.stderr
    assert (place.stat().st_mode, place.stat().st_ctime_ns) == (before.st_mode, before.st_ctime_ns)
    assert list(place.iterdir()) == []
