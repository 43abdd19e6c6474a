"""Settings behind a link: while it leads nowhere the last valid ones hold, and this is said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flow.keeping import tacit

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home


@pytest.fixture
def unmounted(home: Home) -> Path:
    """Exclude the project by settings behind a link that worked once; return where they are now."""
    target = home.scratch / "dot" / "tacit.toml"
    target.parent.mkdir()
    target.write_text(f'[capture]\nexclude = ["{home.project}"]', encoding="utf-8")
    home.path.mkdir()
    (home.path / "config.toml").symlink_to(target)
    home.hook("Stop", {})
    return target.parent.rename(home.scratch / "unmounted")


def says_settings(home: Home) -> bool:
    """Start a session outside the project; return whether it is told that settings are wrong."""
    fields = {"cwd": str(home.scratch), "source": "startup"}
    told = home.hook("SessionStart", fields, cwd=home.scratch).out
    return bool(told) and "settings" in json.loads(told).get("systemMessage", "")


@pytest.mark.usefixtures("unmounted")
def test_what_was_excluded_stays_so_and_the_next_session_says_why(home: Home) -> None:
    assert says_settings(home)

    home.hook("UserPromptSubmit", {"prompt": "dear diary"})

    assert [entry.event for entry in home.entries] == ["SessionStart"]
    assert b"dear diary" not in home.bytes_on_disk()


@pytest.mark.usefixtures("unmounted")
@pytest.mark.parametrize("command", ["status", "doctor"])
def test_commands_say_that_the_link_leads_nowhere(command: str, home: Home) -> None:
    told = tacit(home.path, command, cwd=home.scratch).stdout

    assert "tacit.toml, which does not exist" in told.replace("\n", " ")
    assert (home.path / "config.last.toml").exists()


def test_a_link_that_works_again_counts_at_once(unmounted: Path, home: Home) -> None:
    home.hook("Stop", {})
    unmounted.rename(home.scratch / "dot")
    (home.scratch / "dot" / "tacit.toml").write_text("", encoding="utf-8")

    home.hook("Stop", {})

    assert (len(home.entries), says_settings(home)) == (1, False)


@pytest.mark.usefixtures("unmounted")
def test_a_link_that_is_removed_takes_its_settings_along(home: Home) -> None:
    home.hook("Stop", {})
    (home.path / "config.toml").unlink()

    home.hook("Stop", {})

    assert (len(home.entries), says_settings(home)) == (1, False)
