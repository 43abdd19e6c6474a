"""Outright: cues alone are enough for what is meant to stay, and for nothing else."""

from __future__ import annotations

import pytest

from tacit.curate.rules.across.outright import doubt, is_outright
from tacit.curate.rules.features import Around, features
from tacit.curate.rules.segment import clauses


def told(text: str) -> bool:
    """Say whether the last clause of a message counts for its cues alone."""
    seen = features(clauses(text), Around())
    before = seen[-2] if len(seen) > 1 else set()
    return is_outright(seen[-1], before)


@pytest.mark.parametrize(
    "text",
    [
        "Never rename the ledger columns.",
        "Under no circumstances edit the ledger by hand.",
        "I prefer a plain list to a chart.",
        "Keep in mind that the ferry leaves at six.",
        "As of today every parcel is weighed twice.",
        "Ab heute wird jedes Paket gewogen.",
        "Unter keinen Umständen die Waage verstellen.",
        "Behalt im Kopf, dass die Fähre um sechs ablegt.",
        "À compter d'aujourd'hui chaque colis est pesé.",
        "Garde en tête que le bac part à six heures.",
        "Bajo ningún concepto cambies la balanza.",
        "Ten presente que el barco sale a las seis.",
        "Da oggi in poi ogni pacco si pesa.",
        "Tieni a mente che il traghetto parte alle sei.",
        "De hoje em diante todo pacote é pesado.",
        "Tenha em mente que a balsa sai às seis.",
        "Od dzisiaj każda paczka jest ważona.",
        "Miej na uwadze, że prom odpływa o szóstej.",
        "本日から荷物はすべて計量します。",
        "船は六時に出ると覚えておいてください。",
        "We decided to weigh parcels twice.",
        "Wir haben beschlossen, zweimal zu wiegen.",
        "No, the scale is in grams, not in ounces.",
        "That's wrong. The scale is in grams, not in ounces.",
    ],
)
def test_what_is_said_to_stay_counts(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize(
    "text",
    [
        "Weigh the parcel and print the label.",
        "Do you always weigh them twice?",
        "The courier says one must never lift them alone.",
        "Maybe we always weigh them twice.",
        "Just this once never mind the scale.",
        "Haha, I love being weighed.",
        "Heute wiegen wir nur einmal.",
        "Immer diese Waage, Scherz!",
        "¿Siempre se pesa dos veces?",
        "Le facteur dit qu'il faut toujours peser.",
        "Forse preferisco la bilancia.",
        "The scale is in grams, not in ounces.",
        "No, not that one.",
        "That's wrong. Not that I mind the weight of them.",
    ],
)
def test_what_is_not_said_to_stay_does_not_count(text: str) -> None:
    assert not told(text)


@pytest.mark.parametrize("text", ["Weigh it today.", "Maybe weigh it twice.", "Twice, lol."])
def test_what_is_meant_for_once_or_not_meant_is_doubted(text: str) -> None:
    (seen,) = features(clauses(text), Around())

    assert doubt(seen) < 1


@pytest.mark.parametrize("text", ["Weigh it twice.", "From today weigh it twice."])
def test_what_only_begins_today_is_not_doubted(text: str) -> None:
    (seen,) = features(clauses(text), Around())

    assert doubt(seen) == 1
