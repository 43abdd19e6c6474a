"""The identity of an event: the same however it is written, another for whatever else happened."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacit.capture.entry import Entry
from tacit.guard import fastjson
from tacit.transcript.identity import canonical, event_id, short_hash
from tacit.transcript.wire import understand

if TYPE_CHECKING:
    from tacit.transcript.wire import Payload

NOON = 1_790_000_000_000_000_000
TOOL = {"session_id": "s-1", "tool_use_id": "t-1", "tool_name": "Bash", "prompt_id": "p-1"}

_scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
payloads = st.dictionaries(st.text(max_size=12), values, max_size=6)
names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=250)
tool_uses = st.tuples(
    names, st.sampled_from(["PreToolUse", "PostToolUse"]), names, st.none() | names
)


def entry(event: str, client: str = "claude-code") -> Entry:
    return Entry(
        received_ns=NOON,
        event=event,
        client=client,
        pid=1,
        group="main",
        answered="-",
        payload=b"",
    )


def identified(came: Entry, payload: Payload) -> str:
    return event_id(understand(came, payload), payload, came.client)


def named(event: str, /, client: str = "claude-code", **fields: Any) -> str:
    return identified(entry(event, client), fields)


def shuffled(value: Any, random: Any) -> Any:
    """Return the same JSON with the keys of its objects in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key], random) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, random) for item in value]
    return value


@settings(deadline=None)
@given(payloads, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(payload: Payload, random: object) -> None:
    other = shuffled(payload, random)

    first, second = (identified(entry("ConfigChange"), each) for each in (payload, other))

    assert first == second


@settings(deadline=None)
@given(payloads, st.sampled_from([None, 2]), st.booleans())
def test_blanks_and_escapes_do_not_matter(
    payload: Payload, indent: int | None, is_ascii: object
) -> None:
    written = json.dumps(payload, indent=indent, ensure_ascii=bool(is_ascii)).encode(
        "utf-8", "surrogatepass"
    )

    read = fastjson.loads(written)

    assert isinstance(read, dict)
    assert identified(entry("Stop"), read) == identified(entry("Stop"), payload)


@settings(deadline=None)
@given(payloads, st.integers(0, 1 << 62), st.sampled_from(["claude-code", "claude-agent-sdk"]))
def test_when_and_by_whom_it_was_delivered_does_not_matter(
    payload: Payload, received_ns: int, client: str
) -> None:
    again = replace(entry("Stop", client), received_ns=received_ns, pid=2, answered="b-1")

    first, second = (identified(each, payload) for each in (entry("Stop"), again))

    assert first == second


@settings(deadline=None)
@given(payloads, st.text(), values, values)
def test_whatever_differs_in_a_payload_makes_another_event(
    payload: Payload, name: str, one: object, other: object
) -> None:
    assume(json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True))

    ids = {
        identified(entry("ConfigChange"), {**payload, name: value})  # type: ignore[dict-item]
        for value in (one, other)
    }

    assert len(ids) == 2


@pytest.mark.parametrize(
    ("one", "other"), [(1, "1"), (1, True), (0, False), (None, "null"), ([], {}), ("", None)]
)
def test_values_of_other_types_are_other_values(one: object, other: object) -> None:
    ids = {named("ConfigChange", source=value) for value in (one, other)}

    assert len(ids) == 2


def test_a_missing_field_is_not_an_empty_one() -> None:
    ids = {named("ConfigChange"), named("ConfigChange", source=None)}

    assert len(ids) == 2


@settings(deadline=None)
@given(tool_uses, tool_uses)
def test_another_tool_use_is_another_event(one: Any, other: Any) -> None:
    assume(one != other)

    ids = {
        named(event, session_id=session, tool_use_id=use, agent_id=agent)
        for session, event, use, agent in (one, other)
    }

    assert len(ids) == 2


def test_parts_that_read_the_same_when_joined_are_not_the_same() -> None:
    pairs = [("bc", None), ("b", "c"), ("b:c", None), ("b", ":c"), ("b", "c:"), ("b:c:", None)]

    ids = {named("PostToolUse", tool_use_id=use, agent_id=agent) for use, agent in pairs}

    assert len(ids) == len(pairs)


