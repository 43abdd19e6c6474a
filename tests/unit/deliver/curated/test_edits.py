"""Edits by hand: what differs, what it would mean, and that it stays whatever else changes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.deliver.curated import edits
from tacit.deliver.curated.edits import Hunk, Step
from tacit.deliver.curated.gather import listed
from tacit.deliver.curated.ledger import Marker
from tacit.deliver.curated.names import PAGES
from tacit.deliver.curated.sheet import Entry, Sheet, laid_out
from unit.deliver.preparing import KEY

MARKER = Marker(KEY)
MANY = settings(max_examples=150, deadline=None)
WORDS = {"mem-tabs": "Use tabs", "mem-main": "Never push to main", "mem-tea": "Likes tea"}


def page(preferences: tuple[str, ...] = ("mem-tabs", "mem-tea"), name: str = "user.md") -> Sheet:
    made = [Entry(f"- {WORDS.get(each, each)} (2026-01-01)", each) for each in preferences]
    rule = [Entry("- Never push to main (2026-01-01)", "mem-main")]
    waiting = [Entry("- Ship it (2026-01-01)", "act-1")]
    parts = {"preferences": made, "instructions": rule, "reminders": waiting, "touched": made}
    return laid_out(PAGES[name], {part: listed(each) for part, each in parts.items()})


def hunks(sheet: Sheet, text: str) -> list[Hunk]:
    ours = MARKER.record(sheet.lines, sheet.text)
    return edits.hunks(ours.lines, MARKER.marked(text))


def meant(sheet: Sheet, text: str) -> list[Step]:
    return edits.steps(sheet.page.name, hunks(sheet, text), lambda name: WORDS.get(name, "?"))


def test_a_page_as_we_wrote_it_is_not_edited() -> None:
    sheet = page()

    assert hunks(sheet, sheet.text) == []
    assert hunks(sheet, sheet.text.replace("\n", "\r\n") + "\n\n") == []


def test_a_line_that_is_added_is_remembered_as_its_section_says() -> None:
    sheet = page()
    text = sheet.text.replace("## Instructions\n", "## Instructions\n\n- Always sign commits\n")

    assert meant(sheet, text) == [
        Step(verb="remember", text="Always sign commits", kind="instruction")
    ]


@pytest.mark.parametrize("line", ["* Always test", "Always test", "  - Always test (2026-02-03)"])
def test_what_is_appended_belongs_to_the_last_section(line: str) -> None:
    sheet = page()

    assert meant(sheet, f"{sheet.text}{line}\n") == [
        Step(verb="remember", text="Always test", kind="fact")
    ]


def test_a_line_that_is_changed_corrects_its_memory() -> None:
    sheet = page()

    assert meant(sheet, sheet.text.replace("Use tabs", "Use four spaces")) == [
        Step(verb="correct", id="mem-tabs", text="Use four spaces", was="Use tabs")
    ]


def test_of_several_changed_lines_each_corrects_the_one_it_is_like() -> None:
    sheet = page()
    text = sheet.text.replace("- Use tabs (2026-01-01)\n- Likes tea (2026-01-01)\n", "")
    text = text.replace(
        "## Preferences\n", "## Preferences\n\n- Likes green tea\n- Speaks French\n- Use tab\n"
    )

    assert [(step.verb, step.id, step.text) for step in meant(sheet, text)] == [
        ("correct", "mem-tea", "Likes green tea"),
        ("remember", "", "Speaks French"),
        ("correct", "mem-tabs", "Use tab"),
    ]


def test_a_line_that_is_taken_out_lets_its_memory_go() -> None:
    sheet = page()

    assert meant(sheet, sheet.text.replace("- Never push to main (2026-01-01)\n", "")) == [
        Step(verb="forget", id="mem-main", was="Never push to main")
    ]


def test_what_waits_is_dismissed_by_taking_its_line_out() -> None:
    sheet = page(name="context.md")

    assert meant(sheet, sheet.text.replace("- Ship it (2026-01-01)\n", "")) == [
        Step(verb="dismiss", id="act-1", was="?")
    ]


def test_where_no_memory_stands_no_line_becomes_one() -> None:
    sheet = page(name="files.md")

    (step,) = meant(sheet, sheet.text.replace("## Top", "- `x.py` (read)\n\n## Top"))

    assert (step.verb, step.was) == ("pass", "no memory stands in this section")


def test_a_heading_of_somebody_s_own_changes_nothing_and_lines_below_it_count() -> None:
    sheet = page()
    text = sheet.text.replace("## Instructions", "## Mine\n\n- Be brief\n\n## Instructions")

    found = meant(sheet, text)

    assert [(step.verb, step.text, step.kind) for step in found] == [
        ("pass", "## Mine", ""),
        ("remember", "Be brief", "preference"),
    ]


def test_our_own_headings_cannot_be_taken_out() -> None:
    sheet = page()

    assert meant(sheet, sheet.text.replace("## Preferences\n", "")) == []


@pytest.mark.parametrize("line", ["---", "***", "   ", "- ", "```", "|---|"])
def test_what_says_nothing_means_nothing(line: str) -> None:
    sheet = page()

    assert meant(sheet, f"{sheet.text}{line}\n") == []


def test_the_signs_that_made_a_line_harmless_are_not_learned() -> None:
    assert edits.bare("- \\# Title (shop, 2026-01-01)") == "# Title"
    assert edits.bare("- C:\\temp (x)") == "C:\\temp (x)"


def test_an_edit_stays_where_it_was_when_the_page_changes() -> None:
    sheet = page()
    text = sheet.text.replace("- Likes tea", "- Speaks French\n- Likes tea")
    text = text.replace("- Never push to main (2026-01-01)\n", "")

    merged = edits.kept(hunks(sheet, text), page(("mem-new", "mem-tabs")).lines, MARKER)

    assert "- mem-new (2026-01-01)\n- Use tabs (2026-01-01)\n- Speaks French\n" in merged
    assert ("Likes tea" in merged, "Never push" in merged) == (False, False)


def test_an_edit_whose_neighbours_are_gone_stands_under_its_heading() -> None:
    sheet = page()
    text = sheet.text.replace("- Likes tea", "- Speaks French\n- Likes tea")

    merged = edits.kept(hunks(sheet, text), page(()).lines, MARKER)

    assert "## Preferences\n\n- Speaks French\n\n## Instructions" in merged


LINES = st.lists(st.sampled_from(["mem-a", "mem-b", "mem-c", "mem-d"]), unique=True).map(tuple)
OWN = st.lists(st.sampled_from(["- mine", "- my own", "text", "## Mine"]), max_size=3)


@MANY
@given(before=LINES, after=LINES, own=OWN, at=st.integers(0, 30), gone=st.integers(0, 30))
def test_whatever_changes_no_line_of_somebody_s_own_is_lost_or_taken_for_ours(
    before: tuple[str, ...], after: tuple[str, ...], own: list[str], at: int, gone: int
) -> None:
    sheet, then = page(before), page(after)
    lines = sheet.text.splitlines()
    taken = [line for number, line in enumerate(lines) if number != gone or line.startswith("#")]
    text = "\n".join([*taken[:at], *own, *taken[at:]])

    merged = edits.kept(hunks(sheet, text), then.lines, MARKER)

    added = [line for hunk in hunks(then, merged) for line in hunk.came]
    assert sorted(added) == sorted(line for hunk in hunks(sheet, text) for line in hunk.came)
    removed = {each.id for hunk in hunks(then, merged) for each in hunk.gone}
    assert removed <= {each.id for hunk in hunks(sheet, text) for each in hunk.gone}
