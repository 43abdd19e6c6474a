"""Clause words: statements are cut where something new is said, and generic words do not count."""

from __future__ import annotations

import pytest

from tacit.curate.rules.across.clause_words import (
    clauses_of,
    content_of,
    content_words,
    find_phrase,
    first_phrase,
    listed_contents,
    split_at,
    tokens_of,
    word_list,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Use date-fns at 9:30.", ["use", "date-fns", "at", "9:30", "."]),
        ("l\u2019API n'utilise C++", ["le", "api", "ne", "utilise", "c++"]),
        ("a - b", ["a", "-", "b"]),
        ("", []),
    ],
)
def test_names_and_times_stay_whole_and_elisions_are_written_out(
    text: str, tokens: list[str]
) -> None:
    assert tokens_of(text) == tokens


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Drop yapf, ruff is fine", ["drop yapf", "ruff is fine"]),
        ("not on Fridays but on Mondays", ["not on fridays", "on mondays"]),
        ("we dropped npm and use pnpm", ["we dropped npm", "use pnpm"]),
        ("drop npm and yarn", ["drop npm and yarn"]),
        (", !", []),
    ],
)
def test_a_clause_ends_where_something_else_is_said(text: str, clauses: list[str]) -> None:
    assert [" ".join(each) for each in clauses_of(text)] == clauses


@pytest.mark.parametrize(
    ("token", "content"),
    [
        ("formatting", "format"),
        ("installs", "instal"),
        ("db-2", "db-2"),
        ("5432", "5432"),
        ("ci", "ci"),
        ("ana's", "ana"),
        ("use", ""),
        ("not", ""),
        ("without", ""),
        ("the", ""),
        (",", ""),
    ],
)
def test_only_what_tells_of_the_subject_has_content(token: str, content: str) -> None:
    assert content_of(token) == content


def test_the_first_phrase_goes_to_the_next_word_without_content() -> None:
    tokens = tokens_of("the GitHub Actions for deploys")

    assert first_phrase(tokens) == (("github", "action"), ["for", "deploys"])
    assert first_phrase([]) == ((), [])


def test_tokens_are_split_at_marks() -> None:
    assert split_at(["a", "and", "b"], word_list("conjunctions")) == [["a"], ["b"]]


def test_a_phrase_is_found_where_its_words_are() -> None:
    tokens = tokens_of("use it instead of that")

    assert find_phrase(tokens, "in_place_of") == range(2, 4)
    assert find_phrase(tokens, "no_longer") is None


def test_lists_are_compared_like_texts() -> None:
    assert content_words(["Mondays".casefold()]) <= listed_contents("values")
