"""`tacit mcp`: the memory's reader for agents, over stdin and stdout.

A client starts one for every session, and most sessions ask nothing. So the home is opened by the
first question, not by the start: what cannot be opened is told to whoever asks.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli.reading import group_option, home_option, opened_app

if TYPE_CHECKING:
    from tacit.app import App
    from tacit.mcp.reader import Reader


@click.command("mcp")
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The project it answers about; default: the current directory.",
)
@group_option
@home_option
def command(*, project: Path | None, group: str | None, home: str | None) -> None:
    """Be the MCP server of one project, until the client closes the line.

    Clients start it; `tacit install --profile reader` registers it. Agents read with it: what they
    may do beyond that is said by `[mcp]` in `config.toml`.
    """
    from tacit import paths, settings
    from tacit.mcp.server import serve
    from tacit.mcp.tools import offered

    here = str((project or Path.cwd()).resolve())
    chosen = settings.load(home or paths.home())

    @cache
    def opened() -> Reader:
        return reader(opened_app(home), group, here)

    serve(
        lambda name, given: opened().call(name, given),
        offered(chosen.reader_tools, resolving=chosen.resolve_actions),
    )


def reader(app: App, group: str | None, here: str) -> Reader:
    """Return who answers about a directory: by meaning with the daemon, by words without it."""
    from tacit.daemon import asking
    from tacit.mcp.reader import Reader

    chosen = app.group(group, here)
    return Reader(
        app,
        chosen,
        here,
        lambda question: asking.search(app.root, chosen, question) or app.search(chosen, question),
    )
