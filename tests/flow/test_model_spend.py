"""What a model costs at the caps that everybody has, by the list of prices, over real HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flow.reading import (
    HOUR_NS,
    MINUTE_NS,
    SECOND_NS,
    extracted,
    give,
    question,
    reading,
    told_in,
    well,
)
from tacit.curate.model import calls
from tacit.policy import Caller
from tacit.verbs.decisions import Said
from unit.net.serving import served

if TYPE_CHECKING:
    from pathlib import Path

    from flow.reading import Reader
    from unit.net.serving import Asked, Server

PEER = (26, 231_000)  # calls and input tokens of a well-known peer for the same 25 turns
CAPS = {"daily_usd": 0.5, "session_usd": 0.05, "calls_per_hour": 60}


def judge_and_read(asked: Asked) -> None:
    """Find everything worth reading, and read it."""
    if asked.question["tools"][0]["name"] == "judge":
        count = question(asked).count("### c")
        told = [{"id": f"c{at}", "worth": True, "reason": "x"} for at in range(1, count + 1)]
        give(asked, {"chunks": told})
    else:
        well(asked)


def talk(reader: Reader, turns: int, more: str = "") -> None:
    """Let one session happen in which each turn teaches something."""
    for number in range(turns):
        prompt = f"FYI invoice {number} goes out on the first Tuesday of the month, she said."
        reader.turn("s-1", prompt, f"Noted. {more}")
    reader.end("s-1")
    reader.drain()


def names(server: Server) -> list[str]:
    return [each.body["tools"][0]["name"] for each in server.asked]


@pytest.mark.parametrize("turns", [1, 8, 25])
def test_at_the_usual_caps_a_judge_is_followed_by_the_better_model(place: Path, turns: int) -> None:
    with served(judge_and_read) as server, reading(place, server, gate="model", **CAPS) as reader:
        talk(reader, turns)
        reader.live(12 * HOUR_NS, 10 * MINUTE_NS)

        assert names(server) == ["judge", "remember"]
        assert server.asked[1].body["model"] == "claude-sonnet-4-6"
        assert (len(reader.by_model()), reader.app.model_trouble) == (turns, None)
        assert reader.app.cost().today <= 0.05


def test_what_is_too_long_for_the_better_model_s_price_is_read_by_the_cheap_one(
    place: Path,
) -> None:
    with served(judge_and_read) as server, reading(place, server, gate="model", **CAPS) as reader:
        talk(reader, 20, "We looked at the orchard and the roof, and all was fine there. " * 300)
        reader.live(12 * HOUR_NS, 10 * MINUTE_NS)

        assert names(server) == ["remember"]
        assert server.asked[0].body["model"] == "claude-haiku-4-5"
        assert reader.app.queue("main").unasked == []


def test_a_paid_model_of_any_seller_is_read_by_at_the_usual_caps(place: Path) -> None:
    chosen = {"provider": "openai", "named": "anthropic/claude-haiku-4.5", **CAPS}
    with served(well) as server, reading(place, server, **chosen) as reader:
        talk(reader, 25)
        reader.live(HOUR_NS, 10 * MINUTE_NS)

        assert len(server.asked) == 1
        assert (len(reader.by_model()), reader.app.model_trouble) == (25, None)
        assert 0 < reader.app.cost().today <= 0.05


def break_off(asked: Asked) -> None:
    """Begin an answer, and hang up."""
    asked.answer(b'{"content": [', Content_Type="application/json", Content_Length="5000")
    asked.close_connection = True


def test_an_answer_that_had_begun_is_counted_as_it_was_reserved(place: Path) -> None:
    with served(break_off) as server, reading(place, server, **CAPS) as reader:
        talk(reader, 1)
        reader.live(24 * HOUR_NS, 5 * MINUTE_NS)
        spent, asked = reader.app.cost(), len(server.asked)
        (waits,) = reader.app.queue("main").unasked

        reserved = [each["usd"] for each in reader.told(calls.CALL)]
        assert [each["usd"] for each in reader.told(calls.SETTLED)] == reserved
        assert sum(each.usd for each in spent.days) == pytest.approx(sum(reserved), abs=1e-5)
        assert (asked, waits.tries, waits.is_dead) == (len(reserved), 0, False)
        assert 0 < sum(reserved) <= 0.05


def counting(asked: Asked) -> None:
    """Answer well, and count what was read and written by the bytes of all that was sent."""
    value = extracted(question(asked))
    read, written = len(json.dumps(asked.question)), len(json.dumps(value))
    give(asked, value, usage={"input_tokens": read * 2 // 7, "output_tokens": written * 2 // 7})


def test_25_small_turns_take_few_calls_and_tokens(place: Path) -> None:
    with served(counting) as server, reading(place, server, **CAPS) as reader:
        for number in range(25):
            reader.turn("s-1", f"FYI invoice {number} goes out on the first Tuesday, she said.")
            reader.drain()
            reader.live(5 * SECOND_NS, 5 * SECOND_NS)
        reader.end("s-1")
        reader.drain()
        reader.live(15 * MINUTE_NS, MINUTE_NS)
        tokens = sum(each.input_tokens for each in reader.app.cost().days)
        learned = len(reader.by_model())

    told = f"25 small turns: {len(server.asked)} calls, {tokens:,} input tokens"
    print(f"\n{told}; a well-known peer: {PEER[0]} calls, about {PEER[1]:,}")  # noqa: T201
    assert learned == 25
    assert len(server.asked) <= 3
    assert tokens <= 15_000


def fill_the_files(reader: Reader) -> None:
    """Let the curated files be half full."""
    for number in range(100):
        for kind in ("preference", "fact", "decision"):
            text = f"For job {number} of the orchard the {kind} is to use ladder {number} at noon"
            reader.app.remember("main", Said(text=text, kind=kind), Caller())
    reader.app.curate("main")
    reader.app.prepare("main")


def test_a_session_of_twenty_tools_with_half_full_files_costs_less_than_a_cent(
    place: Path,
) -> None:
    with served(counting) as server, reading(place, server, **CAPS) as reader:
        reader.sessions(99)
        fill_the_files(reader)
        reader.live(20 * MINUTE_NS, 10 * MINUTE_NS)
        server.asked.clear()
        before = reader.app.cost().today
        for number in range(4):
            prompt = f"FYI invoice {number} goes out on the first Tuesday of the month, she said."
            reader.turn("s-1", prompt, tools=["a line of what a tool has given\n" * 200] * 5)
        reader.end("s-1")
        reader.drain()
        reader.live(15 * MINUTE_NS, MINUTE_NS)
        usd = reader.app.cost().today - before
        shown = told_in(server.asked[0].body)

    print(f"\n20 tools, half-full files: {len(server.asked)} calls, ${usd:.4f}")  # noqa: T201
    assert shown.count("ladder") > 50
    assert 0 < usd < 0.01
