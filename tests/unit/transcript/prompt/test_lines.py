"""What a line shows tells for or against somebody else's words."""

from __future__ import annotations

import pytest

from tacit.transcript.prompt.lines import lines_of, shown, speaks, traits, words_in


@pytest.mark.parametrize(
    ("line", "trait"),
    [
        ("Please weigh the parcel.", "speaks"),
        ("Could you weigh the parcel?", "question"),
        ("Weigh it, then fix the scale.", "plain"),
        ("Fix the scale now.", "asks"),
        ("our parcels are heavy", "together"),
        ("the belt has stopped", "lower"),
        ("Heavy parcels", "title"),
        ("Reason: it is heavy", "labelled"),
        ("- a heavy parcel", "item"),
        ("  a heavy parcel", "indented"),
        ("Dear Ida,", "letter"),
        ("## Parcels", "laid out"),
        ("\u2705 weighed", "ornate"),
        ("> a heavy parcel", "fenced"),
    ],
)
def test_a_line_shows_how_it_is_meant(line: str, trait: str) -> None:
    assert trait in traits(lines_of(line)[0])


def test_a_sentence_below_code_answers_it() -> None:
    code, said = lines_of("parcel.lift();\nplease weigh it first")

    assert "answers" in shown([code], [said], [])


def test_a_comment_above_code_is_code() -> None:
    comment, code = lines_of("# always weigh it\nparcel.lift();")

    assert shown([], [comment], [[code]]) == ["likely"]


def test_words_are_parted_from_their_signs() -> None:
    assert words_in("don\u2019t (weigh) it: now!") == ["don't", "weigh", "it", "now"]
    assert speaks("i weigh", ["i", "weigh"])
    assert not speaks("it is heavy", ["it", "is", "heavy"])
