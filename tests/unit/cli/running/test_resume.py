"""`tacit resume`: record again what was paused, and say so if nothing was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tacit.cli.main import tacit
from tacit.errors import NothingToResume

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program


def invoke(*arguments: str) -> str:
    return CliRunner().invoke(tacit, arguments, catch_exceptions=False).stdout


def test_what_was_paused_everywhere_goes_on(home: Home) -> None:
    invoke("pause")

    told = invoke("resume")

    home.hook("Stop", {})
    assert (told, len(home.entries)) == ("Recording goes on everywhere.\n", 1)


def test_what_was_paused_in_a_project_goes_on(home: Home) -> None:
    project = str(home.project)
    invoke("pause", "--project", project)

    told = invoke("resume", "--project", project)

    home.hook("Stop", {})
    assert (told, len(home.entries)) == (f"Recording goes on in {project}.\n", 1)


def test_a_project_without_a_value_is_the_current_directory(home: Home, program: Program) -> None:
    invoke("pause", "--project", str(home.project))

    ended = program("resume", "--project", cwd=home.project)

    assert (ended.returncode, ended.stderr) == (0, b"")


def test_one_pause_ends_and_the_other_stays(home: Home) -> None:
    invoke("pause")
    invoke("pause", "--project", str(home.project))

    invoke("resume")

    home.hook("Stop", {})
    assert home.entries == []


def test_where_nothing_is_paused_there_is_nothing_to_resume(home: Home) -> None:
    del home  # its own, with nothing paused

    with pytest.raises(NothingToResume, match="not paused everywhere"):
        invoke("resume")


def test_a_project_that_is_not_paused_is_named(home: Home, program: Program) -> None:
    invoke("pause")

    ended = program("resume", "--project", cwd=home.project)

    told = f"tacit: Recording is not paused in {home.project.resolve()}. "
    assert (ended.returncode, ended.stderr.startswith(told.encode())) == (5, True)
