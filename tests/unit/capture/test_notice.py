"""The notice: a line for a person, as it stands in JSON."""

from __future__ import annotations

import json

import pytest

from tacit.capture.notice import notice

MINUTE_NS = 60_000_000_000


@pytest.mark.parametrize(
    ("waited_ns", "told"),
    [
        (11 * MINUTE_NS, "11 minutes ago"),
        (11 * MINUTE_NS, "run: tacit doctor"),
        (0, "a turn of the last session"),
        (0, "tacit queue"),
        (0, "settings: llm.provdier does not exist"),
    ],
)
def test_it_says_what_did_not_land_and_where_to_look(waited_ns: int, told: str) -> None:
    line = notice(waited_ns, "llm.provdier does not exist", is_unlanded=True)

    assert told in json.loads(b'"' + line + b'"')
    assert b"\n" not in line
