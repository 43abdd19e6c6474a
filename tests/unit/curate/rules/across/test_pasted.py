"""Pasted: what somebody else wrote is told from the speaker's own lines, without a fence."""

from __future__ import annotations

import pytest

from stopwatch import grows_within
from tacit.curate.rules.across.pasted import pasted


def own(text: str) -> list[str]:
    """Return the lines of a message that are the speaker's own."""
    lines = text.splitlines()
    return [line for line, is_pasted in zip(lines, pasted(lines), strict=True) if not is_pasted]


@pytest.mark.parametrize(
    "text",
    [
        "// always weigh the parcel first",
        "/* never open a parcel */",
        "# never open a parcel\n# always weigh it\nparcel.lift()",
        "-- always weigh first\nSELECT 1;",
        "beltd: [warn] never stop the belt",
        "npm warn deprecated always weigh twice",
        "scaled[71]: fatal: never lean on the scale",
        "Begin forwarded message:\nFrom: Ida\n\nAlways weigh twice.",
        "On Monday, Ida wrote:\nAlways weigh twice.",
    ],
)
def test_what_programs_and_others_wrote_is_not_own(text: str) -> None:
    assert [line for line in own(text) if "weigh" in line or "never" in line] == []


@pytest.mark.parametrize(
    "head",
    ["Here is the style guide:", "From the vendor's docs:", "This is the error I get:"],
)
def test_what_stands_under_an_announced_text_is_not_own_until_a_blank_line(head: str) -> None:
    text = f"{head}\n- Always weigh twice.\n- Never open.\n\nWhat does it mean?"

    assert own(text) == [head, "", "What does it mean?"]


@pytest.mark.parametrize(
    "text",
    [
        "Here are my rules:\n- Always weigh twice.\n- Never open.",
        "Error handling:\n- Never open a parcel.",
        "For the docs:\n- British spelling.",
        "# Rules\nAlways weigh twice.",
        "Note: never open a parcel.",
        "- Always weigh twice.\n- Never open.",
    ],
)
def test_what_the_speaker_lists_is_own(text: str) -> None:
    assert own(text) == text.splitlines()


@pytest.mark.parametrize("part", ["a(", "x ", "the ", "wrote: ", "; ", "- ", "# a = "])
def test_a_long_line_takes_no_long_time(part: str) -> None:
    small, big = ([part * times, "# a"] for times in (1_000, 4_000))

    assert grows_within(9, lambda: pasted(small), lambda: pasted(big))
