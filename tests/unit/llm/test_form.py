"""The form of an answer: what can be told by looking at it."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.llm import form
from tacit.llm.form import DEPTH, MOST_TEXT, Unusable
from tacit.llm.port import Request, Usage
from unit.llm.asking import REQUEST, SCHEMA


def nested(levels: int) -> Any:
    value: Any = "deep"
    for _ in range(levels):
        value = [value]
    return value


def test_a_text_is_what_it_is() -> None:
    assert form.text(" größer\n") == " größer\n"


@pytest.mark.parametrize("said", ["", " \n", None, 3, ["a"], "\ud800", "ü" * (MOST_TEXT // 2 + 1)])
def test_what_is_no_text_is_refused(said: object) -> None:
    with pytest.raises(Unusable):
        form.text(said)


def test_the_longest_text_is_one() -> None:
    assert len(form.text("x" * MOST_TEXT)) == MOST_TEXT


@pytest.mark.parametrize(
    "value", [{"found": []}, {"found": [], "more": 1}, {"found": nested(DEPTH - 2)}]
)
def test_an_object_that_fits_is_taken(value: dict[str, Any]) -> None:
    assert form.fitting(value, SCHEMA) == value


@pytest.mark.parametrize(
    "value",
    [None, [], "found", 3, {}, {"found": None}, {"found": {}}, {"found": nested(DEPTH)}],
    ids=lambda value: str(value)[:40],
)
def test_an_object_that_does_not_fit_is_refused(value: object) -> None:
    with pytest.raises(Unusable):
        form.fitting(value, SCHEMA)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("string", "a", 1),
        ("integer", 1, 1.5),
        ("integer", 0, True),
        ("number", 1.5, "1"),
        ("number", 1, False),
        ("boolean", True, 1),
        ("null", None, ""),
        ("object", {}, []),
        (["string", "null"], None, 3),
        (["string", "null"], "a", []),
    ],
)
def test_a_field_is_of_the_kind_that_the_schema_names(kind: Any, good: Any, bad: Any) -> None:
    schema = {"properties": {"a": {"type": kind}}}

    assert form.fitting({"a": good}, schema) == {"a": good}
    with pytest.raises(Unusable):
        form.fitting({"a": bad}, schema)


@pytest.mark.parametrize("schema", [{}, {"properties": {"a": {}}}, {"properties": {"a": True}}])
def test_what_a_schema_does_not_say_is_free(schema: dict[str, Any]) -> None:
    assert form.fitting({"a": True}, schema) == {"a": True}


@pytest.mark.parametrize("value", [{"a": float("nan")}, {"a": float("inf")}, {"a": "\ud800"}])
def test_what_cannot_be_written_down_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(Unusable):
        form.written(value)


def test_an_object_is_written_as_people_read_it() -> None:
    assert form.written({"a": "größer"}) == '{"a": "größer"}'


@pytest.mark.parametrize("said", ["{", "", "not json", "[" * 100_000, "```\n{\n```"])
def test_an_object_that_breaks_off_is_refused(said: str) -> None:
    with pytest.raises(Unusable):
        form.spoken(said)


@pytest.mark.parametrize("stop", ["end_turn", "tool_use", "stop_sequence", "stop", "tool_calls"])
def test_an_answer_that_is_whole_is_known_as_one(stop: str) -> None:
    assert form.ending(stop) == stop


@pytest.mark.parametrize("stop", ["max_tokens", "length", "refusal", "pause_turn", None, 3, {}])
def test_an_answer_that_is_not_whole_is_refused(stop: object) -> None:
    with pytest.raises(Unusable):
        form.ending(stop)


def test_the_counts_of_a_server_are_believed() -> None:
    counts = {"input_tokens": 1, "output_tokens": 2, "cached_tokens": 0}

    assert form.usage(counts, REQUEST, "x") == Usage(input_tokens=1, output_tokens=2)


@pytest.mark.parametrize("count", [None, -1, "1", 1.5, True, 10**12])
def test_counts_that_are_none_are_guessed_upwards(count: object) -> None:
    found = form.usage({"input_tokens": 1, "output_tokens": count}, REQUEST, "x" * 30)

    assert found == Usage(input_tokens=form.guessed(REQUEST), output_tokens=11)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5-20251001"),
        ("claude-haiku-4-5", "claude-haiku-4-5"),
        ("another", "claude-haiku-4-5"),
        ("claude-haiku-4-5" + "x" * 17, "claude-haiku-4-5"),
        ("claude-haiku-4-5\n", "claude-haiku-4-5"),
        (None, "claude-haiku-4-5"),
    ],
)
def test_a_model_is_called_as_it_was_asked_or_more_exactly(said: object, found: str) -> None:
    assert form.model(said, "claude-haiku-4-5") == found


def test_what_is_unusable_says_what_it_has_cost() -> None:
    with pytest.raises(Unusable) as told, form.paid(0.25):
        form.text("")

    assert told.value.usd == 0.25


@pytest.mark.parametrize(("said", "sent"), [("a\0b", "a b"), ("a\ud800b", "a?b"), ("ü", "ü")])
def test_every_server_can_read_what_is_sent(said: str, sent: str) -> None:
    assert form.sendable(said) == sent


def test_what_may_be_put_into_a_cache_is_counted_so() -> None:
    usage = form.at_most(Request(system="s" * 300, state="k" * 60, text="t" * 600, most_tokens=9))

    assert (usage.written_tokens, usage.input_tokens, usage.output_tokens) == (121, 202, 9)


def test_letters_of_other_scripts_take_more_tokens() -> None:
    plain, other = (Request(system="", text=each * 320) for each in ("a", "\u7d04"))

    assert form.guessed(other) > 2 * form.guessed(plain)
