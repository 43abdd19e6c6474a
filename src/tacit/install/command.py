"""The installed command: `<interpreter> -I -S -Xutf8 <launcher> <event>`, started by a shell.

A print-mode client that ends sends SIGTERM to hooks that still run: the last events of a session
would be lost. An ignored signal stays ignored by the program that a shell turns into, so a line of
shell stands before it; the hook's own deadline ends it instead. And where the interpreter has gone,
that line ends silently.

The client hands variables of a project down. Those that an interpreter or the C library believes
while the interpreter starts, whatever its options, are unset by that line; the hook hides all
others from what it loads. Of shells only bash runs code from its environment, unless it is
privileged. The server reads no variable, so it is started with none.

The launcher is written beside the settings that name it, outside the package and outside our home:
removed packages and deleted homes leave a command that ends at once, silent and with exit code 0,
where a missing script would end with 2 and block the client's prompts.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import tacit
from tacit.install import files
from tacit.mind import in_mind
from tacit.shipped import shipped

SHELL = "/bin/sh"
BELIEVED = ("PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__", "LOCPATH", "PATH_LOCALE", "GCONV_PATH")
STAY = (
    f'trap "" TERM; unset {" ".join(BELIEVED)}; '
    '[ -x "$0" ] && [ -r "$4" ] || exit 0; exec "$0" "$@"'
)
EMPTIED = ("/usr/bin/env", "-i")


def packages() -> Path:
    """Return the directory that this package lies in."""
    return Path(tacit.__file__).resolve().parent.parent


def launcher_text(home: Path, *, wakes: bool = True) -> str:
    """Return the launcher for this package and *home*; without *wakes* it starts no daemon."""
    text = shipped("tacit.capture", "launcher.py").read_text(encoding="utf-8")
    filled = {
        '"@PACKAGES@"': _spelled(packages()),
        '"@HOME@"': _spelled(home.absolute()),
        '"@PYTHON@"': _spelled(Path(sys.executable)) if wakes else '""',
    }
    for mark, path in filled.items():
        text = text.replace(mark, path)
    return text


def _spelled(path: Path) -> str:
    """Return a path as a literal of the same bytes in UTF-8 mode, whatever the locale is here."""
    return ascii(os.fsencode(path).decode("utf-8", "surrogateescape"))


@dataclass(frozen=True, slots=True)
class Leads:
    """Where a launcher leads: the package that it runs, and the home that is recorded in."""

    packages: str
    home: str
    python: str | None = None  # what starts the daemon; None if the launcher is of before


def leads(text: str) -> Leads | None:
    """Return where a launcher leads, as it says itself; None if it is none of ours."""
    try:
        calls = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Call)]
    except (SyntaxError, ValueError):
        return None
    said = {_name(call.func): _paths(call) for call in calls}
    packages, rest = said.get("insert"), said.get("main")
    if not packages or not rest:
        return None
    return Leads(packages[0], *rest[:2])


def _paths(call: ast.Call) -> list[str]:
    """Return the texts that a call is given, as paths of this process."""
    values = [each.value for each in call.args if isinstance(each, ast.Constant)]
    texts = [value for value in values if isinstance(value, str)]
    return [os.fsdecode(text.encode("utf-8", "surrogateescape")) for text in texts]


def _name(function: ast.expr) -> str:
    """Return what a function is called by, behind its last dot."""
    return ast.unparse(function).rpartition(".")[2]


def write_launcher(target: Path, home: Path) -> Path:
    """Write a launcher that starts no daemon, for trying things out; unless it is there already."""
    files.edit(target, lambda _: launcher_text(home, wakes=False))
    return target


def server_command(home: Path) -> tuple[str, ...]:
    """Return the command of the MCP server of a home, which no variable of a project reaches."""
    program = str(packages() / "tacit" / "__main__.py")
    words = (sys.executable, "-I", "-Xutf8", program, "mcp", "--home", str(home.absolute()))
    return (*EMPTIED, *words)


def hook_command(launcher: Path, event: str) -> list[str]:
    """Return the command that a client runs for *event*: a program and its arguments."""
    return [*_shell(SHELL), "-c", STAY, *program(launcher, event)]


@in_mind(8)
def _shell(usual: str) -> tuple[str, ...]:
    """Return the shell that is run, with what keeps it from running code of its environment.

    A privileged bash takes neither options nor functions from there. It is named itself, for other
    shells may refuse that option, and a home directory may be shared with a machine that has one.
    """
    asking = [usual, "-c", 'printf %s "$BASH_VERSION"']
    answer = subprocess.run(asking, capture_output=True, env={}, check=False)  # noqa: S603
    return (which("bash", path="/bin:/usr/bin") or usual, "-p") if answer.stdout else (usual,)


def program(launcher: Path, event: str) -> list[str]:
    """Return the program that the command turns into."""
    return [sys.executable, "-I", "-S", "-Xutf8", str(launcher), event]
