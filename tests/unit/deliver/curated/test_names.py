"""Which files there are: six, each within its limit, and each can be named."""

from __future__ import annotations

import pytest

from tacit.deliver.curated.names import DEPLOYED, LIMITS, PAGES, RENDERED, SIX, named
from tacit.errors import NotFound
from tacit.model.memory import KINDS
from tacit.store.told_port import PLACES


def test_there_are_six_and_each_has_its_limit() -> None:
    assert LIMITS == {
        "soul.md": 200,
        "os.md": 200,
        "tools.md": 150,
        "files.md": 200,
        "user.md": 200,
        "context.md": 200,
    }
    assert (*DEPLOYED, *RENDERED) == SIX == tuple(LIMITS)


@pytest.mark.parametrize(("said", "meant"), [("user.md", "user.md"), ("user", "user.md")])
def test_a_file_is_named_with_its_ending_or_without(said: str, meant: str) -> None:
    assert named(said) == meant


@pytest.mark.parametrize("said", ["", "users", "../user.md", "USER.MD", "user.md/", "\x1b[31m"])
def test_a_file_that_is_none_of_them_is_refused(said: str) -> None:
    with pytest.raises(NotFound, match=r"Say one of soul\.md, os\.md"):
        named(said)


def test_every_part_that_is_made_of_memories_has_its_one_section() -> None:
    parts = [section.part for page in PAGES.values() for section in page.sections]

    assert len(parts) == len(set(parts))
    assert set(PLACES) <= set(parts)


def test_a_line_that_is_added_by_hand_becomes_a_kind_that_exists() -> None:
    kinds = {section.kind for page in PAGES.values() for section in page.sections}

    assert kinds - {""} <= set(KINDS)


@pytest.mark.parametrize("name", RENDERED)
def test_the_shares_of_a_page_make_a_whole_and_leave_room_for_its_headings(name: str) -> None:
    page = PAGES[name]

    assert sum(section.share for section in page.sections) == pytest.approx(1)
    assert 0.8 * LIMITS[name] < page.room < LIMITS[name] - 4 * len(page.sections)
