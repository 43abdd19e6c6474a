"""Scope: what holds in every project, in this one, or is about the user."""

from __future__ import annotations

import pytest

from tacit.curate.rules.across.scope import scope_of


@pytest.mark.parametrize(
    ("text", "is_fact", "told"),
    [
        ("In every project: no emojis in commit messages", False, True),
        ("Antworte mir auf Deutsch, egal in welchem Projekt", False, True),
        ("Dans tous mes projets j'utilise pytest", False, True),
        ("In this repo we branch off main", False, False),
        ("Here we use yarn", False, False),
        ("My name is Priya", True, True),
        ("I'm colour-blind", True, True),
        ("I'm colour-blind", False, None),
        ("The database listens on 5434", True, None),
        ("Always run the linter", False, None),
    ],
)
def test_a_statement_says_where_it_holds(*, text: str, told: bool | None, is_fact: bool) -> None:
    assert scope_of(text, is_fact=is_fact) is told
