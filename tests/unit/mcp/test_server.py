"""The server, asked by the official client over stdin and stdout."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tacit.model.memory import DAY_NS
from unit.curate.saying import NOON, Ticking, publish, talk

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from rig import Home
    from tacit.capture.spool import Spool

PATIENCE = 60.0
COMMAND = ("-P", "-m", "tacit", "mcp", "--project", "/srv/shop")


@pytest.fixture
def environment(home: Home, spool: Spool) -> dict[str, str]:
    talk(spool, Ticking(), "the till sells tea")
    return {**os.environ, "TACIT_HOME": str(home.path)}


def ask(
    environment: dict[str, str], home: Home, question: Callable[[ClientSession], Awaitable[Any]]
) -> Any:
    """Return what the server answers to one question of a client that has introduced itself."""

    async def asked() -> Any:
        how = StdioServerParameters(
            command=sys.executable, args=list(COMMAND), env=environment, cwd=home.project
        )
        async with stdio_client(how) as (heard, told), ClientSession(heard, told) as session:
            await session.initialize()
            with anyio.fail_after(PATIENCE):
                return await question(session)

    return anyio.run(asked)


def test_an_agent_sees_three_tools_that_only_read(environment: dict[str, str], home: Home) -> None:
    found = ask(environment, home, lambda session: session.list_tools())

    assert {tool.name for tool in found.tools} == {
        "search_memory",
        "read_memory",
        "recent_sessions",
    }
    assert all(tool.annotations.read_only_hint for tool in found.tools)


def test_the_owner_can_narrow_it_to_one(environment: dict[str, str], home: Home) -> None:
    text = '[mcp]\nreader_tools = ["search_memory"]\n'
    (home.path / "config.toml").write_text(text, encoding="utf-8")

    found = ask(environment, home, lambda session: session.list_tools())

    assert [tool.name for tool in found.tools] == ["search_memory"]


def test_a_search_needs_no_daemon(environment: dict[str, str], home: Home) -> None:
    found = ask(
        environment, home, lambda session: session.call_tool("search_memory", {"query": "tea"})
    )

    assert "The till sells tea" in found.content[0].text
    assert not found.is_error


def test_a_refusal_is_an_answer(environment: dict[str, str], home: Home) -> None:
    found = ask(
        environment, home, lambda session: session.call_tool("search_memory", {"query": ""})
    )

    assert found.is_error
    assert "must be a text" in found.content[0].text


def test_an_agent_closes_an_action_whose_id_it_was_told_by_the_server(
    environment: dict[str, str], home: Home, spool: Spool
) -> None:
    (home.path / "config.toml").write_text("[mcp]\nresolve_actions = true\n", encoding="utf-8")
    turn = {"session_id": "s2", "cwd": "/srv/shop", "prompt_id": "p2"}
    prompt = {"prompt": "Remind me to rotate the deploy key next week."}
    publish(spool, "UserPromptSubmit", NOON + DAY_NS, turn | prompt)
    publish(spool, "Stop", NOON + DAY_NS + 1, turn | {"last_assistant_message": "I will."})

    async def close(session: ClientSession) -> list[Any]:
        listed: Any = None
        while listed is None or "Nothing" in listed.content[0].text:  # it catches up step by step
            listed = await session.call_tool("resolve_action", {})
        name = listed.content[0].text.split()[0]
        given = {"id": name, "outcome": "acted_on"}
        closed = await session.call_tool("resolve_action", given)
        return [listed, closed, await session.call_tool("resolve_action", {})]

    listed, closed, left = ask(environment, home, close)

    assert "rotate the deploy key" in listed.content[0].text
    assert closed.content[0].text.startswith("acted_on: ")
    assert left.content[0].text == "Nothing is pending."
