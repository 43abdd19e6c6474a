"""Reading: whole records, in order, of one event, one turn, one session or all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract.conftest import event, place
from tacit.model.event import GENESIS
from tacit.store.port import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.model.event import Record
    from tacit.store.port import Store


def ids(records: Iterable[Record]) -> list[str]:
    return [record.id for record in records]


def test_events_are_found_by_their_ids_in_the_order_of_the_transcript(store: Store) -> None:
    store.append([event("a"), event("b"), event("c")])

    found = store.find(["c", "unknown", "a"])

    assert ids(found) == ["a", "c"]


def test_nothing_is_found_where_nothing_is_asked_for(store: Store) -> None:
    store.append([event("a")])

    found = store.find([])

    assert found == []


@pytest.mark.parametrize("name", ["%", "_", "a%", "a' OR '1'='1", ""])
def test_an_id_is_found_only_as_a_whole(store: Store, name: str) -> None:
    store.append([event("a"), event("ab")])

    found = store.find([name])

    assert found == []


def test_it_is_known_which_events_stand_where(store: Store) -> None:
    store.append([event("a"), event("b"), event("c")])

    found = store.ids({3, 1, 99, 0})

    assert found == {1: "a", 3: "c"}


@pytest.mark.parametrize(
    ("name", "expected"), [("b", 2), ("unknown", None), ("%", None), ("", None)]
)
def test_it_is_known_where_an_event_stands(store: Store, name: str, expected: int | None) -> None:
    store.append([event("a"), event("b")])

    found = store.seq_of(name)

    assert found == expected


def test_all_records_come_in_order(store: Store) -> None:
    store.append([event("c"), event("a"), event("b", session="session-2")])

    found = store.records()

    assert [(record.seq, record.id) for record in found] == [(1, "c"), (2, "a"), (3, "b")]


@pytest.mark.parametrize(("after", "expected"), [(0, ["a", "b"]), (1, ["b"]), (2, []), (99, [])])
def test_records_begin_behind_the_number_that_was_given(
    store: Store, after: int, expected: list[str]
) -> None:
    store.append([event("a"), event("b")])

    found = store.records(after)

    assert ids(found) == expected


def test_all_records_together_are_a_sound_chain(store: Store) -> None:
    store.append([event("a"), event("b", tool="Bash"), event("c", turn=None)])

    records = list(store.records())

    before = [GENESIS, *[record.chain for record in records]]
    assert [each.is_sound(chain) for each, chain in zip(records, before, strict=False)] == [
        True
    ] * 3


def test_what_is_appended_while_records_are_read_disturbs_nobody(store: Store) -> None:
    store.append([event("a"), event("b")])
    reading = store.records()
    first = next(reading)

    store.append([event("c")])

    assert ids([first, *reading])[:2] == ["a", "b"]
    assert ids(store.records()) == ["a", "b", "c"]


def test_a_session_is_read_as_a_whole_and_in_order(store: Store) -> None:
    store.append([event("a", turn=None, kind="start"), event("b"), event("x", session="other")])
    store.append([event("c", turn="turn-2"), event("d", turn="turn-1", kind="reply")])

    found = store.of_session("session-1")

    assert ids(found) == ["a", "b", "c", "d"]


def test_one_turn_of_a_session_is_read_alone(store: Store) -> None:
    store.append([event("a", turn=None, kind="start"), event("b"), event("c", turn="turn-2")])
    store.append([event("d", turn="turn-1", kind="reply"), event("x", session="other")])

    found = store.of_session("session-1", "turn-1")

    assert ids(found) == ["b", "d"]


def test_what_is_read_of_a_session_is_what_stands_in_the_transcript(store: Store) -> None:
    added = store.append([event("a"), event("b", tool="Bash", body=b"\x00")])

    found = store.of_session("session-1")

    assert found == added


@pytest.mark.parametrize("session", ["unknown", "session-", "session-1%", "SESSION-1", "' OR 1 --"])
def test_a_session_that_nobody_knows_is_empty(store: Store, session: str) -> None:
    store.append([event("a")])

    found = store.of_session(session)

    assert found == []


def test_a_turn_that_nobody_knows_is_empty(store: Store) -> None:
    store.append([event("a")])

    found = store.of_session("session-1", "turn-2")

    assert found == []


@pytest.fixture
def spoken(store: Store) -> Store:
    """Return a store in which two sessions have spoken, and worked, by turns."""
    kinds = "start prompt tool_use reply prompt reply_failure message reply prompt".split()
    store.append([event(f"e{seq}", kind=kind) for seq, kind in enumerate(kinds, 1)])
    store.append([event("x", session="other"), event("e11", kind="reply", turn=None)])
    return store


@pytest.mark.parametrize(
    ("before", "limit", "expected"),
    [
        (99, 99, "e2 e4 e5 e8 e9 e11"),
        (99, 3, "e8 e9 e11"),
        (99, 1, "e11"),
        (99, 0, ""),
        (11, 2, "e8 e9"),
        (9, 99, "e2 e4 e5 e8"),
        (9, 2, "e5 e8"),
        (5, 1, "e4"),
        (2, 99, ""),
        (0, 99, ""),
    ],
)
def test_what_was_said_last_before_a_place_is_read_in_order(
    spoken: Store, before: int, limit: int, expected: str
) -> None:
    found = spoken.lately("session-1", before, limit)

    assert ids(found) == expected.split()


def test_what_was_said_last_is_what_stands_in_the_transcript(store: Store) -> None:
    added = store.append([event("a"), event("b", kind="reply", body=b"\x00")])

    found = store.lately("session-1", 99, 99)

    assert found == added


def test_of_what_was_said_last_and_erased_only_the_body_is_gone(spoken: Store) -> None:
    spoken.bury([8, 9], at=1, reason="asked")

    found = spoken.lately("session-1", 11, 3)

    assert [(record.id, record.body is None) for record in found] == [
        ("e5", False),
        ("e8", True),
        ("e9", True),
    ]


@pytest.mark.parametrize("session", ["unknown", "session-", "%", "SESSION-1", "", "' OR 1 --"])
def test_in_a_session_that_nobody_knows_nothing_was_said(spoken: Store, session: str) -> None:
    found = spoken.lately(session, 99, 99)

    assert found == []


@pytest.mark.parametrize(
    ("upto", "is_so"), [(0, False), (1, False), (2, True), (3, True), (4, False), (9, False)]
)
def test_a_session_has_ended_until_it_is_spoken_in_again(
    store: Store, upto: int, *, is_so: bool
) -> None:
    store.append([event("a"), event("b", kind="end"), event("c", kind="tool_use"), event("d")])
    store.append([event("x", session="other", kind="end")])

    found = store.has_ended("session-1", upto)

    assert found == is_so


def test_the_last_turn_is_the_one_that_the_last_prompt_opened(store: Store) -> None:
    store.append([event("a", turn="turn-9"), event("b", turn="turn-2")])
    store.append([event("c", turn="turn-9", kind="reply"), event("x", session="other", turn="z")])

    found = store.last_turn("session-1")

    assert found == "turn-2"


def test_a_prompt_without_a_turn_opens_none(store: Store) -> None:
    store.append([event("a", turn="turn-1"), event("b", turn=None)])

    found = store.last_turn("session-1")

    assert found == "turn-1"


def test_a_session_without_a_prompt_has_no_last_turn(store: Store) -> None:
    store.append([event("a", kind="tool_use", turn="turn-1")])

    found = (store.last_turn("session-1"), store.last_turn("unknown"))

    assert found == (None, None)


def test_the_first_prompt_of_each_session_is_known(store: Store) -> None:
    store.append([event("a", kind="start"), event("b"), event("c", session="session-2")])
    store.append([event("d"), event("e", session="session-2")])

    found = store.first_prompts()

    assert {session: record.id for session, record in found.items()} == {
        "session-1": "b",
        "session-2": "c",
    }


def test_a_prompt_that_the_client_made_itself_is_not_the_first_one(store: Store) -> None:
    store.append(
        [event("a", origin="system"), event("b"), event("c", session="2", origin="system")]
    )

    found = store.first_prompts()

    assert ids(found.values()) == ["b"]


def test_a_first_prompt_is_what_stands_in_the_transcript(store: Store) -> None:
    (added,) = store.append([event("a", body=b"the very first")])

    found = store.first_prompts()

    assert found == {"session-1": added}


def test_the_last_event_of_a_session_says_when_something_was_recorded_last(store: Store) -> None:
    never = store.last_recorded()
    (added,) = store.append([event("a")])
    store.append([event("b", session="")])

    assert (never, store.last_recorded()) == (None, added.received)


def test_an_empty_store_counts_nothing(store: Store) -> None:
    counts = store.counts()

    assert counts == Counts(events=0, payloads=0, tombstones=0, sessions=0)


def test_events_bodies_tombstones_and_sessions_are_counted(store: Store) -> None:
    store.append([event("a"), event("b", session="session-2"), event("c")])
    store.append([event("d", session="", kind="project", place=place("/d", "project-1"))])

    store.bury([2], at=1, reason="asked")

    assert store.counts() == Counts(events=4, payloads=3, tombstones=1, sessions=2)
