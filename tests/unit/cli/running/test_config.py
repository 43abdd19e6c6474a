"""`tacit config`: every setting with its value, and where that comes from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from rig import ROOT
from tacit import settings_table
from tacit.cli.main import tacit

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program

GOLDEN: dict[str, Any] = json.loads((ROOT / "tests/golden/settings.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    monkeypatch.delenv("TACIT_GROUP", raising=False)


def choose(home: Home, text: str) -> None:
    home.make()
    (home.path / "config.toml").write_text(text, encoding="utf-8")


def config() -> dict[str, tuple[str, str]]:
    """Return the lines for people: the source and the value of each setting."""
    shown = CliRunner().invoke(tacit, ["config"], catch_exceptions=False).stdout
    lines = [line.split(maxsplit=2) for line in shown.splitlines()[1:]]
    return {name: (source, value) for name, source, value in lines}


def for_programs() -> dict[str, tuple[str, Any]]:
    shown = CliRunner().invoke(tacit, ["config", "--json"], catch_exceptions=False).stdout
    return {row["setting"]: (row["source"], row["value"]) for row in json.loads(shown)}


def told(value: Any) -> str:
    """Return a value as people are told it."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, list) and value else str(value or "none")


def test_without_a_file_every_setting_is_listed_with_its_default(home: Home) -> None:
    found = config()

    numbers = {name: str(value) for name, value in GOLDEN.items() if value == 0}
    usual = {name: ("default", numbers.get(name, told(value))) for name, value in GOLDEN.items()}
    usual["mcp.resolve_actions"] = ("default", "false")
    assert found == usual | {"TACIT_HOME": ("environment", str(home.path))}
    assert found["curate.boring_tools"][1].endswith("ToolSearch, TodoWrite, LS")


@pytest.mark.usefixtures("home")
def test_no_setting_is_left_out() -> None:
    found = for_programs()

    assert found.keys() >= settings_table.TABLE.keys()


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

    assert found == {name: ("default", value) for name, value in GOLDEN.items()} | {
        "backup.keep": ("config.toml", 3),
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
    assert (ended.returncode, ended.stderr) == (3, told.encode())
    assert b"backup.keep" in ended.stdout


def test_a_value_cannot_fool_the_terminal(home: Home, program: Program) -> None:
    choose(home, '[groups]\nwork = ["/srv/\\u001b[31mred\\n\\u202eevil"]\n')

    shown = program("config").stdout.decode()

    assert (shown.count("\n"), "\x1b" in shown, "\u202e" in shown) == (51, False, False)
