"""What a client runs for us, word for word as its files have it: for a proof that it works.

Looks where the client does: the user's settings, the project's, those of one user in it, a plugin
that is enabled. What cannot be read is none; the doctor tells of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.install import edits, files, inspecting, jsontext
from tacit.install.command import leads

if TYPE_CHECKING:
    from tacit.install.clients import Client
    from tacit.install.standing import Around, Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """The commands that one file has for our events, what mends it, and where they record."""

    file: Path
    commands: dict[str, list[str]]
    mend: str = "tacit install"
    home: str | None = None  # as the launcher says; None if it cannot be read


def registered(client: Client, around: Around) -> Registered | None:
    """Return what a client runs for us in the current directory; None if that is nothing."""
    for spot in inspecting.spots(client, around):
        commands = _commands(spot, client)
        if commands:
            file = spot.place.settings
            return Registered(file=file, commands=commands, mend=spot.mend, home=_home(commands))
    return None


def _home(commands: dict[str, list[str]]) -> str | None:
    """Return the home that commands record in, as their launcher says; None if it does not."""
    words = [part for command in commands.values() for word in command for part in word.split()]
    launcher = edits.launcher_of(words)
    try:
        found = leads(files.read(Path(launcher)) or "") if launcher else None
    except OSError:
        return None
    return found.home if found else None


def _commands(spot: Spot, client: Client) -> dict[str, list[str]]:
    """Return the command of each event for which one place has a hook of ours."""
    try:
        text = files.said(files.read(spot.place.settings))
        rows = {event: edits.ours(text, event) for event in edits.events(text)}
    except (jsontext.NotJson, OSError):
        return {}
    root = str(spot.place.launcher.parent)
    return {
        event: [word.replace(client.plugin_root, root) for word in _command(found[0]["hooks"][0])]
        for event, found in rows.items()
        if found
    }


def _command(hook: dict[str, Any]) -> list[str]:
    """Return the command of a hook, in either of the forms that clients know."""
    arguments = hook.get("args")
    if isinstance(arguments, list):
        return [str(hook.get("command", "")), *map(str, arguments)]
    return ["/bin/sh", "-c", str(hook.get("command", ""))]
