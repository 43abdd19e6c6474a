"""The clients that Tacit can be installed for: one row each, no branches elsewhere.

A row says where a client keeps its settings and its servers in each scope, which hooks it is asked
to run, and what lets it call our server without asking. By what an installation was asked for its
place is found again, from anywhere.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.install.command import leads
from tacit.install.hooks import CLAUDE_CODE, Hook

if TYPE_CHECKING:
    from collections.abc import Mapping

SCOPES = ("user", "project")
PLUGGED = "plugin"  # neither of them: a directory that a client loads
SERVER = "tacit"
PLUGIN = "tacit"
LAUNCHER = "tacit-hook.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One client: its files, relative to its own directory, the user's, or the project's."""

    name: str
    title: str
    program: str  # that people call it by
    hooks: tuple[Hook, ...]
    variable: str  # that says where its directory is
    directory: str  # else it is here, below the user's
    settings: str  # below its directory
    project_settings: str  # below the project
    own_settings: str  # below the project too, but one user's
    managed_settings: tuple[str, ...]  # whoever runs the machine has the last word there
    servers: str  # below its directory if that was said, else below the user's
    project_servers: str  # below the project
    locked: frozenset[str]  # names of files that it locks while it writes them
    instructions: str  # below its directory: what every session reads first
    permission: str  # the rule that lets it call our server
    plugin_permission: str  # the same for the server of our plugin
    plugin_root: str  # how a plugin names its own directory


CLIENTS = {
    "claude-code": Client(
        name="claude-code",
        title="Claude Code",
        program="claude",
        hooks=CLAUDE_CODE,
        variable="CLAUDE_CONFIG_DIR",
        directory=".claude",
        settings="settings.json",
        project_settings=".claude/settings.json",
        own_settings=".claude/settings.local.json",
        managed_settings=(
            "/etc/claude-code/managed-settings.json",
            "/Library/Application Support/ClaudeCode/managed-settings.json",
        ),
        servers=".claude.json",
        project_servers=".mcp.json",
        locked=frozenset((".claude.json",)),
        instructions="CLAUDE.md",
        permission=f"mcp__{SERVER}",
        plugin_permission=f"mcp__plugin_{PLUGIN}_{SERVER}",
        plugin_root="${CLAUDE_PLUGIN_ROOT}",
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """By what an installation was asked for, so that it is found again from anywhere."""

    client: str
    scope: str  # or a plugin
    directory: str  # the project's, or the plugin's
    environment: dict[str, str]  # where the user's and the client's own directory are

    @property
    def taken_back_by(self) -> str:
        """Return the command that uninstalls it."""
        variable = CLIENTS[self.client].variable
        said = self.environment.get(variable)
        words = f"{variable}={shlex.quote(said)} " if said else ""
        where = shlex.quote(self.directory)
        if self.scope == PLUGGED:
            return f"tacit uninstall --plugin {where}"
        if self.scope == "project":
            return f"cd {where} && {words}tacit uninstall --scope project"
        return f"{words}tacit uninstall"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The files of a client in one scope, or those of its plugin."""

    asked: Asked
    settings: Path
    servers: Path
    launcher: Path
    named: Path  # the launcher, as the hooks name it
    permission: str  # the rule that stands in the settings with a server; none if empty
    everywhere: Path  # the settings of all projects: their hooks run the same launcher
    instructions: Path | None = None  # the user's own; a project's are everybody's


def place(client: Client, scope: str, environment: Mapping[str, str], project: Path) -> Place:
    """Return where a client keeps its files, for the user or for one project.

    The launcher lies beside the user's own settings in either scope: a project's files may come
    from somebody else, and what they name is run.
    """
    user = Path(environment.get("HOME") or Path.home())
    said = environment.get(client.variable)
    directory = Path(said).absolute() if said else user / client.directory
    servers = directory if said else user
    is_project = scope == "project"
    kept = {"HOME": str(user.absolute())} | ({client.variable: str(directory)} if said else {})
    asked = Asked(
        client=client.name, scope=scope, directory=str(project.absolute()), environment=kept
    )
    return Place(
        asked=asked,
        settings=project / client.project_settings if is_project else directory / client.settings,
        servers=project / client.project_servers if is_project else servers / client.servers,
        launcher=directory / LAUNCHER,
        named=directory / LAUNCHER,
        permission=client.permission,
        everywhere=directory / client.settings,
        instructions=None if is_project else directory / client.instructions,
    )


def installed_homes(user: Path) -> list[str]:
    """Return the homes that launchers below a user's directory record in."""
    found = []
    for client in CLIENTS.values():
        try:
            text = (user / client.directory / LAUNCHER).read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
        named = leads(text)
        found += [named.home] if named else []
    return found
