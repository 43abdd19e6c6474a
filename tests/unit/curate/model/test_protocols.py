"""Two protocols for plain text: what is whole is read wherever it stands, the rest is counted."""

from __future__ import annotations

import pytest

from stopwatch import cpu_seconds
from tacit.curate.model.protocols import read

LINES = """Here is what I found.
```
FACT: The till sells tea
- PREFERENCE: Answers are short
CORRECTION:
ACTION: Call the bank
TOOL_INSTALL: ripgrep
```
"""
SUMMARY = "".join(
    f"<{name}>{name} text</{name}>"
    for name in ("request", "investigated", "learned", "completed", "next_steps", "notes")
)
WHOLE = f"<summary>{SUMMARY}<files_read/><files_edited /></summary>"


def observed(kind: str, text: str) -> str:
    return f"<observation><type>{kind}</type><text>{text}</text></observation>"


def test_marked_lines_are_read_from_prose_and_fences() -> None:
    found = read(LINES)

    assert found is not None
    assert found.statements == [
        ("fact", "The till sells tea"),
        ("preference", "Answers are short"),
        ("tool", "ripgrep"),
    ]
    assert (found.actions, found.dropped) == (["Call the bank"], 1)


@pytest.mark.parametrize("text", ["NONE", "Nothing to say.\n\n  NONE.\n"])
def test_nothing_is_an_answer(text: str) -> None:
    found = read(text)

    assert found is not None
    assert (found.statements, found.actions, found.dropped) == ([], [], 0)


@pytest.mark.parametrize("text", ["", "I found nothing.", "The FACT: in a line", "<b>bold</b>"])
def test_what_follows_neither_protocol_is_no_answer(text: str) -> None:
    assert read(text) is None


def test_a_file_ends_where_the_next_begins_or_a_marked_line_stands() -> None:
    text = "USER_MD_UPDATE:\n- tea\n\n- tabs\nTOOLS_MD_UPDATE:\n- rg\nFACT: It rains\nnot a line\n"

    found = read(text)

    assert found is not None
    assert found.files == {"user.md": ("- tea", "- tabs"), "tools.md": ("- rg",)}
    assert found.statements == [("fact", "It rains")]


def test_observations_are_read_and_what_is_not_whole_is_counted() -> None:
    text = (
        f"Sure!\n{observed('decision', 'Tabs &amp; no spaces')}\n"
        f"{observed('gossip', 'no such type')}{observed('bugfix', '')}"
        "<observation><type>bugfix</type><text>cut"
    )

    found = read(text)

    assert found is not None
    assert found.statements == [("decision", "Tabs & no spaces")]
    assert found.dropped == 3


def test_an_observation_that_is_never_closed_swallows_no_other() -> None:
    found = read(f"<observation><type>decision</type>{observed('bugfix', 'The pump leaked')}")

    assert found is not None
    assert (found.statements, found.dropped) == ([("bugfix", "The pump leaked")], 1)


def test_a_summary_needs_all_its_fields() -> None:
    whole, partial = read(WHOLE), read(WHOLE.replace("<files_read/>", ""))

    assert whole is not None
    assert partial is not None
    assert whole.summary["next_steps"] == "next_steps text"
    assert "files_read" not in whole.summary
    assert (partial.summary, partial.dropped) == ({}, 1)


@pytest.mark.parametrize(
    ("head", "part", "tail"),
    [
        ("<summary>", "<request>", "</summary>"),
        ("<observation>", "<type>", "</observation>"),
        ("", "<observation>", ""),
        ("TOOLS_MD_UPDATE:\n", "x\n", ""),
        ("NONE\n", " ", "x"),
        ("", "FACT:\n", ""),
    ],
)
def test_no_text_takes_longer_than_its_length_asks_for(head: str, part: str, tail: str) -> None:
    few, many = (head + part * count + tail for count in (1000, 16_000))

    least = max(cpu_seconds(lambda: read(few)), 0.0002)

    assert cpu_seconds(lambda: read(many), 1) < 6 * 16 * least
