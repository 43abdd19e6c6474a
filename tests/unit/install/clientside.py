"""A user who has a client and us in it, with real files, and what is found there."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tacit.install import inspecting, installing, plugin
from tacit.install.clients import CLIENTS, place
from tacit.install.command import server_command
from tacit.install.installing import Wanted
from tacit.install.standing import Around

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.install.clients import Client, Place
    from tacit.install.standing import Finding


@dataclass(slots=True)
class User:
    """A user's directory with a client in it, a project, and a home of ours."""

    root: Path
    python: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.environment = {"HOME": str(self.root / "ann")}
        self.project.mkdir()
        self.python.write_text("#!/bin/sh\n", encoding="utf-8")
        self.python.chmod(0o755)

    @property
    def client(self) -> Client:
        """Return the client's row, for a machine that the test manages."""
        managed = (str(self.root / "managed.json"),)
        return replace(CLIENTS["claude-code"], managed_settings=managed)

    @property
    def project(self) -> Path:
        """Return the current directory."""
        return self.root / "shop"

    @property
    def home(self) -> Path:
        """Return our home."""
        return self.root / "home"

    def at(self, scope: str = "user") -> Place:
        """Return the client's files in a scope."""
        return place(self.client, scope, self.environment, self.project)

    def install(self, scope: str = "user", *, reader: bool = True) -> None:
        """Install us."""
        server = self._server() if reader else ()
        self._carry_out(
            Wanted(client=self.client, place=self.at(scope), home=self.home, server=server)
        )

    def plug_in(self, directory: Path) -> None:
        """Write our plugin, and let the user's settings enable it."""
        self._carry_out(plugin.wanted(directory, self.client, self.home, self._server()))
        source = {"source": "directory", "path": str(directory)}
        self.say(
            enabledPlugins={"tacit@tacit": True},
            extraKnownMarketplaces={"tacit": {"source": source}},
        )

    def _server(self) -> tuple[str, ...]:
        """Return the command of our server, with an interpreter that the test can take away."""
        words = server_command(self.home)
        return tuple(str(self.python) if word == sys.executable else word for word in words)

    def _carry_out(self, wanted: Wanted) -> None:
        installing.install(wanted, installing.plan(wanted))

    def say(self, file: Path | None = None, **told: Any) -> None:
        """Let a file say something more: the user's settings, or another one."""
        file = file or self.at().settings
        file.parent.mkdir(parents=True, exist_ok=True)
        known = json.loads(file.read_bytes()) if file.exists() else {}
        file.write_text(json.dumps(known | told), encoding="utf-8")

    def change(self, file: Path, edit: Callable[[str], str]) -> None:
        """Change a file as a text."""
        file.write_text(edit(file.read_text(encoding="utf-8")), encoding="utf-8")

    def look(self) -> list[Finding]:
        """Return all that is found."""
        around = Around(environment=self.environment, directory=self.project, home=self.home)
        return inspecting.findings(self.client, around)

    def wrong(self) -> list[tuple[str, str | None]]:
        """Return what is not fine: the text and the command that mends it."""
        return [(each.text, each.fix) for each in self.look() if not each.is_fine]
