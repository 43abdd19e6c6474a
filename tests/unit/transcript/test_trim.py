"""Trimming: long tool text becomes head, tail and what they are of; all else stays as it is."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacit.guard import fastjson
from tacit.transcript.trim import LARGEST_TEXT, text_of, trimmed
from tacit.transcript.wire import KINDS

if TYPE_CHECKING:
    from tacit.transcript.wire import Payload

NOTE = re.compile(r"\n\[trimmed: (\d+) characters in all, blake2b ([0-9a-f]{16})\]\n")
FIELDS = "tool_input tool_response tool_calls error permission_suggestions".split()
TOOL_EVENTS = "PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest".split()
LONGEST_NOTE = 90
MANY = 16

limits = st.integers(256, 600)
_words = st.text(max_size=30)
# short in the making, long in the reading
long_texts = st.builds(
    lambda text, times, end: text * times + end,
    st.text(min_size=1, max_size=20),
    st.integers(0, 120),
    _words,
)
_leaves = st.none() | st.booleans() | st.integers() | long_texts
trees = st.recursive(
    _leaves,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(_words, inner, max_size=5)
        | st.builds(lambda item, times: [item] * times, inner, st.integers(0, 60))
    ),
    max_leaves=8,
)


def digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def told(text: object) -> tuple[int, str]:
    """Return the length and the digest that a trimmed text names."""
    assert isinstance(text, str)
    found = NOTE.search(text)
    assert found
    return int(found[1]), found[2]


def texts(value: Any) -> list[str]:
    """Return every text in a JSON value, the keys aside."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for item in inner for text in texts(item)]


@settings(deadline=None)
@given(long_texts, limits)
def test_a_trimmed_text_is_no_longer_than_its_limit(text: str, limit: int) -> None:
    short = text_of(text, limit)

    assert len(short) <= limit


@settings(deadline=None)
@given(long_texts, st.integers(0, 80))
def test_where_the_limit_has_no_room_the_note_alone_is_left(text: str, limit: int) -> None:
    short = text_of(text, limit)

    assert len(short) <= max(limit, LONGEST_NOTE)
    assert told(short) == (len(text), digest(text))


@settings(deadline=None)
@given(long_texts, limits)
def test_a_trimmed_text_names_length_and_digest_of_the_whole(text: str, limit: int) -> None:
    short = text_of(text, limit)

    assert told(short) == (len(text), digest(text))


@settings(deadline=None)
@given(long_texts, limits)
def test_a_trimmed_text_is_the_beginning_and_the_end(text: str, limit: int) -> None:
    assume(len(text) > limit)

    head, _length, _digest, tail = NOTE.split(text_of(text, limit))

    assert (text.startswith(head), text.endswith(tail)) == (True, True)
    assert len(head) + len(tail) >= limit - LONGEST_NOTE
    assert len(head) > len(tail) > 0


def test_half_a_character_is_no_obstacle() -> None:
    text = "\ud83d" * 1000

    short = text_of(text, 256)

    assert told(short) == (1000, digest(text))


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), trees, max_size=4), limits)
def test_nothing_under_the_limit_is_touched(fields: dict[str, Any], limit: int) -> None:
    assume(all(len(text) <= limit for value in fields.values() for text in texts(value)))
    assume(all(len(fastjson.dumps(value)) <= MANY * limit for value in fields.values()))
    payload = {"session_id": "s-1", "cwd": "/srv", **fields}

    short = trimmed(payload, "tool_use", limit)

    assert short is payload


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), trees, max_size=4), limits)
def test_no_field_of_a_tool_outgrows_its_bound(fields: dict[str, Any], limit: int) -> None:
    short = trimmed(fields, "tool_use", limit)

    lengths = [len(fastjson.dumps(value)) for value in short.values()]
    assert max(lengths, default=0) <= MANY * limit


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), trees, max_size=4), limits)
def test_no_text_of_a_tool_is_longer_than_its_limit(fields: dict[str, Any], limit: int) -> None:
    short = trimmed(fields, "tool_use", limit)

    inner = [
        text for value in short.values() if not isinstance(value, str) for text in texts(value)
    ]
    assert max((len(text) for text in inner), default=0) <= limit


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), trees, max_size=4), limits)
def test_the_payload_that_was_given_stays_as_it_was(fields: dict[str, Any], limit: int) -> None:
    before = fastjson.dumps({**fields})

    trimmed(fields, "tool_use", limit)

    assert fastjson.dumps({**fields}) == before


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("event", TOOL_EVENTS)
def test_long_text_of_a_tool_is_trimmed(event: str, field: str) -> None:
    text = "leaf " * 1000

    short = trimmed({field: text}, KINDS[event], 256)

    assert told(short[field]) == (5000, digest(text))


