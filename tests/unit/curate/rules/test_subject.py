"""The subject: a word of the user that others share goes in front; nobody else's ever does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.curate.rules.subject import telling, with_subject

SHORT = "Two lines at most."
TEXTS = st.text(st.characters(exclude_categories=()), max_size=40)
LISTS = st.lists(TEXTS, max_size=3)
TIED = ["footer header banner margin", "margin banner header footer"]


@pytest.mark.parametrize(
    ("own", "around"),
    [
        (["I wrote the glossary"], ["the glossary is long"]),
        (["I wrote the glossary", "the glossary is long"], []),
    ],
    ids=["the user and another", "the user twice"],
)
def test_a_word_of_the_user_that_two_share_goes_in_front(own: list[str], around: list[str]) -> None:
    assert with_subject(SHORT, own, around) == "Glossary: Two lines at most."


@pytest.mark.parametrize("own", [[], [""], ["Make it short"]], ids=["silent", "empty", "other"])
def test_a_word_that_only_others_use_never_goes_in_front(own: list[str]) -> None:
    around = ["the glossary is long", "a glossary", "glossary"]

    assert with_subject(SHORT, own, around) == SHORT


def test_a_word_of_the_user_wins_over_one_that_more_of_the_others_share() -> None:
    around = ["the banner", "the banner and the glossary", "a banner"]

    told = with_subject(SHORT, ["I wrote the glossary"], around)

    assert told.startswith("Glossary: ")


@pytest.mark.parametrize("mark", ["[redacted:aws-key:1a2b]", "[private]"])
def test_a_mark_of_what_was_taken_out_is_nobody_s_word(mark: str) -> None:
    assert with_subject(SHORT, [f"I do {mark} it"], [f"{mark} is it"]) == SHORT
    assert "glossary" in telling(f"The glossary {mark}")
    assert telling(mark) == ()


def test_its_forms_are_one_word_and_the_user_s_is_told() -> None:
    told = with_subject(SHORT, ["Three invoices left"], ["an invoice", "INVOICE"])

    assert told == "Invoices: Two lines at most."


@pytest.mark.parametrize(
    ("own", "around"),
    [
        ([], []),
        ([""], [""]),
        (["the glossary is long"], ["the header is short"]),
        (["glossary glossary glossary"], []),
        (["the and for with"], ["with for and the"]),
        (["2026 9000"], ["9000 2026"]),
        (["api log"], ["log api"]),
        (["thanks committed"], ["committed thanks"]),
    ],
    ids=[
        "nobody",
        "nothing",
        "no agreement",
        "only one says it",
        "words that say nothing",
        "numbers",
        "short words",
        "words of talk",
    ],
)
def test_where_they_agree_on_nothing_the_statement_stays_alone(
    own: list[str], around: list[str]
) -> None:
    assert with_subject(SHORT, own, around) == SHORT


@pytest.mark.parametrize("statement", ["The glossary is short.", "Glossaries have two lines."])
def test_a_word_of_the_statement_does_not_go_in_front(statement: str) -> None:
    assert with_subject(statement, ["a glossary"], ["the glossary"]) == statement


def test_the_word_that_most_share_wins() -> None:
    told = with_subject(SHORT, ["glossary footer"], ["glossary footer", "footer"])

    assert told.startswith("Footer: ")


def test_of_words_that_as_many_share_the_longest_wins() -> None:
    told = with_subject(SHORT, ["footer glossary"], ["footer glossary"])

    assert told.startswith("Glossary: ")


def test_a_name_keeps_its_capitals() -> None:
    told = with_subject(SHORT, ["ask the mirrorHOST"], ["mirrorHOST again"])

    assert told.startswith("MirrorHOST: ")


def test_a_long_statement_says_enough() -> None:
    statement = "zebra " * 20

    assert with_subject(statement, ["glossary"], ["glossary"]) == statement


def test_the_subject_is_the_same_in_every_process() -> None:
    program = (
        "import sys; from tacit.curate.rules.subject import with_subject;"
        "print(with_subject(sys.argv[1], sys.argv[2:3], sys.argv[3:]))"
    )

    told = {
        subprocess.run(
            [sys.executable, "-c", program, SHORT, *TIED],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
        for seed in range(1, 7)
    }

    assert len(told) == 1


@given(TEXTS, LISTS, LISTS)
def test_a_statement_is_never_changed_itself(
    statement: str, own: list[str], around: list[str]
) -> None:
    told = with_subject(statement, own, around)

    assert told == statement or told.endswith(f": {statement}")
