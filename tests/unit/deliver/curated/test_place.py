"""Where the files lie: reached without links, closed to others, changed by one at a time."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from tacit.deliver.curated import place
from tacit.errors import StoreBusy, WorkspaceGone
from tacit.transcript.files import Files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def workspace(tmp_path: Path) -> Files:
    """Return a group whose directory lies in a directory of the user's."""
    return Files(tmp_path / "home", "work", workspace=tmp_path / "work")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path / "home", "main")


@pytest.fixture
def folder(files: Files) -> Iterator[int]:
    with place.opened(files) as opened:
        yield opened


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_they_lie_below_the_directory_of_their_group(files: Files, tmp_path: Path) -> None:
    assert place.directory(files) == tmp_path / "home" / "groups" / "main" / "files"


def test_in_a_workspace_they_lie_in_its_directory_itself(tmp_path: Path) -> None:
    assert place.directory(workspace(tmp_path)) == tmp_path / "work" / ".os" / "memory"


def test_looking_makes_nothing(files: Files, tmp_path: Path) -> None:
    assert not place.exists(files)
    assert not (tmp_path / "home").exists()


def test_opening_makes_directories_that_are_closed_to_others(files: Files) -> None:
    with place.opened(files):
        pass

    where = place.directory(files)
    assert place.exists(files)
    assert [mode(each) for each in (where, where.parent, where.parent.parent)] == [0o700] * 3


@pytest.mark.parametrize("left", [".", ".os"])
def test_a_workspace_of_which_something_is_gone_is_not_made_again(
    left: str, tmp_path: Path
) -> None:
    (tmp_path / "work" / left).mkdir(parents=True)

    with pytest.raises(WorkspaceGone), place.opened(workspace(tmp_path)):
        pass

    assert not (tmp_path / "work" / ".os" / "memory").exists()


@pytest.mark.parametrize("link", ["work/.os", "work/.os/memory"])
def test_a_link_on_the_way_is_not_followed(link: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "memory").mkdir(parents=True)
    (tmp_path / link).parent.mkdir(parents=True)
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(WorkspaceGone), place.opened(workspace(tmp_path)):
        pass


def test_a_directory_of_files_that_is_a_link_is_refused(files: Files, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    place.directory(files).parent.mkdir(parents=True)
    place.directory(files).symlink_to(tmp_path / "elsewhere")

    assert not place.exists(files)
    with pytest.raises(OSError, match=r"director|symbolic"), place.opened(files):
        pass


def test_a_file_is_written_in_one_piece_and_read_again(folder: int, files: Files) -> None:
    place.write(folder, "user.md", "one\n")
    place.write(folder, "user.md", "two\n")

    assert place.look(folder, "user.md").text == "two\n"
    assert os.listdir(folder) == ["user.md"]
    assert mode(place.directory(files) / "user.md") == 0o600


def test_a_file_can_be_closed_to_writing_whatever_the_umask(folder: int, files: Files) -> None:
    os.umask(0o777)

    place.write(folder, "soul.md", "x", place.READ_ONLY)

    assert mode(place.directory(files) / "soul.md") == 0o400


def test_a_file_that_is_not_there_is_no_trouble(folder: int) -> None:
    found = place.look(folder, "user.md")

    assert (found.text, found.trouble, found.is_there) == (None, "", False)


def test_a_link_is_not_read_and_what_replaces_it_does_not_follow_it(
    folder: int, files: Files, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("s", encoding="utf-8")
    (place.directory(files) / "user.md").symlink_to(tmp_path / "secret")

    found = place.look(folder, "user.md")
    place.write(folder, "user.md", "new")

    assert (found.text, bool(found.trouble), found.is_there) == (None, True, True)
    assert (tmp_path / "secret").read_text(encoding="utf-8") == "s"
    assert place.look(folder, "user.md").text == "new"


def test_what_is_no_plain_file_of_ours_is_not_read(folder: int, files: Files) -> None:
    where = place.directory(files)
    os.mkfifo(where / "user.md")
    (where / "os.md").mkdir()
    (where / "soul.md").touch()
    (where / "tools.md").hardlink_to(where / "soul.md")

    assert all(place.look(folder, name).trouble for name in ("user.md", "os.md", "tools.md"))


def test_a_file_that_is_too_large_is_not_read(folder: int, files: Files) -> None:
    (place.directory(files) / "user.md").write_bytes(b"x" * (place.LARGEST + 1))

    assert place.look(folder, "user.md").trouble == "it is larger than a megabyte"


def test_what_is_no_text_is_read_as_well_as_it_can_be(folder: int, files: Files) -> None:
    (place.directory(files) / "user.md").write_bytes(b"\xef\xbb\xbfa\xffb")

    assert place.look(folder, "user.md").text == "a\ufffdb"


def test_one_program_at_a_time_changes_them(files: Files) -> None:
    with place.alone(files), pytest.raises(StoreBusy, match="Try again"), place.alone(files, 0.05):
        pass
    with place.alone(files, 0.0) as folder:
        assert folder >= 0


def test_what_killed_programs_left_is_swept_and_nothing_else(folder: int, files: Files) -> None:
    for name in (".user.md.1.ff", ".other.1.ff", "user.md"):
        (place.directory(files) / name).touch()

    place.sweep(folder, ("user.md",))

    assert sorted(os.listdir(folder)) == [".other.1.ff", "user.md"]


def test_a_stamp_changes_with_the_file(folder: int) -> None:
    before = place.stamp(folder, ("user.md",))
    place.write(folder, "user.md", "a")
    between = place.stamp(folder, ("user.md",))
    place.write(folder, "user.md", "b")

    assert before == [None]
    assert between != place.stamp(folder, ("user.md",)) != before


def test_a_write_that_fails_leaves_nothing_behind(folder: int, files: Files) -> None:
    (place.directory(files) / "user.md").mkdir()

    with pytest.raises(IsADirectoryError):
        place.write(folder, "user.md", "x")

    assert os.listdir(folder) == ["user.md"]


def test_what_somebody_has_written_since_it_was_looked_at_is_not_written_over(
    folder: int, files: Files
) -> None:
    place.write(folder, "a.md", "one")
    over = place.look(folder, "a.md")
    place.write(folder, "a.md", "two", place.OPEN, over)

    with pytest.raises(place.Changed):
        place.write(folder, "a.md", "three", place.OPEN, over)

    assert place.look(folder, "a.md").text == "two"
    assert [each.name for each in place.directory(files).iterdir()] == ["a.md"]


def test_what_cannot_be_written_is_told_by_its_own_name(folder: int, files: Files) -> None:
    place.directory(files).rmdir()

    with pytest.raises(FileNotFoundError) as told:
        place.write(folder, "LAYOUT", "1")

    assert told.value.filename == "LAYOUT"


def test_a_link_in_the_place_of_a_folder_of_ours_goes_and_what_it_leads_to_stays(
    folder: int, files: Files, tmp_path: Path
) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "user.md").write_text("words", encoding="utf-8")
    (place.directory(files) / "told").symlink_to(tmp_path / "theirs")

    with place.inner(folder, "told") as inner:
        found = os.listdir(inner)  # noqa: PTH208  (of a descriptor)

    assert (found, mode(place.directory(files) / "told")) == ([], 0o700)
    assert (tmp_path / "theirs" / "user.md").exists()