def test_the_same_payload_of_another_event_is_another() -> None:
    ids = {named(event, session_id="s-1") for event in ("SessionStart", "SessionEnd", "Stop")}

    assert len(ids) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"tool_response": "late"},
        {"duration_ms": 9},
        {"cwd": "/srv"},
        {"prompt_id": "p-2"},
        {"x": 1},
    ],
)
def test_a_tool_use_is_known_by_its_own_id_alone(change: dict[str, Any]) -> None:
    first, second = (named("PostToolUse", **(TOOL | more)) for more in ({}, change))

    assert first == second


@pytest.mark.parametrize(
    "change", [{"session_id": "s-2"}, {"tool_use_id": "t-2"}, {"agent_id": "a"}]
)
def test_a_tool_use_elsewhere_is_another(change: dict[str, Any]) -> None:
    first, second = (named("PostToolUse", **(TOOL | more)) for more in ({}, change))

    assert first != second


def test_the_call_and_the_result_of_a_tool_are_two_events() -> None:
    ids = {named(event, **TOOL) for event in ("PreToolUse", "PostToolUse", "PostToolUseFailure")}

    assert len(ids) == 3


@pytest.mark.parametrize("event", ["UserPromptSubmit", "UserPromptExpansion"])
def test_a_prompt_is_known_by_its_session_and_its_id(event: str) -> None:
    first, second = (
        named(event, session_id="s-1", prompt_id="p-1", prompt="hello", permission_mode=mode)
        for mode in ("default", "plan")
    )

    assert first == second


def test_two_prompts_with_the_same_words_are_two_events() -> None:
    ids = {
        named("UserPromptSubmit", session_id=session, prompt_id=prompt, prompt="go on")
        for session, prompt in (("s-1", "p-1"), ("s-1", "p-2"), ("s-2", "p-1"))
    }

    assert len(ids) == 3


def test_a_reply_is_known_by_what_it_says_not_only_by_its_prompt() -> None:
    ids = {
        named("Stop", session_id="s-1", prompt_id="p-1", last_assistant_message=text)
        for text in ("first", "second")
    }

    assert len(ids) == 2


@pytest.mark.parametrize("client", ["bridge", "http", "mcp", "cli"])
def test_a_message_is_known_by_the_id_that_its_source_gives(client: str) -> None:
    first, second = (
        named("message", client, id="m-1", session="s", role="user", text=text, at=at)
        for text, at in (("hello", "2026-01-02"), ("hello again", "2026-01-03"))
    )

    assert first == second


def test_two_sources_may_give_the_same_id() -> None:
    ids = {named("message", client, id="m-1") for client in ("bridge", "other", "http", "import")}

    assert len(ids) == 4


def test_messages_without_an_id_are_known_by_all_they_say() -> None:
    texts = ("hello", "hello", "good bye")

    ids = {named("message", "bridge", id="", session="s", role="user", text=text) for text in texts}

    assert len(ids) == 2


def test_the_payload_of_a_hook_cannot_borrow_the_id_of_a_message() -> None:
    ids = {named("message", "claude-code", id="m-1"), named("Stop", id="m-1")}

    assert len(ids) == 2


def test_half_a_character_is_no_obstacle() -> None:
    ids = {named("Stop", last_assistant_message=text) for text in ("\ud83d", "\ude00", "?")}

    assert len(ids) == 3


@settings(deadline=None)
@given(payloads)
def test_the_one_way_to_write_a_payload_is_plain_json(payload: Payload) -> None:
    written = canonical(payload)

    assert written.isascii()
    assert json.loads(written) == payload


def test_an_id_is_a_plain_word_of_one_length() -> None:
    ids = [named("Stop"), named("PostToolUse", **TOOL), named("message", id="m" * 900)]

    assert {(each[:4], len(each), each[4:].isalnum()) for each in ids} == {("evt-", 36, True)}


def test_a_short_hash_tells_long_texts_apart() -> None:
    hashes = {short_hash(text) for text in ("x" * 5000, "x" * 5001, "\udcff")}

    assert len(hashes) == 3
