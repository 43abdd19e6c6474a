"""Leaving: who asks to be reminded, or says what they will do on a day to come, leaves it."""

from __future__ import annotations

import pytest

from stopwatch import cpu_seconds
from tacit.curate.rules.across.leaving import is_left, is_listed


@pytest.mark.parametrize(
    "clause",
    [
        "remind me to renew the certificate",
        "Please remind me about the roof",
        "could you remind us on Friday to order paper",
        "and don't let me forget the keys",
        "nag me about the deposit",
        "Ping me when the invoice is paid",
        "set a reminder for the audit",
        "Erinnere mich an die Steuer",
        "Bitte erinnern Sie mich daran, den Zähler abzulesen",
        "Rappelle-moi de payer le loyer",
        "Recuérdame que llame al taller",
        "Ricordami di chiamare l'idraulico",
        "Me lembre de renovar o seguro",
        "Przypomnij mi o przeglądzie auta",
        "明日の会議をリマインドして",
    ],
)
def test_who_asks_to_be_reminded_leaves_it(clause: str) -> None:
    assert is_left(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "remind me what the port was",
        "Remind me again, who owns the runbook",
        "remind me how we deploy",
        "that reminds me of the old days",
        "the app should remind me before it logs me out",
        "you need not remind me of that",
        "Add a button that says remind me later",
        "Erinnere mich, wie das Makro heißt",
        "Rappelle-moi pourquoi on a choisi Kafka",
        "Recuérdame cómo se llama el servidor",
    ],
)
def test_who_has_forgotten_or_speaks_of_something_else_leaves_nothing(clause: str) -> None:
    assert not is_left(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "I'll call the landlord tomorrow",
        "We have to ship the parts by Friday",
        "then I'm going to rewrite the parser next week",
        "I need to hand in the form this week",
        "I sign the lease tomorrow",
        "we test the sirens next weekend",
        "Ich muss das Paket heute Abend abholen",
        "Morgen muss ich zum Amt",
        "Je dois rendre les clés demain",
        "Mañana tengo que pagar la multa",
        "Devo consegnare i documenti stasera",
        "Tenho que enviar o contrato amanhã",
        "Muszę wysłać paczkę jutro",
    ],
)
def test_who_says_what_they_will_do_on_a_day_to_come_leaves_it(clause: str) -> None:
    assert is_left(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "I'll be away next week",
        "I will have a new phone tomorrow",
        "I'll not touch it this week",
        "Should I call them tomorrow?",
        "I need to understand this function",
        "I think we meet tomorrow",
        "I was told it ships next week",
        "I could do that tomorrow",
        "the backup runs tomorrow",
        "tomorrow never comes",
        "Ich werde nicht mehr da sein, morgen",
        "Je vais être absent demain",
    ],
)
def test_what_somebody_is_or_thinks_or_asks_is_no_plan(clause: str) -> None:
    assert not is_left(clause)


@pytest.mark.parametrize(
    ("clause", "is_so"),
    [
        ("ok, put that on the list", True),
        ("stick it in the backlog and go on", True),
        ("Setz das auf die Liste", True),
        ("ponlo en la lista", True),
        ("put the kettle on", False),
        ("the list is too long", False),
    ],
)
def test_what_was_spoken_of_is_put_on_a_list(clause: str, *, is_so: bool) -> None:
    assert (is_listed(clause), is_left(clause)) == (is_so, False)


@pytest.mark.parametrize(
    "piece", ["and ", "please, ", ", ", "i a ", "we'll ", "morgen ", "remind "]
)
def test_hostile_text_is_looked_at_in_no_time(piece: str) -> None:
    spent = cpu_seconds(lambda: [is_left(piece * 45), is_listed(piece * 45)])

    assert spent < 0.5
