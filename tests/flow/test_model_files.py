"""Curated files and a model: each is shown in full until an answer came, and then by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flow.failing import status
from flow.reading import EMPTY, MINUTE_NS, answering, reading, told_in
from flow.test_model_lines import RULES
from tacit.policy import Caller
from tacit.verbs.decisions import Said
from unit.net.serving import served

if TYPE_CHECKING:
    from pathlib import Path

    from flow.reading import Reader
    from unit.net.serving import Server


def remember(reader: Reader) -> None:
    for each in RULES:
        reader.app.remember("main", Said(text=each, kind="instruction"), Caller())
    reader.app.prepare("main")


def shown(server: Server) -> list[bool]:
    """Return for each request whether it shows the user's file in full."""
    return ["## user.md (" in told_in(each.body) for each in server.asked]


def quiet(reader: Reader, session: str) -> None:
    """Let a session happen that teaches nothing, and be read."""
    reader.turn(session, "Could you look at the list again?")
    reader.end(session)
    reader.drain()
    reader.live(5 * MINUTE_NS)


def test_a_file_is_shown_in_full_until_an_answer_came(place: Path) -> None:
    with served(status(529)) as server, reading(place, server, gate="off") as reader:
        remember(reader)
        quiet(reader, "s-1")
        tries = len(server.asked)
        server.script = answering(lambda _: EMPTY)
        reader.live(15 * MINUTE_NS)
        quiet(reader, "s-2")

    assert tries > 1
    assert shown(server) == [True] * (tries + 1) + [False]
