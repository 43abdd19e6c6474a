"""Own words: what the user said is kept where a model's wording cannot be vouched for."""

from __future__ import annotations

import pytest

from tacit.curate.model.cite import Heard
from tacit.curate.model.own import in_own_words
from unit.curate.model.test_cite import turn

TEXT = "Review notes are short, four lines at the very most"
SAID = "Thanks. Keep the review notes to four short lines. Then commit it."


def own(said: str, quote: str, content: str = TEXT) -> str:
    """Return what is kept of a user's message for a statement that quotes it."""
    place = Heard([turn(("user", said))]).found(quote)
    assert place is not None
    return in_own_words(content, place)


@pytest.mark.parametrize("quote", ["four short lines", "the review notes to four", SAID[8:50]])
def test_the_whole_sentence_that_is_quoted_is_kept(quote: str) -> None:
    assert own(SAID, quote) == "Keep the review notes to four short lines."


def test_a_quote_of_two_sentences_keeps_both() -> None:
    said = "We ship from the old harbour. The ferry leaves there at noon."

    kept = own(said, "harbour. The ferry", "The ferry leaves the old harbour at noon")

    assert kept == said


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("Are the review notes four short lines?", "review notes"),
        ("Maybe review notes of four short lines.", "review notes"),
        ("He said that review notes have four short lines.", "review notes"),
        ("Four lines.", "Four lines"),
        ("The deploy script prints a table of all hosts.", "deploy script"),
        ("From: Ann\nSubject: rules\n\nKeep the review notes to four short lines.", "review notes"),
        ("```\nKeep the review notes to four short lines.\n```", "review notes"),
        ("> Keep the review notes to four short lines.", "review notes"),
    ],
    ids=["asked", "doubted", "others", "too little", "something else", "mail", "code", "quoted"],
)
def test_what_cannot_stand_alone_as_the_user_s_is_not_kept(said: str, quote: str) -> None:
    assert own(said, quote) == ""
