"""The gate: what may teach something is let through, in several languages; small talk is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rig import corpus
from tacit.curate.extract import Context
from tacit.curate.model.gate import LEAST, REPLY, USER, WEIGHTS, Heard, is_worth, told, weight
from tacit.curate.reading import Said, TurnText, read
from tacit.curate.rules.view import view

if TYPE_CHECKING:
    from unit.curate.model.scripted import ReadingDesk

WORTH = [
    "From now on, invoices go out on the first Tuesday of the month.",
    "I hate it when the summary comes before the numbers.",
    "We decided to drop the blue theme because nobody could read it.",
    "Our accountant is called Ines and works in the mornings only.",
    "No, the ferry leaves at 7:40, not at 7:10.",
    "Bitte nenne Kunden in Briefen nie beim Vornamen.",
    "Ich arbeite donnerstags immer von der Werkstatt aus.",
    "Ne mets jamais de point d'exclamation dans mes courriels.",
    "Prefiero que las tablas lleven siempre el total arriba.",
    "Preferisco le date scritte per esteso nei contratti.",
    "Zawsze podawaj ceny z podatkiem.",
    "今後は見積書を必ずPDFで送ってください。",
]
EMPTY = ["thanks!", "ok", "go on", "hm", "danke", "yes please", "nice one", "?", "continue"]
TAUGHT = "The boiler stopped because the inlet filter was clogged; I cleaned it and it runs again."


def judged(desk: ReadingDesk, text: str, said: str = "Done.") -> bool:
    name = desk.talk(text, said)
    turn = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert turn is not None
    return is_worth(turn, Context())


@pytest.mark.parametrize("text", WORTH)
def test_what_the_user_says_to_last_is_worth_reading(desk: ReadingDesk, text: str) -> None:
    assert judged(desk, text)


@pytest.mark.parametrize("text", EMPTY)
def test_small_talk_is_not(desk: ReadingDesk, text: str) -> None:
    assert not judged(desk, text)


def test_what_the_agent_has_found_out_is(desk: ReadingDesk) -> None:
    assert judged(desk, "ok", TAUGHT)


@pytest.mark.parametrize(("is_kept", "least", "most"), [(True, 0.92, 1.0), (False, 0.0, 0.45)])
def test_of_sentences_that_teach_few_are_missed(
    is_kept: bool,  # noqa: FBT001
    least: float,
    most: float,
) -> None:
    sentences = [each for each in corpus("statements/") if each["keep"] == is_kept]

    passed = sum(is_worth(turn_of(each["user"], each["after"]), Context()) for each in sentences)

    print(f"{passed} of {len(sentences)} sentences pass the gate")  # noqa: T201
    assert least <= passed / len(sentences) <= most


def turn_of(*texts: str) -> TurnText:
    """Return a turn of a prompt and a reply."""
    who = (("prompt", "user"), ("reply", "assistant"))
    said = tuple(
        Said(
            event=kind,
            seq=at,
            at=at,
            kind=kind,
            origin=origin,
            via="live",
            tool=None,
            text=text,
            payload={},
        )
        for at, ((kind, origin), text) in enumerate(zip(who, texts, strict=True))
    )
    return TurnText(session="s-1", turn="t-1", project="", said=said)


def test_a_turn_without_words_is_not(desk: ReadingDesk) -> None:
    assert not judged(desk, "", "")


def test_the_more_was_said_and_done_the_sooner_a_turn_is_read(desk: ReadingDesk) -> None:
    name = desk.talk("ok")
    bare = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
    assert bare is not None
    seen = told(Heard.of(view(bare, Context())))

    more = [weight(seen | {name: seen[name] + 1}) - weight(seen) for name in WEIGHTS]

    assert (weight(seen) < LEAST, set(seen)) == (True, set(WEIGHTS))
    assert [name for name, step in zip(WEIGHTS, more, strict=True) if step < 0] == ["question"]


def test_much_that_was_done_is_enough_without_a_likely_clause(desk: ReadingDesk) -> None:
    turns = []
    for acts in (0, 6):
        name = desk.prompt("go on with the next three of them as before")
        for number in range(acts):
            desk.use(name, f"{number} of the rows are there")
        desk.append("reply", {"last_assistant_message": "The next three are there."}, turn=name)
        turn = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
        assert turn is not None
        turns.append(is_worth(turn, Context()))

    assert turns == [False, True]


def test_the_gate_asks_less_of_the_user_than_of_the_agent() -> None:
    assert 0 < USER < REPLY < 1
