"""Following the transcript: each event once, in order, and from the beginning if it is another."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tacit.curate import decisions
from tacit.curate.decisions import Decision, Who
from tacit.store.sqlite.workspace import Lying
from tacit.workspace import follow
from tacit.workspace.follow import Follower, plain, telling
from unit.transcript.events import NOON
from unit.workspace.desk import CANVAS, TEXT, Desk

if TYPE_CHECKING:
    from tacit.model.event import Record


def document(desk: Desk, name: str, first: int = NOON) -> None:
    """Let a document have been seen."""
    stem = plain(name.rpartition(".")[0])
    seen = Lying("documents", "", name, stem, stem, telling(stem), 1, 1, first)
    desk.store.see("documents", "", [seen], ())


def mentioned(desk: Desk) -> list[str]:
    rows = desk.store.connection.rows("SELECT name FROM seen WHERE mentioned > 0 ORDER BY name")
    return [str(row[0]) for row in rows]


def test_the_events_that_said_title_and_text_are_known(desk: Desk) -> None:
    one = desk.card("create", title="T", blocks=TEXT)
    two = desk.card("update", title="U")

    desk.follow()

    found = desk.known()
    assert (found.titled, found.filled, found.state) == (two.id, one.id, "open")
    assert (found.at, found.is_due) == (two.at, True)


@pytest.mark.parametrize(
    ("verbs", "state"),
    [
        ("create close", "closed"),
        ("create close update", "closed"),
        ("close create", "open"),
        ("update", "open"),
    ],
)
def test_a_card_is_open_until_it_is_closed(desk: Desk, verbs: str, state: str) -> None:
    for does in verbs.split():
        desk.card(does)

    desk.follow()

    assert desk.known().state == state


def test_it_goes_on_where_it_was(desk: Desk) -> None:
    desk.card("create", title="T")
    desk.follow()
    desk.store.put(desk.known())  # as it is
    before = desk.store.followed()

    desk.follow()

    assert desk.store.followed() == before
    assert before[0] == desk.ledger.store.head().seq


def test_it_stops_when_it_is_time_and_goes_on_later(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "CHUNK", 2)
    for number in range(5):
        desk.card("create", f"c{number}")
    follower = Follower(desk.ledger.store, desk.store, CANVAS)

    found = [follower.advance(time.monotonic() - 1) for _ in range(3)]

    assert (found, len(desk.store.cards())) == ([False, False, True], 5)


def test_a_transcript_that_is_another_one_is_followed_from_its_beginning(desk: Desk) -> None:
    desk.card("create", "c1")
    desk.follow()
    desk.store.follow(1, b"another chain")
    desk.card("create", "c2")

    desk.follow()

    assert [card.card for card in desk.store.cards()] == ["c1", "c2"]
    assert desk.store.followed()[1] == desk.ledger.store.head().chain


@pytest.mark.parametrize(("origin", "is_due"), [("owner", True), ("agent", False)])
def test_what_the_owner_erases_makes_its_card_due(desk: Desk, origin: str, *, is_due: bool) -> None:
    said = desk.card("create", title="T", blocks=TEXT)
    desk.settle()

    erase(desk, said, origin)
    desk.follow()

    assert desk.known().is_due == is_due


def erase(desk: Desk, said: Record, origin: str) -> None:
    decision = Decision(verb="forget", erased=(said.id,))
    told = decisions.event(
        decision, Who(origin=origin), None, now_ns=NOON, random=lambda size: b"r" * size
    )
    desk.ledger.append([told], now_ns=NOON)


@pytest.mark.parametrize(
    "text",
    [
        "see Scan 7.pdf",
        "the text of SCAN 7 is",
        'quoted "scan 7"',
        "first line\nscan 7.pdf",
        "a\\path\\scan 7.pdf",
        "/srv/documents/scan 7.pdf",
    ],
)
def test_a_document_is_named_however_it_is_written(desk: Desk, text: str) -> None:
    document(desk, "Scan 7.pdf")
    document(desk, "scan 8.pdf")

    desk.say("prompt", prompt=text)
    desk.follow()

    assert mentioned(desk) == ["Scan 7.pdf"]


def test_a_name_is_the_same_in_every_form_of_its_letters(desk: Desk) -> None:
    document(desk, "Gro\u0308\u00dfe.pdf")

    desk.say("prompt", prompt="GR\u00d6SSE")
    desk.follow()

    assert mentioned(desk) == ["Gro\u0308\u00dfe.pdf"]


def test_a_word_that_only_is_part_of_a_name_does_not_name_it(desk: Desk) -> None:
    document(desk, "annual report.pdf")

    desk.say("prompt", prompt="report")
    desk.say("prompt", prompt="annual")
    desk.follow()

    assert mentioned(desk) == []


@pytest.mark.parametrize(
    ("stem", "word"),
    [
        ("a annual b", "annual"),
        ("scan 7 of 12", "12"),
        ("q3_plan", "q3_plan"),
        ("", ""),
        ("--", ""),
    ],
)
def test_one_word_tells_a_name_from_others(stem: str, word: str) -> None:
    assert telling(stem) == word
