"""Replaying: made again from the transcript, all is as it was, whatever was answered and decided.

Replies are replayed and nobody is asked. What was erased is nowhere, though a reply repeated it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.curate.decisions import About
from tacit.curate.model import calls
from tacit.store.memory_port import Wanted
from tacit.verbs import chosen
from tacit.verbs.chosen import Which
from unit.curate.model.conftest import guessed
from unit.curate.model.scripted import answer, item, reading_desk, todo
from unit.curate.saying import MINUTE_NS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.llm.port import Request
    from tacit.model.memory import Memory
    from unit.curate.model.scripted import ReadingDesk

TEXTS = (
    "The harbour ferry leaves at noon",
    "The parrot of the harbour speaks Dutch",
    "Remember that the pump is made of brass.",
    "Later I must call the bank about the mortgage",
    "zzz the bank said yes to the mortgage, call it done",
    "zzz from now on the harbour ferry leaves at one",
)
QUOTES = ("harbour ferry leaves", "pump is made of brass", "call the bank", "parrot of the harbour")


def kept_all(request: Request) -> dict[str, Any]:
    """Keep every draft."""
    drafts = [line.split()[1] for line in request.text.splitlines() if line.startswith("draft ")]
    return answer(kept=drafts)


def eager(request: Request) -> dict[str, Any]:
    """Say something of all that is there, replace what is known, close what is open."""
    told = [
        item("fact", f"It is so that the {quote}", quote, supersedes="m1", draft="d1", tags=["a"])
        for quote in QUOTES
        if quote in request.text
    ]
    left = (
        [todo("Call the bank about it", "call the bank")] if "call the bank" in request.text else []
    )
    return answer(*told, kept=["d2"], actions=left, resolved=["a1"])


ANSWERS: tuple[Callable[[Request], Any], ...] = (
    lambda _request: answer(),
    kept_all,
    eager,
    lambda _request: "FACT: The harbour ferry leaves at noon",
    lambda _request: "CORRECTION: The pump is made of brass\nACTION: Call the bank",
)


def standing(desk: ReadingDesk) -> list[Memory]:
    return desk.store.memories.wanted(Wanted())


def erase(desk: ReadingDesk, *memories: Memory) -> None:
    """Let the words go that memories stand on, as the owner does."""
    which = Which(ids=tuple(each.id for each in memories))
    events = chosen.events(desk.transcript, desk.store, which, (), memories)
    desk.told("forget", *memories, erased=tuple(events))
    desk.curate()


class Life:
    """What may happen at a desk, each by its name and a number."""

    def __init__(self, desk: ReadingDesk) -> None:
        self._desk = desk
        desk.extract = guessed
        desk.how = replace(desk.how, gate="off", batch_turns=2)

    def talk(self, number: int) -> None:
        self._desk.talk(TEXTS[number % len(TEXTS)], session=f"s-{number % 2}")

    def work(self, number: int) -> None:
        turn = self._desk.prompt("zzz look at the parrot of the harbour", session=f"s-{number % 2}")
        self._desk.use(turn, TEXTS[number % len(TEXTS)], session=f"s-{number % 2}")

    def read(self, number: int) -> None:
        self._desk.clock.pass_(number % 3 * 6 * MINUTE_NS)
        self._desk.read(ANSWERS[number % len(ANSWERS)])

    def end(self, number: int) -> None:
        self._desk.end(f"s-{number % 2}")

    def decide(self, number: int) -> None:
        self._desk.curate()
        found = standing(self._desk)
        if found:
            verb = ("pin", "unpin", "correct", "forget")[number % 4]
            more = {"text": f"It is the owner's word number {number}"} if verb == "correct" else {}
            self._desk.told(verb, found[number % len(found)], **more)

    def erase(self, number: int) -> None:
        self._desk.curate()
        found = standing(self._desk)
        if found:
            erase(self._desk, found[number % len(found)])

    def choose(self, number: int) -> None:
        self._desk.choose(("none", "scripted", "another")[number % 3])

    def rebuild(self, _number: int) -> None:
        self._desk.curate()
        asked = len(self._desk.model.asked)
        assert self._desk.rebuild().is_same
        assert len(self._desk.model.asked) == asked


STEPS = st.tuples(
    st.sampled_from(
        [
            "talk",
            "talk",
            "talk",
            "work",
            "read",
            "read",
            "read",
            "end",
            "decide",
            "choose",
            "rebuild",
        ]
    ),
    st.integers(0, 11),
)
WITH_ERASURE = STEPS | st.tuples(st.just("erase"), st.integers(0, 11))
# in any order a fault is found within minutes; these many are for every day
MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def lived(steps: list[tuple[str, int]]) -> None:
    with reading_desk() as desk:
        desk.choose()
        life = Life(desk)
        for name, number in [*steps, ("rebuild", 0)]:
            getattr(life, name)(number)


@MANY
@given(st.lists(STEPS, max_size=25))
def test_whatever_was_said_answered_and_decided_is_made_again_as_it_was(
    steps: list[tuple[str, int]],
) -> None:
    lived(steps)


@MANY
@given(st.lists(WITH_ERASURE, max_size=25))
def test_so_it_is_where_something_was_erased(steps: list[tuple[str, int]]) -> None:
    lived(steps)


def read_all(desk: ReadingDesk, *answers: object) -> None:
    """Have all that waits be read, each batch answered so."""
    desk.clock.pass_(11 * MINUTE_NS)
    for each in answers:
        assert desk.read(each)


def words(desk: ReadingDesk) -> str:
    """Return every word that transcript and memory still hold."""
    desk.store.connection.settle()
    bodies = [each.body or b"" for each in desk.transcript.behind(0, 1000)]
    return (b"".join(bodies) + desk.path.read_bytes()).decode("utf-8", "replace")


def test_a_rebuild_asks_nobody_and_refunds_nothing(guessing: ReadingDesk) -> None:
    guessing.talk(TEXTS[0])
    read_all(guessing, eager)
    before, spent = guessing.content(), guessing.spent()
    guessing.model.asked.clear()

    told = guessing.rebuild()

    assert (told.is_same, guessing.content(), guessing.spent()) == (True, before, spent)
    assert (guessing.model.asked, guessing.store.unasked.listed()) == ([], [])
    assert guessing.standing() == ["It is so that the harbour ferry leaves"]


def test_what_an_erased_reply_repeated_is_nowhere_and_its_turns_are_the_rules_again(
    guessing: ReadingDesk,
) -> None:
    guessing.how = replace(guessing.how, batch_turns=25)
    guessing.talk("The orchid of the harbour blooms at midnight")
    guessing.talk(TEXTS[1])
    repeated = "The parrot speaks Dutch near the orchid"
    read_all(
        guessing,
        answer(
            item("fact", "The orchid blooms at midnight", "orchid of the harbour blooms"),
            item("fact", repeated, "parrot of the harbour speaks Dutch", turn="t2"),
            actions=[todo("Tell the parrot of the orchid blooms", "parrot of the harbour")],
        ),
    )
    spent = guessing.spent()

    erase(guessing, guessing.only("The orchid blooms at midnight"))

    assert guessing.standing() == [TEXTS[1]]
    assert guessing.store.actions.wanted("pending", ("prj-shop",)) == []
    assert [word for word in ("orchid", "midnight") if word in words(guessing)] == []
    assert guessing.spent() == spent
    assert guessing.rebuild().is_same


def test_what_was_only_shown_before_the_turns_is_erased_from_the_reply_as_well(
    guessing: ReadingDesk,
) -> None:
    guessing.talk("The orchid of the harbour blooms at midnight")
    guessing.read(kept_all)
    guessing.talk(TEXTS[1])
    told = "The parrot speaks Dutch and the orchid blooms"
    guessing.read(answer(item("fact", told, "parrot of the harbour speaks Dutch")))

    erase(guessing, guessing.only("The orchid of the harbour blooms at midnight"))

    assert "orchid" not in words(guessing)
    assert guessing.standing() == [TEXTS[1]]


def test_what_a_reply_had_closed_waits_again_when_it_is_erased(guessing: ReadingDesk) -> None:
    guessing.talk(TEXTS[3])
    guessing.read(kept_all)
    guessing.talk(TEXTS[0] + ", and the bank said yes to the mortgage call")
    guessing.read(
        lambda request: kept_all(request) | {"resolved": ["a1"]},
    )
    closed = guessing.store.actions.wanted("acted_on", ("prj-shop",))

    (memory,) = standing(guessing)
    erase(guessing, memory)

    assert len(closed) == 1
    assert [each.content for each in guessing.store.actions.wanted("pending", ("prj-shop",))] == [
        TEXTS[3]
    ]
    assert guessing.rebuild().is_same


def test_what_a_reply_left_to_do_goes_with_it_though_it_was_done(guessing: ReadingDesk) -> None:
    guessing.how = replace(guessing.how, batch_turns=25)
    guessing.talk("The orchid of the harbour blooms at midnight")
    guessing.talk("zzz call the bank, says the parrot")
    read_all(
        guessing,
        answer(
            item("fact", "The orchid blooms at midnight", "orchid of the harbour blooms"),
            actions=[todo("Call the bank about the orchid", "call the bank", turn="t2")],
        ),
    )
    (action,) = guessing.store.actions.wanted("pending", ("prj-shop",))
    guessing.told("resolve", About(id=action.id))  # type: ignore[arg-type]
    guessing.curate()

    erase(guessing, guessing.only("The orchid blooms at midnight"))

    assert "orchid" not in words(guessing)
    assert guessing.store.actions.wanted() == []
    assert guessing.rebuild().is_same


def test_a_turn_that_went_on_keeps_what_came_later_when_the_reply_is_erased(
    guessing: ReadingDesk,
) -> None:
    guessing.how = replace(guessing.how, batch_turns=25)
    guessing.talk("The orchid of the harbour blooms at midnight")
    turn = guessing.talk(TEXTS[1])
    read_all(
        guessing, answer(item("fact", "The orchid blooms at midnight", "orchid of the harbour"))
    )
    guessing.prompt(TEXTS[0], turn=turn)
    guessing.reply(turn)
    guessing.curate()

    erase(guessing, guessing.only("The orchid blooms at midnight"))

    assert guessing.standing() == [TEXTS[0], TEXTS[1]]
    assert guessing.rebuild().is_same


@pytest.mark.parametrize("kind", [calls.CALL, calls.SETTLED, calls.CHOSEN, calls.CAPPED])
def test_what_tells_of_money_holds_no_words_and_cannot_be_erased(
    guessing: ReadingDesk, kind: str
) -> None:
    guessing.talk(TEXTS[0])
    read_all(guessing, eager)
    made = [each for each in guessing.transcript.about_models(0) if each.kind == kind]

    which = Which(matching="e", before=guessing.clock() + 1)
    events = chosen.events(guessing.transcript, guessing.store, which, (), [])

    assert {each.id for each in made}.isdisjoint(events)
    assert "harbour" not in "".join(str(calls.told(each)) for each in made)
