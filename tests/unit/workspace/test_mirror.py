"""The mirror: files say what cards do, once, in place, and nobody's edit is undone."""

from __future__ import annotations

import shutil
import stat
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.errors import WorkspaceRefused
from tacit.workspace import page
from unit.workspace.desk import TEXT, edit, shot, text

if TYPE_CHECKING:
    from pathlib import Path

    from unit.workspace.desk import Desk


def test_a_card_becomes_a_file_of_its_own(made: Desk) -> None:
    assert made.pages() == {"plan.md": "one"}
    assert page.is_whole(made.page("plan.md").read_bytes())
    assert stat.S_IMODE(made.page("plan.md").stat().st_mode) == 0o600
    assert (made.known().path, made.known().is_due) == ("plan.md", False)


def test_a_card_that_changes_changes_its_file_and_only_once(made: Desk) -> None:
    made.card("update", blocks=text("two"))
    made.settle()
    before = shot(made.place)

    made.settle()

    assert (made.pages(), shot(made.place)) == ({"plan.md": "two"}, before)


def test_a_card_that_says_the_same_again_writes_nothing(made: Desk) -> None:
    before = shot(made.place)

    made.card("update", blocks=text("one"))
    made.settle()

    assert shot(made.place) == before


def test_another_title_keeps_the_file(made: Desk) -> None:
    made.card("update", title="Another name")
    made.settle()

    head = page.read_head(made.page("plan.md").read_bytes())
    assert (head.title, made.pages()) == ("Another name", {"plan.md": "one"})


def test_the_mode_that_somebody_gave_a_file_stays(made: Desk) -> None:
    made.page("plan.md").chmod(0o644)

    made.card("update", blocks=text("two"))
    made.settle()

    assert stat.S_IMODE(made.page("plan.md").stat().st_mode) == 0o644


def test_two_cards_of_one_title_have_two_files(made: Desk) -> None:
    made.card("create", "c2", title="Plan", blocks=text("other"))
    made.settle()

    assert made.pages() == {"plan.md": "one", "plan-2.md": "other"}


def test_a_file_of_the_user_s_own_is_never_taken(desk: Desk) -> None:
    mine = desk.put("projects/plan.md", "mine")
    link = desk.page("todo.md")
    link.symlink_to(desk.place / "nowhere")

    desk.card("create", "c1", title="Plan", blocks=text("one"))
    desk.card("create", "c2", title="Todo", blocks=text("two"))
    desk.settle()

    assert mine.read_text(encoding="utf-8") == "mine"
    assert (desk.known("c1").path, desk.known("c2").path) == ("plan-2.md", "todo-2.md")
    assert not (desk.place / "nowhere").exists()


def test_a_file_with_another_name_is_followed(made: Desk) -> None:
    made.page("plan.md").rename(made.page("my own name.md"))

    made.card("update", blocks=text("two"))
    made.settle()

    assert (made.pages(), made.known().path) == ({"my own name.md": "two"}, "my own name.md")


def test_a_file_that_was_put_into_a_folder_is_followed(made: Desk) -> None:
    made.page("2026/done").mkdir(parents=True)
    made.page("plan.md").rename(made.page("2026/done/plan.md"))

    made.card("update", blocks=text("two"))
    made.settle()
    made.page("2026").rename(made.page("old"))
    made.card("update", blocks=text("three"))
    made.settle()

    assert (made.pages(), made.known().path) == (
        {"old/done/plan.md": "three"},
        "old/done/plan.md",
    )


def test_a_file_in_a_folder_is_edited_and_archived_like_any_other(made: Desk) -> None:
    made.page("2026").mkdir()
    made.page("plan.md").rename(made.page("2026/mine.md"))
    made.mirror.follow_names()
    edit(made.page("2026/mine.md"))
    made.card("update", blocks=text("two"))
    made.settle()
    beside = made.known().beside

    made.card("close")
    made.settle()

    assert beside == "2026/mine.md.conflict"
    assert sorted(made.pages()) == ["archive/mine.md", "archive/mine.md.conflict"]


def test_the_archive_may_be_put_in_order(made: Desk) -> None:
    made.card("close")
    made.settle()
    made.page("archive/2026").mkdir()
    made.page("archive/plan.md").rename(made.page("archive/2026/plan.md"))

    made.card("update", blocks=text("last words"))
    made.settle()

    assert made.pages() == {"archive/2026/plan.md": "last words"}


def test_another_name_is_noticed_without_a_word_from_the_card(made: Desk) -> None:
    made.page("plan.md").rename(made.page("other.md"))

    made.mirror.follow_names()

    assert made.known().path == "other.md"


def test_a_file_that_was_deleted_comes_back_only_with_something_new(made: Desk) -> None:
    made.page("plan.md").unlink()
    made.card("update", blocks=text("one"))
    made.settle()
    before = made.pages()

    made.card("update", blocks=text("two"))
    made.settle()

    assert (before, made.pages()) == ({}, {"plan.md": "two"})


def test_the_file_of_a_closed_card_goes_to_the_archive(made: Desk) -> None:
    made.card("close")
    made.settle()

    assert (made.pages(), made.known().path) == ({"archive/plan.md": "one"}, "archive/plan.md")


