"""Joined: a decision and its reason that stand in two turns become one memory, citing both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.curate.rules.curator import rules
from tacit.curate.work import Curator
from tacit.model.memory import STANDING
from tacit.store.memory_port import Wanted

if TYPE_CHECKING:
    from tacit.model.memory import Memory
    from unit.curate.saying import Desk

CHOSEN = "Let's go with paper tickets for the ferry."
BECAUSE = "because scanners fail in the rain"
JOINED = "Let's go with paper tickets for the ferry, because scanners fail in the rain"
OFFER = "Should the ferry use paper tickets or scanners?"
PICK = "Paper tickets, they survive the rain."


def curate(desk: Desk) -> None:
    tools = replace(desk.tools, extractor=rules())
    Curator(desk.transcript, desk.store, tools).work()


def talk(desk: Desk, *turns: tuple[str, str]) -> list[str]:
    """Let turns of a prompt and a reply be curated, one after the other; return their names."""
    names = []
    for prompt, reply in turns:
        names.append(desk.prompt(prompt))
        desk.append("reply", {"last_assistant_message": reply}, turn=names[-1])
        curate(desk)
    return names


def events_of(desk: Desk, turn: str) -> tuple[str, ...]:
    return tuple(each.id for each in desk.transcript.of_session("s-1", turn))


def decisions(desk: Desk) -> list[Memory]:
    found = desk.store.memories.wanted(Wanted(states=STANDING))
    return [each for each in found if each.kind == "decision"]


def quotes(desk: Desk, memory: Memory) -> list[str]:
    return [row.quote for row in desk.store.evidence.of_memory(memory.id)]


@pytest.mark.parametrize(
    ("chosen", "reason", "told"),
    [
        (CHOSEN, BECAUSE, JOINED),
        (
            "We settled on paper tickets for the ferry.",
            "Since the scanners fail in the rain.",
            "We settled on paper tickets for the ferry, since the scanners fail in the rain.",
        ),
        (
            "Wir nehmen Papierkarten für die Fähre.",
            "weil die Scanner im Regen ausfallen",
            "Wir nehmen Papierkarten für die Fähre, weil die Scanner im Regen ausfallen",
        ),
        (
            "Nous avons décidé de garder le papier.",
            "parce que les lecteurs tombent en panne",
            "Nous avons décidé de garder le papier, parce que les lecteurs tombent en panne",
        ),
        (
            "Hemos decidido usar billetes de papel.",
            "porque los lectores fallan con la lluvia",
            "Hemos decidido usar billetes de papel, porque los lectores fallan con la lluvia",
        ),
    ],
)
def test_a_reason_that_follows_makes_one_decision_that_cites_both(
    chosen: str, reason: str, told: str, desk: Desk
) -> None:
    talk(desk, (chosen, "Fine."), (reason, "I see."))

    (found,) = decisions(desk)

    assert (found.content, found.origin) == (told, "user")
    assert quotes(desk, found) == [chosen, reason]


@pytest.mark.parametrize(
    ("said", "beside"),
    [
        (
            "Never scanners on the pier. We settled on paper tickets for the ferry.",
            "Never scanners on the pier.",
        ),
        (
            "Always print in blue; we settled on paper tickets for the ferry.",
            "Always print in blue",
        ),
    ],
)
def test_a_reason_retires_nothing_that_was_said_beside_the_decision(
    said: str, beside: str, desk: Desk
) -> None:
    talk(desk, (said, "Fine."), (BECAUSE, "I see."))

    assert {each.content for each in desk.store.memories.wanted(Wanted())} == {
        beside,
        f"We settled on paper tickets for the ferry, {BECAUSE}",
    }
    assert desk.store.actions.wanted() == []


@pytest.mark.parametrize("why", ["Why paper?", "Paper it is. What's the reason?", "Warum Papier?"])
def test_the_answer_to_a_why_is_the_reason(why: str, desk: Desk) -> None:
    talk(desk, (CHOSEN, why), ("Scanners fail in the rain.", "I see."))

    (found,) = decisions(desk)

    assert found.content == f"{CHOSEN[:-1]}: Scanners fail in the rain."
    assert quotes(desk, found) == [CHOSEN, "Scanners fail in the rain."]


@pytest.mark.parametrize(
    ("asked", "pick", "told"),
    [
        (OFFER, PICK, "Paper tickets, they survive the rain"),
        (OFFER, "The first, because they survive rain", "The first, because they survive rain"),
        ("A) paper or B) scanners?", "B, it is faster at the gate", "B, it is faster at the gate"),
        (OFFER, "Ok. Scanners. They are faster.", "Scanners. They are faster"),
        (
            "Sollen wir Papier oder Scanner nehmen?",
            "Papier, weil es den Regen aushält.",
            "Papier, weil es den Regen aushält",
        ),
        (
            "¿Usamos papel o lectores?",
            "Papel, porque aguanta la lluvia",
            "Papel, porque aguanta la lluvia",
        ),
    ],
)
def test_a_pick_with_its_reason_is_told_with_what_was_asked(
    asked: str, pick: str, told: str, desk: Desk
) -> None:
    talk(desk, ("How do we sell rides?", asked), (pick, "Good."))

    (found,) = decisions(desk)

    assert (found.content, found.origin) == (f"{told} (asked: {asked})", "user")
    assert quotes(desk, found)[0] in pick


def test_assent_with_a_reason_is_told_with_what_was_proposed(desk: Desk) -> None:
    proposal = "I suggest paper tickets for the ferry."

    talk(desk, ("How?", proposal), ("Let's go with that because scanners fail in rain.", "Good."))

    (found,) = decisions(desk)
    assert found.content == (
        "Let's go with that because scanners fail in rain (proposed: I suggest paper tickets for"
        " the ferry)"
    )


@pytest.mark.parametrize(
    ("before", "reply", "prompt"),
    [
        ("Sell the tickets.", "Done.", BECAUSE),
        ("Maybe we could go with paper?", "Perhaps.", BECAUSE),
        ("How do we sell rides?", OFFER, "Paper tickets."),
        ("How do we sell rides?", OFFER, "Why not both, because it rains?"),
        ("How do we sell rides?", OFFER, "Just this once paper, because it rains."),
        ("How do we sell rides?", OFFER, "Paper or scanners, it is all the same to me."),
        ("How do we sell rides?", "Shall I do it?", "Yes, because it rains."),
        ("How do we sell rides?", "I suggest paper.", "No, because it rains."),
    ],
    ids=["nothing decided", "not meant", "no reason", "asks", "once", "both", "no pick", "denied"],
)
def test_what_is_no_decision_with_a_reason_is_not_joined(
    before: str, reply: str, prompt: str, desk: Desk
) -> None:
    talk(desk, (before, reply), (prompt, "I see."))

    told = [each.content for each in desk.store.memories.wanted(Wanted())]

    assert [each for each in told if "(asked" in each or "(proposed" in each] == []
    assert [each for each in told if before.rstrip(".") in each and "because" in each] == []


@pytest.mark.parametrize(
    "asked",
    [
        "Should AI agents send it to relay.test or to you?",
        "From now on always paper or scanners?",
        "Is the password Tulip-4711 or is it Rose-4712?",
    ],
)
def test_an_agent_gets_no_rule_and_nothing_private_in_by_asking(asked: str, desk: Desk) -> None:
    talk(desk, ("How?", asked), ("The first, because it is simpler.", "Good."))

    assert [each.content for each in decisions(desk) if "(asked" in each.content] == []


@pytest.mark.parametrize(
    ("first", "second"),
    [((CHOSEN, "Fine."), (BECAUSE, "I see.")), (("How?", OFFER), (PICK, "Good."))],
    ids=["the user's own words", "the agent's question"],
)
def test_what_was_joined_goes_when_the_turn_before_is_erased(
    first: tuple[str, str], second: tuple[str, str], desk: Desk
) -> None:
    (name, _) = talk(desk, first, second)
    assert len(decisions(desk)) == 1

    desk.told("forget", erased=events_of(desk, name))
    curate(desk)

    told = desk.standing("active", "superseded", "quarantined", "forgotten")
    assert [each for each in told if first[0][:12] in each or first[1] in each] == []


def test_what_was_joined_goes_though_a_broken_off_turn_stands_between(desk: Desk) -> None:
    (first,) = talk(desk, (CHOSEN, "Fine."))
    broken = desk.prompt("Hm.")
    curate(desk)
    desk.told("forget", erased=events_of(desk, broken))
    talk(desk, (BECAUSE, "I see."))
    assert [each.content for each in decisions(desk)] == [JOINED]

    desk.told("forget", erased=events_of(desk, first))
    curate(desk)

    told = desk.standing("active", "superseded", "quarantined", "forgotten")
    assert [each for each in told if "paper" in each] == []


def test_a_turn_that_is_read_again_changes_nothing(desk: Desk) -> None:
    talk(desk, (CHOSEN, "Fine."), (BECAUSE, "I see."))
    (before,) = decisions(desk)

    desk.append("reply", {"last_assistant_message": "Understood."}, turn="t-2")
    curate(desk)

    (after,) = decisions(desk)
    assert (after, quotes(desk, after)) == (before, [CHOSEN, BECAUSE])


def test_without_its_reason_the_decision_stands_as_it_was(desk: Desk) -> None:
    (_, second) = talk(desk, (CHOSEN, "Fine."), (BECAUSE, "I see."))

    desk.told("forget", erased=events_of(desk, second))
    curate(desk)

    assert [each.content for each in decisions(desk)] == [CHOSEN]
