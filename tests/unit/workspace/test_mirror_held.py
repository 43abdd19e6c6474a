"""The mirror where a file cannot be written: that is told, and the other cards go on."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.workspace import upkeep
from unit.workspace.desk import edit, shot, text

if TYPE_CHECKING:
    from pathlib import Path

    from unit.workspace.desk import Desk

LONG = f"{'n' * 248}.md"  # with what is put behind it, longer than any name may be
TOO_LONG = f"{chr(233) * 200}.md"  # of two bytes each


@pytest.fixture
def linked(made: Desk, tmp_path: Path) -> Desk:
    """Return a desk whose archive is a link to elsewhere."""
    (tmp_path / "elsewhere").mkdir()
    made.page("archive").symlink_to(tmp_path / "elsewhere")
    return made


def test_a_link_in_the_place_of_the_archive_holds_no_other_card_up(
    linked: Desk, tmp_path: Path
) -> None:
    linked.card("update", blocks=text("two"))
    linked.card("create", "c2", title="Other", blocks=text("new"))
    linked.card("create", "c0", title="Done", blocks=text("done"))
    linked.card("close", "c0")

    linked.settle()

    assert linked.pages() == {"plan.md": "two", "other.md": "new", "done.md": "done"}
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert [card.card for card in linked.store.troubled()] == ["c0"]


def test_what_cannot_be_written_is_asked_about_until_it_can(linked: Desk) -> None:
    linked.card("close")
    linked.settle()
    upkeep.unwritten(linked.raiser(), linked.store.troubled())
    asked = linked.asked()

    linked.page("archive").unlink()
    linked.settle()
    upkeep.unwritten(linked.raiser(), linked.store.troubled())

    assert asked == [
        (
            "`projects/plan.md` cannot say what its card does (its folder is a link, no directory, "
            "or closed to you): `tacit doctor` says how to mend it."
        )
    ]
    assert (linked.asked(), linked.pages()) == ([], {"archive/plan.md": "one"})


def test_a_name_that_is_too_long_holds_no_other_card_up(made: Desk) -> None:
    made.store.put(replace(made.known(), path=TOO_LONG))

    made.card("update", blocks=text("two"))
    made.card("create", "c2", title="Other", blocks=text("new"))
    made.settle()

    assert made.pages() == {"plan.md": "one", "other.md": "new"}
    assert (made.known().trouble, made.known().is_due) == ("File name too long", True)


def test_what_is_put_beside_a_file_with_a_long_name_has_a_shorter_one(made: Desk) -> None:
    made.page("plan.md").rename(made.page(LONG))
    edit(made.page(LONG))

    made.card("update", blocks=text("two"))
    made.settle()

    assert made.pages()[f"{'n' * 246}.conflict"] == "two"
    assert (made.known().trouble, made.known().is_due) == (None, False)


def test_a_long_name_that_is_taken_in_the_archive_is_cut_for_its_number(made: Desk) -> None:
    longest = f"{'n' * 252}.md"
    made.page("plan.md").rename(made.page(longest))
    made.put(f"projects/archive/{longest}", "the user's own")

    made.card("close")
    made.settle()

    assert made.pages()[f"archive/{'n' * 250}-2.md"] == "one"


def test_a_conflict_in_an_archive_that_is_a_link_is_not_forgotten(
    made: Desk, tmp_path: Path
) -> None:
    edit(made.page("plan.md"))
    made.card("update", blocks=text("two"))
    made.card("close")
    made.settle()
    made.page("archive").rename(tmp_path / "elsewhere")
    made.page("archive").symlink_to(tmp_path / "elsewhere")

    made.mirror.follow_names()

    assert [card.beside for card in made.mirror.conflicts()] == ["archive/plan.md.conflict"]


def test_trying_in_vain_again_writes_nothing_and_counts_as_nothing_left(linked: Desk) -> None:
    linked.card("close", blocks=text("two"))
    for _ in range(2):
        linked.settle()
    before = shot(linked.place), linked.known()

    left = linked.mirror.settle(), linked.mirror.settle(time.monotonic() - 1)

    assert left == (0, 0)
    assert (shot(linked.place), linked.known()) == before
