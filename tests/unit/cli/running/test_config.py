"""`tacit config`: every setting with its value, and where that comes from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from tacit import settings
from tacit.cli.main import tacit

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program

BORING = ["Glob", "Grep", "ListMcpResourcesTool", "ToolSearch", "TodoWrite", "LS"]


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    monkeypatch.delenv("TACIT_GROUP", raising=False)


def choose(home: Home, text: str) -> None:
    home.path.mkdir(exist_ok=True)
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def config() -> dict[str, tuple[str, str]]:
    """Return the lines for people: the source and the value of each setting."""
    shown = CliRunner().invoke(tacit, ["config"], catch_exceptions=False).stdout
    lines = [line.split(maxsplit=2) for line in shown.splitlines()[1:]]
    return {name: (source, value) for name, source, value in lines}


def for_programs() -> dict[str, tuple[str, Any]]:
    shown = CliRunner().invoke(tacit, ["config", "--json"], catch_exceptions=False).stdout
    return {row["setting"]: (row["source"], row["value"]) for row in json.loads(shown)}


def test_without_a_file_every_setting_is_listed_with_its_default(home: Home) -> None:
    found = config()

    assert found == {
        "capture.exclude": ("default", "none"),
        "transcript.tool_text": ("default", "4096"),
        "backup.keep": ("default", "7"),
        "curate.mode": ("default", "auto"),
        "curate.boring_tools": ("default", ", ".join(BORING)),
        "memory.purge_superseded_days": ("default", "90"),
        "memory.archive_unused_days": ("default", "0"),
        "embed.provider": ("default", "local"),
        "embed.model": ("default", "none"),
        "embed.base_url": ("default", "none"),
        "embed.idle_seconds": ("default", "300"),
        "recovery.auto": ("default", "true"),
        "TACIT_HOME": ("environment", str(home.path)),
    }


@pytest.mark.usefixtures("home")
def test_no_setting_is_left_out() -> None:
    found = for_programs()

    assert found.keys() >= settings.TABLE.keys()


def test_what_the_user_chose_is_told_as_such(home: Home) -> None:
    choose(
        home,
        '[capture]\nexclude = ["/nowhere/a", "/nowhere/b"]\n[backup]\nkeep = 3\n'
        '[recovery]\nauto = false\n[groups]\nwork = ["/nowhere/c"]\n',
    )

    found = config()

    assert {name: row for name, row in found.items() if row[0] == "config.toml"} == {
        "capture.exclude": ("config.toml", "/nowhere/a, /nowhere/b"),
        "backup.keep": ("config.toml", "3"),
        "recovery.auto": ("config.toml", "false"),
        "groups.work": ("config.toml", "/nowhere/c"),
    }


def test_programs_get_values_in_their_types(home: Home) -> None:
    choose(home, "[backup]\nkeep = 3\n[groups]\nwork = []\n")

    found = for_programs()

    assert found == {
        "capture.exclude": ("default", []),
        "transcript.tool_text": ("default", 4096),
        "backup.keep": ("config.toml", 3),
        "curate.mode": ("default", "auto"),
        "curate.boring_tools": ("default", BORING),
        "memory.purge_superseded_days": ("default", 90),
        "memory.archive_unused_days": ("default", 0),
        "embed.provider": ("default", "local"),
        "embed.model": ("default", ""),
        "embed.base_url": ("default", ""),
        "embed.idle_seconds": ("default", 300),
        "recovery.auto": ("default", True),
        "groups.work": ("config.toml", []),
        "TACIT_HOME": ("environment", str(home.path)),
    }


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("name", "value"), [("TACIT_GROUP", "work"), ("TACIT_OFF", "1")])
def test_what_the_environment_chooses_is_told(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)

    found = config()

    assert found[name] == ("environment", value)


def test_settings_that_cannot_be_read_end_with_3_and_one_sentence(
    home: Home, program: Program
) -> None:
    choose(home, "[backup]\nkeep = 0\n")

    ended = program("config")

    told = f"tacit: {home.path}/config.toml: backup.keep must be a number from 1 on.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, b"", told.encode())


def test_a_value_cannot_fool_the_terminal(home: Home, program: Program) -> None:
    choose(home, '[groups]\nwork = ["/srv/\\u001b[31mred\\n\\u202eevil"]\n')

    shown = program("config").stdout.decode()

    assert (shown.count("\n"), "\x1b" in shown, "\u202e" in shown) == (15, False, False)
