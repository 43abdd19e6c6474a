"""Judging: a turn is left out only if all its chunks were judged, and every one was found empty.

Of one that stays, what an agent said in other chunks is not read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.model.calls import Turn
from tacit.curate.model.judging import MOST, Chunk, chunks, narrowed, parts, passed
from tacit.curate.model.request import Batch
from tacit.curate.model.windows import SIZE
from tacit.curate.reading import read

if TYPE_CHECKING:
    from unit.curate.model.scripted import ReadingDesk

CHUNKS = [Chunk(turn, 0, 1, "x") for turn in ("t-1", "t-2", "t-2", "t-3")]


def judged(**verdicts: Any) -> dict[str, Any]:
    return {"chunks": [{"id": name, "worth": told} for name, told in verdicts.items()]}


def worth(value: Any, text: str) -> set[str]:
    """Return the turns of which some chunk has passed."""
    return {each.turn for each in passed(value, text, CHUNKS)}


def answer(desk: ReadingDesk, turn: str, text: str) -> None:
    desk.append("reply", {"last_assistant_message": text}, turn=turn)


def batch(desk: ReadingDesk, *names: str) -> Batch:
    turns = []
    for name in names:
        text = read(desk.transcript.of_session("s-1", name), desk.transcript.head().seq)
        assert text is not None
        turns.append((Turn("s-1", name, desk.transcript.head().seq), text))
    return Batch(turns=turns)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (judged(), {"t-1", "t-2", "t-3"}),
        (judged(c1=False, c2=True, c3=True, c4=True), {"t-2", "t-3"}),
        (judged(c2=False), {"t-1", "t-2", "t-3"}),
        (judged(c2=False, c3=False), {"t-1", "t-3"}),
        (judged(c1=False, c2=False, c3=False, c4=False), set()),
        (judged(c9=False, c1=None, c4="false"), {"t-1", "t-2", "t-3"}),
        ({"chunks": {"c1": False}}, {"t-1", "t-2", "t-3"}),
        ({"chunks": [None, 1, {"id": {}, "worth": False}]}, {"t-1", "t-2", "t-3"}),
        ([], {"t-1", "t-2", "t-3"}),
    ],
    ids=str,
)
def test_what_is_not_judged_counts_as_worth_it(value: Any, expected: set[str]) -> None:
    assert worth(value, "") == expected


@pytest.mark.parametrize("text", ["", "no", "{", "[" * 100_000, "null"])
def test_what_cannot_be_read_judges_nothing(text: str) -> None:
    assert worth(None, text) == {"t-1", "t-2", "t-3"}


def test_a_judgement_may_come_as_a_text() -> None:
    assert worth(None, json.dumps(judged(c1=False))) == {"t-2", "t-3"}


def test_long_turns_come_in_several_chunks_and_tools_in_short(desk: ReadingDesk) -> None:
    long = desk.prompt("The orchid. " * 400)
    desk.use(long, "x" * 5000)
    desk.reply(long)
    short = desk.talk("It rains.")

    found = chunks(batch(desk, long, short))

    assert [each.turn for each in found] == [long] * (len(found) - 1) + [short]
    assert len(found) > 2
    assert max(len(each.text) for each in found) <= SIZE
    assert "x" * 200 not in "".join(each.text for each in found)


def test_one_call_judges_no_more_than_sixty_chunks(desk: ReadingDesk) -> None:
    names = [desk.talk("The orchid. " * 600) for _ in range(20)]
    found = chunks(batch(desk, *names))

    calls = list(parts(found))

    assert [len(each) for each in calls[:-1]] == [MOST] * (len(calls) - 1)
    assert (MOST, len(calls) > 1, {each.turn for each in found}) == (60, True, set(names))
    assert [one for each in calls for one in each] == found


def test_of_an_agent_s_words_only_the_chunks_that_passed_are_read(desk: ReadingDesk) -> None:
    turn = desk.prompt("Water the orchid.")
    desk.use(turn, "the tap is open")
    answer(desk, turn, "It rains in Lisbon. " * 200 + "The parrot speaks Dutch. " * 100)
    whole = batch(desk, turn)
    found = chunks(whole)

    ((_, first),) = narrowed(whole, found[:1]).turns
    ((_, last),) = narrowed(whole, found[-1:]).turns

    assert [each.text for each in last.said[:2]] == [each.text for each in first.said[:2]]
    assert first.said[0].text == "Water the orchid."
    assert ("Lisbon" in first.said[-1].text, "Dutch" in first.said[-1].text) == (True, False)
    assert ("Lisbon" in last.said[-1].text, "Dutch" in last.said[-1].text) == (False, True)


def test_what_passed_whole_is_read_whole(desk: ReadingDesk) -> None:
    turn = desk.prompt("Water the orchid.")
    answer(desk, turn, "It rains in Lisbon. " * 200)
    whole = batch(desk, turn)

    ((_, read_),) = narrowed(whole, chunks(whole)).turns

    assert [each.text for each in read_.said] == [each.text for each in whole.turns[0][1].said]


def test_the_end_of_a_long_prompt_is_judged_too(desk: ReadingDesk) -> None:
    turn = desk.talk("It rains in Lisbon. " * 2000 + "From now on the parrot speaks Dutch.")

    assert "the parrot speaks Dutch" in "".join(each.text for each in chunks(batch(desk, turn)))
