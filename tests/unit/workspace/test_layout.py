"""The layout: what is missing is made, what is there stays, and nothing is made through a link."""

from __future__ import annotations

import shutil
import stat
from typing import TYPE_CHECKING

import pytest

from tacit.errors import WorkspaceGone, WorkspaceRefused
from tacit.settings import Settings, of_workspace
from tacit.workspace import layout

if TYPE_CHECKING:
    from pathlib import Path

ALL = [
    ".os",
    ".os/.gitignore",
    ".os/VERSION",
    ".os/config.toml",
    ".os/memory",
    "artifacts",
    "documents",
    "extractions",
    "ocr",
    "projects",
]


def lying(place: Path) -> list[str]:
    return sorted(str(each.relative_to(place)) for each in place.rglob("*"))


def test_a_workspace_is_made_closed_to_others(tmp_path: Path) -> None:
    layout.make(tmp_path, "1.2")

    modes = {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.rglob("*")}
    assert (lying(tmp_path), modes) == (ALL, {0o700, 0o600})
    assert layout.version_of(tmp_path) == "1.2"
    assert (tmp_path / ".os" / ".gitignore").read_text(encoding="utf-8") == "/memory/\n"


def test_made_again_it_stays_as_it_is(tmp_path: Path) -> None:
    layout.make(tmp_path, "1.2")
    (tmp_path / ".os" / "VERSION").write_text("mine", encoding="utf-8")
    (tmp_path / ".os" / "config.toml").write_text("mine", encoding="utf-8")
    (tmp_path / "documents" / "a.pdf").touch()

    made = layout.make(tmp_path, "9.9")

    assert made == []
    assert layout.version_of(tmp_path) == "mine"
    assert (tmp_path / ".os" / "config.toml").read_text(encoding="utf-8") == "mine"


def test_only_what_is_missing_is_made(tmp_path: Path) -> None:
    layout.make(tmp_path, "1.2")
    (tmp_path / ".os" / "VERSION").unlink()
    shutil.rmtree(tmp_path / "ocr")

    assert layout.make(tmp_path, "1.3") == [".os/VERSION", "ocr/"]


def test_the_template_says_what_each_folder_is_for(tmp_path: Path) -> None:
    layout.make(tmp_path, "1.2", with_template=True)

    found = {file.parent.name for file in tmp_path.rglob(layout.README)}
    assert found == set(layout.FOLDERS)


def test_what_a_workspace_may_choose_is_written_there_as_it_is_usual() -> None:
    lines = [line.removeprefix("# ") for line in layout.CONFIG.splitlines()[1:]]
    usual = Settings()

    chosen = of_workspace(usual, "\n".join(line for line in lines if line != "#").encode(), "file")

    assert len(chosen.given) == 8
    assert all(chosen.value(name) == usual.value(name) for name in chosen.given)


@pytest.mark.parametrize("name", layout.RESERVED)
def test_what_the_host_has_put_there_is_not_touched(tmp_path: Path, name: str) -> None:
    (tmp_path / ".os" / name).mkdir(parents=True)
    (tmp_path / ".os" / name / "x").write_text("theirs", encoding="utf-8")
    before = (tmp_path / ".os" / name).stat()

    layout.make(tmp_path, "1.2")
    layout.set_version(tmp_path, "1.3")

    after = (tmp_path / ".os" / name).stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


@pytest.mark.parametrize("part", [".os", ".os/memory", "documents"])
def test_nothing_is_made_through_a_link(tmp_path: Path, part: str) -> None:
    outside, place = tmp_path / "outside", tmp_path / "in"
    outside.mkdir()
    (place / part).parent.mkdir(parents=True)
    (place / part).symlink_to(outside)

    if part == "documents":
        layout.make(place, "1.2")
    else:
        with pytest.raises((WorkspaceRefused, WorkspaceGone)):
            layout.make(place, "1.2")

    assert list(outside.iterdir()) == []


def test_folders_are_filled_up_only_where_there_is_a_workspace(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceGone):
        layout.fill(tmp_path)

    assert lying(tmp_path) == []


def test_an_os_that_holds_something_is_taken_but_for_a_host_s_runtime(tmp_path: Path) -> None:
    found = [layout.is_taken(tmp_path), layout.is_taken(tmp_path / "nowhere")]
    (tmp_path / ".os" / "src").mkdir(parents=True)
    (tmp_path / ".os" / ".venv").mkdir()
    found.append(layout.is_taken(tmp_path))
    layout.make(tmp_path, "1.2")
    found.append(layout.is_taken(tmp_path))

    assert found == [False, False, False, True]


@pytest.mark.parametrize(
    ("one", "other", "is_older"),
    [
        ("0.1", "0.2", True),
        ("0.9", "0.10", True),
        ("v1.2.0", "1.2", False),
        ("1.2", "1.2.1", True),
        ("2", "1.9", False),
        ("1.2rc1", "1.2", False),
        ("0", "0.0.1", True),
    ],
)
def test_versions_are_compared_by_their_numbers(
    tmp_path: Path, one: str, other: str, *, is_older: bool
) -> None:
    assert (layout.compared(tmp_path, one, other) < 0) == is_older


def test_what_is_no_version_is_refused(tmp_path: Path) -> None:
    assert layout.version_of(tmp_path) == ""
    layout.make(tmp_path, "1.0")
    with pytest.raises(WorkspaceRefused, match=r"'acme'.* into .*/\.os/VERSION, then"):
        layout.compared(tmp_path, "acme", "1.0")
    (tmp_path / ".os" / "LAYOUT").write_text("acme", encoding="utf-8")
    with pytest.raises(WorkspaceRefused, match=r"'acme'.* into .*/\.os/LAYOUT, then"):
        layout.compared(tmp_path, "acme", "1.0")


def test_the_small_files_of_a_workspace_are_copied(tmp_path: Path) -> None:
    place, into = tmp_path / "in", tmp_path / "copy"
    place.mkdir()
    into.mkdir()
    layout.make(place, "1.2")
    (place / ".os" / "memory" / "user.md").write_text("words", encoding="utf-8")
    (place / ".os" / "memory" / "memory.db").touch()

    layout.copy_texts(place, into)

    assert lying(into) == ["VERSION", "config.toml"]


def test_a_version_is_not_written_through_a_link(tmp_path: Path) -> None:
    place, outside = tmp_path / "in", tmp_path / "outside"
    place.mkdir()
    outside.write_text("theirs", encoding="utf-8")
    layout.make(place, "1.2")
    (place / ".os" / "VERSION").unlink()
    (place / ".os" / "VERSION").symlink_to(outside)

    with pytest.raises(WorkspaceRefused, match="VERSION"):
        layout.set_version(place, "1.3")

    assert outside.read_text(encoding="utf-8") == "theirs"
