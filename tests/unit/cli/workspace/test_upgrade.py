"""`tacit upgrade`: an older workspace up to date, with what it had kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program


def test_an_older_workspace_is_brought_up_to_date(home: Home, program: Program) -> None:
    program("init", ".")
    (home.project / ".os" / "VERSION").write_text("0.0.1\n", encoding="utf-8")

    first, again = program("upgrade", "."), program("upgrade", ".")

    lines = first.stdout.decode().splitlines()
    assert lines[0].startswith("project was of version 0.0.1, now it is ")
    kept = Path(lines[1].removeprefix("What it had is kept in ").removesuffix("."))
    assert (kept / "VERSION").read_text(encoding="utf-8") == "0.0.1\n"
    assert again.stdout.decode().startswith("project is up to date: version ")


def test_programs_get_it_as_json(home: Home, program: Program) -> None:
    program("init", ".")
    (home.project / ".os" / "VERSION").write_text("0.0.1\n", encoding="utf-8")

    told = json.loads(program("upgrade", ".", "--json").stdout)

    assert (told["name"], told["before"]) == ("project", "0.0.1")


def test_what_is_no_workspace_is_refused_with_the_next_command(
    home: Home, program: Program
) -> None:
    ended = program("upgrade", ".")

    assert ended.returncode == 6
    assert f"tacit init {home.project}".encode() in ended.stderr


def test_a_newer_workspace_is_left_as_it_is(home: Home, program: Program) -> None:
    program("init", ".")
    (home.project / ".os" / "VERSION").write_text("99.0\n", encoding="utf-8")

    ended = program("upgrade", ".")

    assert (ended.returncode, b"pip install -U tacit" in ended.stderr) == (28, True)
    assert (home.project / ".os" / "VERSION").read_text(encoding="utf-8") == "99.0\n"


def test_what_is_deployed_has_a_version_of_its_own(home: Home, program: Program) -> None:
    program("init", ".")

    deployed = program("deploy", ".", "--version", "5")
    ended = program("upgrade", ".")

    assert (deployed.returncode, ended.returncode) == (0, 0), ended.stderr
    assert (home.project / ".os" / "VERSION").read_text(encoding="utf-8") == "5\n"
    assert b"is up to date" in ended.stdout


def test_a_version_that_was_lost_before_a_deployment_is_no_trouble(
    home: Home, program: Program
) -> None:
    program("init", ".")
    (home.project / ".os" / "VERSION").unlink()
    program("deploy", ".", "--version", "5")

    first, again = program("upgrade", "."), program("upgrade", ".")

    assert first.stdout.decode().startswith("project was of version 0, now it is ")
    assert b"is up to date" in again.stdout
    assert (home.project / ".os" / "VERSION").read_text(encoding="utf-8") == "5\n"


def test_an_agent_cannot_upgrade(home: Home, program: Program) -> None:
    program("init", ".")

    ended = program("upgrade", ".", env=home.environment(CLAUDECODE="1"), input=b"")

    assert ended.returncode == 7
