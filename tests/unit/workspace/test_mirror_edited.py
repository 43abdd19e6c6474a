"""The mirror where people edit: both versions are kept, until they say the same."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tacit.workspace import page
from unit.workspace.desk import edit, shot, text

if TYPE_CHECKING:
    import pytest

    from unit.workspace.desk import Desk


def test_changed_by_hand_both_are_kept(made: Desk) -> None:
    edit(made.page("plan.md"))
    mine = made.page("plan.md").read_bytes()

    made.card("update", blocks=text("two"))
    made.settle()

    assert made.page("plan.md").read_bytes() == mine
    assert made.pages()["plan.md.conflict"] == "two"
    assert [card.beside for card in made.mirror.conflicts()] == ["plan.md.conflict"]


def test_changed_by_hand_and_nothing_new_touches_nothing(made: Desk) -> None:
    edit(made.page("plan.md"))
    before = shot(made.place)

    made.card("update", blocks=text("one"))
    made.settle()

    assert shot(made.place) == before


def test_what_lies_beside_follows_the_card(made: Desk) -> None:
    edit(made.page("plan.md"))

    for words in ("two", "three"):
        made.card("update", blocks=text(words))
        made.settle()

    assert sorted(made.pages()) == ["plan.md", "plan.md.conflict"]
    assert made.pages()["plan.md.conflict"] == "three"


def test_what_lies_beside_and_was_changed_by_hand_is_kept_as_well(made: Desk) -> None:
    edit(made.page("plan.md"))
    made.card("update", blocks=text("two"))
    made.settle()
    edit(made.page("plan.md.conflict"), "mine as well")

    made.card("update", blocks=text("three"))
    made.settle()

    pages = made.pages()
    assert pages["plan.md.conflict"].endswith("mine as well")
    assert pages["plan.md.conflict-2"] == "three"


def test_a_conflict_is_over_when_its_file_is_gone(made: Desk) -> None:
    edit(made.page("plan.md"))
    made.card("update", blocks=text("two"))
    made.settle()

    made.page("plan.md.conflict").unlink()

    assert (made.mirror.conflicts(), made.known().beside) == ([], None)


def test_the_card_s_text_put_in_place_is_the_file_again(made: Desk) -> None:
    edit(made.page("plan.md"))
    made.card("update", blocks=text("two"))
    made.settle()
    made.page("plan.md.conflict").rename(made.page("plan.md"))

    made.card("update", blocks=text("three"))
    made.settle()

    assert made.pages() == {"plan.md": "three"}


def test_a_card_that_says_what_was_written_by_hand_agrees_with_it(made: Desk) -> None:
    made.page("plan.md").write_text("entirely\r\nmine\r\n", encoding="utf-8", newline="")

    made.card("update", blocks=text("entirely\nmine"))
    made.settle()

    assert made.pages() == {"plan.md": "entirely\nmine"}
    assert page.is_whole(made.page("plan.md").read_bytes())


def test_what_somebody_added_to_the_front_matter_is_an_edit(made: Desk) -> None:
    file = made.page("plan.md")
    mine = file.read_text(encoding="utf-8").replace("title:", "tags: [mine]\ntitle:")
    file.write_text(mine, encoding="utf-8")

    made.card("update", title="Another")
    made.settle()

    assert file.read_text(encoding="utf-8") == mine
    assert made.known().beside == "plan.md.conflict"


def test_an_edit_that_comes_between_the_look_and_the_writing_stays(
    made: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = made.page("plan.md")
    real = os.fsync

    def edited(descriptor: int) -> None:
        """Edit the file when its new page is about to take its place."""
        monkeypatch.setattr(os, "fsync", real)
        edit(file)
        real(descriptor)

    made.card("update", blocks=text("two"))
    made.follow()
    monkeypatch.setattr(os, "fsync", edited)
    made.mirror.settle()

    assert made.pages() == {"plan.md": "one\nby hand", "plan.md.conflict": "two"}


def test_an_older_page_put_back_by_hand_counts_as_changed(made: Desk) -> None:
    old = made.page("plan.md").read_bytes()
    made.card("update", blocks=text("two"))
    made.settle()
    made.page("plan.md").write_bytes(old)

    made.card("update", blocks=text("three"))
    made.settle()

    assert made.pages() == {"plan.md": "one", "plan.md.conflict": "three"}
