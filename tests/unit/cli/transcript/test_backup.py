"""`tacit backup`: a verified copy of a group, the newest few kept, listed with their age."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from click.testing import CliRunner

from tacit.cli.main import tacit
from tacit.compose import open_app
from tacit.errors import NotFound

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program

HOUR_NS = 3600 * 1_000_000_000


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    monkeypatch.delenv("TACIT_GROUP", raising=False)


@pytest.fixture
def talked(home: Home) -> Home:
    """Return a home in which two prompts wait to be taken in."""
    for prompt in ("one", "two"):
        home.hook("UserPromptSubmit", {"prompt": prompt})
    return home


def backup(*arguments: str) -> str:
    return CliRunner().invoke(tacit, ["backup", *arguments], catch_exceptions=False).stdout


def kept(home: Home, group: str = "main") -> list[Path]:
    return sorted((home.path / "backups" / group).iterdir())


def made_ago(age_ns: int) -> None:
    """Let a backup have been made so long ago."""
    app = open_app(now_ns=lambda: time.time_ns() - age_ns)
    app.drain()
    app.backup("main")
    app.close()


def test_a_backup_holds_what_waited_and_says_where_it_is(talked: Home) -> None:
    told = backup()

    (file,) = kept(talked)
    assert told == f"2 events, verified: {file}\n"


def test_a_backup_is_a_database_of_its_own(talked: Home) -> None:
    backup()

    copy = apsw.Connection(str(kept(talked)[0]), flags=apsw.SQLITE_OPEN_READONLY)
    found = list(copy.execute("SELECT COUNT(*) FROM events"))
    copy.close()
    assert found == [(2,)]


def test_a_backup_is_for_its_owner_alone(talked: Home, program: Program) -> None:
    program("backup", umask=0)

    (file,) = kept(talked)
    modes = [path.stat().st_mode & 0o077 for path in (file, file.parent, file.parent.parent)]
    assert modes == [0, 0, 0]


def test_programs_get_every_field_of_the_new_one(talked: Home) -> None:
    found: dict[str, Any] = json.loads(backup("--json"))

    (file,) = kept(talked)
    assert found.pop("made_ns") > 0
    assert found == {"path": str(file), "number": 1, "seq": 2, "size": file.stat().st_size}


def test_only_the_newest_are_kept(talked: Home) -> None:
    (talked.path / "config.toml").write_text("[backup]\nkeep = 2\n", encoding="utf-8")
    files = [Path(json.loads(backup("--json"))["path"]) for _ in range(3)]

    left = kept(talked)

    assert left == files[1:]


@pytest.mark.usefixtures("talked")
def test_the_list_has_the_newest_first_with_its_age() -> None:
    for age_ns in (49 * HOUR_NS, 3 * HOUR_NS):
        made_ago(age_ns)

    head, *lines = backup("--list").splitlines()

    cells = [re.split(r"\s{2,}", line) for line in lines]
    assert head.split() == ["backup", "made", "size", "events"]
    assert [(row[1], row[3]) for row in cells] == [("3 h ago", "2"), ("2 d ago", "2")]


@pytest.mark.usefixtures("talked")
def test_a_backup_of_the_future_was_just_now() -> None:
    made_ago(-5 * HOUR_NS)

    line = backup("--list").splitlines()[1]

    assert re.split(r"\s{2,}", line)[1] == "now"


def test_programs_get_the_list_with_every_field(talked: Home) -> None:
    backup()

    (found,) = json.loads(backup("--list", "--json"))

    assert found.keys() == {"path", "number", "made_ns", "seq", "size"}
    assert found["path"] == str(kept(talked)[0])


def test_listing_takes_nothing_in(talked: Home) -> None:
    backup("--list")

    assert len(talked.entries) == 2


def test_where_nothing_was_taken_in_there_is_nothing_to_back_up(program: Program) -> None:
    ended = program("backup")

    told = b"tacit: Group main has no transcript yet: there is nothing to back up.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (6, b"", told)


def test_a_damaged_transcript_is_not_backed_up(talked: Home, program: Program) -> None:
    program("sessions")
    connection = apsw.Connection(str(talked.path / "groups" / "main" / "transcript.db"))
    connection.execute("DROP TRIGGER payloads_stay_as_they_are")  # damage enough by itself
    connection.execute("UPDATE payloads SET body = CAST('{}' AS BLOB) WHERE seq = 1")
    connection.close()

    ended = program("backup")

    assert (ended.returncode, b"`tacit verify`" in ended.stderr, kept(talked)) == (11, True, [])


@pytest.mark.parametrize("way", ["option", "variable"])
def test_only_the_group_that_is_meant_is_backed_up(
    way: str, talked: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = talked.scratch / "walled"
    place.mkdir()
    (talked.path / "config.toml").write_text(f'[groups]\nwork = ["{place}"]\n', encoding="utf-8")
    talked.hook("UserPromptSubmit", {"cwd": str(place), "prompt": "walled"}, cwd=place)
    if way == "variable":
        monkeypatch.setenv("TACIT_GROUP", "work")

    backup(*(["--group", "work"] if way == "option" else []))

    assert (len(kept(talked, "work")), kept(talked, "main")) == (1, [])


@pytest.mark.usefixtures("talked")
def test_another_group_s_transcript_is_not_made_by_asking_for_its_backup() -> None:
    with pytest.raises(NotFound, match="Group other has no transcript yet"):
        backup("--group", "other")


def test_piped_there_is_neither_colour_nor_progress(talked: Home, program: Program) -> None:
    del talked  # is there

    ended = [program("backup"), program("backup", "--list")]

    assert [(each.stderr, b"\x1b" in each.stdout) for each in ended] == [(b"", False)] * 2
