"""Serve the memory over HTTP on loopback, for a suite that speaks nothing else.

    python served.py HOME DIRECTORY

The server, its tools and who answers are those of `tacit mcp`; the transport is the SDK's own, as
it comes. The address is the first line that is printed.
"""

from __future__ import annotations

import socket
import sys

import uvicorn

from tacit import settings
from tacit.cli.running.mcp import reader
from tacit.compose import open_app
from tacit.mcp.server import made
from tacit.mcp.tools import offered


def main(home: str, directory: str) -> None:
    """Serve until somebody ends it."""
    chosen = settings.load(home)
    tools = offered(chosen.reader_tools, resolving=chosen.resolve_actions)
    server = made(reader(open_app(home), None, directory).call, tools)
    listening = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp\n")
    sys.stdout.flush()
    application = uvicorn.Config(server.streamable_http_app(), log_level="error")
    uvicorn.Server(application).run(sockets=[listening])


if __name__ == "__main__":
    main(*sys.argv[1:])
