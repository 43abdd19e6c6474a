"""Whether a client runs our hooks, and what to say where nothing is recorded yet.

Looks at the files that installing has noted in the home, and at the settings of the clients that
there are, the user's and those of the current directory. Only looks, and makes no home; a file that
cannot be read runs nothing of ours.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import paths
from tacit.install.clients import CLIENTS, LAUNCHER, SCOPES, place
from tacit.install.command import leads

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


def hooked(home: Path, environment: Mapping[str, str], here: Path) -> list[Path]:
    """Return the files that let a client run our hooks."""
    usual = [
        place(client, scope, environment, here).settings
        for client in CLIENTS.values()
        for scope in SCOPES
    ]
    files = dict.fromkeys([*usual, *_noted(home)])
    return [file for file in files if LAUNCHER in _text(file)]


def hooked_here() -> list[Path]:
    """Return the same for the user that runs this, in the current directory."""
    return hooked(Path(paths.home()), os.environ, Path.cwd())


def home_elsewhere() -> str | None:
    """Return where hooks record, if the environment names another home; None if it does not."""
    if "TACIT_HOME" not in os.environ:
        return None
    launchers = [
        place(client, "user", os.environ, Path.cwd()).launcher for client in CLIENTS.values()
    ]
    named = [found.home for each in launchers if (found := leads(_text(each)))]
    usual = paths.default_home()
    known = [*named, *([usual] if (Path(usual) / paths.HOME_MARKER).exists() else [])]
    return next((home for home in known if home != paths.home()), None)


def nothing_yet(group: str = "", groups: Collection[str] = ()) -> str:
    """Return what to say where nothing is recorded: what comes next, or what must come first."""
    if groups and group not in groups:
        return f"Nothing is recorded in group {group}. There is: {', '.join(sorted(groups))}."
    if elsewhere := home_elsewhere():
        return (
            f"Nothing is recorded in {paths.home()}, which TACIT_HOME names. Tacit records in "
            f"{elsewhere}: unset TACIT_HOME to see that."
        )
    if hooked_here():
        return "Nothing is recorded yet. Tacit learns from your next session."
    return "Nothing is recorded yet. Run `tacit install`, then work as always."


def _noted(home: Path) -> Iterator[Path]:
    """Yield the files that installing has changed."""
    for note in sorted((home / paths.INSTALLED).glob("*.json")):
        try:
            told = json.loads(_text(note))
        except ValueError:
            continue
        if isinstance(told, dict) and isinstance(told.get("file"), str):
            yield Path(told["file"])


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):  # not there, not ours to read, or no name of a file
        return ""
