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

import sys
from importlib import resources
from pathlib import Path

import tacit

STAY = 'trap "" TERM; [ -x "$0" ] || exit 0; exec "$0" "$@"'


def write_launcher(target: Path, home: Path) -> Path:
    """Write the launcher for this interpreter and *home* to *target*."""
    packages = Path(tacit.__file__).resolve().parent.parent
    text = resources.files("tacit.capture").joinpath("launcher.py").read_text(encoding="utf-8")
    text = text.replace('"@PACKAGES@"', repr(str(packages))).replace(
        '"@HOME@"', repr(str(home.absolute()))
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return target


def hook_command(launcher: Path, event: str) -> list[str]:
    """Return the command that a client runs for *event*: a program and its arguments."""
    return ["/bin/sh", "-c", STAY, *program(launcher, event)]


def program(launcher: Path, event: str) -> list[str]:
    """Return the program that the command turns into."""
    return [sys.executable, "-I", "-S", str(launcher), event]
