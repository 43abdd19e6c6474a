"""Whether a client runs our hooks: by what was noted, by its settings, and never by a guess."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.cli.hooked import hooked, nothing_yet
from tacit.install.command import write_launcher

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home

OURS = json.dumps({"hooks": {"Stop": [{"hooks": [{"args": ["/x/tacit-hook.py", "Stop"]}]}]}})
THEIRS = json.dumps({"hooks": {"Stop": [{"hooks": [{"command": "make"}]}]}})


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def found(home: Home, **environment: str) -> list[Path]:
    surroundings = {"HOME": str(home.scratch / "user")} | environment
    return hooked(home.path, surroundings, home.project)


def test_where_nothing_is_installed_nobody_runs_them_and_no_home_is_made(home: Home) -> None:
    assert found(home) == []
    assert not home.path.exists()


def test_settings_of_the_user_that_name_our_launcher_run_them(home: Home) -> None:
    settings = written(home.scratch / "user" / ".claude" / "settings.json", OURS)

    assert found(home) == [settings]


def test_settings_of_the_project_count_as_well(home: Home) -> None:
    settings = written(home.project / ".claude" / "settings.json", OURS)

    assert found(home) == [settings]


def test_the_client_s_own_directory_is_looked_at_where_it_says(home: Home) -> None:
    settings = written(home.scratch / "other" / "settings.json", OURS)

    assert found(home, CLAUDE_CONFIG_DIR=str(settings.parent)) == [settings]


def test_hooks_of_others_are_not_ours(home: Home) -> None:
    written(home.scratch / "user" / ".claude" / "settings.json", THEIRS)

    assert found(home) == []


def test_a_file_that_installing_has_noted_counts_as_long_as_it_names_us(home: Home) -> None:
    noted = written(home.scratch / "elsewhere" / "hooks.json", OURS)
    gone = written(home.scratch / "elsewhere" / "bare.json", THEIRS)
    for number, file in enumerate((noted, gone, home.scratch / "never")):
        note = home.path / "installed" / f"{number}.json"
        written(note, json.dumps({"file": str(file)}))

    assert found(home) == [noted]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"file": 3}', '{"file": "a\\u0000b"}'])
def test_a_note_that_says_nothing_is_passed_over(home: Home, text: str) -> None:
    written(home.path / "installed" / "note.json", text)

    assert found(home) == []


@pytest.mark.usefixtures("home")
def test_where_no_client_runs_them_installing_comes_first() -> None:
    assert nothing_yet() == "Nothing is recorded yet. Run `tacit install`, then work as always."


def test_where_one_does_the_next_session_teaches(home: Home) -> None:
    written(home.scratch / "user" / ".claude" / "settings.json", OURS)

    assert nothing_yet() == "Nothing is recorded yet. Tacit learns from your next session."


@pytest.mark.usefixtures("home")
def test_a_group_that_is_not_there_is_told_from_those_that_are() -> None:
    told = nothing_yet("mian", ["work", "main"])

    assert told == "Nothing is recorded in group mian. There is: main, work."


def test_a_variable_that_names_another_home_than_the_hooks_is_told(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = home.scratch / "user" / ".claude"
    write_launcher(client / "tacit-hook.py", home.path)
    here = nothing_yet()
    monkeypatch.setenv("TACIT_HOME", str(home.scratch / "typo"))

    assert "TACIT_HOME" not in here
    assert nothing_yet() == (
        f"Nothing is recorded in {home.scratch}/typo, which TACIT_HOME names. Tacit records in "
        f"{home.path}: unset TACIT_HOME to see that."
    )
