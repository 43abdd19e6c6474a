"""Indexing: each message once, whatever is killed when; and what is nobody's words is left out."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from contract.memories import summed_up
from tacit.recall.analyse import VERSION, tokens
from tacit.recall.indexing import ANALYSER, CHUNK, CURSOR, Indexer, said
from tacit.store.index_port import Scope
from unit.recall.finding import remember

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.store.index_port import Row
    from unit.curate.saying import Desk


def indexer(desk: Desk) -> Indexer:
    return Indexer(desk.transcript, desk.store)


def rows(desk: Desk) -> list[Row]:
    """Return all that is in the index, in the order in which it came."""
    index = desk.store.index
    return sorted(index.rows(index.latest(_ALL, -1)), key=lambda each: each.number)


_ALL = Scope(states=("active", "superseded", "quarantined", "forgotten", "archived"))


class Killed(Exception):  # noqa: N818  (it is no error of ours)
    """The program ends here."""


@contextmanager
def dying_at(desk: Desk, word: str) -> Iterator[None]:
    """Let the program be killed when it takes a text apart, in the midst of its chunk."""

    def dying(text: str) -> list[str]:
        if text == word:
            raise Killed
        return tokens(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk.store.index, "_analyse", dying)
        with pytest.raises(Killed):
            yield


def test_what_was_said_is_found_once(desk: Desk) -> None:
    turn = desk.prompt("the red cat")
    desk.append("reply", {"last_assistant_message": "a blue dog"}, turn=turn)

    for _ in range(3):
        indexer(desk).advance()

    assert [(each.subject, each.role, each.tokens) for each in rows(desk)] == [
        ("evt-1", "user", "red cat"),
        ("evt-2", "assistant", "blue dog"),
    ]
    assert desk.store.index.words(["red"], Scope(), 9) == [1]


def test_what_comes_later_is_added(desk: Desk) -> None:
    desk.prompt("the red cat")
    indexer(desk).advance()
    desk.prompt("a blue dog")

    assert indexer(desk).waiting() == 1
    indexer(desk).advance()

    assert indexer(desk).waiting() == 0
    assert [each.subject for each in rows(desk)] == ["evt-1", "evt-2"]


@pytest.mark.parametrize("at", [1, CHUNK // 2, CHUNK, CHUNK + 1, CHUNK + 6])
def test_killed_anywhere_each_message_is_in_the_index_once(desk: Desk, at: int) -> None:
    for number in range(CHUNK + 6):
        desk.prompt(f"number{number}")

    with dying_at(desk, f"number{at - 1}"):
        indexer(desk).advance()
    kept = desk.store.jobs.number(CURSOR)

    assert kept == len(rows(desk)) == (0 if at <= CHUNK else CHUNK)
    indexer(desk).advance()
    assert [each.subject for each in rows(desk)] == [f"evt-{each + 1}" for each in range(CHUNK + 6)]
    assert [each.place for each in rows(desk)] == [*range(CHUNK + 6)]
    assert desk.store.index.is_in_step()


def test_when_the_time_is_up_the_rest_waits(desk: Desk) -> None:
    for number in range(CHUNK + 6):
        desk.prompt(f"number{number}")

    indexer(desk).advance(until=0.0)

    assert indexer(desk).waiting() == CHUNK + 6
    assert rows(desk) == []


def _killed_beside(desk: Desk) -> None:
    """Index a stretch in a transaction that never ends."""
    with desk.store.transaction():
        indexer(desk).go_on()
        raise Killed


def test_a_stretch_stands_or_falls_with_what_it_is_indexed_beside(desk: Desk) -> None:
    desk.prompt("the red cat")
    indexer(desk).advance()
    desk.prompt("a blue dog")

    with pytest.raises(Killed):
        _killed_beside(desk)
    kept = [each.subject for each in rows(desk)]
    indexer(desk).go_on()

    assert kept == ["evt-1"]
    assert [each.subject for each in rows(desk)] == ["evt-1", "evt-2"]


def test_what_an_older_analyser_indexed_is_not_gone_on_with(desk: Desk) -> None:
    desk.prompt("the red cat")

    indexer(desk).go_on()

    assert rows(desk) == []


def test_a_newer_analyser_indexes_everything_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.prompt("the red cat")
    remember(desk, "a blue dog")
    desk.store.actions.put_summary(summed_up("s-1", request="a green bird"))
    indexer(desk).advance()
    before = {each.number for each in rows(desk)}

    monkeypatch.setattr("tacit.recall.indexing.VERSION", VERSION + 1)
    indexer(desk).advance()

    assert {each.number for each in rows(desk)}.isdisjoint(before)
    assert {each.layer: each.tokens for each in rows(desk)} == {
        "message": "red cat",
        "memory": "blue dog",
        "summary": "green bird",
    }
    assert desk.store.jobs.number(ANALYSER) == VERSION + 1
    assert desk.store.index.is_in_step()


def test_the_same_analyser_leaves_what_is_there(desk: Desk) -> None:
    desk.prompt("the red cat")
    indexer(desk).advance()
    before = rows(desk)

    indexer(desk).advance()

    assert rows(desk) == before


def test_killed_while_it_begins_anew_it_begins_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.prompt("the red cat")
    desk.prompt("a blue dog")
    indexer(desk).advance()

    monkeypatch.setattr("tacit.recall.indexing.VERSION", VERSION + 1)
    with dying_at(desk, "a blue dog"):
        indexer(desk).advance()
    indexer(desk).advance()

    assert [each.subject for each in rows(desk)] == ["evt-1", "evt-2"]


@pytest.mark.parametrize(
    ("kind", "payload", "changes"),
    [
        ("prompt", {"prompt": "<task-notification>It ended</task-notification>"}, {}),
        ("prompt", {"prompt": ""}, {}),
        ("prompt", {"prompt": " \n\t "}, {}),
        ("prompt", {}, {}),
        ("reply", {"last_assistant_message": ""}, {}),
        ("end", {"reason": "red cat"}, {}),
        ("tool_call", {"tool_input": {"command": "red cat"}}, {}),
    ],
)
def test_what_nobody_said_is_left_out(
    desk: Desk, kind: str, payload: dict[str, Any], changes: dict[str, Any]
) -> None:
    desk.append(kind, payload, **changes)

    indexer(desk).advance()

    assert rows(desk) == []
    assert indexer(desk).waiting() == 0


def test_what_was_erased_is_left_out(desk: Desk) -> None:
    desk.prompt("the red cat")
    desk.bury(["evt-1"])

    indexer(desk).advance()

    assert rows(desk) == []


def test_what_a_tool_was_given_and_gave_is_found_but_stands_beside_no_message(desk: Desk) -> None:
    desk.prompt("the red cat")
    desk.append(
        "tool_use",
        {"tool_input": {"command": "make build"}, "tool_response": {"stdout": "blue dog"}},
        turn="t-1",
    )
    desk.append("tool_failure", {"tool_input": {"command": "ls"}, "error": "green bird"})
    desk.prompt("once more")

    indexer(desk).advance()

    assert [(each.role, each.place) for each in rows(desk)] == [
        ("user", 0),
        ("tool", None),
        ("tool", None),
        ("user", 1),
    ]
    assert {"bash", "build", "blue", "dog"} <= set(rows(desk)[1].tokens.split())
    assert {"green", "bird"} <= set(rows(desk)[2].tokens.split())


def test_only_in_imported_talks_the_speaker_is_named_at_the_beginning(desk: Desk) -> None:
    desk.prompt("Ann Lee: where is the cat?", via="import")
    desk.prompt("Note: where is the cat?")
    desk.prompt("where is the cat? Ann: here", via="import")
    desk.prompt("12:30 we met", via="import")

    indexer(desk).advance()

    assert [each.speaker for each in rows(desk)] == ["ann lee", "", "", ""]


def test_what_is_very_long_is_found_by_its_beginning(desk: Desk) -> None:
    desk.append("reply", {"last_assistant_message": "x" * 10_000})
    desk.append("tool_use", {"tool_input": "y" * 10_000, "tool_response": "z" * 10_000})

    reply, used = desk.transcript.behind(0, 9)

    assert len(said(reply, "assistant")) == 3000
    assert len(said(used, "tool")) <= 1000 + len("Bash  ")
    assert "yz" in said(used, "tool").replace(" ", "")
