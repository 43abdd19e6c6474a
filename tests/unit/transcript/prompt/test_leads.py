"""A lead announces that somebody else's text comes next; a list of the user's own does not."""

from __future__ import annotations

import pytest

from tacit.transcript.prompt.leads import lead, reported
from tacit.transcript.prompt.lines import lines_of, traits
from tacit.transcript.prompt.span_states import HANDED, OWN, PASTED, POINTED


def of(text: str) -> int:
    """Return how plainly the first line of two announces the second."""
    lines = [line for line in lines_of(text) if line.text.strip()]
    traits(lines[0])
    return lead(lines[:1], lines[1])


@pytest.mark.parametrize(
    "text",
    [
        "Here is the log:\nx",
        "The docs say:\nx",
        "client says\n\nx",
        "Add this to the readme\n\nx",
        "Pasted below are the logs of the belt.\n\nx",
        "We got this from the carrier.\n\nx",
        "look at this\n\nx",
        "---- Forwarded message ----\nx",
    ],
)
def test_what_is_announced_outright_is_handed_on(text: str) -> None:
    assert of(text) == HANDED


@pytest.mark.parametrize(
    ("text", "announced"),
    [
        ("What does this page mean?\n\nx", POINTED),
        ("Constraints:\nx", PASTED),
        ("Here are my rules:\nx", PASTED),
        ("I want the following things:\nx", PASTED),
        ("Weigh the parcel.\n\nx", OWN),
        ("## Here is the log\n\nx", OWN),
        ("- see this page\n\nx", OWN),
    ],
)
def test_less_than_that_only_points_or_says_nothing(text: str, announced: int) -> None:
    assert of(text) == announced


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I get this error: no clause matching in weigh/3", "I get this error: "),
        ("Add this to RULES.md: never lift parcels.", "Add this to RULES.md: "),
        ("Ines says: never lift parcels.", "Ines says: "),
        ("No, that is an error: we weigh before lifting.", ""),
        ("Remember this: we weigh before lifting.", ""),
        ("From now on: weigh before lifting.", ""),
        ("weigh before lifting", ""),
    ],
)
def test_others_are_heard_behind_a_colon_only_where_that_is_sure(text: str, own: str) -> None:
    assert text[: reported(text)] == own
