"""What verbs that read share: the group that is meant, and the spool drained first."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from tacit.capture import compile as capture_conf
from tacit.cli.main import tacit
from tacit.cli.reading import group_option, opened, opened_app
from tacit.errors import NotFound

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program

LOADED = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, sep="\\n", file=sys.stderr))
from tacit.cli.main import main
main()
"""
HEAVY = {"apsw", "re2", "json", "sqlite3", "tomllib", "tacit.app", "tacit.compose"}
VERBS = [
    ("sessions",),
    ("show", "x"),
    ("project", "list"),
    ("project", "rename", "a", "b"),
    ("project", "join", "a", "b"),
    ("project", "move", "a", "b"),
    ("verify",),
    ("backup",),
    ("backup", "--list"),
    ("restore", "--yes"),
]
FIRST = "Nothing is recorded yet. Run `tacit install`, then work as always.\n"
HOSTILE = ["../up", "..", "a/b", "a b", "", "a\nb", "\x1b[31mred", "größe", "x" * 65]


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    for name in ("TACIT_GROUP", "CLAUDECODE", "AI_AGENT"):
        monkeypatch.delenv(name, raising=False)


@click.command()
@group_option
def meant(*, group: str | None) -> None:
    """Print the group that is meant."""
    click.echo(opened(group, draining=False)[1], nl=False)


def group_meant(*arguments: str) -> str:
    return CliRunner().invoke(meant, arguments, catch_exceptions=False).stdout


def choose(home: Home, groups: str) -> None:
    home.make()
    (home.path / "config.toml").write_text(f"[groups]\n{groups}\n", encoding="utf-8")


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def invoke(*arguments: str) -> str:
    return CliRunner().invoke(tacit, arguments, catch_exceptions=False).stdout


@pytest.mark.usefixtures("home")
def test_without_a_choice_the_group_is_main() -> None:
    assert group_meant() == "main"


def test_the_group_is_that_of_the_longest_directory_above(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = home.project / "clients" / "acme" / "src"
    deep.mkdir(parents=True)
    places = [f'work = ["{home.project}"]', f'acme = ["{home.project}/clients/acme/**"]']
    choose(home, "\n".join(places))

    found = []
    for directory in (home.scratch, home.project, deep.parent.parent, deep):
        monkeypatch.chdir(directory)
        found.append(group_meant())

    assert found == ["main", "work", "work", "acme"]


def test_a_directory_whose_name_only_begins_alike_is_another_one(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(home, f'work = ["{home.project}"]')
    other = home.scratch / "project-2"
    other.mkdir()
    monkeypatch.chdir(other)

    assert group_meant() == "main"


def test_the_variable_counts_more_than_the_directory(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(home, f'work = ["{home.project}"]')
    monkeypatch.chdir(home.project)
    monkeypatch.setenv("TACIT_GROUP", "own")

    assert group_meant() == "own"


@pytest.mark.usefixtures("home")
def test_the_option_counts_more_than_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_GROUP", "own")

    assert group_meant("--group", "other") == "other"


@pytest.mark.usefixtures("home")
def test_an_empty_variable_chooses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TACIT_GROUP", "")

    assert group_meant() == "main"


def test_a_group_that_cannot_be_read_is_the_one_that_it_last_was(home: Home) -> None:
    root = home.make()
    choose(home, f'work = ["{Path.cwd()}"]')
    capture_conf.refresh(root, str(home.path))
    before = group_meant()

    choose(home, "work = 3")

    assert (before, group_meant()) == ("work", "work")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_hostile_group_is_refused_by_every_verb(verb: tuple[str, ...]) -> None:
    with pytest.raises(NotFound, match="is no name of a group"):
        invoke(*verb, "--group", "../up")


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_hostile_group_in_the_environment_is_refused_by_every_verb(
    verb: tuple[str, ...], home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TACIT_GROUP", "../up")

    with pytest.raises(NotFound, match="is no name of a group"):
        invoke(*verb)

    assert not (home.path / "up").exists()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_refused_group_leaves_nothing_behind(name: str, home: Home) -> None:
    with pytest.raises(NotFound):
        invoke("verify", "--group", name)

    assert not (home.path / "groups").exists()


def test_a_refused_group_ends_with_6_and_one_clean_sentence(program: Program) -> None:
    ended = program("sessions", "--group", "a\n\x1b[31mb\u202e")

    lines = ended.stderr.decode().splitlines()
    assert (ended.returncode, ended.stdout, len(lines), "\x1b" in lines[0]) == (6, b"", 1, False)


def test_reading_another_group_makes_none(home: Home) -> None:
    for verb in ("sessions", "verify"):
        invoke(verb, "--group", "other")

    assert not (home.path / "groups").exists()


@pytest.mark.parametrize(
    "verb",
    [("sessions",), ("project", "list"), ("verify",), ("backup",), ("status",)],
    ids=" ".join,
)
def test_what_waits_is_taken_in_first(verb: tuple[str, ...], home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hello"})

    invoke(*verb)

    assert home.entries == []


def test_the_events_of_other_groups_are_taken_in_as_well(home: Home) -> None:
    choose(home, f'work = ["{home.project}"]')
    home.hook("UserPromptSubmit", {"prompt": "hello"})

    invoke("sessions", "--group", "main")

    assert (home.path / "groups" / "work" / "transcript.db").exists()


def test_a_client_s_environment_does_not_choose_the_group(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"}, env=home.environment(TACIT_GROUP="other"))

    assert [entry.group for entry in home.entries] == ["main"]


def test_what_still_waits_is_told_beside_what_a_program_reads(home: Home, program: Program) -> None:
    for prompt in ("one", "two"):
        home.hook("UserPromptSubmit", {"prompt": prompt})
    with (home.path / "ingest.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        ended = program("sessions", "--json")

    told = b"2 events are still waiting; ask again to take them in.\n"
    assert (ended.returncode, ended.stderr, json.loads(ended.stdout)) == (0, told, [])


@pytest.mark.usefixtures("home")
def test_the_home_is_let_go_when_the_verb_ends() -> None:
    @click.command()
    def opens() -> None:
        opened_app()

    CliRunner().invoke(opens, catch_exceptions=False)
    before = open_descriptors()

    CliRunner().invoke(opens, catch_exceptions=False)

    assert open_descriptors() == before


def test_help_loads_nothing_that_only_a_verb_needs() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOADED, "--help"], capture_output=True, encoding="utf-8", check=True
    )

    assert HEAVY & set(ended.stderr.split()) == set()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "verb",
    [
        ("status",),
        ("sessions",),
        ("project", "list"),
        ("config",),
        ("doctor",),
        ("verify",),
        ("backup", "--list"),
    ],
    ids=" ".join,
)
def test_every_read_is_json_for_programs_though_nothing_is_known(verb: tuple[str, ...]) -> None:
    shown = invoke(*verb, "--json")

    assert isinstance(json.loads(shown), list | dict | None)


@pytest.mark.parametrize(
    ("verb", "told"),
    [
        (("sessions",), FIRST),
        (("project", "list"), FIRST),
        (("verify",), "Group main has no transcript yet.\n"),
        (("backup", "--list"), "Group main has no backup yet. `tacit backup` makes one.\n"),
    ],
)
def test_where_nothing_is_known_each_verb_says_so(
    verb: tuple[str, ...], told: str, home: Home
) -> None:
    shown = invoke(*verb)

    assert (shown, Path(home.path / "groups").exists()) == (told, False)
