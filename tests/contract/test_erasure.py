"""Erasure: a body goes only with a tombstone, the chain stays, and what fits it comes back."""

from __future__ import annotations

from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from contract.conftest import event
from tacit.guard import fastjson
from tacit.model.event import GENESIS, Event, Record, link

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.port import Store


def body(**values: Any) -> bytes:
    return fastjson.encoded(values)


def is_sound(store: Store) -> bool:
    chain = GENESIS
    for record in store.records():
        if not record.is_sound(chain):
            return False
        chain = record.chain
    return True


def test_a_buried_event_has_neither_body_nor_salt(store: Store) -> None:
    store.append([event("a"), event("b")])

    went = store.bury([1], at=7, reason="asked")

    (record,) = store.find(["a"])
    assert (went, record.body, record.salt) == (1, None, None)


def test_all_else_of_a_buried_event_stays(store: Store) -> None:
    (before,) = store.append([event("a", tool="Bash")])

    store.bury([1], at=7, reason="asked")

    assert store.of_session("session-1") == [replace(before, salt=None, body=None)]


def test_an_event_without_a_tombstone_keeps_its_body(store: Store) -> None:
    _, before = store.append([event("a"), event("b")])

    store.bury([1], at=7, reason="asked")

    assert store.find(["b"]) == [before]


def test_the_chain_is_sound_after_a_burial_and_goes_on(store: Store) -> None:
    store.append([event("a"), event("b"), event("c")])
    head = store.head()

    store.bury([1, 3], at=7, reason="asked")
    unmoved = store.head() == head
    store.append([event("d")])

    assert (unmoved, is_sound(store), store.head().seq) == (True, True, 4)


def test_every_burial_says_when_and_why(store: Store) -> None:
    store.append([event("a"), event("b"), event("c")])
    store.bury([3], at=7, reason="asked")
    store.bury([1], at=9, reason="it's '; DROP TABLE tombstones; --")

    found = store.buried()

    assert found == {1: (9, "it's '; DROP TABLE tombstones; --"), 3: (7, "asked")}


def test_without_a_burial_nothing_is_buried(store: Store) -> None:
    store.append([event("a")])

    found = store.buried()

    assert found == {}


def test_what_is_buried_twice_is_buried_once(store: Store) -> None:
    store.append([event("a"), event("b")])
    store.bury([1], at=7, reason="first")

    went = store.bury([1, 2, 2], at=9, reason="second")

    assert (went, store.buried()) == (1, {1: (7, "first"), 2: (9, "second")})
    assert store.counts().payloads == 0


def test_burying_nothing_changes_nothing(store: Store) -> None:
    store.append([event("a")])

    went = store.bury([], at=7, reason="asked")

    assert (went, store.counts().payloads) == (0, 1)


def test_a_buried_event_is_still_known_and_is_not_taken_in_again(store: Store) -> None:
    store.append([event("a")])
    store.bury([1], at=7, reason="asked")

    added = store.append([event("a")])

    assert (added, store.counts().payloads) == ([], 0)


def test_a_buried_event_is_still_counted_in_its_session(store: Store) -> None:
    store.append([event("a"), event("b")])

    store.bury([1], at=7, reason="asked")

    assert [(row.session, row.events) for row in store.sessions()] == [("session-1", 2)]


def test_bodies_are_found_by_a_text_that_they_hold(store: Store) -> None:
    store.append([event("a", body=body(prompt="one two")), event("b", body=body(prompt="two"))])
    store.append([event("c", body=body(prompt="three"), session="two")])

    found = store.matching("two")

    assert found == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        'say "no"',
        "two\nlines",
        "a\\b",
        "tab\there",
        "日本語",
        "👩‍🔧",
        "it's; DROP TABLE x",
        "%",
        "\x7f",
    ],
)
def test_a_text_of_any_letters_is_found(store: Store, text: str) -> None:
    store.append([event("a", body=body(deep=[{"prompt": f"<{text}>"}])), event("b")])

    found = store.matching(text)

    assert found == [1]


@pytest.mark.parametrize("text", ["Words", "w_rds", "w%s", "*"])
def test_a_text_is_found_only_as_it_is_spelt(store: Store, text: str) -> None:
    store.append([event("a", body=body(prompt="words"))])

    found = store.matching(text)

    assert found == []


def test_half_of_how_a_newline_is_written_is_no_letter(store: Store) -> None:
    store.append([event("a", body=body(prompt="one\nice cube"))])

    found = store.matching("nice")

    assert found == []


def test_a_text_is_found_however_deep_it_stands(store: Store) -> None:
    store.append([event("a", body=b"[" * 450 + b'"deep down"' + b"]" * 450)])

    found = store.matching("deep down")

    assert found == [1]


def test_a_buried_body_is_found_no_more(store: Store) -> None:
    store.append([event("a", body=body(prompt="secret")), event("b", body=body(prompt="secret"))])

    store.bury([1], at=7, reason="asked")

    assert store.matching("secret") == [2]


