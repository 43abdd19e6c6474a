"""Whether a client runs our hooks: by what was noted, by its settings, and never by a guess."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tacit.capture.home import make_home
from tacit.cli.hooked import home_elsewhere, hooked, nothing_yet
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


def launcher_for(home: Home, place: Path) -> None:
    write_launcher(home.scratch / "user" / ".claude" / "tacit-hook.py", place)


@pytest.fixture
def usual(home: Home) -> Path:
    """Return the usual home of the user, which was made before."""
    place = home.scratch / "user" / ".local" / "share" / "tacit"
    os.close(make_home(str(place)))
    return place


def test_a_variable_that_names_another_home_than_the_hooks_is_told(
    home: Home, usual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher_for(home, usual)
    monkeypatch.setenv("TACIT_HOME", str(home.scratch / "typo"))

    assert home_elsewhere() == str(usual)
    assert nothing_yet() == (
        f"Nothing is recorded in {home.scratch}/typo, which TACIT_HOME names. Tacit records in "
        f"{usual}: unset TACIT_HOME to see that."
    )


@pytest.mark.usefixtures("usual")
def test_where_hooks_record_in_the_home_that_a_variable_names_there_is_no_other(home: Home) -> None:
    launcher_for(home, home.path)

    assert home_elsewhere() is None
    assert "TACIT_HOME" not in nothing_yet()


@pytest.mark.usefixtures("usual")
def test_a_third_home_is_told_from_the_one_in_which_hooks_record(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher_for(home, home.path)
    monkeypatch.setenv("TACIT_HOME", str(home.scratch / "third"))

    assert home_elsewhere() == str(home.path)
    assert nothing_yet() == (
        f"Nothing is recorded in {home.scratch}/third, which TACIT_HOME names. Tacit records in "
        f"{home.path}: set TACIT_HOME to that."
    )


def test_without_the_variable_hooks_may_record_elsewhere_too(
    home: Home, usual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher_for(home, home.path)
    monkeypatch.delenv("TACIT_HOME")

    assert home_elsewhere() == str(home.path)
    assert nothing_yet() == (
        f"Nothing is recorded in {usual}. Tacit records in {home.path}: set TACIT_HOME to that."
    )


def test_a_usual_home_in_which_no_hook_records_is_told_as_that(home: Home, usual: Path) -> None:
    assert home_elsewhere() is None
    assert nothing_yet() == (
        f"Nothing is recorded in {home.path}, which TACIT_HOME names. Your usual home is "
        f"{usual}: unset TACIT_HOME to see that."
    )


def test_hooks_of_a_plugin_record_somewhere_as_well(home: Home) -> None:
    plugin = home.scratch / "plugin"
    write_launcher(plugin / "tacit-hook.py", home.scratch / "other")
    written(plugin / "hooks" / "hooks.json", OURS)
    source = {"source": {"source": "directory", "path": str(plugin)}}
    told = {"enabledPlugins": {"tacit@tacit": True}, "extraKnownMarketplaces": {"tacit": source}}
    written(home.scratch / "user" / ".claude" / "settings.json", json.dumps(told))

    assert home_elsewhere() == str(home.scratch / "other")
