"""A reading never fails: what can be read counts, and the rest is named as a problem."""

from __future__ import annotations

import pytest

from tacit.settings_reader import Reading

PATH = "/home/ann/config.toml"


def read(text: str, last: str | None = None) -> Reading:
    """Read a text; where it has problems, with what was last valid."""
    reading = Reading(PATH, text.encode())
    if reading.problems and last is not None:
        reading.fall_back(Reading(PATH, last.encode()))
    return reading


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[llm]\nprovdier = "openai"', "llm.provdier"),
        ("[backup]\nkeep = 0", "backup.keep"),
        ("keep = 3", "keep"),
        ("[groups]\nwork = 3", "groups.work"),
        ("[workspaces]\nmain = '/srv'", "workspaces.main"),
        ("[backup", "config.toml"),
    ],
)
def test_one_wrong_setting_leaves_all_others(text: str, key: str) -> None:
    reading = read(f"{text}\n[curate]\nbatch_turns = 7\n")

    assert [problem.key for problem in reading.problems] == [key]
    assert reading.values["curate.batch_turns"] == 7


def test_a_problem_says_what_was_meant() -> None:
    (problem,) = read('[llm]\nprovdier = "openai"').problems

    assert problem.text == (
        f"{PATH} has a setting that does not exist: llm.provdier; did you mean llm.provider? "
        "Remove or correct it."
    )


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("[backup]\nkeep = 0", {"backup.keep": 3}),
        ("[backup]\nkep = 9", {"backup.keep": 3}),
        ("[backup]\nkeep = 5\nkep = 9", {"backup.keep": 5}),
        ("[backup]\nx = 9", {}),
        ("[backup", {"backup.keep": 3, "llm.daily_usd": 2.0}),
    ],
    ids=["wrong value", "misspelled", "given as well", "something else", "torn"],
)
def test_what_was_last_valid_counts_for_what_cannot_be_read(
    text: str, held: dict[str, object]
) -> None:
    reading = read(text, "[backup]\nkeep = 3\n[llm]\ndaily_usd = 2\n")

    assert {name: value for name, value in reading.values.items() if value != []} == held


def test_a_group_that_cannot_be_read_is_what_it_was() -> None:
    last = "[groups]\nwork = ['/nowhere/w']\nhome = ['/nowhere/h']\n"

    reading = read("[groups]\nwork = 3\n", last)

    assert reading.groups == {"work": ["/nowhere/w"]}


@pytest.mark.parametrize(
    "text",
    [
        '[capture]\nexclude = "/nowhere/p"',
        '[capture]\nexclude = ["/nowhere/p", 3]',
        '[capture]\nexclude = ["relative", "/nowhere/p"]',
        '[capture]\nexlude = ["/nowhere/p"]',
        '[captur]\nexclude = ["/nowhere/p"]',
        'exclude = ["/nowhere/p"]',
        '[capture\nexclude = ["/nowhere/p"]',
        '[capture]\nexclude = ["/nowhere/p" "/x"]',
    ],
)
def test_what_was_to_be_excluded_is_excluded_however_it_is_spelled(text: str) -> None:
    reading = read(text, '[capture]\nexclude = ["/nowhere/before"]')

    assert {"/nowhere/p", "/nowhere/before"} <= set(reading.values["capture.exclude"])


@pytest.mark.parametrize("source", [b"\xff\xfe", b"\0", b"[" * 9000, b"a = 1\na = 2", b"=" * 300])
def test_any_bytes_are_a_reading(source: bytes) -> None:
    reading = Reading(PATH, source)

    assert (reading.values, len(reading.problems)) == ({}, 1) or reading.problems
