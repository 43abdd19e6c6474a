"""`tacit files`: the six with their limits, what was edited, and the owner's word on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.deliver.curated.names import LIMITS

if TYPE_CHECKING:
    from pathlib import Path

    from rig import Home
    from unit.cli.memory.conftest import Cli

MILK = "I like milk in tea"
NONE = "There are no files yet: nothing is known, and nothing is deployed.\n"


@pytest.fixture
def files(cli: Cli, home: Home) -> Path:
    """Let something be known; return where the files lie."""
    cli.remember(MILK, "--kind", "preference", "--everywhere")
    return home.path / "groups" / "main" / "files"


def edit(files: Path, old: str = MILK, new: str = "I like lemon in tea") -> None:
    text = (files / "user.md").read_text(encoding="utf-8")
    (files / "user.md").write_text(text.replace(old, new), encoding="utf-8")


def test_where_nothing_is_known_it_says_so(cli: Cli, home: Home) -> None:
    assert cli("files") == (0, NONE, "")
    assert cli.json("files") == []
    assert cli("files", "diff").out == "Nothing was edited by hand.\n"
    assert not (home.path / "groups" / "main").exists()


def test_the_six_are_listed_with_their_lines_limits_and_places(cli: Cli, files: Path) -> None:
    shown = cli("files").out

    rows = {line.split()[0]: line for line in shown.splitlines()[1:]}
    assert rows.keys() == LIMITS.keys()
    assert rows["user.md"].split() == ["user.md", "13", "200", str(files / "user.md")]
    assert "not there" in rows["soul.md"]


def test_for_programs_it_is_what_it_consists_of(cli: Cli, files: Path) -> None:
    found = {each["name"]: each for each in cli.json("files")}

    assert {name: each["limit"] for name, each in found.items()} == LIMITS
    assert found["user.md"] == {
        "name": "user.md",
        "path": str(files / "user.md"),
        "lines": 13,
        "limit": 200,
        "state": "kept",
        "trouble": "",
    }


def test_an_edit_is_shown_with_what_accepting_it_means(cli: Cli, files: Path) -> None:
    edit(files)

    listed, shown = cli("files"), cli("files", "diff", "user")

    assert "edited by hand" in listed.out
    assert "see `tacit files diff`" in listed.err
    assert shown.out.splitlines() == [
        "user.md",
        f"  - {MILK}",
        f"  + {(files / 'user.md').read_text(encoding='utf-8').splitlines()[8]}",
    ]
    assert shown.err == "  Accepting it means: correct 1.\n"


def test_for_programs_an_edit_says_what_each_line_means(cli: Cli, files: Path) -> None:
    edit(files, "## Facts\n", "## Facts\n\nSpeaks French\n")

    (found,) = cli.json("files", "diff")

    assert (found["name"], found["added"], found["removed"]) == ("user.md", ["Speaks French"], [])
    assert [(step["verb"], step["kind"]) for step in found["steps"]] == [("remember", "fact")]


def test_accepted_it_counts(cli: Cli, files: Path) -> None:
    edit(files)

    shown = cli("files", "diff", "user.md").out.splitlines()
    told = cli("files", "accept", "user.md")

    assert (told.code, told.err) == (0, "")
    assert told.out.splitlines() == ["Accepted user.md: correct 1.", *shown[1:]]
    assert cli.contents() == ["I like lemon in tea"]
    assert cli("files", "diff").out == "Nothing was edited by hand.\n"


def test_rejected_it_is_gone(cli: Cli, files: Path) -> None:
    edit(files)

    told = cli("files", "reject", "user.md")

    assert told.out == "Rejected the edit of user.md.\n"
    assert MILK in (files / "user.md").read_text(encoding="utf-8")
    assert cli.contents() == [MILK]


def test_a_deployed_file_is_accepted_as_it_is(cli: Cli, files: Path, home: Home) -> None:
    cli("deploy", str(home.project), "--group", "main")
    (files / "os.md").chmod(0o600)
    (files / "os.md").write_text("One rule\n", encoding="utf-8")

    cli("files", "diff")
    told = cli("files", "accept", "os")

    assert told.out.startswith("Accepted os.md: this is deployed.\n")
    assert told.out.endswith("  + One rule\n")
    assert "One rule" in cli("boot").out


def test_what_changed_since_it_was_shown_is_refused(cli: Cli, files: Path) -> None:
    edit(files)
    cli("files", "diff")
    edit(files, "lemon", "ink")

    told = cli("files", "accept", "user.md")

    assert (told.code, cli.contents()) == (26, [MILK])
    assert "changed meanwhile: look again with `tacit files diff user.md`" in told.err


def test_a_line_of_which_nothing_can_be_made_is_told_before_it_goes(cli: Cli, files: Path) -> None:
    edit(files, "## Facts\n", "## Facts\n\n## Mine\n")

    shown, told = cli("files", "diff"), cli("files", "accept", "user")

    line = "  ! goes, nothing is made of it (a heading): ## Mine"
    assert (line in shown.out, line in told.out) == (True, True)


def test_a_file_that_is_gone_is_told(cli: Cli, files: Path, home: Home) -> None:
    cli("deploy", str(home.project), "--group", "main")
    (files / "os.md").unlink()

    shown = cli("files", "diff")

    assert "  it was removed" in shown.out
    assert shown.err == "  Accepting it means: nothing.\n"


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_a_file_that_is_none_or_not_edited_is_refused(verb: str, cli: Cli, files: Path) -> None:
    del files
    assert cli("files", verb, "users").err.startswith("tacit: There is no file 'users'.")
    assert "there is nothing to" in cli("files", verb, "user").err


@pytest.mark.usefixtures("agent")
@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_an_agent_decides_nothing_about_edits(verb: str, cli: Cli, files: Path) -> None:
    edit(files, MILK, "I like to be robbed")

    told = cli("files", verb, "user")

    assert (told.code, "needs the owner at a terminal" in told.err) == (7, True)
    assert cli.contents() == [MILK]


def test_hostile_words_of_an_edit_cannot_fool_the_terminal(
    cli: Cli, files: Path, hostile: str
) -> None:
    with (files / "user.md").open("a", encoding="utf-8", errors="replace") as file:
        file.write(hostile)

    assert cli("files", "diff").strange == set()


def test_in_a_workspace_they_lie_in_its_own_memory_and_boot_is_about_all_of_it(
    cli: Cli, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.project / ".git").mkdir()
    cli("init", str(home.project))
    cli("deploy", str(home.project))
    cli.remember("Invoices are in euros")
    (home.project / "documents" / "deep").mkdir()
    monkeypatch.chdir(home.project / "documents" / "deep")

    found = {each["name"]: each for each in cli.json("files")}

    memory = home.project / ".os" / "memory"
    assert {each["path"] for each in found.values()} == {str(memory / name) for name in found}
    assert {each["state"] for each in found.values()} == {"kept"}
    assert "Invoices are in euros" in (memory / "context.md").read_text(encoding="utf-8")
    assert "`project/`: `artifacts/`" in (memory / "files.md").read_text(encoding="utf-8")
    assert "Invoices are in euros" in cli("boot").out