def test_what_a_tool_was_denied_is_trimmed_like_what_it_did() -> None:
    payload: Payload = {"tool_input": {"content": "leaf " * 1000}}

    short = trimmed(payload, KINDS["PermissionDenied"], 256)

    assert len(fastjson.dumps(short["tool_input"])) <= MANY * 256


def test_only_the_long_text_of_a_field_is_trimmed() -> None:
    patch: Any = {"filePath": "/srv/a.txt", "originalFile": "pear\n" * 900, "lines": ["+apple", 3]}

    short = trimmed({"tool_response": patch}, "tool_use", 256)

    kept = short["tool_response"]
    assert isinstance(kept, dict)
    assert told(kept.pop("originalFile")) == (4500, digest("pear\n" * 900))
    assert kept == {"filePath": "/srv/a.txt", "lines": ["+apple", 3]}


@pytest.mark.parametrize(
    "many",
    [
        [f"line {number}" for number in range(20_000)],
        list(range(50_000)),
        {f"key {number}": number for number in range(20_000)},
        {"k" * 100_000: 1},
        [[[f"{number}"]] for number in range(20_000)],
    ],
    ids=["texts", "numbers", "keys", "one long key", "nested"],
)
def test_thousands_of_small_parts_are_bounded_together(many: Any) -> None:
    whole = fastjson.dumps(many)

    short = trimmed({"tool_response": many}, "tool_use", 256)

    assert len(str(short["tool_response"])) <= 512
    assert told(short["tool_response"]) == (len(whole), digest(whole))


def test_many_long_texts_together_are_told_as_the_whole_that_they_were() -> None:
    many: Any = [f"{number} " + "leaf " * 1000 for number in range(100)]

    short = trimmed({"tool_response": many}, "tool_use", 256)

    whole = fastjson.dumps(many)
    assert told(short["tool_response"]) == (len(whole), digest(whole))


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("prompt", "prompt"),
        ("reply", "last_assistant_message"),
        ("agent_reply", "last_assistant_message"),
        ("reply_failure", "error"),
        ("compact", "compact_summary"),
        ("message", "text"),
    ],
)
def test_prompts_and_replies_stay_whole_up_to_a_megabyte(kind: str, field: str) -> None:
    payload: Payload = {field: "x" * LARGEST_TEXT}

    short = trimmed(payload, kind, 256)

    assert short is payload


@pytest.mark.parametrize(
    ("kind", "field"), [("prompt", "prompt"), ("reply", "last_assistant_message")]
)
def test_beyond_a_megabyte_prompts_and_replies_are_trimmed(kind: str, field: str) -> None:
    text = "x" * LARGEST_TEXT + "!"

    short = trimmed({field: text}, kind, 256)

    assert told(short[field]) == (LARGEST_TEXT + 1, digest(text))
    assert len(str(short[field])) <= LARGEST_TEXT


def test_a_megabyte_is_what_it_says() -> None:
    assert LARGEST_TEXT == 1024 * 1024


def test_the_last_words_of_a_session_with_tools_stay_whole() -> None:
    payload: Payload = {"tool_input": {"command": "ls"}, "last_assistant_message": "x" * 9000}

    short = trimmed(payload, "tool_use", 256)

    assert short is payload


def test_trimming_what_is_trimmed_changes_nothing() -> None:
    once = trimmed({"tool_response": {"stdout": "leaf " * 1000}}, "tool_use", 256)

    assert trimmed(once, "tool_use", 256) is once
