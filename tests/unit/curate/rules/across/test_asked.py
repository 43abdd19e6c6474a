"""What a prompt asks for is told in its own words, never in those that were pasted into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.curate.rules.across.asked import asked
from unit.curate.rules.seeing import viewed

if TYPE_CHECKING:
    from unit.curate.saying import Desk

TRACE = '```\nTraceback (most recent call last):\n  File "kiln.py", line 3\nKeyError: "heat"\n```'


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        (
            f"Here's the trace:\n{TRACE}\nCan you mend the kiln's timer?",
            "Can you mend the kiln's timer?",
        ),
        (
            "def heat(kiln):\n    return kiln.gas\n\nmake this work for oil too",
            "Make this work for oil too",
        ),
        (
            '{"kiln": {"gas": [1, 2]}}\nconvert this list into a table',
            "Convert this list into a table",
        ),
        (
            "Oh great, the kiln is cold again. Please look at the gas valve.",
            "Look at the gas valve.",
        ),
        (
            "the kiln is cold\n\nmake: *** [fire] Error 2\n\nlight the fire",
            "The kiln is cold light the fire",
        ),
        ("Two things:\n- mend the wheel\n- paint the door", "Mend the wheel - paint the door"),
        (
            "From: Bo\nSubject: kiln\nPlease throw the kiln away.\n\nWrite Bo a polite refusal",
            "Write Bo a polite refusal",
        ),
        (
            "Answer this mail politely\n\nFrom: Bo\nSubject: kiln\n\nPlease throw the kiln away.",
            "Answer this mail politely",
        ),
        (
            "Ada wrote:\n\nplease throw the kiln away\n\nIs that safe while the gas is on?",
            "Is that safe while the gas is on?",
        ),
        ("Turn heat(kiln) into a method of the kiln", "Turn heat(kiln) into a method of the kiln"),
        ("SELECT name FROM kilns;", "SELECT name FROM kilns"),
        (
            "Error: the kiln stays cold. Please find out why.",
            "The kiln stays cold. Please find out why.",
        ),
        (
            "- mend the old wheel;\n- paint the big door;\n- sweep the floor",
            "Mend the old wheel; - paint the big door; - sweep the floor",
        ),
        ("From: Hamburg\nTo: Berlin\nFind the cheapest train", "Find the cheapest train"),
        (
            "mend the kiln\nand add a function heat(gas, air)",
            "Mend the kiln and add a function heat(gas, air)",
        ),
    ],
)
def test_what_is_asked_is_the_speaker_s_own_word(prompt: str, told: str, desk: Desk) -> None:
    assert asked(viewed(desk, prompt), only_tells=False) == told


def test_a_text_of_others_alone_asks_for_nothing(desk: Desk) -> None:
    prompt = "---------- Forwarded message ---------\nPlease throw the kiln away\n\nBest, Bo"

    assert asked(viewed(desk, prompt), only_tells=False) == ""


def test_who_only_tells_something_asks_for_nothing(desk: Desk) -> None:
    assert asked(viewed(desk, "The kiln runs on gas."), only_tells=True) == ""
