"""The line: whatever a client says on it, the server answers, ignores it, or ends cleanly."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

from conformance.line import ENVELOPE, MODERN, NEWEST, Line
from rig import Home
from tacit.mcp.tools import INSTRUCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602
GARBAGE = [
    b"",
    b"hello",
    b"{",
    b"{}",
    b"[]",
    b"null",
    b'"text"',
    b"\x00\xff\xfe",
    b'{"jsonrpc":"2.0"}',
    b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
    b'{"jsonrpc":"2.0","id":9,"method":5}',
    b'[{"jsonrpc":"2.0","id":9,"method":"ping"}]',
    b'{"jsonrpc":"2.0","id":9,"result":{}}',
    b"[" * 100_000,
    b"x" * 2_000_000,
]
# what a start may not load: models of meaning, the store, what makes memories of turns
HEAVY = {"numpy", "onnxruntime", "apsw", "re2", "tacit.compose", "tacit.curate"}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    """Return a line on which a client has introduced itself, for questions that change nothing."""
    with Line(Home(tmp_path_factory.mktemp("begun"))) as line:
        line.introduce()
        yield line


@pytest.mark.parametrize("method", ["no/such/method", "prompts/list", "resources/list"])
def test_a_method_that_there_is_not_is_told_and_the_server_goes_on(
    begun: Line, method: str
) -> None:
    assert begun.ask(method)["error"]["code"] == METHOD_NOT_FOUND
    assert begun.ask("ping")["result"] == {}


def test_an_unknown_notification_is_ignored(begun: Line) -> None:
    begun.say({"jsonrpc": "2.0", "method": "notifications/unknown", "params": {"a": 1}})

    assert begun.ask("ping")["result"] == {}


def test_an_unknown_tool_is_an_error_that_names_it(begun: Line) -> None:
    error = begun.ask("tools/call", name="delete_memory", arguments={})["error"]

    assert error["code"] == INVALID_PARAMS
    assert "delete_memory" in error["message"]


def test_what_is_no_message_is_survived_in_silence(home: Home) -> None:
    with Line(home) as line:
        line.introduce()
        for each in GARBAGE:
            line.say(each)

        answer = line.ask("ping")
        ended = line.end()

    assert answer["result"] == {}
    assert (ended.code, ended.out, ended.err) == (0, b"", b"")


def test_a_client_of_old_is_answered_in_the_version_that_it_speaks(home: Home) -> None:
    with Line(home) as line:
        told = line.introduce("2024-11-05")

    assert told["protocolVersion"] == "2024-11-05"
    assert told["serverInfo"]["name"] == "tacit"


def test_a_version_of_the_future_is_answered_with_the_newest_there_is(home: Home) -> None:
    with Line(home) as line:
        told = line.introduce("2031-01-01")

    assert told["protocolVersion"] == NEWEST


def test_a_client_that_asks_what_there_is_begins_without_a_handshake(home: Home) -> None:
    with Line(home) as line:
        found = line.ask("server/discover", _meta=ENVELOPE)["result"]
        tools = line.ask("tools/list", _meta=ENVELOPE)["result"]["tools"]

    assert found["supportedVersions"] == [MODERN]
    assert found["instructions"] == INSTRUCTIONS
    assert [tool["name"] for tool in tools] == ["search_memory", "read_memory", "recent_sessions"]


@pytest.mark.parametrize("method", ["server/discover", "server/unknown"])
def test_a_client_that_asks_so_in_vain_can_still_shake_hands(home: Home, method: str) -> None:
    with Line(home) as line:
        found = line.ask(method)

        assert found["error"]["code"] == METHOD_NOT_FOUND
        assert line.introduce()["instructions"] == INSTRUCTIONS


def test_it_ends_with_its_client_and_says_nothing_of_it(home: Home) -> None:
    with Line(home) as line:
        line.introduce()

        ended = line.end()

    assert (ended.code, ended.out, ended.err) == (0, b"", b"")


def test_it_ends_at_once_when_it_is_interrupted(home: Home) -> None:
    with Line(home) as line:
        line.introduce()

        line.process.send_signal(signal.SIGINT)
        code = line.process.wait(timeout=30)
        err = line.errors()

    assert (code, err) == (-signal.SIGINT, b"")


def test_a_session_that_asks_nothing_loads_no_memory_and_leaves_nothing(home: Home) -> None:
    with Line(home, "-X", "importtime") as line:
        line.introduce()
        line.ask("tools/list")
        ended = line.end()

    loaded = {text.rpartition("|")[2].strip() for text in ended.err.decode().splitlines()}
    assert "tacit.mcp.server" in loaded
    assert loaded & HEAVY == set()
    assert not home.path.exists()


def test_an_answer_needs_no_daemon_and_no_model_of_meaning(told: Home) -> None:
    with Line(told, "-X", "importtime") as line:
        line.introduce()
        found = line.call("search_memory", query="what does the till sell")
        ended = line.end()

    loaded = {text.rpartition("|")[2].strip() for text in ended.err.decode().splitlines()}
    assert "The till sells tea" in found["content"][0]["text"]
    assert loaded & {"numpy", "onnxruntime"} == set()


def test_an_argument_that_no_schema_names_is_refused_in_words(told: Home) -> None:
    with Line(told) as line:
        line.introduce()
        found = line.call("search_memory", query="tea", project="zoo")

    assert found["isError"]
    assert "but not `project`" in found["content"][0]["text"]


def test_a_first_run_says_that_nothing_is_known_yet(home: Home) -> None:
    with Line(home) as line:
        line.introduce()
        found = [line.call("search_memory", query="tea"), line.call("recent_sessions")]
        ended = line.end()

    assert [each["isError"] for each in found] == [False, False]
    assert all("Nothing is known yet" in each["content"][0]["text"] for each in found)
    assert (ended.code, ended.err) == (0, b"")


def test_a_home_that_cannot_be_opened_is_told_to_whoever_asks(home: Home) -> None:
    home.path.write_text("a file where the home should be", encoding="utf-8")

    with Line(home) as line:
        line.introduce()
        found = line.call("search_memory", query="tea")
        ended = line.end()

    assert found["isError"]
    assert "Unset TACIT_HOME, or set it to a new or empty directory" in json.dumps(found)
    assert (ended.code, ended.err) == (0, b"")
