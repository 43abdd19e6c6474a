"""The tables: every language has its small words, and none has a telling one."""

from __future__ import annotations

import pytest
import Stemmer

from tacit.recall.tables import LANGUAGES, stop_words

BY_SCRIPT = ("russian", "greek", "arabic")
TELLING = "database server config network error test memory token auth deploy parser"


@pytest.mark.parametrize("language", [*LANGUAGES, *BY_SCRIPT])
def test_each_language_has_small_words_in_the_form_in_which_they_are_compared(
    language: str,
) -> None:
    words = stop_words(language)

    assert len(words) > 40
    assert {word for word in words if word != word.casefold() or word != word.strip()} == set()


@pytest.mark.parametrize("language", [*LANGUAGES, *BY_SCRIPT])
def test_each_language_has_a_stemmer(language: str) -> None:
    assert language in Stemmer.algorithms()


@pytest.mark.parametrize("language", [*LANGUAGES, *BY_SCRIPT])
def test_no_telling_word_of_our_trade_says_nothing(language: str) -> None:
    assert stop_words(language).isdisjoint(TELLING.split())


def test_a_language_that_is_not_known_has_no_small_words() -> None:
    assert stop_words("klingon") == frozenset()
