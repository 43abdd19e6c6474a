"""A server that can give no object is asked for lines, and what it answers in them is learned."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from flow.reading import MINUTE_NS, give, question, reading
from tacit.policy import Caller
from tacit.verbs.decisions import Said
from unit.net.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flow.reading import Reader
    from unit.net.serving import Asked

RULES = ("Answer in British English", "Keep lines short", "Use tabs for Makefiles", "Sign with BK")


def speaking(answer: Callable[[str], str]) -> Callable[[Asked], None]:
    """Return the script of a server that knows no objects."""

    def script(asked: Asked) -> None:
        if "response_format" in asked.question:
            asked.answer({"error": "unknown"}, 400, Content_Type="application/json")
        else:
            give(asked, answer(question(asked)))

    return script


def live(reader: Reader, prompt: str) -> None:
    reader.turn("s-1", prompt)
    reader.end("s-1")
    reader.drain()
    reader.live(11 * MINUTE_NS)


def test_the_lines_are_asked_for_and_learned(place: Path) -> None:
    said = "FACT: The ferry leaves at noon\nPREFERENCE: Ines wants a receipt each time\n"
    with (
        served(speaking(lambda _: said)) as server,
        reading(place, server, provider="openai", gate="off") as reader,
    ):
        live(reader, "From now on the ferry leaves at noon. Ines wants a receipt each time.")
        learned = reader.by_model()

    told = str(server.asked[-1].body["messages"][0]["content"])
    marks = ("FACT:", "PATTERN:", "CORRECTION:", "PREFERENCE:", "ACTION:", "TOOL_INSTALL:", "NONE")
    assert [mark for mark in (*marks, "USER_MD_UPDATE:") if mark not in told] == []
    assert "FACT:" not in str(server.asked[0].body["messages"])
    assert learned == ["Ines wants a receipt each time", "The ferry leaves at noon"]


@pytest.mark.parametrize(
    ("kept", "expected"),
    [((3, 1, 0, 2), (3, 1, 0, 2)), ((2, 0, 3), (2, 0, 3)), ((1, 0), (0, 1, 2, 3))],
    ids=["another order", "a quarter lost", "half of them lost"],
)
def test_the_lines_of_a_file_order_it_and_lose_at_most_a_quarter(
    place: Path, kept: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    def ordered(text: str) -> str:
        lines = [f"- {RULES[at]}" for at in kept]
        is_shown = "## user.md (" in text
        return "\n".join(["USER_MD_UPDATE:", *lines]) if is_shown else "NONE"

    with (
        served(speaking(ordered)) as server,
        reading(place, server, provider="openai", gate="off") as reader,
    ):
        for each in RULES:
            reader.app.remember("main", Said(text=each, kind="instruction"), Caller())
        before = told_rules(reader)
        live(reader, "Could you look at the list again?")
        after = [each for each in told_rules(reader) if each in RULES]

    assert (before, after) == (list(RULES), [RULES[at] for at in expected])


def told_rules(reader: Reader) -> list[str]:
    """Return the instructions of the user's file, in order."""
    reader.app.prepare("main")
    page = reader.home / "groups" / "main" / "files" / "user.md"
    part = page.read_text(encoding="utf-8").partition("## Instructions")[2].partition("## ")[0]
    return re.findall(r"^- (.*?)(?: \(.*\))?$", part, re.MULTILINE)
