"""Where a client keeps its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.install.clients import CLIENTS, place

CLIENT = CLIENTS["claude-code"]
PROJECT = Path("/srv/shop")


@pytest.mark.parametrize(
    ("scope", "environment", "settings", "servers"),
    [
        (
            "user",
            {"HOME": "/home/ann"},
            "/home/ann/.claude/settings.json",
            "/home/ann/.claude.json",
        ),
        (
            "user",
            {"HOME": "/home/ann", "CLAUDE_CONFIG_DIR": "/etc/claude"},
            "/etc/claude/settings.json",
            "/etc/claude/.claude.json",
        ),
        (
            "project",
            {"HOME": "/home/ann"},
            "/srv/shop/.claude/settings.json",
            "/srv/shop/.mcp.json",
        ),
    ],
)
def test_a_scope_says_where_its_files_are(
    scope: str, environment: dict[str, str], settings: str, servers: str
) -> None:
    found = place(CLIENT, scope, environment, PROJECT)

    assert (str(found.settings), str(found.servers)) == (settings, servers)


def test_the_launcher_is_the_users_in_either_scope() -> None:
    environment = {"HOME": "/home/ann"}

    found = {place(CLIENT, scope, environment, PROJECT).launcher for scope in ("user", "project")}

    assert found == {Path("/home/ann/.claude/tacit-hook.py")}


def test_a_directory_named_from_here_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    found = place(CLIENT, "user", {"HOME": "/home/ann", "CLAUDE_CONFIG_DIR": "mine"}, PROJECT)

    assert (found.settings, found.launcher) == (
        tmp_path / "mine" / "settings.json",
        tmp_path / "mine" / "tacit-hook.py",
    )


@pytest.mark.parametrize("scope", ["user", "project"])
def test_the_settings_of_all_projects_are_known_in_either_scope(scope: str) -> None:
    found = place(CLIENT, scope, {"HOME": "/home/ann"}, PROJECT)

    assert found.everywhere == Path("/home/ann/.claude/settings.json")


def test_in_a_scope_the_hooks_name_the_launcher_where_it_is() -> None:
    found = place(CLIENT, "project", {"HOME": "/home/ann"}, PROJECT)

    assert (found.named, found.permission) == (found.launcher, "mcp__tacit")


@pytest.mark.parametrize(
    ("scope", "environment", "command"),
    [
        ("user", {}, "tacit uninstall"),
        ("user", {"CLAUDE_CONFIG_DIR": "/my/c"}, "CLAUDE_CONFIG_DIR=/my/c tacit uninstall"),
        ("project", {}, "cd /srv/shop && tacit uninstall --scope project"),
    ],
)
def test_what_was_asked_for_says_how_it_is_taken_back(
    scope: str, environment: dict[str, str], command: str
) -> None:
    asked = place(CLIENT, scope, {"HOME": "/nowhere"} | environment, PROJECT).asked

    assert asked.taken_back_by == command
    assert place(CLIENT, asked.scope, asked.environment, Path(asked.directory)).asked == asked
