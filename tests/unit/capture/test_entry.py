"""An entry of the spool, read back: what was published, and a refusal of everything else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.capture.entry import Entry, EntryUnreadable, parse

if TYPE_CHECKING:
    from tacit.capture.spool import Spool


def test_what_was_published_is_read_back(spool: Spool) -> None:
    name = spool.publish(
        b'{"a":"b"}\n\xff',
        event="Stop",
        received_ns=17,
        client="claude-code",
        group="work",
        answered="b-1",
    )

    entry = parse(spool.read(name))

    assert entry == Entry(
        received_ns=17,
        event="Stop",
        client="claude-code",
        pid=os.getpid(),
        group="work",
        answered="b-1",
        payload=b'{"a":"b"}\n\xff',
    )


@given(payload=st.binary())
def test_a_payload_is_never_changed(payload: bytes) -> None:
    data = b"tacit1 1 Stop claude-code 2 main -\n" + payload

    entry = parse(data)

    assert entry.payload == payload


def test_a_time_before_all_time_is_read_back() -> None:
    entry = parse(b"tacit1 -5 Stop claude-code 2 main -\n")

    assert entry.received_ns == -5


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"tacit2 1 Stop claude-code 2 main -\n{}", id="another format"),
        pytest.param(b"tacit1 1 Stop claude-code 2 main\n{}", id="a word too few"),
        pytest.param(b"tacit1 1 Stop claude-code 2 main - -\n{}", id="a word too many"),
        pytest.param(b'{"prompt":"hello"}\n', id="a payload alone"),
    ],
)
def test_a_header_of_another_format_is_refused(data: bytes) -> None:
    with pytest.raises(EntryUnreadable) as refused:
        parse(data)

    assert str(refused.value) == "The header is not of the format tacit1."


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"tacit1 now Stop claude-code 2 main -\n{}", id="a time in words"),
        pytest.param(b"tacit1 1.5 Stop claude-code 2 main -\n{}", id="half a time"),
        pytest.param(b"tacit1 - Stop claude-code 2 main -\n{}", id="a sign alone"),
        pytest.param(b"tacit1  Stop claude-code 2 main -\n{}", id="no time"),
        pytest.param(b"tacit1 1 Stop claude-code me main -\n{}", id="a process in words"),
        pytest.param(b"tacit1 1 Stop claude-code -2 main -\n{}", id="a process below zero"),
    ],
)
def test_a_header_with_words_for_numbers_is_refused(data: bytes) -> None:
    with pytest.raises(EntryUnreadable) as refused:
        parse(data)

    assert str(refused.value) == "The header has words where numbers belong."
