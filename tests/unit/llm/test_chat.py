"""Models that speak like OpenAI: the best manner that a server knows, remembered."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.errors import ModelKeyRefused, ModelStrange, ModelUnreachable
from tacit.llm.port import Usage
from unit.llm.asking import KEY, PLAIN, REQUEST, SAID, SCHEMA, UNREAD, chosen, completion, saying
from unit.net.serving import served

if TYPE_CHECKING:
    from unit.net.serving import Asked, Script

OBJECT = json.dumps(SAID)


def knowing(*manners: str) -> Script:
    """Return the script of a server that knows some manners of answering."""

    def script(asked: Asked) -> None:
        manner = asked.question.get("response_format", {"type": "text"})["type"]
        if manner not in manners:
            asked.answer({"error": {"message": "what is response_format?"}}, 400)
        else:
            asked.answer(completion("- tabs, not spaces" if manner == "text" else OBJECT))

    return script


def manners(asked: list[Any]) -> list[str]:
    return [each.body.get("response_format", {"type": "text"})["type"] for each in asked]


def test_a_question_is_asked_as_everybody_asks() -> None:
    with served(saying(completion(OBJECT))) as server:
        chosen("openai", f"{server.url}/v1/").ask(REQUEST)

    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "You extract.\n\nKnown: nothing."},
            {"role": "user", "content": UNREAD},
        ],
        "max_tokens": 512,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "memories", "schema": SCHEMA},
        },
    }


def test_a_reply_says_what_it_used_and_each_token_counts_once() -> None:
    with served(saying(completion(OBJECT))) as server:
        reply = chosen("openai", server.url, usd_per_million=[1, 10]).ask(REQUEST)

    assert reply.usage == Usage(input_tokens=100, output_tokens=20, cached_tokens=1000)
    assert reply.usd == pytest.approx((100 * 1 + 20 * 10 + 1000 * 1) / 1e6)
    assert (reply.value, reply.text, reply.stop) == (SAID, OBJECT, "stop")
    assert reply.model == "some-model"


def test_a_server_on_this_machine_costs_nothing() -> None:
    with served(saying(completion(OBJECT))) as server:
        assert chosen("openai", server.url).ask(REQUEST).usd == 0


@pytest.mark.parametrize(
    ("known", "tried", "value"),
    [
        (("json_schema", "json_object", "text"), ["json_schema"], SAID),
        (("json_object", "text"), ["json_schema", "json_object"], SAID),
        (("text",), ["json_schema", "json_object", "text"], None),
    ],
)
def test_the_best_manner_that_a_server_knows_is_found_and_remembered(
    known: tuple[str, ...], tried: list[str], value: object
) -> None:
    with served(knowing(*known)) as server:
        model = chosen("openai", server.url)
        first, again = model.ask(REQUEST), model.ask(REQUEST)

    assert (first.value, again.value) == (value, value)
    assert manners(server.asked) == [*tried, tried[-1]]


def test_a_plain_text_is_left_for_the_caller_to_read() -> None:
    with served(knowing("text")) as server:
        reply = chosen("openai", server.url).ask(REQUEST)

    assert (reply.text, reply.value) == ("- tabs, not spaces", None)


def test_a_server_that_is_asked_for_any_object_is_told_of_which_form() -> None:
    with served(knowing("json_object")) as server:
        chosen("openai", server.url).ask(REQUEST)

    system = server.asked[-1].body["messages"][0]["content"]
    assert system.endswith("schema:\n" + json.dumps(SCHEMA))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [("Answer in lines.", "Answer in lines."), ("", "schema:\n" + json.dumps(SCHEMA))],
)
def test_a_server_that_gives_only_texts_is_told_how_to_answer_all_the_same(
    lines: str, expected: str
) -> None:
    with served(knowing("text")) as server:
        chosen("openai", server.url).ask(replace(REQUEST, lines=lines))

    told = [each.body["messages"][0]["content"] for each in server.asked]
    assert told[-1].endswith(expected)
    assert ["Answer in lines." in each for each in told] == [False, False, bool(lines)]


def test_each_kind_of_object_has_a_manner_of_its_own() -> None:
    def script(asked: Asked) -> None:
        shaped = asked.question.get("response_format", {}).get("json_schema", {})
        asked.answer(completion(OBJECT), 422 if shaped.get("name") == "odd" else 200)

    with served(script) as server:
        model = chosen("openai", server.url)
        model.ask(REQUEST)
        model.ask(replace(REQUEST, name="odd"))
        model.ask(REQUEST)

    assert manners(server.asked) == ["json_schema", "json_schema", "json_object", "json_schema"]


def test_a_question_that_no_manner_helps_is_told_and_nothing_is_learned_from_it() -> None:
    refusing = [True]

    def script(asked: Asked) -> None:
        asked.answer(completion(OBJECT), 400 if refusing[0] else 200)

    with served(script) as server:
        model = chosen("openai", server.url)
        with pytest.raises(ModelStrange, match="status 400"):
            model.ask(REQUEST)
        refusing[0] = False
        model.ask(REQUEST)

    assert manners(server.asked)[3:] == ["json_schema"]


def test_all_manners_together_have_the_time_of_one_question() -> None:
    def script(asked: Asked) -> None:
        threading.Event().wait(0.7)
        asked.answer({}, 400)

    with served(script) as server, pytest.raises(ModelUnreachable, match="in time"):
        chosen("openai", server.url, timeout_seconds=1).ask(REQUEST)

    assert len(server.asked) < 3


def test_without_a_schema_nothing_is_said_of_the_form() -> None:
    with served(saying(completion("tabs"))) as server:
        reply = chosen("openai", server.url).ask(PLAIN)

    assert (reply.text, reply.value) == ("tabs", None)
    assert "response_format" not in server.asked[0].body


@pytest.mark.parametrize(
    "said", [f"```json\n{OBJECT}\n```", f"```\n{OBJECT}```", f"\n {OBJECT} \n"]
)
def test_a_fence_around_an_object_is_taken_off(said: str) -> None:
    with served(saying(completion(said))) as server:
        assert chosen("openai", server.url).ask(REQUEST).value == SAID


def test_a_server_that_makes_a_text_of_it_all_the_same_is_read_as_one() -> None:
    with served(saying(completion("- tabs, not spaces"))) as server:
        reply = chosen("openai", server.url).ask(REQUEST)

    assert (reply.text, reply.value) == ("- tabs, not spaces", None)


@pytest.mark.parametrize(
    "content",
    [
        completion('{"found": ["tabs, not sp'),
        completion("```json\n{"),
        completion('{"other": []}'),
        completion('{"found": "one"}'),
        completion('{"found": [NaN]}'),
        completion('{"found": [' + "[" * 40 + "]" * 40 + "]}"),
        completion('{"found":' + "[" * 50_000),
        completion('{"found": ["\\ud800"]}'),
        completion(""),
        completion("  \n"),
        completion(None),
        completion(["text"]),
        completion(OBJECT, finish_reason="length"),
        completion(OBJECT, finish_reason="content_filter"),
        completion(OBJECT, finish_reason="error"),
        completion(OBJECT, finish_reason=["stop"]),
        completion("x" * (256 * 1024 + 1)),
        completion(OBJECT, choices=[]),
        completion(OBJECT, choices=[{}]),
        completion(OBJECT, choices="abc"),
        completion(OBJECT, choices=[{"message": "hello"}]),
        {},
        [],
        "completion",
        None,
    ],
    ids=lambda content: str(content)[:150],
)
def test_an_answer_of_another_form_is_not_believed(content: object) -> None:
    with served(saying(content)) as server, pytest.raises(ModelStrange, match="asked again later"):
        chosen("openai", server.url).ask(REQUEST)


def test_a_refusal_in_a_field_of_its_own_is_one() -> None:
    said = completion(None)
    said["choices"][0]["message"]["refusal"] = "I would rather not."

    with served(saying(said)) as server, pytest.raises(ModelStrange, match="refuses to answer"):
        chosen("openai", server.url).ask(REQUEST)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "many"}, {"prompt_tokens": -5}])
def test_an_answer_without_counts_is_counted_by_its_length(usage: object) -> None:
    with served(saying(completion(OBJECT, usage=usage))) as server:
        reply = chosen("openai", server.url, usd_per_million=[1, 1]).ask(REQUEST)

    assert reply.usage.input_tokens > len(UNREAD) / 4
    assert reply.usd > 0


def test_without_a_key_none_is_sent() -> None:
    with served(saying(completion(OBJECT))) as server:
        chosen("openai", server.url, key=None).ask(REQUEST)

    assert "Authorization" not in server.asked[0].headers


def test_the_usual_place_is_not_asked_without_a_key() -> None:
    with pytest.raises(ModelKeyRefused, match=r"no key for api\.openai\.com\. Set OPENAI_API_KEY"):
        chosen("openai", "", key=None).ask(REQUEST)


def test_closing_ends_a_question_that_is_under_way() -> None:
    asked_for = threading.Event()

    def script(asked: Asked) -> None:
        asked_for.set()
        asked.connection.recv(1)

    with served(script) as server, ThreadPoolExecutor(1) as pool:
        model = chosen("openai", server.url, timeout_seconds=60)
        asking = pool.submit(model.ask, REQUEST)
        assert asked_for.wait(10)
        model.close()

        assert isinstance(asking.exception(timeout=10), ModelUnreachable)


def test_after_closing_it_connects_again() -> None:
    with served(saying(completion(OBJECT))) as server:
        model = chosen("openai", server.url)
        model.ask(REQUEST)
        model.close()
        model.close()

        assert model.ask(REQUEST).value == SAID

    assert len({asked.client for asked in server.asked}) == 2


def test_the_name_of_the_provider_is_the_one_that_is_set() -> None:
    model = chosen("openai", "")

    assert (model.provider, model.model("small"), model.model("large")) == (
        "openai",
        "some-model",
        "some-model",
    )
