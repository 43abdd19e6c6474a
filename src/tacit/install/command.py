"""The installed command: `<interpreter> -I -S <launcher> <event>`, not to be ended by the client.

A print-mode client that ends sends SIGTERM to hooks that still run: the last events of a session
would be lost. An ignored signal stays ignored by the program that a shell turns into, so a line of
shell stands before it; the hook's own deadline ends it instead. And where the interpreter has gone,
that line ends silently.

The launcher is written beside the settings that name it, outside the package and outside our home:
removed packages and deleted homes leave a command that ends at once, silent and with exit code 0,
where a missing script would end with 2 and block the client's prompts.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

import tacit
from tacit.install import files
from tacit.shipped import shipped

STAY = 'trap "" TERM; [ -x "$0" ] && [ -r "$3" ] || exit 0; exec "$0" "$@"'


def packages() -> Path:
    """Return the directory that this package lies in."""
    return Path(tacit.__file__).resolve().parent.parent


def launcher_text(home: Path, *, wakes: bool = True) -> str:
    """Return the launcher for this package and *home*; without *wakes* it starts no daemon."""
    text = shipped("tacit.capture", "launcher.py").read_text(encoding="utf-8")
    given = repr(str(home.absolute()))
    return text.replace('"@PACKAGES@"', repr(str(packages()))).replace(
        '"@HOME@"', given if wakes else f"{given}, wakes=False"
    )


@dataclass(frozen=True, slots=True)
class Leads:
    """Where a launcher leads: the package that it runs, and the home that is recorded in."""

    packages: str
    home: str


def leads(text: str) -> Leads | None:
    """Return where a launcher leads, as it says itself; None if it is none of ours."""
    try:
        calls = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Call)]
    except (SyntaxError, ValueError):
        return None
    said = {
        _name(call.func): call.args[-1].value
        for call in calls
        if call.args and isinstance(call.args[-1], ast.Constant)
    }
    packages, home = said.get("insert"), said.get("main")
    return Leads(packages, home) if isinstance(packages, str) and isinstance(home, str) else None


def _name(function: ast.expr) -> str:
    """Return what a function is called by, behind its last dot."""
    return ast.unparse(function).rpartition(".")[2]


def write_launcher(target: Path, home: Path) -> Path:
    """Write a launcher that starts no daemon, for trying things out; unless it is there already."""
    files.edit(target, lambda _: launcher_text(home, wakes=False))
    return target


def server_command(home: Path) -> tuple[str, ...]:
    """Return the command of the MCP server of a home, which no variable of a project redirects."""
    program = str(packages() / "tacit" / "__main__.py")
    return (sys.executable, "-I", program, "mcp", "--home", str(home.absolute()))


def hook_command(launcher: Path, event: str) -> list[str]:
    """Return the command that a client runs for *event*: a program and its arguments."""
    return ["/bin/sh", "-c", STAY, *program(launcher, event)]


def program(launcher: Path, event: str) -> list[str]:
    """Return the program that the command turns into."""
    return [sys.executable, "-I", "-S", str(launcher), event]
