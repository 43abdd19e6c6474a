"""Passing: a cue is not enough where the words around it say that something only passes."""

from __future__ import annotations

import pytest

from tacit.curate.rules.across.passing import is_passing


@pytest.mark.parametrize(
    "text",
    [
        "I want you to weigh the blue parcel.",
        "Ich möchte die Waage sehen.",
        "Quiero entender la balanza.",
        "I like the way you packed it.",
        "J'adore, merci.",
        "The scale always shows twelve grams.",
        "The courier's van never started.",
        "I have never lifted one.",
        "Every time I press the pedal the belt jumps.",
        "Normally the belt is quiet.",
        "I always forget the code of the gate.",
        "We decided to call it a day.",
        "by default how heavy is a parcel",
        "so does the belt always stop",
        'Paint "Never lean here" on the belt.',
        "In the manual: `always weigh twice`.",
        "Write a note that one must always weigh twice.",
        "Make sure this parcel never gets wet.",
        "If I were the courier I would always weigh twice.",
        "It must never be opened.",
        "Always pack it like that.",
        "Never mind, the parcel was here.",
        "My boss always weighs twice.",
    ],
)
def test_what_only_passes_is_told_by_the_words_around_its_cue(text: str) -> None:
    assert is_passing(text)


@pytest.mark.parametrize(
    "text",
    [
        "I want short labels.",
        "I want you to always weigh twice.",
        "I like it when the label is on top.",
        "I prefer the scale over the estimate.",
        "Ich möchte Etiketten immer oben.",
        "Prefiero etiquetas cortas.",
        "Never open a parcel.",
        "We always weigh twice.",
        "Parcels must never get wet.",
        "Whenever you weigh a parcel, write it down.",
        "Whenever the belt stops, call Mira.",
        "We decided to weigh twice.",
        "Write labels always in capitals.",
        "In this project always weigh twice.",
    ],
)
def test_what_is_meant_to_stay_does_not_pass(text: str) -> None:
    assert not is_passing(text)


def test_what_points_back_stays_where_the_clause_before_says_at_what() -> None:
    before = "The seal of a parcel is its number."

    assert not is_passing("It must never be broken.", before, " ")


@pytest.mark.parametrize("before", ["Is the seal its number?", "Thanks.", "Print the seal."])
def test_what_points_back_passes_where_nothing_is_named(before: str) -> None:
    assert is_passing("It must never be broken.", before, " ")


@pytest.mark.parametrize("before", ["Translate into Dutch", "There is a sticker on the belt"])
def test_a_text_that_is_announced_passes(before: str) -> None:
    assert is_passing("never open a parcel", before, ": ")


def test_a_rule_that_is_announced_stays() -> None:
    assert not is_passing("never open a parcel", "New rule", ": ")
