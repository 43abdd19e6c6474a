"""Stance: what a statement denies is told from what it says, in eight languages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.curate.rules.across.stance import (
    bare,
    is_denial,
    is_other_value,
    is_reversed,
    is_swapped,
    stance,
)
from tacit.curate.rules.words import stems


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The till opens at eight", ""),
        ("The till does not open", "open"),
        ("The till listens on harbor, not lagoon", "lagoon"),
        ("Answers without code samples", "code samples"),
        ("Never without a test", "never"),
        ("No, the till opens at eight", ""),
        ("Not tabs but spaces", "tabs"),
        ("Use pnpm rather than yarn", "yarn"),
        ("Do not forget the tests", ""),
        ("Not only tabs", ""),
        ("Die Kasse läuft nicht", "kasse läuft"),
        ("Keine Tabs, sondern Leerzeichen", "tabs"),
        ("Je ne veux pas de tabulations", "veux tabulations"),
        ("Quiero respuestas sin ejemplos", "ejemplos"),
        ("O serviço roda no servidor e não dorme", "dorme"),
        ("Nigdy nie używaj tabulatorów", "używaj tabulatorów"),
    ],
)
def test_what_is_denied_is_found(text: str, denied: str) -> None:
    assert bare(stance(text).denied) == bare(stems(denied))


def test_a_denial_at_the_end_of_a_japanese_sentence_reaches_all_of_it() -> None:
    assert is_reversed("テストでモックを使います", "テストでモックを使いません")


@pytest.mark.parametrize("word", ["not", "don't", "isn't", "nicht", "pas", "nunca", "não", "nigdy"])
def test_a_word_that_denies_is_known(word: str) -> None:
    assert is_denial(word)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mocks are not allowed in the tests", "No mocks in the tests"),
        ("The till opens at eight", "The till opens at eight"),
        ("Never push to main", "Don't push to main"),
    ],
)
def test_two_ways_to_say_one_thing_are_no_reversal(one: str, other: str) -> None:
    assert not is_reversed(one, other)


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ("Deploy the api before the worker", "Deploy the worker before the api", True),
        ("Deploy the api before the worker", "Deploy the worker after the api", False),
        ("Deploy the api before the worker", "Before the worker, deploy the api", False),
        ("Prefer tabs over spaces", "Prefer spaces over tabs", True),
        ("Die Tests vor dem Bau", "Der Bau vor den Tests", True),
        ("Deploy the api", "Deploy the worker before the api", False),
    ],
)
def test_an_order_that_is_turned_around_is_seen(one: str, other: str, *, is_so: bool) -> None:
    assert is_swapped(one, other) is is_so


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ("Always use yarn here", "Always use pnpm here", True),
        ("The till runs version 3.11", "The till runs version 3.12", True),
        ("The till is called heron", "The till is called osprey", True),
        ("Use tabs in Go files", "Use tabs in Python files", False),
        ("Anna waters the tomatoes", "Bert waters the tomatoes", False),
        ("Bug 12 is fixed", "Bug 13 is fixed", False),
        ("The till is old", "The till is slow", False),
        ("The till opens at eight", "The till opens at eight", False),
        ("Use tabs", "Use tabs in Go files", False),
        ("", "", False),
    ],
)
def test_another_value_is_told_from_another_thing(one: str, other: str, *, is_so: bool) -> None:
    assert is_other_value(one, other) is is_so


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_is_too_odd_to_be_compared(one: str, other: str) -> None:
    assert not is_reversed(one, one)
    assert not is_swapped(one, one)
    assert not is_other_value(one, one)
    assert is_reversed(one, other) == is_reversed(other, one)
    assert is_swapped(one, other) == is_swapped(other, one)
