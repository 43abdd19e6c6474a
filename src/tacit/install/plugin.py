"""The plugin: a directory that a client loads instead of settings, made from the same tables.

It holds what the settings would: the hooks, the server, the launcher beside them, and two manifests
by which it is a plugin and a marketplace of its own. It is for this machine, like the settings: the
interpreter, the package and the home are named by their paths. A directory that holds something
else is refused.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.errors import InstallRefused
from tacit.install import files, jsontext
from tacit.install.clients import LAUNCHER, PLUGGED, PLUGIN, Asked, Place
from tacit.install.installing import Wanted
from tacit.version import VERSION

if TYPE_CHECKING:
    from tacit.install.clients import Client

MARKETPLACE = "tacit"
MANIFEST = ".claude-plugin/plugin.json"
HOOKS = "hooks/hooks.json"
_SHELF = ".claude-plugin/marketplace.json"
_README = "README.md"
_ABOUT = "Memory for AI agents that the agent never has to think about."
_OWNER = {"name": "The Tacit developers"}
_TEXT = """# Tacit

{about}

The hooks of this plugin record what happens in a session and tell the next one what earlier ones
taught; its server lets agents search that memory, and only read it. Everything stays on this
machine, in `{home}`.

To let agents search without being asked each time, put this rule into `permissions.allow` of your
settings:

    "{permission}"

This directory was written by `tacit install --plugin` for one machine: it names an interpreter, a
package and a home by their paths. Run the same command again after an upgrade.
"""


def place_in(directory: Path, client: Client) -> Place:
    """Return the files of a plugin; refuse a directory that holds something else."""
    directory = directory.absolute()
    if not _is_free(directory):
        raise InstallRefused(
            f"{directory} holds something else. Name a directory that is empty or not there yet."
        )
    return place_at(directory, client)


def place_at(directory: Path, client: Client) -> Place:
    """Return the files of a plugin, whether they are there or not."""
    asked = Asked(client=client.name, scope=PLUGGED, directory=str(directory), environment={})
    return Place(
        asked=asked,
        settings=directory / HOOKS,
        servers=directory / ".mcp.json",
        launcher=directory / LAUNCHER,
        named=Path(client.plugin_root) / LAUNCHER,
        permission="",
        everywhere=directory / HOOKS,
    )


def wanted(directory: Path, client: Client, home: Path, server: tuple[str, ...] = ()) -> Wanted:
    """Return what is to be written for a plugin."""
    place = place_in(directory, client)
    root = place.launcher.parent
    text = _TEXT.format(about=_ABOUT, home=home, permission=client.plugin_permission)
    whole = (
        (root / MANIFEST, _spelled(_manifest()), "says that this is a plugin"),
        (root / _SHELF, _spelled(_shelf()), "and a marketplace of one plugin"),
        (root / _README, text, "says what it is for, and how to let agents search"),
    )
    return Wanted(client=client, place=place, home=home, server=server, whole=whole)


def clear(place: Place) -> None:
    """Remove the directories of a plugin that is gone, as far as they are empty."""
    root = place.launcher.parent
    for directory in (root / "hooks", root / ".claude-plugin", root):
        with suppress(OSError):
            directory.rmdir()


def _is_free(directory: Path) -> bool:
    """Say whether a directory is not there, is empty, or holds our plugin."""
    try:
        if next(directory.iterdir(), None) is None:
            return True
        told = jsontext.members(files.read(directory / MANIFEST) or "")
    except FileNotFoundError:
        return True
    except (NotADirectoryError, jsontext.NotJson):
        return False
    return told.get("name") == PLUGIN


def _manifest() -> dict[str, object]:
    return {
        "name": PLUGIN,
        "version": VERSION,
        "description": _ABOUT,
        "author": _OWNER,
        "license": "Apache-2.0",
    }


def _shelf() -> dict[str, object]:
    ours = {"name": PLUGIN, "source": "./", "description": _ABOUT}
    return {"name": MARKETPLACE, "owner": _OWNER, "description": _ABOUT, "plugins": [ours]}


def _spelled(told: dict[str, object]) -> str:
    return json.dumps(told, indent=2) + "\n"
