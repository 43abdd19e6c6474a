"""The shelf: projects and the archive, and no other place whatever a path says."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tacit.errors import WorkspaceGone, WorkspaceRefused
from tacit.workspace import page
from tacit.workspace import shelf as shelves
from tacit.workspace.shelf import Shelf, is_path
from tacit.workspace.space import Missing, Plain

if TYPE_CHECKING:
    from unit.workspace.desk import Desk

WRONG = [
    "",
    ".",
    "..",
    "../x.md",
    "/etc/passwd",
    "archive/../x",
    "other/../x.md",
    ".git/x.md",
    "archive//b",
    "a/b/c/d/e/f/g/x.md",
    "a\0b",
]


@pytest.mark.parametrize("path", WRONG)
def test_a_path_that_is_none_leads_nowhere(desk: Desk, path: str) -> None:
    with Shelf(desk.place) as shelf:
        found = (is_path(path), shelf.look(path), shelf.is_missing(path))
        with pytest.raises(WorkspaceRefused):
            shelf.write(path, b"x", Missing())

    assert found == (False, Missing(), True)


def test_a_file_is_written_and_found(desk: Desk) -> None:
    with Shelf(desk.place) as shelf:
        shelf.write("a.md", b"one", Missing())
        shelf.write("archive/a.md", b"two", Missing())

        found = [shelf.look(path) for path in ("a.md", "archive/a.md", "archive/b.md")]

    assert found == [Plain(b"one", 0o600), Plain(b"two", 0o600), Missing()]


def test_looking_makes_no_archive(desk: Desk) -> None:
    with Shelf(desk.place) as shelf:
        shelf.look("archive/a.md")
        shelf.pages()
        shelf.sweep([])

    assert not desk.page("archive").exists()


def test_a_file_keeps_its_name_when_it_is_moved_unless_it_is_taken(desk: Desk) -> None:
    desk.put("projects/archive/a.md", "old")
    desk.put("projects/a.md", "new")
    desk.put("projects/b.md.conflict", "b")

    with Shelf(desk.place) as shelf:
        paths = ("a.md", "b.md.conflict")
        found = [shelf.move(path, "archive", lambda _path: False) for path in paths]
        back = shelf.move("archive/a-2.md", "", lambda _path: False)

    assert (found, back) == (["archive/a-2.md", "archive/b.md.conflict"], "a-2.md")
    assert desk.pages() == {
        "a-2.md": "new",
        "archive/a.md": "old",
        "archive/b.md.conflict": "b",
    }


def test_pages_are_known_by_what_they_say_of_themselves(desk: Desk) -> None:
    for path, card in (
        ("x.md", "c1"),
        ("archive/y.md", "c2"),
        ("copy.md", "c3"),
        ("copy2.md", "c3"),
        ("2026/deep/w.md", "c5"),
        ("2026/x.md", "c1"),
        (".hidden/v.md", "c6"),
    ):
        desk.put(f"projects/{path}", page.render(card, "t", "b").decode())
    desk.put("projects/mine.md", "no front matter")
    desk.put("projects/z.txt", page.render("c4", "t", "b").decode())

    with Shelf(desk.place) as shelf:
        found = shelf.pages()

    assert found == {
        "c1": "x.md",
        "c2": "archive/y.md",
        "c3": "copy.md",
        "c5": "2026/deep/w.md",
    }


def test_no_link_is_followed_and_only_so_many_folders_are_looked_through(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.put("elsewhere/a.md", page.render("c1", "t", "b").decode())
    desk.page("link").symlink_to(desk.place / "elsewhere")
    for number in range(40):
        desk.put(f"projects/{number:02d}/p.md", page.render(f"n{number}", "t", "b").decode())
    monkeypatch.setattr(shelves, "MOST_FOLDERS", 38)

    with Shelf(desk.place) as shelf:
        found = shelf.pages()

    assert sorted(found) == sorted(f"n{number}" for number in range(37))


def test_what_was_left_half_made_goes_where_something_is_to_be_written(desk: Desk) -> None:
    left = [desk.put(f"projects/{path}/.tacit-99999999-00000000") for path in ("", "2026", "2027")]

    with Shelf(desk.place) as shelf:
        shelf.sweep(["2026/plan.md"])

    assert [file.exists() for file in left] == [False, False, True]


def test_a_link_in_the_place_of_projects_is_refused(desk: Desk) -> None:
    shutil.rmtree(desk.place / "projects")
    (desk.place / "projects").symlink_to(desk.place.parent)

    with pytest.raises(WorkspaceRefused, match="projects"), Shelf(desk.place):
        pass


def test_nothing_is_made_where_the_workspace_is_gone(desk: Desk) -> None:
    shutil.rmtree(desk.place)
    desk.place.mkdir()  # as an empty place where a disk was mounted

    with pytest.raises(WorkspaceGone), Shelf(desk.place):
        pass

    assert list(desk.place.iterdir()) == []
