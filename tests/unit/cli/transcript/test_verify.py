"""`tacit verify`: whether the transcript is what was written, and what to do if it is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from click.testing import CliRunner

from rig import erased
from tacit.cli.main import tacit
from tacit.compose import open_app

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program

RESTORE = b"`tacit restore --group main`"


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    monkeypatch.delenv("TACIT_GROUP", raising=False)


@pytest.fixture
def talked(home: Home) -> Home:
    """Return a home that has taken in three prompts."""
    for prompt in ("one", "two", "three"):
        home.hook("UserPromptSubmit", {"prompt": prompt})
    verify()
    return home


def verify(*arguments: str) -> str:
    return CliRunner().invoke(tacit, ["verify", *arguments], catch_exceptions=False).stdout


def forge(home: Home, statement: str, group: str = "main") -> None:
    """Change a transcript behind our back, its triggers out of the way for a moment."""
    connection = apsw.Connection(str(home.path / "groups" / group / "transcript.db"))
    triggers = list(
        connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    )
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(statement)
    for _, made in triggers:
        connection.execute(made)
    connection.close()


def forge_body(home: Home, group: str = "main") -> None:
    forge(home, "UPDATE payloads SET body = CAST('{}' AS BLOB) WHERE seq = 2", group)


@pytest.mark.usefixtures("talked")
def test_a_transcript_as_it_was_written_is_told_in_one_line() -> None:
    told = verify()

    assert told == "3 events: all as they were written.\n"


@pytest.mark.usefixtures("talked")
def test_what_was_erased_is_told_and_no_damage() -> None:
    app = open_app()
    erased(app, "main", matching="two")
    app.close()

    told = verify()

    assert told == "4 events, 1 of them erased: all as they were written.\n"


@pytest.mark.usefixtures("talked")
def test_programs_get_every_field() -> None:
    found: dict[str, Any] = json.loads(verify("--json"))

    head = found.pop("head")
    assert (head["seq"], len(bytes.fromhex(head["chain"]))) == (3, 32)
    assert found == {"events": 3, "bodies": 3, "erased": 0, "lost": 0, "findings": []}


def test_a_forged_body_ends_with_11_and_names_the_next_command(
    talked: Home, program: Program
) -> None:
    forge_body(talked)

    ended = program("verify")

    assert (ended.returncode, ended.stdout) == (11, b"Event 2 is not what was written.\n")
    assert (ended.stderr.count(b"\n"), RESTORE in ended.stderr) == (1, True)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM payloads WHERE seq = 2", "Event 2 has no body and no tombstone."),
        ("UPDATE events SET at = 1 WHERE seq = 3", "Event 3 is not what was written."),
        ("UPDATE events SET origin = 'owner' WHERE seq = 1", "Event 1 is not what was written."),
        ("DELETE FROM events WHERE seq = 2", "Events 2 to 2 are missing."),
        ("DELETE FROM events WHERE seq = 3", "1 events that were taken in are missing at the end."),
        ("INSERT INTO tombstones VALUES (1, 0, 'x', x'00')", "Event 1 was to be erased."),
    ],
)
def test_each_forgery_is_told(statement: str, told: str, talked: Home, program: Program) -> None:
    (talked.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    forge(talked, statement)

    ended = program("verify")

    shown = ended.stdout.decode().splitlines()
    assert (ended.returncode, [line for line in shown if line == told]) == (11, [told])


def test_programs_get_the_findings_though_it_ends_with_11(talked: Home, program: Program) -> None:
    forge_body(talked)

    ended = program("verify", "--json")

    found = json.loads(ended.stdout)["findings"]
    assert (ended.returncode, found) == (11, ["Event 2 is not what was written."])


def test_a_file_that_is_no_database_ends_with_11_and_names_another_command(
    talked: Home, program: Program
) -> None:
    (talked.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    (talked.path / "groups" / "main" / "transcript.db").write_bytes(b"no database" * 1000)

    ended = program("verify")

    assert (ended.returncode, b"`tacit restore" in ended.stderr) == (11, True)


def test_reading_damage_ends_with_11_and_names_restore(talked: Home, program: Program) -> None:
    (talked.path / "config.toml").write_text("[recovery]\nauto = false\n", encoding="utf-8")
    forge_body(talked)

    ended = program("show", "66fb")

    assert (ended.returncode, ended.stdout, b"`tacit restore" in ended.stderr) == (11, b"", True)


def test_damage_met_while_reading_is_mended_and_the_right_text_shown(
    talked: Home, program: Program
) -> None:
    before = [turn["prompt"] for turn in json.loads(program("show", "66fb", "--json").stdout)]
    forge_body(talked)

    ended = program("show", "66fb", "--json")

    assert [turn["prompt"] for turn in json.loads(ended.stdout)] == before


@pytest.mark.usefixtures("home")
def test_a_group_without_a_transcript_is_not_damaged(program: Program) -> None:
    ended = program("verify", "--group", "other")

    assert (ended.returncode, ended.stdout) == (0, b"Group other has no transcript yet.\n")


@pytest.mark.parametrize("way", ["option", "variable"])
def test_the_damage_of_one_group_is_not_that_of_another(
    way: str, talked: Home, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = talked.scratch / "walled"
    place.mkdir()
    (talked.path / "config.toml").write_text(f'[groups]\nwork = ["{place}"]\n', encoding="utf-8")
    for prompt in ("one", "two"):
        talked.hook("UserPromptSubmit", {"cwd": str(place), "prompt": prompt}, cwd=place)
    verify()
    forge_body(talked, group="work")
    if way == "variable":
        monkeypatch.setenv("TACIT_GROUP", "work")

    damaged = program("verify", *(["--group", "work"] if way == "option" else []))

    sound = program("verify", "--group", "main")
    assert (damaged.returncode, b"--group work`" in damaged.stderr) == (11, True)
    assert sound.returncode == 0


def test_piped_there_is_neither_colour_nor_progress(talked: Home, program: Program) -> None:
    del talked  # is there

    ended = program("verify")

    assert (ended.returncode, ended.stderr, b"\x1b" in ended.stdout) == (0, b"", False)
