"""The chain: no field of an event can change, move or vanish without the chain saying so."""

from __future__ import annotations

from dataclasses import fields, replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from contract.conftest import event
from tacit.model.event import GENESIS, SALT_BYTES, Event, Record, digest, link

# for what is done once for each field
FEW = settings(max_examples=20)
TEXT = st.text(max_size=8)
NUMBER = st.integers(min_value=0, max_value=2**63 - 1)
HASH = st.binary(min_size=32, max_size=32)
# what a sloppy way of writing fields one behind the other would take for one another
TRICKY = st.text(alphabet="0123-:,", max_size=4)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": TEXT,
    "at": NUMBER,
    "received": NUMBER,
    "session": TEXT,
    "project": TEXT,
    "client": TEXT,
    "turn": st.none() | TEXT,
    "kind": TEXT,
    "tool": st.none() | TEXT,
    "agent": st.none() | TEXT,
    "origin": TEXT,
    "via": TEXT,
}
EVENTS = st.builds(
    Event, **FIELDS, salt=st.binary(min_size=SALT_BYTES, max_size=SALT_BYTES), body=st.binary()
)
TRICKY_FIELDS = st.fixed_dictionaries(
    {
        name: st.integers(0, 30)
        if name in {"at", "received"}
        else (st.none() | TRICKY if name in {"turn", "tool", "agent"} else TRICKY)
        for name in FIELDS
    }
)


def record(made: Event, previous: bytes = GENESIS, seq: int = 1) -> Record:
    """Return the record of an event behind this chain value."""
    return Record(
        seq=seq,
        **{name: getattr(made, name) for name in FIELDS},
        digest=made.digest,
        chain=link(previous, seq, made, made.digest),
        salt=made.salt,
        body=made.body,
    )


def test_the_chained_fields_are_all_but_the_body_and_the_place() -> None:
    names = {each.name for each in fields(Event)}

    assert names - FIELDS.keys() == {"salt", "body", "place"}


@given(salt=st.binary(max_size=20), body=st.binary())
def test_the_form_of_a_digest_stays_as_it_is(salt: bytes, body: bytes) -> None:
    found = digest(salt, body)

    assert found == sha256(len(salt).to_bytes(8) + salt + body).digest()


@given(made=EVENTS, other=st.binary())
def test_another_body_has_another_digest(made: Event, other: bytes) -> None:
    assume(other != made.body)

    changed = replace(made, body=other)

    assert changed.digest != made.digest


@given(made=EVENTS, other=st.binary(min_size=SALT_BYTES, max_size=SALT_BYTES))
def test_the_same_body_under_another_salt_has_another_digest(made: Event, other: bytes) -> None:
    assume(other != made.salt)

    changed = replace(made, salt=other)

    assert changed.digest != made.digest


@given(made=EVENTS, previous=HASH, seq=NUMBER)
def test_the_same_event_in_the_same_place_has_the_same_link(
    made: Event, previous: bytes, seq: int
) -> None:
    again = replace(made)

    assert link(previous, seq, made, made.digest) == link(previous, seq, again, again.digest)


def test_the_form_of_the_chain_stays_so_that_old_transcripts_still_verify() -> None:
    made = Event(
        id="a",
        at=5,
        received=60,
        session="sé",
        project="p",
        client="",
        turn=None,
        kind="prompt",
        tool="-",
        agent=None,
        origin="user",
        via="live",
        salt=bytes(16),
        body=b"{}",
    )

    found = link(GENESIS, 7, made, made.digest)

    written = "1:7,1:a,1:5,2:60,2:sé,1:p,0:,-,6:prompt,1:-,-,4:user,4:live,"
    assert found == sha256(bytes(32) + digest(bytes(16), b"{}") + written.encode()).digest()


@pytest.mark.parametrize("name", FIELDS)
@given(data=st.data())
@FEW
def test_a_change_of_any_single_field_changes_the_link(name: str, data: st.DataObject) -> None:
    made = data.draw(EVENTS)
    value = data.draw(FIELDS[name].filter(lambda other: other != getattr(made, name)))

    changed = replace(made, **{name: value})

    before, after = (link(GENESIS, 1, each, made.digest) for each in (made, changed))
    assert before != after


@given(made=EVENTS, numbers=st.lists(NUMBER, min_size=2, max_size=2, unique=True))
def test_the_place_in_the_sequence_is_part_of_the_link(made: Event, numbers: list[int]) -> None:
    one, other = (link(GENESIS, seq, made, made.digest) for seq in numbers)

    assert one != other


