"""Telling words: the rarest of a statement are its tags, and tell what it is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.curate.rules.subject import telling, topic
from tacit.model.memory import tags_of


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("The ledger lives in Zanzibar", ("ledger", "lives", "zanzibar")),
        ("Zanzibar's ledger", ("zanzibar", "ledger")),
        ("It is on Mondays at 9:30, not 10", ()),
        ("", ()),
    ],
)
def test_the_rarest_words_tell_a_statement_from_others(text: str, tags: tuple[str, ...]) -> None:
    assert telling(text) == tags


def test_no_more_than_three_words_tell() -> None:
    assert len(telling("The wombat, the yak, the zebra, the okapi and the tapir share a pen")) == 3


def test_statements_with_the_same_telling_words_have_one_topic() -> None:
    assert topic("Zanzibar has the ledger") == topic("The ledger is in Zanzibar") == "ledger zanzib"


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_whatever_is_said_its_words_are_tags(text: str) -> None:
    found = telling(text)

    assert tags_of(found) == found
