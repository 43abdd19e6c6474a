"""The user's space: no way leads out of it, and what is written is written in one piece."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tacit.errors import WorkspaceGone, WorkspaceRefused
from tacit.workspace import space
from tacit.workspace.space import Changed, Missing, Odd, Plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    with space.opened(tmp_path) as descriptor:
        yield descriptor


def test_a_folder_that_is_missing_is_made_only_when_asked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), space.opened(tmp_path, "a"):
        pass
    with space.opened(tmp_path, "a", "b", making=True):
        pass

    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_a_workspace_that_is_gone_is_told_and_not_made(tmp_path: Path) -> None:
    with (
        pytest.raises(WorkspaceGone, match="tacit doctor"),
        space.opened(tmp_path / "x", making=True),
    ):
        pass

    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("making", [True, False])
def test_a_link_or_a_file_in_the_place_of_a_folder_is_refused(
    tmp_path: Path, *, making: bool
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "file").touch()

    for name in ("link", "file"):
        with pytest.raises(WorkspaceRefused), space.opened(tmp_path / "in", name, making=making):
            pass
    with (
        pytest.raises(WorkspaceRefused),
        space.opened(tmp_path / "in", "link", "deep", making=making),
    ):
        pass

    assert list((tmp_path / "out").iterdir()) == []


def test_what_lies_there_is_told_and_no_link_followed(tmp_path: Path, folder: int) -> None:
    (tmp_path / "plain").write_bytes(b"text")
    (tmp_path / "link").symlink_to(tmp_path / "plain")
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(space.LARGEST + 1)

    found = {name: space.look(folder, name) for name in space.names(folder)}

    assert found.pop("plain") == Plain(b"text", 0o644)
    assert set(map(type, found.values())) == {Odd}
    assert space.look(folder, "missing") == Missing()
    assert [space.is_missing(folder, name) for name in ("missing", "nowhere")] == [True, False]


def test_only_the_head_of_a_plain_file_is_read(tmp_path: Path, folder: int) -> None:
    (tmp_path / "plain").write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to(tmp_path / "plain")

    found = [space.head(folder, name, 4) for name in ("plain", "link", "missing")]

    assert found == [b"0123", b"", b""]


def test_a_file_is_written_in_one_piece_and_keeps_its_mode(tmp_path: Path, folder: int) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o640)
    before = (tmp_path / "a").stat().st_ino

    space.write(folder, "a", b"new", space.look(folder, "a"))

    found = (tmp_path / "a").stat()
    assert ((tmp_path / "a").read_bytes(), stat.S_IMODE(found.st_mode)) == (b"new", 0o640)
    assert found.st_ino != before
    assert space.names(folder) == ["a"]


@pytest.mark.parametrize("kind", ["file", "link", "folder"])
def test_what_came_after_the_look_stays(tmp_path: Path, folder: int, kind: str) -> None:
    (tmp_path / "target").write_bytes(b"mine")
    over = space.look(folder, "a")
    if kind == "file":
        (tmp_path / "a").write_bytes(b"mine")
    elif kind == "link":
        (tmp_path / "a").symlink_to(tmp_path / "target")
    else:
        (tmp_path / "a").mkdir()

    with pytest.raises(Changed):
        space.write(folder, "a", b"new", over)

    assert (tmp_path / "target").read_bytes() == b"mine"
    assert space.names(folder) == ["a", "target"]


@pytest.mark.parametrize("edit", [b"edited", b"mine", None])
def test_what_was_changed_after_the_look_stays(
    tmp_path: Path, folder: int, edit: bytes | None
) -> None:
    (tmp_path / "a").write_bytes(b"mine")
    over = space.look(folder, "a")
    if edit is None:
        (tmp_path / "a").unlink()
    else:
        (tmp_path / "other").write_bytes(edit)
        (tmp_path / "other").replace(tmp_path / "a")

    with pytest.raises(Changed):
        space.write(folder, "a", b"new", over)

    assert not (tmp_path / "a").exists() or (tmp_path / "a").read_bytes() == edit


def test_a_file_is_moved_only_where_nothing_lies(tmp_path: Path, folder: int) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").symlink_to("nowhere")

    moved = [space.move(folder, "a", folder, name) for name in ("b", "c")]

    assert (moved, (tmp_path / "c").read_bytes()) == ([False, True], b"a")


def test_what_a_killed_program_left_goes_and_nothing_else(tmp_path: Path, folder: int) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    mine = (
        ".tacit",
        ".tacit-1-x",
        f".tacit-{os.getppid()}-00000000",
        "tacit-1-00000000",
        "note.md",
    )
    for name in (*mine, f".tacit-{ended.pid}-00000000", f".tacit-{os.getpid()}-00000000"):
        (tmp_path / name).touch()

    space.sweep(folder)

    assert space.names(folder) == sorted(mine)


def test_a_name_that_is_no_text_is_left_out(tmp_path: Path, folder: int) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9")).touch()

    assert space.names(folder) == []


def test_one_program_at_a_time_changes_files(tmp_path: Path) -> None:
    (tmp_path / ".os").mkdir()

    with space.held(tmp_path, 0.0) as first, space.held(tmp_path, 0.05) as second:
        assert (first, second) == (True, False)
    with space.held(tmp_path, 0.0) as third:
        assert third


def test_what_cannot_be_written_is_told_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    folder = os.open(tmp_path / "gone", os.O_RDONLY)
    (tmp_path / "gone").rmdir()

    with pytest.raises(FileNotFoundError) as told:
        space.write(folder, "plan.md", b"x", space.Missing())
    os.close(folder)

    assert told.value.filename == "plan.md"
