"""Anthropic's models through the official SDK: asked as they expect it, believed when in form."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from tacit.errors import ModelBusy, ModelKeyRefused, ModelStrange, ModelUnreachable
from tacit.llm.port import Usage
from unit.llm.asking import KEY, PLAIN, REQUEST, SAID, SCHEMA, UNREAD, chosen, message, saying
from unit.net.serving import served

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.llm.port import Reply
    from unit.net.serving import Asked, Question


def asked_and_told(content: object = None, **more: Any) -> tuple[Question, Reply]:
    with served(saying(content or message())) as server:
        model = chosen("anthropic", server.url, **more)
        reply = model.ask(REQUEST)
        model.close()
    (question,) = server.asked
    return question, reply


def strange(content: object) -> ModelStrange:
    with served(saying(content)) as server, pytest.raises(ModelStrange) as told:
        chosen("anthropic", server.url).ask(REQUEST)
    return told.value


def test_what_lasts_stands_first_and_is_marked_for_the_cache() -> None:
    question, _ = asked_and_told()

    mark = {"type": "ephemeral"}
    assert question.path == "/v1/messages"
    assert question.body["system"] == [
        {"type": "text", "text": "You extract.", "cache_control": mark},
        {"type": "text", "text": "Known: nothing.", "cache_control": mark},
    ]
    assert question.body["messages"] == [{"role": "user", "content": UNREAD}]
    assert (question.body["model"], question.body["max_tokens"]) == ("claude-haiku-4-5", 512)


def test_an_object_is_had_by_a_tool_that_must_be_used() -> None:
    question, reply = asked_and_told()

    (tool,) = question.body["tools"]
    assert (tool["name"], tool["input_schema"]) == ("memories", SCHEMA)
    assert question.body["tool_choice"] == {"type": "tool", "name": "memories"}
    assert (reply.value, reply.text) == (SAID, '{"found": ["tabs, not spaces"]}')


def test_a_reply_says_what_it_used_and_what_it_cost() -> None:
    _, reply = asked_and_told()

    assert reply.usage == Usage(
        input_tokens=100, output_tokens=20, cached_tokens=1000, written_tokens=40
    )
    assert reply.usd == pytest.approx((100 * 1 + 20 * 5 + 1000 * 0.1 + 40 * 1.25) / 1e6)
    assert (reply.model, reply.stop) == ("claude-haiku-4-5-20251001", "tool_use")


def test_without_a_schema_the_answer_is_a_text() -> None:
    said = [{"type": "text", "text": "tabs, "}, {"type": "text", "text": "not spaces"}]
    with served(saying(message(content=said, stop_reason="end_turn"))) as server:
        reply = chosen("anthropic", server.url).ask(PLAIN)

    assert (reply.text, reply.value, reply.stop) == ("tabs, not spaces", None, "end_turn")
    assert "tools" not in server.asked[0].body
    assert [each["text"] for each in server.asked[0].body["system"]] == ["You extract."]


def test_the_key_goes_with_every_question() -> None:
    question, _ = asked_and_told()

    assert KEY in (question.headers["Authorization"] or question.headers["X-Api-Key"])


def test_a_place_of_the_owner_s_own_needs_no_key() -> None:
    question, reply = asked_and_told(key=None)

    assert reply.value == SAID
    assert "no-key" in str(question.headers)


def test_the_usual_place_is_not_asked_without_a_key() -> None:
    model = chosen("anthropic", "", key=None)

    with pytest.raises(
        ModelKeyRefused, match=r"no key for api\.anthropic\.com\. Set ANTHROPIC_API"
    ):
        model.ask(REQUEST)


def test_each_tier_has_its_model() -> None:
    model = chosen("anthropic", "")

    assert (model.model("small"), model.model("large")) == ("claude-haiku-4-5", "claude-sonnet-4-6")
    assert model.provider == "anthropic"


def test_many_questions_go_over_one_connection() -> None:
    with served(saying(message())) as server:
        model = chosen("anthropic", server.url)
        for _ in range(3):
            model.ask(REQUEST)
        model.close()

    assert len({asked.client for asked in server.asked}) == 1


def test_after_closing_it_connects_again() -> None:
    with served(saying(message())) as server:
        model = chosen("anthropic", server.url)
        model.ask(REQUEST)
        model.close()
        model.close()

        assert model.ask(REQUEST).value == SAID


def test_closing_ends_a_question_that_is_under_way() -> None:
    asked_for = threading.Event()

    def script(asked: Asked) -> None:
        asked_for.set()
        asked.connection.recv(1)

    with served(script) as server, ThreadPoolExecutor(1) as pool:
        model = chosen("anthropic", server.url, timeout_seconds=60)
        asking = pool.submit(model.ask, REQUEST)
        assert asked_for.wait(10)
        model.close()

        assert isinstance(asking.exception(timeout=10), ModelUnreachable)


def test_many_threads_may_ask() -> None:
    with served(saying(message())) as server:
        model = chosen("anthropic", server.url)
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(model.ask, [REQUEST] * 24))
        model.close()

    assert [reply.value for reply in replies] == [SAID] * 24


def test_a_server_that_fails_is_asked_once() -> None:
    with served(saying({}, 500)) as server, pytest.raises(ModelBusy):
        chosen("anthropic", server.url).ask(REQUEST)

    assert len(server.asked) == 1


def test_a_long_answer_may_be_asked_for() -> None:
    long = type(REQUEST)(system="s", text="t", most_tokens=64_000)
    said = message(content=[{"type": "text", "text": "all of it"}], stop_reason="end_turn")

    with served(saying(said)) as server:
        assert chosen("anthropic", server.url).ask(long).text == "all of it"


@pytest.mark.parametrize(
    "content",
    [
        message(content=[]),
        message(content=[{"type": "text", "text": "I would rather not use the tool."}]),
        message(content=[{"type": "tool_use", "name": "another", "input": SAID}]),
        message(content=[{"type": "tool_use", "name": "memories", "input": "found"}]),
        message(content=[{"type": "tool_use", "name": "memories", "input": {"other": []}}]),
        message(content=[{"type": "tool_use", "name": "memories", "input": {"found": "one"}}]),
        message(content=["tool_use"]),
        message(content=None),
        message(stop_reason="max_tokens"),
        message(stop_reason="refusal"),
        message(stop_reason="pause_turn"),
        message(stop_reason=None),
        message(stop_reason=["tool_use"]),
        [],
        "message",
        3,
    ],
    ids=lambda content: str(content)[:100],
)
def test_an_answer_of_another_form_is_not_believed(content: object) -> None:
    assert "asked again later" in str(strange(content))


def test_an_answer_that_is_thrown_away_still_says_what_it_cost() -> None:
    assert strange(message(stop_reason="max_tokens")).usd == pytest.approx(0.00035)


@pytest.mark.parametrize(
    "usage", [None, {}, [], {"input_tokens": -1, "output_tokens": 2}, {"input_tokens": "9"}]
)
def test_an_answer_without_counts_is_counted_by_its_length(usage: object) -> None:
    _, reply = asked_and_told(message(usage=usage))

    assert reply.usage.input_tokens > len(UNREAD) / 4
    assert reply.usd > 0


@pytest.mark.parametrize("said", ["gpt-9", "x" * 5000, "claude-haiku-4-5\nnot a name", None, 3])
def test_a_model_that_calls_itself_otherwise_is_called_as_it_was_asked(said: object) -> None:
    _, reply = asked_and_told(message(model=said))

    assert reply.model == "claude-haiku-4-5"


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_what_no_server_can_read_is_not_sent(text: str) -> None:
    odd = type(REQUEST)(system=text, text=text, schema=SCHEMA, name="memories")

    with served(saying(message())) as server:
        chosen("anthropic", server.url).ask(odd)

    assert server.asked[0].body["messages"][0]["content"] in {"a b", "a?b"}


ASK = """
import sys
sys.path[:0] = {path!r}
from unit.llm.asking import REQUEST, chosen
print(chosen("anthropic", {url!r}).ask(REQUEST).value)
"""


def test_nothing_but_the_key_is_taken_from_the_environment(tmp_path: Path) -> None:
    """Not even by the SDK: neither place nor proxy, profile, log nor trace."""
    with served(saying(message())) as other, served(saying(message())) as server:
        hostile = {
            "ANTHROPIC_BASE_URL": other.url,
            "ANTHROPIC_AUTH_TOKEN": "another-token",
            "ANTHROPIC_PROFILE": "somebody",
            "ANTHROPIC_LOG": "debug",
            "HTTP_PROXY": other.url,
            "HTTPS_PROXY": other.url,
            "ALL_PROXY": other.url,
            "OTEL_EXPORTER_OTLP_ENDPOINT": other.url,
        }
        ran = subprocess.run(
            [sys.executable, "-c", ASK.format(path=sys.path, url=server.url)],
            env=hostile | {"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )

    assert ran.stdout == f"{SAID}\n"
    assert (other.asked, len(server.asked)) == ([], 1)
    assert "another-token" not in str(server.asked[0].headers)
    assert (UNREAD in ran.stderr, KEY in ran.stderr) == (False, False)
