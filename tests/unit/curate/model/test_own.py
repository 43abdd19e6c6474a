"""Own words: what the user said is kept where a model's wording cannot be vouched for."""

from __future__ import annotations

import pytest

from tacit.curate.model.cite import Heard
from tacit.curate.model.own import in_own_words
from unit.curate.model.test_cite import turn

TEXT = "Review notes are short, four lines at the very most"
SAID = "That is good. Keep the review notes to four short lines. Then commit it."


def own(said: str, quote: str, content: str = TEXT) -> str:
    """Return what is kept of a user's message for a statement that quotes it."""
    place = Heard([turn(("user", said))]).found(quote)
    assert place is not None
    return in_own_words(content, place) if place.said.origin == "user" else ""


@pytest.mark.parametrize("quote", ["four short lines", "the review notes to four", SAID[14:56]])
def test_the_whole_sentence_that_is_quoted_is_kept(quote: str) -> None:
    assert own(SAID, quote) == "Keep the review notes to four short lines."


def test_a_quote_of_two_sentences_keeps_both() -> None:
    said = "We ship from the old harbour. The ferry leaves there at noon."

    kept = own(said, "harbour. The ferry", "The ferry leaves the old harbour at noon")

    assert kept == said


@pytest.mark.parametrize(
    "said",
    [
        "Are the review notes four short lines?",
        "\u30ec\u30d3\u30e5\u30fc review notes of four short lines\uff1f",
        "should we keep the review notes to four short lines",
        "Maybe review notes of four short lines.",
        "He said that review notes have four short lines.",
        "Keep the review notes to four short lines if it is a hotfix.",
        "Four lines.",
        "From: Ann\nSubject: rules\n\nKeep the review notes to four short lines.",
        "```\nKeep the review notes to four short lines.\n```",
        "> Keep the review notes to four short lines.",
        'The guide has "Keep the review notes to four short lines." in it',
        "Forbidden here:\n- keep the review notes to four short lines",
        "Only for today: keep the review notes to four short lines.",
        "My colleague writes this - keep the review notes to four short lines.",
        "This is a one-time exception. Keep the review notes to four short lines.",
        "I do not want any of this. Keep the review notes to four short lines.",
        "What do you think of it?\n\nKeep the review notes to four short lines.",
        f"Keep the review notes to four short lines, {'and the summaries too, ' * 12}always.",
    ],
)
def test_what_cannot_stand_alone_as_the_user_s_is_not_kept(said: str) -> None:
    quote = "review notes" if "review notes" in said else "Four lines"

    assert own(said, quote) == ""


def test_what_speaks_of_something_else_is_not_kept() -> None:
    assert own("The deploy script prints a table of all hosts.", "deploy script") == ""


def test_an_exception_is_never_cut_off() -> None:
    said = (
        "Merge your own pull requests into the develop branch without waiting, but for changes of"
        " the schema, the payment code and anything under infra."
    )

    kept = own(said, "pull requests", "Pull requests of your own go into develop, without waiting")

    assert kept in {"", said}


def test_what_denies_is_not_kept_for_what_does_not() -> None:
    said = "Do not keep the review notes to four short lines."

    assert own(said, "review notes") == ""
