"""`tacit deploy`: who the agent is, read-only, for the group of a directory."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from unit.cli.memory.conftest import Cli


MAIN = ("--group", "main")


@pytest.fixture
def soul(home: Home) -> Path:
    """Return a file that says who the agent is."""
    file = home.scratch / "our-soul.md"
    file.write_text("Be kind\n", encoding="utf-8")
    return file


def deployed(home: Home, name: str, group: str = "main") -> Path:
    return home.path / "groups" / group / "files" / name


def test_at_first_templates_are_deployed(cli: Cli, home: Home) -> None:
    told = cli("deploy", str(home.project), *MAIN)

    assert told == (0, "Deployed soul.md and os.md for group main, version 1.\n", "")
    assert "Ask the user what this stack is for" in deployed(home, "soul.md").read_text("utf-8")


def test_what_is_given_is_deployed_read_only(cli: Cli, home: Home, soul: Path) -> None:
    cli("deploy", str(home.project), *MAIN)

    told = cli("deploy", str(home.project), *MAIN, "--soul", str(soul), "--version", "2.0")

    assert told.out == "Deployed soul.md for group main, version 2.0.\n"
    assert deployed(home, "soul.md").read_text("utf-8") == "Be kind\n"
    assert stat.S_IMODE(deployed(home, "soul.md").stat().st_mode) == 0o400


def test_without_a_file_only_the_version_changes(cli: Cli, home: Home, soul: Path) -> None:
    cli("deploy", str(home.project), *MAIN, "--soul", str(soul), "--os", str(soul))

    told = cli("deploy", str(home.project), *MAIN, "--version", "3")

    assert told.out == "Deployed nothing new for group main, version 3.\n"
    assert deployed(home, "os.md").read_text("utf-8") == "Be kind\n"


def test_it_belongs_to_the_group_of_the_directory(cli: Cli, home: Home, soul: Path) -> None:
    home.make()
    (home.path / "config.toml").write_text(f'[groups]\nwork = ["{home.project}"]\n', "utf-8")

    cli("deploy", str(home.project), "--soul", str(soul))

    assert deployed(home, "soul.md", "work").exists()
    assert not deployed(home, "soul.md").exists()


def test_a_file_that_is_too_long_is_refused_and_nothing_is_written(
    cli: Cli, home: Home, soul: Path
) -> None:
    soul.write_text("x\n" * 201, encoding="utf-8")

    told = cli("deploy", str(home.project), *MAIN, "--soul", str(soul))

    assert told == (
        26,
        "",
        "tacit: soul.md has 201 lines, at most 200 are allowed. Shorten it.\n",
    )
    assert not home.path.exists()


def test_a_file_that_is_too_large_is_refused_and_nothing_is_written(
    cli: Cli, home: Home, soul: Path
) -> None:
    soul.write_text("x" * 3_000_000, encoding="utf-8")

    told = cli("deploy", str(home.project), *MAIN, "--soul", str(soul))

    assert (told.code, "soul.md is larger than a megabyte" in told.err) == (26, True)
    assert not home.path.exists()


@pytest.mark.parametrize("is_clone", [True, False])
def test_a_directory_that_is_no_workspace_is_refused_with_what_comes_next(
    cli: Cli, home: Home, soul: Path, *, is_clone: bool
) -> None:
    place = home.scratch / "a clone"
    (place / (".os/memory" if is_clone else "src")).mkdir(parents=True)

    told = cli("deploy", str(place), "--soul", str(soul))

    assert (told.code, f"`tacit init '{place}'` makes it one" in told.err) == (28, True)
    assert "say `--group main`" in told.err
    assert not (home.path / "groups").exists()


def test_an_os_that_nobody_registered_is_refused_also_within_a_group(
    cli: Cli, home: Home, soul: Path
) -> None:
    (home.project / ".os" / "memory").mkdir(parents=True)
    home.make()
    (home.path / "config.toml").write_text(f'[groups]\nwork = ["{home.project}"]\n', "utf-8")

    told = cli("deploy", str(home.project), "--soul", str(soul))

    assert (told.code, "is no workspace" in told.err) == (28, True)


@pytest.mark.parametrize("arguments", [["/nowhere/at/all"], [".", "--soul", "/nowhere"], []])
def test_what_is_not_there_is_wrong_usage(arguments: list[str], cli: Cli) -> None:
    assert cli("deploy", *arguments).code == 2


@pytest.mark.usefixtures("agent")
def test_an_agent_deploys_nothing(cli: Cli, home: Home, soul: Path) -> None:
    told = cli("deploy", str(home.project), *MAIN, "--soul", str(soul))

    assert (told.code, "needs the owner at a terminal" in told.err) == (7, True)
    assert not deployed(home, "soul.md").exists()
