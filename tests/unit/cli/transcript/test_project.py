"""`tacit project`: what projects there are and what they are called; each change is an event."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from rig import SESSION
from tacit.cli.main import tacit
from tacit.errors import NotFound
from tacit.store.sqlite import engine, opening

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from tacit.model.event import Record
    from unit.cli.conftest import Program


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the environment of this run choose nothing."""
    for name in ("TACIT_GROUP", "CLAUDECODE", "AI_AGENT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shop(home: Home) -> Path:
    """Return a second project, in which one event has happened, and two in the first."""
    directory = home.scratch / "shop"
    directory.mkdir()
    for prompt in ("one", "two"):
        home.hook("UserPromptSubmit", {"session_id": "here", "prompt": prompt})
    home.hook("UserPromptSubmit", {"session_id": "there", "cwd": str(directory), "prompt": "three"})
    return directory


def project(*arguments: str) -> str:
    return CliRunner().invoke(tacit, ["project", *arguments], catch_exceptions=False).stdout


def listed(*arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(project("list", "--json", *arguments))
    return found


def names(*arguments: str) -> list[str]:
    return [each["name"] for each in listed(*arguments)]


def records(home: Home, group: str = "main") -> list[Record]:
    """Return the owner's events of a group."""
    path = home.path / "groups" / group / "transcript.db"
    store = opening.open_existing(path, engine.look(home.path))
    try:
        return [record for record in store.records() if record.kind == "project"]
    finally:
        store.close()


def test_the_most_used_project_comes_first(shop: Path, home: Home) -> None:
    shown = [line.split() for line in project("list").splitlines()]

    assert shown[0] == ["key", "name", "events", "where"]
    assert [line[1:] for line in shown[1:]] == [
        ["project", "2", str(home.project)],
        ["shop", "1", str(shop)],
    ]


def test_programs_get_every_field(shop: Path) -> None:
    found = listed()[1]

    assert found.pop("key").startswith("prj-")
    assert found == {"name": "shop", "root": str(shop), "events": 1, "joined": []}


@pytest.mark.parametrize("way", ["key", "name", "directory", "from here", "below"])
def test_a_project_is_meant_by_its_key_its_name_or_its_directory(
    way: str, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop / ".git").mkdir()
    (shop / "src").mkdir()
    key = listed()[1]["key"]
    monkeypatch.chdir(shop.parent)
    meant = {"key": key, "name": "shop", "directory": str(shop), "from here": "./shop"}

    project("rename", meant.get(way, "./shop/src"), "store")

    assert names()[-1] == "store"


@pytest.mark.usefixtures("shop")
def test_a_project_may_be_named_from_the_user_s_home(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home.scratch))

    project("rename", "~/shop", "store")

    assert "store" in names()


def test_a_name_that_begins_with_a_dot_is_a_name_too(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = home.scratch / ".dotfiles"
    directory.mkdir()
    home.hook("UserPromptSubmit", {"cwd": str(directory), "prompt": "hi"})
    monkeypatch.chdir(home.project)

    project("rename", ".dotfiles", "dots")

    assert names() == ["dots"]


def test_a_renamed_project_says_how_it_stands_now(shop: Path) -> None:
    key = listed()[1]["key"]

    told = project("rename", "shop", "store")

    assert told == f"store ({key}): {shop}\n"


@pytest.mark.usefixtures("shop")
def test_a_new_name_is_one_clean_line() -> None:
    project("rename", "shop", " the\n\x1b[31mred\x1b[0m\u202e store ")

    assert "the red store" in names()


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("name", ["", " \n", "\u202e"])
def test_a_name_that_is_empty_is_refused(name: str) -> None:
    with pytest.raises(NotFound, match="The new name is empty"):
        project("rename", "shop", name)


@pytest.mark.usefixtures("shop")
def test_a_renamed_project_is_called_so_in_its_sessions() -> None:
    project("rename", "shop", "store")

    shown = CliRunner().invoke(tacit, ["sessions", "--json"], catch_exceptions=False).stdout

    assert {each["id"]: each["project"] for each in json.loads(shown)}["there"] == "store"


def test_a_joined_project_is_counted_with_the_other(shop: Path, home: Home) -> None:
    told = project("join", "shop", "project")

    (found,) = listed()
    assert (found["events"], found["joined"]) == (4, [str(shop)])  # the join is an event as well
    assert told == f"project ({found['key']}): {home.project} + {shop}\n"


@pytest.mark.usefixtures("shop")
def test_both_parts_of_a_join_may_be_directories_named_from_here(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.scratch)

    project("join", "./shop", "./project")

    assert names() == ["project"]


@pytest.mark.usefixtures("shop")
def test_what_was_joined_goes_along_when_its_project_is_joined(home: Home) -> None:
    third = home.scratch / "third"
    third.mkdir()
    home.hook("UserPromptSubmit", {"session_id": "3rd", "cwd": str(third), "prompt": "hi"})
    project("join", "shop", "project")

    project("join", "project", "third")

    shown = CliRunner().invoke(tacit, ["sessions", "--json"], catch_exceptions=False).stdout
    assert {each["project"] for each in json.loads(shown)} == {"third"}


@pytest.mark.usefixtures("shop")
def test_a_project_is_not_joined_to_itself() -> None:
    with pytest.raises(NotFound, match="cannot be joined to itself"):
        project("join", "shop", "shop")


@pytest.mark.usefixtures("shop")
def test_what_happens_where_a_project_was_moved_to_belongs_to_it(home: Home) -> None:
    moved = home.scratch / "elsewhere"
    moved.mkdir()
    project("move", "shop", str(moved))

    home.hook("UserPromptSubmit", {"session_id": "later", "cwd": str(moved), "prompt": "hi"})

    shown = CliRunner().invoke(tacit, ["sessions", "--json"], catch_exceptions=False).stdout
    assert {each["id"]: each["project"] for each in json.loads(shown)}["later"] == "shop"


def test_a_project_may_be_moved_to_a_directory_named_from_here(
    shop: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home.scratch)

    told = project("move", "shop", "new/place")

    assert told.endswith(f": {shop} + {home.scratch.resolve()}/new/place\n")


@pytest.mark.usefixtures("shop")
def test_a_directory_s_name_cannot_fool_the_terminal(home: Home, program: Program) -> None:
    hostile = home.scratch / "\x1b[31mred\n\u202eevil\x07"
    hostile.mkdir()

    ended = program("project", "move", "shop", str(hostile))

    shown = ended.stdout.decode()
    assert [char for char in shown if not char.isprintable()] == ["\n"]


def test_hostile_names_stay_one_line_each_in_the_list(home: Home, program: Program) -> None:
    hostile = home.scratch / "\x1b[31mred\n\u202eevil\x07"
    hostile.mkdir()
    home.hook("UserPromptSubmit", {"cwd": str(hostile), "prompt": "hi"})

    shown = program("project", "list").stdout.decode()

    assert [char for char in shown if not char.isprintable()] == ["\n", "\n"]


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("variable", "origin"), [(None, "owner"), ("CLAUDECODE", "agent"), ("AI_AGENT", "agent")]
)
@pytest.mark.parametrize(
    "change",
    [("rename", "shop", "store"), ("join", "shop", "project"), ("move", "shop", "/srv/x")],
    ids=lambda change: change[0],
)
def test_a_change_is_recorded_with_who_made_it(
    change: tuple[str, ...],
    variable: str | None,
    origin: str,
    home: Home,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if variable:
        monkeypatch.setenv(variable, "1")

    project(*change)

    found = [(each.origin, each.via, each.session) for each in records(home)]
    assert found == [(origin, "cli", "")]


@pytest.mark.usefixtures("shop")
def test_a_refused_change_is_no_event(home: Home) -> None:
    with pytest.raises(NotFound):
        project("rename", "nothing", "store")

    assert records(home) == []


@pytest.mark.usefixtures("shop")
def test_a_change_outlives_a_restore_from_before_it(home: Home) -> None:
    CliRunner().invoke(tacit, ["backup"], catch_exceptions=False)
    project("rename", "shop", "store")

    CliRunner().invoke(tacit, ["restore", "--yes"], catch_exceptions=False)

    assert ("store" in names(), len(records(home))) == (True, 1)


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("verb", ["rename", "join", "move"])
def test_what_is_not_there_ends_with_6_and_names_the_next_command(
    verb: str, program: Program
) -> None:
    ended = program("project", verb, "nothing", "else")

    told = b"tacit: There is no project 'nothing'. `tacit project list` shows what there is.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (6, b"", told)


def test_a_name_of_two_projects_is_refused_with_their_keys(home: Home) -> None:
    for parent in ("a", "b"):
        directory = home.scratch / parent / "api"
        directory.mkdir(parents=True)
        home.hook("UserPromptSubmit", {"session_id": parent, "cwd": str(directory), "prompt": "x"})
    keys = [each["key"] for each in listed()]

    with pytest.raises(NotFound, match="'api' is the name of 2 projects") as refused:
        project("rename", "api", "one")

    assert all(key in str(refused.value) for key in keys)


@pytest.mark.parametrize("way", ["option", "variable"])
def test_only_the_projects_of_the_group_are_listed_and_changed(
    way: str, shop: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.path / "config.toml").write_text(f'[groups]\nwork = ["{shop}"]\n', encoding="utf-8")
    home.hook("UserPromptSubmit", {"cwd": str(shop), "prompt": "walled"}, cwd=shop)
    chosen = ["--group", "work"] if way == "option" else []
    if way == "variable":
        monkeypatch.setenv("TACIT_GROUP", "work")

    project("rename", "shop", "store", *chosen)

    assert (names(*chosen), names("--group", "main")) == (["store"], ["project", "shop"])


@pytest.mark.usefixtures("shop")
def test_a_change_in_a_group_that_is_not_there_makes_none(home: Home) -> None:
    with pytest.raises(NotFound):
        project("rename", "shop", "store", "--group", "typo")

    assert not (home.path / "groups" / "typo").exists()


def test_worktrees_of_a_repository_are_one_project(home: Home) -> None:
    main, tree = home.scratch / "main", home.scratch / "tree"
    (main / ".git" / "worktrees" / "tree").mkdir(parents=True)
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/tree\n", encoding="utf-8")
    (main / ".git" / "worktrees" / "tree" / "commondir").write_text("../..\n", encoding="utf-8")

    for directory in (main, tree):
        home.hook("UserPromptSubmit", {"cwd": str(directory), "prompt": f"in {directory.name}"})

    assert [(each["name"], each["events"]) for each in listed()] == [("main", 2)]


def test_a_project_s_own_word_is_no_session(home: Home) -> None:
    home.hook("UserPromptSubmit", {"prompt": "hi"})
    project("rename", "project", "ours")

    shown = CliRunner().invoke(tacit, ["sessions", "--json"], catch_exceptions=False).stdout

    assert [each["id"] for each in json.loads(shown)] == [SESSION]
