"""The server: the protocol over stdin and stdout, as the official SDK speaks it.

What a tool refuses is an answer that says so, never the end of the server. It ends when its client
closes the line, or at once when it is interrupted.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from tacit.errors import TacitError
from tacit.guard.normalise import one_line
from tacit.mcp.tools import INSTRUCTIONS
from tacit.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.mcp.tools import Tool

    Call = Callable[[str, dict[str, Any]], str]

NAME = "tacit"


def serve(call: Call, tools: Sequence[Tool]) -> None:
    """Answer a client until it closes the line."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else it waits for a line that may never come
    anyio.run(_serve, made(call, tools))


def made(call: Call, tools: Sequence[Tool]) -> Server[Any]:
    """Return a server that has these tools, each answered by *call*."""
    names = {tool.name for tool in tools}

    async def listed(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_spelled(tool) for tool in tools])

    async def called(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in names:
            raise MCPError(code=types.INVALID_PARAMS, message=f"There is no tool {params.name!r}.")
        try:
            text, is_error = call(params.name, params.arguments or {}), False
        except TacitError as error:
            text, is_error = one_line(str(error)), True
        except OSError as error:
            why = error.strerror or type(error).__name__
            text, is_error = f"The memory cannot be read now: {why}. See `tacit status`.", True
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], is_error=is_error
        )

    return Server(
        NAME,
        version=VERSION,
        title="Tacit",
        instructions=INSTRUCTIONS,
        on_list_tools=listed,
        on_call_tool=called,
    )


def _spelled(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.is_reading, destructive_hint=False, open_world_hint=False
        ),
    )


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (heard, told):
        await server.run(heard, told, server.create_initialization_options())
