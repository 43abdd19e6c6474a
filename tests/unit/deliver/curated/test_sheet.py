"""A page, laid out: fixed headings, no line too many, and nothing starves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.deliver.curated.gather import listed
from tacit.deliver.curated.names import LIMITS, PAGES, RENDERED
from tacit.deliver.curated.sheet import Entry, Part, laid_out

MANY = settings(max_examples=200, deadline=None)
USER = PAGES["user.md"]


def some(name: str, count: int, **fields: int) -> Part:
    lines = [Entry(f"- {name} {number}", f"mem-{name}-{number}") for number in range(count)]
    return Part(count=count, first=lambda many: lines[:many], **fields)


def test_an_empty_page_has_its_headings_and_nothing_else() -> None:
    made = laid_out(USER, {})

    assert made.is_empty
    assert made.text == (
        f"# User\n\n{USER.note}\n\n## Corrections\n\n## Preferences\n\n"
        "## Instructions\n\n## Facts\n"
    )


def test_each_part_stands_under_its_heading() -> None:
    made = laid_out(USER, {"about": some("fact", 1), "preferences": some("taste", 2)})

    assert made.text.endswith(
        "## Corrections\n\n## Preferences\n\n- taste 0\n- taste 1\n\n## Instructions\n\n"
        "## Facts\n\n- fact 0\n"
    )
    assert [each.id for each in made.lines if each.id] == [
        "mem-taste-0",
        "mem-taste-1",
        "mem-fact-0",
    ]


def test_a_part_that_is_cut_says_how_much_more_there_is() -> None:
    made = laid_out(USER, {"about": some("fact", 300, unread=700)})

    shown = [each for each in made.lines if each.id]
    assert made.lines[-1].line == f"- {1000 - len(shown)} more in memory: `tacit search`"
    assert len(made.lines) <= LIMITS["user.md"]


def test_a_part_of_which_nothing_is_left_out_says_nothing_more() -> None:
    assert "more" not in laid_out(USER, {"about": some("fact", 3)}).text.partition("## Facts")[2]


def test_no_part_starves_beside_one_that_has_too_much() -> None:
    made = laid_out(USER, {"corrections": some("new", 500), "about": some("fact", 20)})

    assert made.text.count("- fact") == 20
    assert made.text.count("- new") > 100


def test_what_is_pinned_comes_before_anybody_s_share() -> None:
    made = laid_out(USER, {"corrections": some("new", 500), "about": some("fact", 150, pinned=150)})

    assert made.text.count("- fact") == 150


def test_lines_are_made_only_as_many_as_there_is_room_for() -> None:
    asked: list[int] = []

    def first(count: int) -> list[Entry]:
        asked.append(count)
        return [Entry("- x")] * count

    laid_out(USER, {"about": Part(count=10_000, first=first)})

    assert asked == [USER.room]


@pytest.mark.parametrize("name", RENDERED)
@MANY
@given(counts=st.lists(st.integers(0, 400), min_size=6, max_size=6))
def test_no_page_is_longer_than_its_limit(name: str, counts: list[int]) -> None:
    page = PAGES[name]
    parts = {
        section.part: some(section.part, count, unread=count)
        for section, count in zip(page.sections, counts, strict=False)
    }

    text = laid_out(page, parts).text

    assert len(text.splitlines()) <= LIMITS[name]
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        f"# {page.title}",
        *(f"## {section.title}" for section in page.sections),
    ]


def test_lines_that_are_there_already_make_a_part() -> None:
    made = listed([Entry("- a"), Entry("- b")], unread=3)

    assert (made.count, made.unread, made.first(1)) == (2, 3, [Entry("- a")])
