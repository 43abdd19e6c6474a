"""The table of settings: every rule is about a setting that exists, and fits its default."""

from __future__ import annotations

import pytest

from tacit.settings_table import (
    CHOICES,
    COMMANDS,
    DESCRIPTIONS,
    GROUPS,
    LEAST,
    MOST,
    NAMES,
    OF_WORKSPACES,
    PRICES,
    TABLE,
    TEXTS,
    WORKSPACES,
)


def test_every_rule_is_about_a_setting() -> None:
    ruled = {*CHOICES, *COMMANDS, *LEAST, *MOST, *NAMES, *PRICES, *TEXTS}

    assert ruled <= TABLE.keys()


def test_every_number_has_a_least_value_that_its_default_keeps() -> None:
    numbers = {name: default for name, (default, _) in TABLE.items() if type(default) is int}

    assert numbers.keys() == LEAST.keys()
    assert [name for name, default in numbers.items() if default < LEAST[name]] == []


@pytest.mark.parametrize(("name", "words"), CHOICES.items())
def test_the_default_of_a_choice_is_one_of_its_words(name: str, words: tuple[str, ...]) -> None:
    assert TABLE[name][0] in words


def test_what_is_described_is_the_table_the_groups_and_the_workspaces() -> None:
    assert DESCRIPTIONS.keys() == {*TABLE, GROUPS, WORKSPACES}


def test_a_workspace_chooses_what_concerns_its_cards_and_files_alone() -> None:
    own = {name for name in TABLE if name.startswith(OF_WORKSPACES)}

    assert {name.partition(".")[0] for name in own} == {"canvas", "upkeep"}