def test_an_empty_store_is_restored_as_it_stood(store: Store, another: Callable[[], Store]) -> None:
    store.append([event("a"), event("b", tool="Bash"), event("c", turn=None)])
    other = another()

    fitted = other.restore(list(store.records()))

    assert (fitted, list(other.records())) == (3, list(store.records()))


def test_a_shortened_store_gets_its_end_back_and_goes_on(
    store: Store, another: Callable[[], Store]
) -> None:
    store.append([event("a"), event("b"), event("c")])
    other = another()
    other.append([event("a")])

    fitted = other.restore(list(store.records()))
    other.append([event("d")])

    assert (fitted, [record.id for record in other.records()]) == (2, ["a", "b", "c", "d"])
    assert is_sound(other)


def test_records_fit_in_whatever_order_they_are_given(
    store: Store, another: Callable[[], Store]
) -> None:
    store.append([event("a"), event("b"), event("c")])
    first, second, third = store.records()
    other = another()

    fitted = other.restore([third, first, second, second])

    assert (fitted, list(other.records())) == (3, [first, second, third])


def test_nothing_is_restored_behind_a_gap(store: Store, another: Callable[[], Store]) -> None:
    store.append([event("a"), event("b"), event("c")])
    first, _, third = store.records()
    other = another()

    fitted = other.restore([first, third])

    assert (fitted, list(other.records())) == (1, [first])


@pytest.mark.parametrize(
    "change", [{"body": b"forged"}, {"tool": "Bash"}, {"digest": bytes(32)}, {"chain": bytes(32)}]
)
def test_a_record_that_was_changed_does_not_fit(
    store: Store, another: Callable[[], Store], change: dict[str, Any]
) -> None:
    store.append([event("a"), event("b")])
    first, second = store.records()
    other = another()

    fitted = other.restore([first, replace(second, **change)])

    assert (fitted, list(other.records())) == (1, [first])


def test_a_record_that_leaves_numbers_out_does_not_fit(store: Store) -> None:
    made = event("a")
    fields = {each.name: getattr(made, each.name) for each in dataclass_fields(Event)}
    del fields["place"]
    chain = link(GENESIS, 3, made, made.digest)

    fitted = store.restore([Record(seq=3, digest=made.digest, chain=chain, **fields)])

    assert (fitted, store.head().seq) == (0, 0)


def test_records_of_another_history_do_not_fit(store: Store, another: Callable[[], Store]) -> None:
    store.append([event("a"), event("b")])
    other = another()
    (own,) = other.append([event("x")])

    fitted = other.restore(list(store.records()))

    assert (fitted, list(other.records())) == (0, [own])


def test_what_is_there_already_is_not_restored_again(store: Store) -> None:
    store.append([event("a"), event("b")])
    before = list(store.records())

    fitted = store.restore(before)

    assert (fitted, list(store.records())) == (0, before)


def test_an_erased_record_comes_back_without_its_body(
    store: Store, another: Callable[[], Store]
) -> None:
    store.append([event("a"), event("b")])
    store.bury([1], at=7, reason="asked")
    other = another()

    fitted = other.restore(list(store.records()))

    assert (fitted, [record.body is None for record in other.records()]) == (2, [True, False])


def test_records_behind_a_gap_come_back_at_the_end(
    store: Store, another: Callable[[], Store]
) -> None:
    store.append([event("a"), event("b"), event("c", tool="Bash"), event("d", turn=None)])
    first, _, *behind = store.records()
    other = another()
    other.restore([first])

    seated = other.reseat(behind)

    assert (seated, [record.id for record in other.records()]) == (2, ["a", "c", "d"])
    assert is_sound(other)


def test_a_reseated_record_is_the_same_but_for_its_place(
    store: Store, another: Callable[[], Store]
) -> None:
    *_, lost = store.append([event("a"), event("b", tool="Bash", agent="", body=b"\x00")])
    other = another()

    other.reseat([lost])

    (found,) = other.records()
    assert (found.seq, replace(found, seq=lost.seq, chain=lost.chain)) == (1, lost)


def test_a_record_is_reseated_once(store: Store, another: Callable[[], Store]) -> None:
    first, second = store.append([event("a"), event("b")])
    other = another()
    other.append([event("a")])

    seated = [other.reseat([first, second, second]), other.reseat([second])]

    assert (seated, [record.id for record in other.records()]) == ([1, 0], ["a", "b"])


def test_a_record_whose_body_was_changed_is_not_reseated(
    store: Store, another: Callable[[], Store]
) -> None:
    first, second = store.append([event("a"), event("b")])
    other = another()

    seated = other.reseat([replace(first, body=b"forged"), second])

    assert (seated, [record.id for record in other.records()]) == (1, ["b"])


def test_an_erased_record_is_reseated_without_its_body(
    store: Store, another: Callable[[], Store]
) -> None:
    store.append([event("a")])
    store.bury([1], at=7, reason="asked")
    other = another()

    seated = other.reseat(list(store.records()))

    assert (seated, [record.body for record in other.records()]) == (1, [None])
