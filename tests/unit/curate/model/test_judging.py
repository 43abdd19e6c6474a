"""Judging: a turn is left out only if all its chunks were judged, and every one was found empty."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tacit.curate.model.calls import Turn
from tacit.curate.model.judging import chunks, worth
from tacit.curate.model.request import Batch
from tacit.curate.model.windows import SIZE
from tacit.curate.reading import read

if TYPE_CHECKING:
    from unit.curate.model.scripted import ReadingDesk

TURNS = ["t-1", "t-2", "t-2", "t-3"]


def judged(**verdicts: Any) -> dict[str, Any]:
    return {"chunks": [{"id": name, "worth": told} for name, told in verdicts.items()]}


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
    assert worth(value, "", TURNS) == expected


@pytest.mark.parametrize("text", ["", "no", "{", "[" * 100_000, "null"])
def test_what_cannot_be_read_judges_nothing(text: str) -> None:
    assert worth(None, text, TURNS) == {"t-1", "t-2", "t-3"}


def test_a_judgement_may_come_as_a_text() -> None:
    assert worth(None, json.dumps(judged(c1=False)), TURNS) == {"t-2", "t-3"}


def test_long_turns_come_in_several_chunks_and_tools_in_short(desk: ReadingDesk) -> None:
    long = desk.prompt("The orchid. " * 400)
    desk.use(long, "x" * 5000)
    desk.reply(long)
    short = desk.talk("It rains.")

    found = chunks(batch(desk, long, short))

    assert [turn for turn, _ in found] == [long] * (len(found) - 1) + [short]
    assert len(found) > 2
    assert max(len(text) for _, text in found) <= SIZE
    assert "x" * 200 not in "".join(text for _, text in found)


def test_one_call_judges_no_more_than_sixty_chunks(desk: ReadingDesk) -> None:
    names = [desk.talk("The orchid. " * 600) for _ in range(20)]

    assert len(chunks(batch(desk, *names))) == 60
