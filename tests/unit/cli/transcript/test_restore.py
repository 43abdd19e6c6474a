"""`tacit restore`: a group back from a backup, only when the owner means it."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from click.testing import CliRunner

from rig import erased
from tacit.cli.main import tacit
from tacit.compose import open_app
from tacit.errors import NotAllowed, NotFound, StoreDamaged

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from unit.cli.conftest import Program


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    for name in ("TACIT_GROUP", "CLAUDECODE", "AI_AGENT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def kept(home: Home) -> Path:
    """Return the backup of a group in which one prompt came before it and one after."""
    home.hook("UserPromptSubmit", {"session_id": "before", "prompt": "one"})
    invoke("backup")
    home.hook("UserPromptSubmit", {"session_id": "after", "prompt": "two"})
    invoke("sessions")
    (file,) = (home.path / "backups" / "main").iterdir()
    return file


def invoke(*arguments: str) -> str:
    return CliRunner().invoke(tacit, arguments, catch_exceptions=False).stdout


def restore(*arguments: str) -> str:
    return invoke("restore", "--yes", *arguments)


def sessions(*arguments: str) -> list[str]:
    return sorted(each["id"] for each in json.loads(invoke("sessions", "--json", *arguments)))


def put_aside(home: Home, group: str = "main") -> list[Path]:
    return sorted((home.path / "groups" / group / "quarantine").glob("*/transcript.db"))


def damage(home: Home) -> None:
    connection = apsw.Connection(str(home.path / "groups" / "main" / "transcript.db"))
    connection.execute("DROP TRIGGER payloads_stay_as_they_are")  # damage enough by itself
    connection.execute("UPDATE payloads SET body = CAST('{}' AS BLOB) WHERE seq = 1")
    connection.close()


def at_a_terminal(home: Home, typed: bytes, *arguments: str, **variables: str) -> tuple[int, bytes]:
    """Run `tacit restore` where somebody types; return its exit code and what it says."""
    keyboard, terminal = pty.openpty()
    try:
        os.write(keyboard, typed)
        ended = subprocess.run(
            [sys.executable, "-m", "tacit", "restore", *arguments],
            stdin=terminal,
            capture_output=True,
            env=home.environment(**variables),
            cwd=home.project,
            check=False,
        )
    finally:
        os.close(keyboard)
        os.close(terminal)
    return ended.returncode, ended.stdout + ended.stderr


def test_what_came_after_the_backup_is_replayed_and_told(kept: Path, home: Home) -> None:
    told = restore()

    (database,) = put_aside(home)
    assert told.splitlines() == [
        f"Restored from {kept.name}, 1 event replayed, nothing lost.",
        f"What was there before is in {database.parent}.",
    ]


@pytest.mark.usefixtures("kept")
def test_a_restored_group_has_everything_and_verifies() -> None:
    restore()

    assert (sessions(), invoke("verify")) == (
        ["after", "before"],
        "2 events: all as they were written.\n",
    )


@pytest.mark.usefixtures("kept")
def test_an_exact_restore_is_the_backup_and_nothing_else() -> None:
    told = restore("--exact")

    assert (", 0 events replayed, " in told, sessions()) == (True, ["before"])


def test_programs_get_every_field(kept: Path, home: Home) -> None:
    found: dict[str, Any] = json.loads(restore("--json"))

    assert found.pop("at") > 0
    assert found.pop("reason")
    assert found == {
        "backup": kept.name,
        "replayed": 1,
        "lost": 0,
        "quarantine": str(put_aside(home)[0].parent),
        "lost_after": None,
    }


def test_a_damaged_group_is_brought_back(kept: Path, home: Home, program: Program) -> None:
    del kept  # is there
    damage(home)
    before = program("verify").returncode

    ended = program("restore", "--yes")

    assert (before, ended.returncode, program("verify").returncode) == (11, 0, 0)


def test_without_a_backup_a_damaged_group_comes_back_from_its_segments(
    home: Home, program: Program
) -> None:
    home.hook("UserPromptSubmit", {"session_id": "only", "prompt": "one"})
    invoke("sessions")
    damage(home)

    ended = program("restore", "--yes")

    assert (ended.returncode, program("verify").returncode) == (0, 0)


def test_what_was_erased_after_the_backup_stays_erased(kept: Path, home: Home) -> None:
    copy = home.scratch / "mine.db"
    shutil.copy(kept, copy)
    app = open_app()
    erased(app, "main", session="before")
    app.close()

    restore(str(copy))

    assert "1 of them erased" in invoke("verify")


def test_what_an_exact_restore_dropped_erases_nothing_that_came_later(
    kept: Path, home: Home
) -> None:
    del kept  # is there
    app = open_app()
    erased(app, "main", session="after")
    app.close()
    restore("--exact")
    home.hook("UserPromptSubmit", {"session_id": "later", "prompt": "three"})
    invoke("sessions")

    restore()

    assert "three" in invoke("show", "later")


def test_a_backup_may_be_named_by_its_beginning(kept: Path, home: Home) -> None:
    invoke("backup")

    told = restore(kept.name[:26], "--exact")

    assert (f"Restored from {kept.name}," in told, len(put_aside(home))) == (True, 1)


def test_the_newest_backup_is_taken_unless_another_is_named(kept: Path, home: Home) -> None:
    invoke("backup")

    restore("--exact")

    newest = max((home.path / "backups" / "main").iterdir())
    assert (newest == kept, sessions()) == (False, ["after", "before"])


def test_a_file_of_the_user_s_own_is_a_backup_too(kept: Path, home: Home) -> None:
    copy = home.scratch / "mine.db"
    shutil.move(kept, copy)

    told = restore(str(copy))

    assert (told.startswith("Restored from mine.db, 1 event"), copy.exists()) == (True, True)


def test_a_backup_that_does_not_verify_is_refused_and_nothing_changes(
    kept: Path, home: Home
) -> None:
    kept.write_bytes(kept.read_bytes()[:8192] + b"\xff" * 8192)

    with pytest.raises(StoreDamaged):
        restore()

    assert (sessions(), put_aside(home)) == (["after", "before"], [])


@pytest.mark.usefixtures("kept")
def test_a_backup_that_is_not_there_ends_with_6_and_names_the_next_command(
    program: Program,
) -> None:
    ended = program("restore", "nothing", "--yes")

    told = b"tacit: There is no such backup. `tacit backup --list` shows what there is.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (6, b"", told)


def test_a_pipe_must_say_that_it_is_meant(kept: Path, home: Home, program: Program) -> None:
    del kept  # is there

    ended = program("restore", stdin=subprocess.DEVNULL)

    told = b"tacit: This replaces what there is. Say --yes if that is meant.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, b"", told)
    assert put_aside(home) == []


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("variable", ["CLAUDECODE", "AI_AGENT"])
def test_an_agent_without_a_terminal_is_refused_though_it_says_yes(
    variable: str, home: Home, program: Program
) -> None:
    ended = program(
        "restore", "--yes", stdin=subprocess.DEVNULL, env=home.environment(**{variable: "1"})
    )

    told = b"tacit: This needs the owner at a terminal. Ask the user to run it.\n"
    assert (ended.returncode, ended.stderr, put_aside(home)) == (7, told, [])


@pytest.mark.usefixtures("kept")
def test_at_a_terminal_the_owner_is_asked_and_may_say_yes(home: Home) -> None:
    code, told = at_a_terminal(home, b"y\n")

    question = b"Put the transcript of group main aside and restore it? [y/N]:"
    assert (code, told.startswith(question), len(put_aside(home))) == (0, True, 1)


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("typed", [b"n\n", b"\n"], ids=["no", "nothing"])
def test_at_a_terminal_the_owner_may_say_no(typed: bytes, home: Home) -> None:
    code, _ = at_a_terminal(home, typed)

    assert (code, put_aside(home)) == (130, [])


@pytest.mark.usefixtures("kept")
def test_an_agent_s_owner_at_a_terminal_may_say_yes(home: Home) -> None:
    code, _ = at_a_terminal(home, b"", "--yes", CLAUDECODE="1")

    assert (code, len(put_aside(home))) == (0, 1)


@pytest.mark.parametrize("way", ["option", "variable"])
def test_only_the_group_that_is_meant_is_restored(
    way: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = home.scratch / "walled"
    place.mkdir()
    home.make()
    (home.path / "config.toml").write_text(f'[groups]\nwork = ["{place}"]\n', encoding="utf-8")
    home.hook("UserPromptSubmit", {"cwd": str(place), "prompt": "walled"}, cwd=place)
    home.hook("UserPromptSubmit", {"prompt": "open"})
    for group in ("work", "main"):
        invoke("backup", "--group", group)
    if way == "variable":
        monkeypatch.setenv("TACIT_GROUP", "work")

    restore(*(["--group", "work"] if way == "option" else []))

    assert (len(put_aside(home, "work")), put_aside(home, "main")) == (1, [])


@pytest.mark.usefixtures("kept")
def test_the_backup_of_one_group_is_none_of_another() -> None:
    with pytest.raises(NotFound, match="There is no such backup"):
        restore("--group", "other")


@pytest.mark.usefixtures("kept")
def test_a_refusal_comes_before_the_backup_is_looked_for() -> None:
    with pytest.raises(NotAllowed):
        invoke("restore", "nothing")


@pytest.mark.usefixtures("kept")
def test_what_waits_in_the_spool_is_taken_in_after_a_restore(home: Home) -> None:
    home.hook("UserPromptSubmit", {"session_id": "waiting", "prompt": "three"})

    restore()

    assert sessions() == ["after", "before", "waiting"]
