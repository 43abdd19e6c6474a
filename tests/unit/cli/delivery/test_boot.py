"""`tacit boot`: what an agent is to know, here or of the whole group, for people and programs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.memory.conftest import Cli, Mind

TEA, MILK = "The till sells tea", "I like milk in tea"


@pytest.fixture
def tea(cli: Cli, mind: Mind) -> None:
    """Let things be known about tea."""
    mind.begin("s-1")
    cli.remember(TEA)
    cli.remember(MILK, "--kind", "preference", "--everywhere")


def test_where_nothing_is_known_it_says_so(cli: Cli, home: Home) -> None:
    assert cli("boot") == (0, "", "Nothing is known yet, and nothing is deployed.\n")
    assert cli.json("boot")["text"] == ""
    assert not (home.path / "groups" / "main").exists()


@pytest.mark.usefixtures("tea")
def test_the_text_alone_goes_where_a_program_reads_it(cli: Cli) -> None:
    shown = cli("boot")

    assert shown.out.startswith("# User\n")
    assert "\n\n---\n\n# Context\n" in shown.out
    assert shown.out.endswith("\n")
    assert re.fullmatch(r"3 parts, at most \d+ tokens\.\n", shown.err)


@pytest.mark.usefixtures("tea")
def test_for_programs_it_is_what_it_consists_of(cli: Cli) -> None:
    found = cli.json("boot")

    assert found["text"] + "\n" == cli("boot").out
    assert [each["name"] for each in found["parts"]] == [
        "user.md",
        "context.md",
        "Recent Learnings",
    ]
    assert sum(each["tokens"] for each in found["parts"]) <= found["tokens"] + 3
    assert found.keys() == {"text", "tokens", "generated_at", "version", "parts", "left_out"}


@pytest.mark.usefixtures("tea")
def test_where_nothing_fits_it_says_so(cli: Cli) -> None:
    shown = cli("boot", "--tokens", "20")

    told = "user.md, context.md, Recent Learnings"
    assert shown == (0, "", f"There is no room for anything ({told}): say more `--tokens`.\n")


@pytest.mark.usefixtures("tea")
def test_in_an_unknown_place_it_is_about_the_whole_group(
    cli: Cli, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = cli("boot").out
    monkeypatch.chdir(home.scratch)

    elsewhere, whole = cli("boot").out, cli("boot", "--all-projects").out

    assert elsewhere == whole == here  # there is one project alone


@pytest.mark.usefixtures("tea")
def test_of_another_project_it_is_about_that_one(cli: Cli, home: Home, mind: Mind) -> None:
    other = home.scratch / "other"
    other.mkdir()
    mind.talk("s-2", "Remember that the bar sells beer.")

    assert TEA in cli("boot", "--project", "project").out
    told = cli("boot", "--project", str(other))
    assert (told.code, "There is no project" in told.err) == (6, True)


@pytest.mark.usefixtures("tea")
def test_it_takes_no_more_tokens_than_asked(cli: Cli) -> None:
    assert cli.json("boot", "--tokens", "120")["tokens"] <= 120
    assert cli("boot", "--tokens", "0").code == 2
    assert cli("boot", "--project", "x", "--all-projects").code == 2


def test_hostile_words_cannot_fool_the_terminal(cli: Cli, hostile: str) -> None:
    cli.remember(hostile)

    assert cli("boot").strange == set()
