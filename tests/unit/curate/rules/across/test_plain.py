"""Plain: a few shapes are meant to stay without any cue, and nothing that only looks like them."""

from __future__ import annotations

import pytest

from stopwatch import cpu_seconds
from tacit.curate.rules.across.plain import is_plain
from tacit.curate.rules.features import Around, features
from tacit.curate.rules.segment import clauses


def told(text: str) -> bool:
    """Say whether a message of one clause is plainly meant to stay."""
    (seen,) = features(clauses(text), Around())
    return is_plain(text, seen)


@pytest.mark.parametrize(
    "text",
    [
        "Use grams here, not ounces.",
        "Please use the scale instead of the chart.",
        "Answer in Dutch.",
        "Antworte mir bitte auf Englisch.",
        "Responde en español.",
        "日本語で答えてください。",
        "Please don't use abbreviations.",
        "Keine Abkürzungen verwenden.",
        "The scale's server listens on port 7171.",
        "Die Waage läuft auf Port 7171.",
        "My name is Ida.",
        "Je m'appelle Ida.",
        "The weighing has been moved to Thursdays.",
        "Stocktaking's been pushed back to 3 May",
        "The delivery slipped to next week.",
        "Die Inventur wurde auf Freitag verschoben.",
        "Die Lieferung ist auf den 4. Mai verlegt worden.",
        "La pesée est reportée au 12 mars.",
        "La entrega se ha aplazado al jueves.",
        "La pesata è stata rinviata a martedì.",
        "A pesagem foi adiada para sexta.",
        "Ważenie przesunięto na wtorek.",
    ],
)
def test_what_is_plainly_meant_to_stay_is_known_by_its_shape(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize(
    "text",
    [
        "Use the scale.",
        "Answer in a minute.",
        "Answer the question in the German letter.",
        "Don't use the scale.",
        "Don't add that.",
        "Is it the scale that listens on port 7171?",
        "Just this once use grams, not ounces.",
        "Ida says her server listens on port 7171.",
        "Maybe use grams, not ounces.",
        "The scale was moved to the cellar.",
        "The button has been changed to blue.",
        "Can the weighing be moved to Thursdays?",
        "I moved the scale on 3 May.",
    ],
)
def test_what_only_looks_like_it_is_not(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize(
    "piece", ["please, ", "use a ", "don't a ", "a ", "\u4f60", "- ", "moved to ", "wurde auf "]
)
def test_hostile_text_is_looked_at_in_no_time(piece: str) -> None:
    spent = cpu_seconds(
        lambda: [is_plain((piece * 400)[:size], set()) for size in (100, 120, 20_000)]
    )

    assert spent < 0.5