@given(made=EVENTS, chains=st.lists(HASH, min_size=2, max_size=2, unique=True))
def test_the_chain_before_it_is_part_of_the_link(made: Event, chains: list[bytes]) -> None:
    one, other = (link(chain, 1, made, made.digest) for chain in chains)

    assert one != other


@given(made=EVENTS, digests=st.lists(HASH, min_size=2, max_size=2, unique=True))
def test_the_digest_of_the_body_is_part_of_the_link(made: Event, digests: list[bytes]) -> None:
    one, other = (link(GENESIS, 1, made, each) for each in digests)

    assert one != other


@pytest.mark.parametrize("name", ["turn", "tool", "agent"])
def test_nothing_the_empty_text_and_a_dash_are_three_things(name: str) -> None:
    values = (None, "", "-", "-,", "0:", "None")

    links = {link(GENESIS, 1, event("a", **{name: value}), bytes(32)) for value in values}

    assert len(links) == len(values)


@given(one=TRICKY_FIELDS, other=TRICKY_FIELDS)
def test_fields_cannot_run_into_each_other(one: dict[str, Any], other: dict[str, Any]) -> None:
    assume(one != other)

    links = {link(GENESIS, 1, event("a", **each), bytes(32)) for each in (one, other)}

    assert len(links) == 2


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({"session": "ab", "project": "c"}, {"session": "a", "project": "bc"}),
        ({"session": "a", "project": "1:b,1:c"}, {"session": "a,1:b", "project": "1:c"}),
        ({"turn": None, "tool": "x"}, {"turn": "x", "tool": None}),
        ({"at": 1, "received": 23}, {"at": 12, "received": 3}),
        ({"tool": "", "agent": None}, {"tool": None, "agent": ""}),
    ],
)
def test_a_letter_cannot_move_to_the_next_field(
    left: dict[str, Any], right: dict[str, Any]
) -> None:
    links = {link(GENESIS, 1, event("a", **each), bytes(32)) for each in (left, right)}

    assert len(links) == 2


@given(made=EVENTS, previous=HASH, seq=NUMBER)
def test_a_record_is_sound_as_it_was_written(made: Event, previous: bytes, seq: int) -> None:
    written = record(made, previous, seq)

    assert written.is_sound(previous)


@given(made=EVENTS, previous=HASH)
def test_a_record_is_sound_without_its_body_once_that_is_erased(
    made: Event, previous: bytes
) -> None:
    erased = replace(record(made, previous), salt=None, body=None)

    assert erased.is_sound(previous)


@given(made=EVENTS, chains=st.lists(HASH, min_size=2, max_size=2, unique=True))
def test_a_record_is_not_sound_behind_another_one(made: Event, chains: list[bytes]) -> None:
    written = record(made, chains[0])

    assert not written.is_sound(chains[1])


@pytest.mark.parametrize("name", [each.name for each in fields(Record)])
@given(data=st.data())
@FEW
def test_a_record_of_which_anything_was_changed_is_not_sound(
    name: str, data: st.DataObject
) -> None:
    written = record(data.draw(EVENTS))
    others = FIELDS | {"seq": NUMBER, "digest": HASH, "chain": HASH}
    values = others.get(name, st.none() | st.binary(max_size=20))
    value = data.draw(values.filter(lambda other: other != getattr(written, name)))

    changed = replace(written, **{name: value})

    assert not changed.is_sound(GENESIS)


@given(made=EVENTS.filter(lambda made: bool(made.body)))
def test_a_byte_cannot_move_between_salt_and_body(made: Event) -> None:
    written = record(made)

    changed = replace(written, salt=made.salt + made.body[:1], body=made.body[1:])

    assert not changed.is_sound(GENESIS)


@given(made=EVENTS, other=HASH)
def test_a_record_has_its_body_whatever_became_of_its_chain(made: Event, other: bytes) -> None:
    unchained = replace(record(made), chain=other, seq=99)

    assert unchained.has_its_body


@given(made=EVENTS, other=st.binary())
def test_a_record_with_another_body_has_not_its_own(made: Event, other: bytes) -> None:
    assume(other != made.body)

    changed = replace(record(made), body=other)

    assert not changed.has_its_body


@pytest.mark.parametrize("length", [0, 15, 17, 255, 256, 100_000])
def test_a_salt_of_any_other_length_is_not_the_one_that_was_written(length: int) -> None:
    written = record(event("a"))

    changed = replace(written, salt=bytes(length))

    assert not changed.is_sound(GENESIS)
