"""The mirror, killed at any step: the next program comes to the same files, each written once.

Nobody's edit is undone, nothing is left half made, and what was done before the end is not done
again.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from flow import dying
from flow.dying import run
from flow.keeping import opened, spool
from flow.working import GROUP, Cards, lying, made, mapping, text

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.app import App

PAGES = {
    "projects/archive/done.md": "over",
    "projects/edited.md": "mine",
    "projects/edited.md.conflict": "two",
    "projects/fresh.md": "new",
    "projects/plan.md": "two",
}
CARDS = {
    "c1": ("open", "plan.md", None),
    "c2": ("open", "edited.md", "edited.md.conflict"),
    "c3": ("closed", "archive/done.md", None),
    "c4": ("open", "fresh.md", None),
}


def _mirror(app: App) -> int:
    return app.mirror(GROUP)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory with a home and a workspace in which much is to be mirrored."""
    monkeypatch.setitem(dying.VERBS, "mirror", _mirror)
    home, place = tmp_path / "home", tmp_path / "papers"
    made(home, place)
    cards = Cards(place)
    first = [
        cards.say("create", "c1", title="Plan", blocks=text("one")),
        cards.say("create", "c2", title="Edited", blocks=text("one")),
        cards.say("create", "c3", title="Done", blocks=text("one")),
    ]
    then = [
        cards.say("update", "c1", title="Plan B", blocks=text("two")),
        cards.say("update", "c2", blocks=text("two")),
        cards.say("close", "c3", blocks=text("over")),
        cards.say("create", "c4", title="Fresh", blocks=text("new")),
    ]
    spool(home, first)
    with opened(home) as app:
        app.drain(seconds=None)
    edited = place / "projects" / "edited.md"
    edited.write_text(edited.read_text(encoding="utf-8").replace("one", "mine"), encoding="utf-8")
    spool(home, then)
    with opened(home) as app:
        app.drain(seconds=None, curating=False)
    for name in ("home", "papers"):
        shutil.copytree(tmp_path / name, tmp_path / "kept" / name)
    return tmp_path


def _anew(scene: Path) -> None:
    """Let everything be as it was before anything was mirrored."""
    for name in ("home", "papers"):
        shutil.rmtree(scene / name)
        shutil.copytree(scene / "kept" / name, scene / name)


def _asked(home: Path) -> list[str]:
    with opened(home) as app:
        app.drain(seconds=None)
        return [each.quote for each in app.actions(GROUP)]


def test_killed_at_any_step_the_next_one_comes_to_the_same(scene: Path) -> None:
    home, place = scene / "home", scene / "papers"
    steps = run("mirror", home, 0)
    assert (lying(place), mapping(place)) == (PAGES, CARDS)
    troubles = []

    for point in steps.points(40):
        _anew(scene)
        died = run("mirror", home, point)
        assert died.is_killed
        before = {file: file.stat().st_ino for file in (place / "projects").rglob("*.md*")}
        again = run("mirror", home, -1)
        found = (again.code, lying(place), mapping(place))
        rewritten = _rewritten(place, before)
        if found != (0, PAGES, CARDS) or rewritten:
            troubles.append((point, steps.steps[:point][-3:], found, rewritten))

    assert troubles == []


def _rewritten(place: Path, before: dict[Path, int]) -> list[str]:
    """Return the files that said already what they should and were written again all the same."""
    final = {place / path: words for path, words in PAGES.items()}
    return [
        file.name
        for file, inode in before.items()
        if file in final
        and file.exists()
        and file.stat().st_ino != inode
        and file.name in {"fresh.md", "edited.md"}  # written once, or never
    ]


def test_killed_twice_in_a_row_and_with_more_to_say_nothing_is_taken_for_an_edit(
    scene: Path,
) -> None:
    home, place = scene / "home", scene / "papers"
    points = run("mirror", home, 0).points(12)

    for first in points[::2]:
        _anew(scene)
        run("mirror", home, first)
        spool(home, [Cards(place, first=100).say("update", "c1", blocks=text("three"))])
        run("drain", home, -1)
        run("mirror", home, first)
        run("mirror", home, -1)

        assert lying(place) == PAGES | {"projects/plan.md": "three"}
        assert mapping(place) == CARDS


def test_a_conflict_is_asked_about_once_whatever_was_killed(scene: Path) -> None:
    home = scene / "home"
    points = run("mirror", home, 0).points(8)

    for point in points[-4:]:
        _anew(scene)
        run("mirror", home, point)

        assert _asked(home) == ["edited.md.conflict"]


def test_two_programs_at_once_write_each_file_once(scene: Path) -> None:
    home, place = scene / "home", scene / "papers"

    both = [dying.Process(lambda: (0, _mirrored(home))) for _ in range(2)]
    ended = [each.ended() for each in both]

    assert [each.code for each in ended] == [0, 0]
    assert (lying(place), mapping(place)) == (PAGES, CARDS)


def _mirrored(home: Path) -> str:
    with opened(home) as app:
        return str(app.mirror(GROUP))


def test_without_memory_and_ledger_all_is_known_again_and_nothing_written(scene: Path) -> None:
    home, place = scene / "home", scene / "papers"
    run("mirror", home, -1)
    before = {file: file.stat().st_ino for file in (place / "projects").rglob("*")}

    for file in (place / ".os" / "memory").glob("*.db*"):
        if not file.name.startswith("transcript"):
            file.unlink()
    with opened(home) as app:
        app.drain(seconds=None)

    assert {file: file.stat().st_ino for file in (place / "projects").rglob("*")} == before
    assert mapping(place) == CARDS