def test_closing_with_last_words_says_them_first(made: Desk) -> None:
    made.card("close", blocks=text("done"))
    made.settle()

    assert made.pages() == {"archive/plan.md": "done"}


def test_a_closed_card_s_file_that_was_changed_by_hand_goes_as_it_is(made: Desk) -> None:
    edit(made.page("plan.md"), "mine")
    made.card("update", blocks=text("two"))
    made.settle()

    made.card("close")
    made.settle()

    assert made.pages() == {"archive/plan.md": "one\nmine", "archive/plan.md.conflict": "two"}
    assert made.known().beside == "archive/plan.md.conflict"


def test_a_name_that_is_taken_in_the_archive_is_numbered(made: Desk) -> None:
    made.put("projects/archive/plan.md", "the user's own")

    made.card("close")
    made.settle()

    assert made.pages() == {"archive/plan.md": "the user's own", "archive/plan-2.md": "one"}


def test_a_name_that_belongs_to_another_card_is_numbered_as_well(made: Desk) -> None:
    made.card("close")
    made.card("create", "c2", title="Other", blocks=text("two"))
    made.settle()
    made.page("archive/plan.md").unlink()  # by hand: the card still has it
    made.page("other.md").rename(made.page("plan.md"))

    made.card("close", "c2")
    made.settle()

    assert made.pages() == {"archive/plan-2.md": "two"}
    assert made.known("c2").path == "archive/plan-2.md"


def test_a_card_that_is_made_again_comes_back_from_the_archive(made: Desk) -> None:
    for does in ("close", "create"):
        made.card(does)
        made.settle()

    assert made.pages() == {"plan.md": "one"}


def test_a_card_that_was_only_ever_closed_makes_no_file(desk: Desk) -> None:
    desk.card("close", "never-seen")
    desk.settle()

    assert (desk.pages(), desk.known("never-seen").is_due) == ({}, False)


def test_without_its_ledger_the_mirror_knows_its_files_again(made: Desk) -> None:
    made.card("create", "c2", title="Other", blocks=text("x"))
    made.card("close", "c2")
    made.settle()
    before = shot(made.place)

    made.lose_ledger()
    made.settle()

    assert shot(made.place) == before
    assert [card.path for card in made.store.cards()] == ["plan.md", "archive/other.md"]


def test_without_its_ledger_an_older_page_is_brought_up_to_date(made: Desk) -> None:
    made.lose_ledger()
    made.card("update", blocks=text("two"))

    made.settle()

    assert made.pages() == {"plan.md": "two"}


def test_without_its_ledger_an_edit_is_still_an_edit(made: Desk) -> None:
    edit(made.page("plan.md"))
    made.lose_ledger()

    made.settle()

    assert sorted(made.pages()) == ["plan.md", "plan.md.conflict"]
    assert made.page("plan.md").read_text(encoding="utf-8").endswith("by hand")


def test_what_was_erased_leaves_the_file(made: Desk) -> None:
    (said,) = made.ledger.store.find([made.known().filled or ""])
    made.ledger.erase([said.seq], now_ns=1, reason="asked")
    made.store.put(replace(made.known(), is_due=True))

    made.settle()

    assert "one" not in made.page("plan.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("odd", ["folder", "link", "huge"])
def test_what_is_no_plain_file_in_its_place_stays(made: Desk, tmp_path: Path, odd: str) -> None:
    file = made.page("plan.md")
    file.unlink()
    outside = tmp_path / "outside.md"
    outside.write_text("outside", encoding="utf-8")
    if odd == "folder":
        file.mkdir()
    elif odd == "link":
        file.symlink_to(outside)
    else:
        with file.open("wb") as huge:
            huge.truncate(9 << 20)
    before = file.lstat().st_ino

    made.card("update", blocks=text("two"))
    made.settle()

    assert (file.lstat().st_ino, outside.read_text(encoding="utf-8")) == (before, "outside")
    assert made.page("plan.md.conflict").is_file()


def test_a_path_in_the_ledger_that_leads_out_is_never_used(made: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("outside", encoding="utf-8")
    made.page("plan.md").unlink()
    made.store.put(replace(made.known(), path="../../outside.md", digest=None))

    made.card("update", blocks=text("two"))
    made.settle()

    assert outside.read_text(encoding="utf-8") == "outside"
    assert made.pages() == {"plan.md": "two"}


def test_it_stops_when_it_is_time_and_says_how_many_are_left(desk: Desk) -> None:
    for number in range(3):
        desk.card("create", f"c{number}", title=f"T{number}", blocks=TEXT)
    desk.follow()

    assert (desk.mirror.settle(time.monotonic() - 1), desk.pages()) == (3, {})
    assert (desk.mirror.settle(), len(desk.pages())) == (0, 3)


def test_what_cannot_be_written_stays_due(made: Desk) -> None:
    shutil.rmtree(made.place / "projects")
    (made.place / "projects").symlink_to(made.place.parent)
    made.card("update", blocks=text("two"))

    with pytest.raises(WorkspaceRefused):
        made.settle()

    assert made.known().is_due
