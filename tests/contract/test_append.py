"""Appending: each event once, in order, without gaps, chained; all of it or nothing."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest

from contract.conftest import event, place
from tacit.model.event import GENESIS, Event, digest, link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.store.port import Store


class Mishap(Exception):  # noqa: N818  (what a caller may raise)
    pass


class Torn(list[Event]):
    """Events whose source fails behind the last of them."""

    def __iter__(self) -> Iterator[Event]:
        yield from super().__iter__()
        raise Mishap


def fail_after(store: Store, *steps: Callable[[], object]) -> None:
    """Do these steps in one transaction, then fail."""
    with store.transaction():
        for step in steps:
            step()
        raise Mishap


def ids(store: Store) -> list[str]:
    return [record.id for record in store.records()]


def seqs(store: Store) -> list[int]:
    return [record.seq for record in store.records()]


def test_an_empty_transcript_reaches_nowhere(store: Store) -> None:
    head = store.head()

    assert (head.seq, head.chain) == (0, GENESIS)


def test_events_stand_in_the_order_in_which_they_were_given(store: Store) -> None:
    store.append([event("c", at=3), event("a", at=1)])
    store.append([event("b", at=2)])

    found = ids(store)

    assert found == ["c", "a", "b"]


def test_sequence_numbers_begin_with_one_and_have_no_gaps(store: Store) -> None:
    store.append([event("a"), event("b")])
    store.append([event("a"), event("c")])

    found = seqs(store)

    assert found == [1, 2, 3]


def test_every_field_of_an_event_is_kept(store: Store) -> None:
    made = event("a", agent="agent-7", tool="Bash", turn=None, body=b"\x00\xff", via="import:x")

    store.append([made])

    (record,) = store.records()
    names = [each.name for each in fields(Event) if each.name != "place"]
    assert {name: getattr(record, name) for name in names} == {
        name: getattr(made, name) for name in names
    }


def test_a_missing_field_is_not_an_empty_one(store: Store) -> None:
    store.append([event("a", tool=None, agent="", turn="")])

    (record,) = store.records()

    assert (record.tool, record.agent, record.turn) == (None, "", "")


@pytest.mark.parametrize(
    "text",
    ["'; DROP TABLE events; --", "a\x00b", "日本語 👩‍🔧", "%_\\", "x" * 100_000, "\u2028\r\n"],
)
def test_any_text_is_kept_as_it_is(store: Store, text: str) -> None:
    store.append([event(text, session=text, project=text, tool=text, body=text.encode())])

    (record,) = store.of_session(text)

    kept = (record.id, record.session, record.project, record.tool, record.body)
    assert kept == (text, text, text, text, text.encode())


@pytest.mark.parametrize("body", [b"", b"\x00", bytes(range(256)) * 4096])
def test_any_body_is_kept_as_it_is(store: Store, body: bytes) -> None:
    store.append([event("a", body=body)])

    (record,) = store.find(["a"])

    assert record.body == body


def test_appending_returns_the_records_as_they_are_read_later(store: Store) -> None:
    added = store.append([event("a"), event("b", tool="Bash")])

    assert added == list(store.records())


def test_a_known_event_is_skipped(store: Store) -> None:
    (first,) = store.append([event("a")])

    added = store.append([event("a", body=b"other words"), event("b")])

    assert [record.id for record in added] == ["b"]
    assert store.find(["a"]) == [first]


def test_an_event_given_twice_in_one_call_is_one(store: Store) -> None:
    added = store.append([event("a"), event("a"), event("b"), event("a")])

    assert [record.id for record in added] == ids(store) == ["a", "b"]


def test_appending_nothing_changes_nothing(store: Store) -> None:
    store.append([event("a")])
    before = store.head()

    added = store.append([])

    assert (added, store.head()) == ([], before)


def test_appending_only_known_events_moves_no_head(store: Store) -> None:
    store.append([event("a"), event("b")])
    before = store.head()

    store.append([event("b"), event("a")])

    assert store.head() == before


def test_each_record_is_linked_to_the_one_before_it(store: Store) -> None:
    events = [event("a"), event("b", tool="Bash"), event("c", turn=None)]

    store.append(events[:2])
    store.append(events[2:])

    expected, chain = [], GENESIS
    for seq, each in enumerate(events, 1):
        chain = link(chain, seq, each, digest(each.salt, each.body))
        expected.append(chain)
    assert [record.chain for record in store.records()] == expected


def test_the_head_is_the_last_record(store: Store) -> None:
    added = store.append([event("a"), event("b")])

    head = store.head()

    assert (head.seq, head.chain) == (2, added[-1].chain)


def test_the_place_of_an_event_is_remembered_with_it(store: Store) -> None:
    store.append([event("a", place=place("/somewhere", "project-1"))])

    found = store.place("/somewhere")

    assert found == "project-1"


def test_of_two_places_for_one_directory_the_later_one_counts(store: Store) -> None:
    directories = [f"/somewhere/{number}" for number in range(12)]

    store.append(
        [
            event(f"{project}{directory}", place=place(directory, project))
            for project in ("project-1", "project-2")
            for directory in directories
        ]
    )

    assert {store.place(directory) for directory in directories} == {"project-2"}


def test_a_directory_that_went_back_to_its_first_project_is_seen_there(store: Store) -> None:
    store.append([event("a", place=place("/somewhere", "project-1"))])
    store.append([event("b", place=place("/somewhere", "project-2"))])

    store.append([event("c", place=place("/somewhere", "project-1"))])

    assert store.place("/somewhere") == "project-1"


def test_a_place_is_remembered_anew_after_it_was_located_elsewhere(store: Store) -> None:
    store.append([event("a", place=place("/somewhere", "project-1"))])
    store.locate([place("/somewhere", "project-2")])

    store.append([event("b", place=place("/somewhere", "project-1"))])

    assert store.place("/somewhere") == "project-1"


def test_a_place_that_fell_with_its_transaction_is_remembered_the_next_time(store: Store) -> None:
    with pytest.raises(Mishap):
        fail_after(store, lambda: store.append([event("a", place=place("/a", "project-1"))]))

    store.append([event("a", place=place("/a", "project-1"))])

    assert store.place("/a") == "project-1"


def test_the_place_of_a_known_event_changes_nothing(store: Store) -> None:
    store.append([event("a", place=place("/somewhere", "project-1"))])

    store.append([event("a", place=place("/somewhere", "project-2"))])

    assert store.place("/somewhere") == "project-1"


def test_a_transaction_that_ends_well_is_kept_as_a_whole(store: Store) -> None:
    with store.transaction():
        store.append([event("a")])
        store.append([event("b")])

    assert (ids(store), seqs(store)) == (["a", "b"], [1, 2])


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    store.append([event("a", place=place("/a", "project-1"))])
    before = (store.head(), store.counts(), store.projects())

    with pytest.raises(Mishap):
        fail_after(
            store,
            lambda: store.append([event("b", place=place("/b", "project-2"))]),
            lambda: store.bury([1], at=1, reason="asked"),
            lambda: store.rename("project-1", "other"),
        )

    assert (store.head(), store.counts(), store.projects()) == before
    assert store.place("/b") is None


def test_after_a_failed_transaction_the_sequence_goes_on_without_a_gap(store: Store) -> None:
    with pytest.raises(Mishap):
        fail_after(store, lambda: store.append([event("a"), event("b")]))

    store.append([event("b"), event("c")])

    assert (ids(store), seqs(store)) == (["b", "c"], [1, 2])


def test_an_append_that_fails_halfway_leaves_nothing(store: Store) -> None:
    torn = Torn([event("a"), event("b")])

    with pytest.raises(Mishap):
        store.append(torn)

    assert ids(store) == []


def test_what_is_written_in_a_transaction_is_read_in_it(store: Store) -> None:
    with store.transaction():
        store.append([event("a")])
        found = store.find(["a"])
        head = store.head()

    assert ([record.id for record in found], head.seq) == (["a"], 1)


def test_a_nested_transaction_is_kept_with_the_outer_one(store: Store) -> None:
    with store.transaction():
        store.append([event("a")])
        with store.transaction():
            store.append([event("b")])
        store.append([event("c")])

    assert ids(store) == ["a", "b", "c"]


def test_a_nested_transaction_falls_with_the_outer_one(store: Store) -> None:
    def nested() -> None:
        with store.transaction():
            store.append([event("a")])

    with pytest.raises(Mishap):
        fail_after(store, nested)

    assert ids(store) == []


def test_a_failure_in_a_nested_transaction_takes_the_outer_one_with_it(store: Store) -> None:
    def both() -> None:
        with store.transaction():
            store.append([event("a")])
            fail_after(store, lambda: store.append([event("b")]))

    with pytest.raises(Mishap):
        both()

    assert ids(store) == []
