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
from tacit.install.inspecting import spots
from tacit.install.standing import Around

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
    """Return where hooks record, if that is not the home of commands; None if none record."""
    homes = _recorded_homes()
    if any(_is_same(home, paths.home()) for home in homes):
        return None
    return next(iter(homes), None)


def wrong_home() -> str | None:
    """Return what to say of an empty home if another one is in use; None if none is."""
    chosen = ", which TACIT_HOME names" if "TACIT_HOME" in os.environ else ""
    usual, said = paths.default_home(), f"Nothing is recorded in {paths.home()}{chosen}."
    if elsewhere := home_elsewhere():
        is_usual = bool(chosen) and _is_same(elsewhere, usual)
        advice = "unset TACIT_HOME to see that" if is_usual else "set TACIT_HOME to that"
        return f"{said} Tacit records in {elsewhere}: {advice}."
    is_other = chosen and not _recorded_homes() and not _is_same(paths.home(), usual)
    if is_other and (Path(usual) / paths.HOME_MARKER).exists():
        return f"{said} Your usual home is {usual}: unset TACIT_HOME to see that."
    return None


def nothing_yet(group: str = "", groups: Collection[str] = ()) -> str:
    """Return what to say where nothing is recorded: what comes next, or what must come first."""
    if groups and group not in groups:
        return f"Nothing is recorded in group {group}. There is: {', '.join(sorted(groups))}."
    if wrong := wrong_home():
        return wrong
    if hooked_here():
        return "Nothing is recorded yet. Tacit learns from your next session."
    return "Nothing is recorded yet. Run `tacit install`, then work as always."


def _recorded_homes() -> list[str]:
    """Return the homes that the launchers of the user and of enabled plugins record in."""
    around = Around(environment=os.environ, directory=Path.cwd(), home=Path(paths.home()))
    launchers: list[Path] = []
    for client in CLIENTS.values():
        launchers.append(place(client, "user", os.environ, Path.cwd()).launcher)
        launchers += [spot.place.launcher for spot in spots(client, around)]
    return [found.home for launcher in launchers if (found := leads(_text(launcher)))]


def _is_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


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
