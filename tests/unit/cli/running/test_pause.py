"""`tacit pause`: from that moment nothing is written, everywhere or in one project."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tacit.cli.main import tacit

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program


def pause(*arguments: str) -> str:
    return CliRunner().invoke(tacit, ["pause", *arguments], catch_exceptions=False).stdout


def test_a_pause_says_where_and_how_to_go_on(home: Home) -> None:
    del home  # its own

    told = pause()

    assert told == "Recording is paused everywhere. `tacit resume` to go on.\n"


def test_a_pause_of_a_project_says_where_and_how_to_go_on(home: Home) -> None:
    project = str(home.project)

    told = pause("--project", project)

    again = f"`tacit resume --project {project}` to go on."
    assert told == f"Recording is paused in {project}. {again}\n"


def test_paused_everywhere_nothing_is_written(home: Home, program: Program) -> None:
    program("pause")

    home.hook("UserPromptSubmit", {"prompt": "off the record"})

    assert (home.entries, b"off the record" in home.bytes_on_disk()) == ([], False)


def test_paused_in_a_project_nothing_of_it_is_written(home: Home, program: Program) -> None:
    program("pause", "--project", str(home.project))

    home.hook("UserPromptSubmit", {"prompt": "off the record"})

    assert home.entries == []


def test_a_pause_of_one_project_leaves_the_others_recording(home: Home, program: Program) -> None:
    other = home.scratch / "other"
    other.mkdir()
    program("pause", "--project", str(home.project))

    home.hook("Stop", {"cwd": str(other)}, cwd=other)

    assert len(home.entries) == 1


def test_a_project_without_a_value_is_the_current_directory(home: Home, program: Program) -> None:
    ended = program("pause", "--project", cwd=home.project)

    assert ended.stdout.startswith(f"Recording is paused in {home.project.resolve()}. ".encode())


def test_pausing_twice_is_pausing_once(home: Home) -> None:
    pause()

    pause()

    lines = (home.path / "capture.conf").read_text(encoding="utf-8").splitlines()
    assert lines[2:] == ["off"]


def test_a_pause_works_though_the_settings_cannot_be_read(home: Home, program: Program) -> None:
    home.make()
    (home.path / "config.toml").write_text("[capture", encoding="utf-8")

    ended = program("pause")

    home.hook("Stop", {})
    assert (ended.returncode, home.entries) == (0, [])


def test_a_project_may_be_named_from_the_user_s_home(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home.scratch))

    told = pause("--project", "~/project")

    assert told.startswith(f"Recording is paused in {home.project.resolve()}. ")


@pytest.mark.parametrize("verb", ["pause", "resume"])
def test_an_empty_project_ends_with_2_and_changes_nothing(
    verb: str, home: Home, program: Program
) -> None:
    ended = program(verb, "--project", "")

    assert (ended.returncode, ended.stdout, home.path.exists()) == (2, b"", False)


@pytest.mark.skipif(sys.platform == "darwin", reason="its file system has names in UTF-8 only")
def test_a_directory_whose_name_cannot_be_decoded_is_paused(home: Home, program: Program) -> None:
    odd = home.scratch / os.fsdecode(b"caf\xe9")
    odd.mkdir()

    ended = program("pause", "--project", cwd=odd)

    home.hook("Stop", b"{}", cwd=odd)
    told = f"Recording is paused in {home.scratch.resolve()}/caf\ufffd. ".encode()
    assert (ended.returncode, ended.stdout.startswith(told), home.entries) == (0, True, [])


@pytest.mark.skipif(sys.platform == "darwin", reason="its file system has names in UTF-8 only")
def test_a_pause_of_such_a_directory_can_be_seen_and_ended(home: Home, program: Program) -> None:
    odd = home.scratch / os.fsdecode(b"caf\xe9")
    odd.mkdir()
    program("pause", "--project", cwd=odd)

    shown, ended = program("status"), program("resume", "--project", cwd=odd)

    home.hook("Stop", b"{}", cwd=odd)
    name = f"{home.scratch.resolve()}/caf\ufffd"
    is_shown = f"paused in   {name}\n" in shown.stdout.decode()
    told = f"Recording goes on in {name}.\n"
    assert (is_shown, ended.stdout.decode(), len(home.entries)) == (True, told, 1)
