"""`tacit remember`: the owner's words become a memory at once, an agent's are marked as such."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from tacit import policy
from tacit.compose import open_app
from tacit.model.memory import ALIASES, KINDS
from tacit.policy import Caller
from tacit.verbs.decisions import Said

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.conftest import Program
    from unit.cli.memory.conftest import Cli, Mind

TOO_LONG = (
    "The text has 2001 characters, a memory at most 2000. Say it shorter, or as several memories."
)


def test_what_is_remembered_is_told_with_its_id_and_stands_in_the_list(cli: Cli) -> None:
    told = cli("remember", "The sky is blue")

    (memory,) = cli.json("list")
    assert told == (0, f"Remembered [fact] The sky is blue ({memory['id']})\n", "")
    assert memory["content"] == "The sky is blue"


def test_programs_get_every_field_set_by_code(cli: Cli) -> None:
    made = cli.json("remember", "The sky is blue")

    listed = cli.json("list")[0]
    assert made == listed
    assert {name: made[name] for name in ("kind", "importance", "confidence", "tags", "state")} == {
        "kind": "fact",
        "importance": 3,
        "confidence": 1.0,
        "tags": [],
        "state": "active",
    }
    assert (made["origin"], made["via"], made["session"], made["turn"]) == (
        "owner",
        "cli",
        "",
        None,
    )
    assert (made["quote"], made["extractor"]) == ("The sky is blue", "decision-1")
    assert made["created_at"] == made["valid_from"]
    assert (made["valid_to"], made["superseded_by"], made["pinned"]) == (None, None, False)


def test_kind_tags_and_importance_are_as_they_were_said(cli: Cli) -> None:
    options = ("--kind", "preference", "--tag", "editor", "--tag", "tabs", "--importance", "5")

    made = cli.json("remember", "I like tabs", *options)

    assert (made["kind"], made["tags"], made["importance"]) == ("preference", ["editor", "tabs"], 5)


@pytest.mark.parametrize(("alias", "kind"), ALIASES.items())
def test_an_alias_of_a_kind_is_taken_in(alias: str, kind: str, cli: Cli) -> None:
    made = cli.json("remember", "The sky is blue", "--kind", alias)

    assert made["kind"] == kind


def test_the_help_names_every_kind(cli: Cli) -> None:
    shown = cli("remember", "--help").out

    assert [kind for kind in KINDS if kind not in shown] == []


def test_the_project_is_the_one_of_this_place(home: Home, cli: Cli) -> None:
    cli("remember", "The sky is blue")

    shown = cli("list").out
    assert shown.splitlines()[1].split()[-5] == home.project.name


def test_what_is_about_the_user_counts_everywhere(cli: Cli) -> None:
    made = cli.json("remember", "I live in Rome", "--everywhere")

    assert made["project"] is None


@pytest.mark.parametrize("way", ["name", "key", "directory", "dot"])
def test_another_project_can_be_named(way: str, home: Home, mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Good morning")
    (project,) = cli.json("project", "list")
    named = {"name": project["name"], "key": project["key"], "directory": str(home.project)}

    made = cli.json("remember", "The sky is blue", "--project", named.get(way, "."))

    assert made["project"] == project["key"]


def test_a_project_that_is_not_there_is_refused(mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Good morning")

    told = cli("remember", "The sky is blue", "--project", "orchard")

    assert (told.code, told.out) == (6, "")
    assert "tacit project list" in told.err


def test_a_project_and_everywhere_at_once_are_refused(cli: Cli) -> None:
    told = cli("remember", "The sky is blue", "--project", "x", "--everywhere")

    assert (told.code, "Say --project or --everywhere, not both." in told.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("",), "A memory needs words: the text is empty. Say what to remember."),
        ((" \x1b[0m\n\u200b",), "A memory needs words: the text is empty. Say what to remember."),
        (
            ("x" * 2001,),
            TOO_LONG,
        ),
        (
            ("x", "--kind", "rumour"),
            f"'rumour' is no kind of memory. Use one of {', '.join(KINDS[:-1])} or {KINDS[-1]}.",
        ),
        (("x", "--tag", ""), "A tag has 1 to 50 characters, this one has 0. Change it."),
        (("x", "--tag", "t" * 51), "A tag has 1 to 50 characters, this one has 51. Change it."),
        (
            ("x", *(f"--tag={number}" for number in range(11))),
            "There are 11 tags, at most 10 are kept. Use fewer.",
        ),
        (
            ("x", "--importance", "6"),
            "Importance goes from 1 to 5, not 6. Choose one of these.",
        ),
        (
            ("x", "--importance", "0"),
            "Importance goes from 1 to 5, not 0. Choose one of these.",
        ),
    ],
    ids=[
        "empty", "invisible", "long", "kind", "empty tag", "long tag", "tags", "important",
        "unimportant",
    ],
)  # fmt: skip
def test_what_is_not_as_it_must_be_is_refused_with_what_is_wrong(
    arguments: tuple[str, ...], sentence: str, home: Home, cli: Cli
) -> None:
    told = cli("remember", *arguments)

    assert told == (9, "", f"tacit: {sentence}\n")
    assert not (home.path / "groups").exists()


def test_the_longest_text_and_the_most_tags_are_taken_in(cli: Cli) -> None:
    tags = [f"{number}{'t' * 49}" for number in range(10)]

    made = cli.json("remember", "x" * 2000, *(f"--tag={tag}" for tag in tags))

    assert (len(made["content"]), made["tags"]) == (2000, tags)


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["people", "programs"])
def test_nothing_in_the_words_reaches_the_terminal_as_it_is(
    options: tuple[str, ...], hostile: str, cli: Cli
) -> None:
    told = cli.at_terminal("remember", hostile, "--tag", hostile, *options)

    assert (told.code, told.strange) == (0, set())


def test_a_secret_is_taken_out_and_said_so(home: Home, cli: Cli) -> None:
    secret = "AKIA" + "ZQ7NTB2LXW4KPR6M"

    told = cli("remember", f"The deploy key is {secret} for now")

    assert (told.code, told.err) == (0, "A secret in it was taken out.\n")
    assert "[redacted:" in told.out
    assert secret.encode() not in home.bytes_on_disk()


def test_the_same_words_again_are_one_memory(cli: Cli) -> None:
    first = cli.remember("The sky is blue")

    second = cli.remember("the sky is blue.")

    assert (second, cli.contents()) == (first, ["The sky is blue"])


def test_what_was_forgotten_can_be_said_anew(cli: Cli) -> None:
    cli("forget", cli.remember("The sky is blue"))

    cli.remember("The sky is blue")

    assert cli.contents() == ["The sky is blue"]


def test_a_group_has_memories_of_its_own(cli: Cli) -> None:
    cli.remember("The sky is blue", "--group", "work")

    assert (cli.contents(), cli.contents("--group", "work")) == ([], ["The sky is blue"])


def test_a_name_that_no_group_can_have_is_refused(cli: Cli) -> None:
    told = cli("remember", "The sky is blue", "--group", "../work")

    assert (told.code, told.out) == (6, "")
    assert told.err.endswith("is no name of a group: use letters, digits, _ and -.\n")


@pytest.mark.parametrize("variable", ["CLAUDECODE", "AI_AGENT"])
def test_inside_an_agent_s_shell_the_words_are_the_agent_s(
    variable: str, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s-agent")

    ended = program("remember", "The sky is blue", "--json", stdin=subprocess.DEVNULL)

    made = json.loads(ended.stdout)
    assert (made["origin"], made["session"]) == ("agent", "s-agent")


def test_an_owner_s_words_have_no_session_whatever_the_environment_says(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s-agent")

    made = cli.json("remember", "The sky is blue")

    assert (made["origin"], made["session"]) == ("owner", "")


@pytest.mark.usefixtures("agent")
def test_an_agent_may_not_go_on_for_ever(cli: Cli) -> None:
    app = open_app()
    for number in range(policy.MOST_AN_HOUR):
        said = Said(text=f"Fact number {number}")
        app.remember("main", said, Caller(profile=policy.AGENT))
    app.close()

    told = cli("remember", "One more fact")

    assert (told.code, told.out) == (7, "")
    assert told.err == (
        "tacit: An agent may decide 60 times an hour, and has. Ask the user to run it, or wait.\n"
    )


def test_words_that_are_known_in_another_dress_hold_no_secret(cli: Cli) -> None:
    cli.remember("The sky is blue")

    told = cli("remember", "the sky is blue.")

    assert told.err == ""


def test_what_was_known_as_another_kind_is_said_to_be_so(cli: Cli) -> None:
    name = cli.remember("The sky is blue")

    told = cli("remember", "The sky is blue", "--kind", "preference")

    how = f"`tacit correct {name} TEXT --kind preference` changes that."
    assert told.err == f"It was known as a fact, and still is: {how}\n"
