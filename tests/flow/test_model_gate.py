"""With a model for a gate, it is the model that judges: every turn, and none is lost unjudged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flow.reading import EMPTY, MINUTE_NS, give, question, reading, told_in
from unit.net.serving import served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from unit.net.serving import Asked, Server

GUESTS = (
    "Mira Ines Pavel Tomas Greta Olga Hugo Nora Emil Ruth Karl Lena Ida Otto Vera Nils Rosa Finn"
).split()
LONG = "We looked at the orchard and the roof, and all was well there. " * 300


def judging(is_worth: Callable[[str], bool]) -> Callable[[Asked], None]:
    """Return the script of a server whose cheap model finds chunks worth it by their text."""

    def script(asked: Asked) -> None:
        if asked.question["tools"][0]["name"] != "judge":
            give(asked, EMPTY)
            return
        parts = question(asked).split("### c")[1:]
        told = [{"id": f"c{at}", "worth": is_worth(each)} for at, each in enumerate(parts, 1)]
        give(asked, {"chunks": [each | {"reason": "so it seems"} for each in told]})

    return script


def asked_for(server: Server, name: str) -> list[str]:
    """Return what was told to the models that were to answer with this."""
    return [told_in(each.body) for each in server.asked if each.body["tools"][0]["name"] == name]


@pytest.mark.parametrize("expected", [GUESTS, []], ids=["all worth it", "none"])
def test_every_turn_is_judged_in_as_many_calls_as_it_takes(
    place: Path, expected: list[str]
) -> None:
    with (
        served(judging(lambda _: bool(expected))) as server,
        reading(place, server, gate="model") as reader,
    ):
        for guest in GUESTS:
            reader.turn("s-1", f"Does {guest} usually come around nine?", LONG)
        reader.end("s-1")
        reader.drain()
        reader.live(60 * MINUTE_NS, 10 * MINUTE_NS)
        waiting = reader.app.queue("main").unasked

    judged, read = asked_for(server, "judge"), asked_for(server, "remember")
    assert (len(judged) > 1, max(each.count("### c") for each in judged)) == (True, 60)
    assert [guest for guest in GUESTS if guest not in "".join(judged)] == []
    turns = "".join(read).partition("## The turns")[2]
    assert ([guest for guest in GUESTS if guest in turns], waiting) == (expected, [])


def test_a_turn_that_the_rules_find_empty_is_judged_all_the_same(place: Path) -> None:
    with (
        served(judging(lambda text: "list" in text)) as server,
        reading(place, server, gate="model") as reader,
    ):
        reader.turn("s-1", "Could you look at the list again?", "Sure.")
        reader.turn("s-1", "thanks", "You are welcome.")
        reader.end("s-1")
        reader.drain()
        reader.live(11 * MINUTE_NS)

    (judged,), (read,) = asked_for(server, "judge"), asked_for(server, "remember")
    turns = read.partition("## The turns")[2]
    assert ("look at the list" in judged, "thanks" in judged) == (True, True)
    assert ("look at the list" in turns, "thanks" in turns) == (True, False)


def test_the_better_model_reads_the_chunks_that_passed(place: Path) -> None:
    with (
        served(judging(lambda text: "parrot" in text)) as server,
        reading(place, server, gate="model") as reader,
    ):
        reader.turn("s-1", "How is it going?", LONG[:6000] + "The parrot speaks Dutch. " * 20)
        reader.end("s-1")
        reader.drain()
        reader.live(11 * MINUTE_NS)

    (read,) = asked_for(server, "remember")
    turns = read.partition("## The turns")[2]
    assert ("How is it going?" in turns, "speaks Dutch" in turns) == (True, True)
    assert turns.count("orchard") < LONG[:6000].count("orchard") / 2
