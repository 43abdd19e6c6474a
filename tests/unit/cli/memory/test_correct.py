"""`tacit correct`: a better statement stands in a memory's place, and the old one is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.cli.memory.conftest import Cli, Mind

OLD, BETTER = "The sky is blue", "The sky is grey"


@pytest.fixture
def old(cli: Cli) -> str:
    """Remember something; return its id."""
    return cli.remember(OLD, "--kind", "context", "--tag", "colour", "--importance", "4")


def test_the_better_statement_is_told_and_stands_alone(old: str, cli: Cli) -> None:
    told = cli("correct", old, BETTER)

    (now,) = cli.json("list")
    assert told == (0, f"Now it is [context] {BETTER} ({now['id']})\n", "")
    assert now["content"] == BETTER


def test_the_old_statement_is_superseded_and_kept(old: str, cli: Cli) -> None:
    now = cli.json("correct", old, BETTER)

    before = cli.json("show", old)
    assert (before["content"], before["state"], before["superseded_by"]) == (
        OLD,
        "superseded",
        now["id"],
    )
    assert before["valid_to"] == now["valid_from"]


def test_what_is_not_said_stays_as_it_was(old: str, cli: Cli) -> None:
    now = cli.json("correct", old, BETTER)

    assert (now["kind"], now["tags"], now["importance"]) == ("context", ["colour"], 4)


def test_what_is_said_is_so_from_now_on(old: str, cli: Cli) -> None:
    options = ("--kind", "preference", "--tag", "weather", "--importance", "1")

    now = cli.json("correct", old, BETTER, *options)

    assert (now["kind"], now["tags"], now["importance"]) == ("preference", ["weather"], 1)


def test_the_same_words_can_be_of_another_kind_from_now_on(old: str, cli: Cli) -> None:
    options = ("--kind", "preference", "--tag", "weather", "--importance", "1")

    now = cli.json("correct", old, OLD, *options)

    assert (now["kind"], now["tags"], now["importance"]) == ("preference", ["weather"], 1)


def test_the_same_words_with_nothing_else_change_nothing(old: str, cli: Cli) -> None:
    now = cli.json("correct", old, OLD)

    assert (now["id"], cli.contents("--superseded")) == (old, [OLD])


def test_a_pinned_memory_stays_pinned_in_its_better_words(old: str, cli: Cli) -> None:
    cli("pin", old)

    cli("correct", old, BETTER)

    assert cli.contents("--pinned") == [BETTER]


def test_a_superseded_memory_is_corrected_where_it_stands_now(old: str, cli: Cli) -> None:
    cli("correct", old, BETTER)

    cli("correct", old, "The sky is black")

    assert cli.contents() == ["The sky is black"]
    assert len(cli.json("why", old)["chain"]) == 3


def test_as_of_a_day_it_shows_what_stood_there_then(old: str, cli: Cli) -> None:
    cli("correct", old, BETTER)

    later = cli.json("show", old, "--as-of", "2200-01-01")
    sooner = cli("show", old, "--as-of", "2020-01-01")

    assert later["content"] == BETTER
    assert (sooner.code, sooner.out) == (6, "")


def test_a_memory_is_shown_field_by_field(old: str, cli: Cli) -> None:
    shown = cli("show", old).out.splitlines()

    assert shown[0] == OLD
    assert {"kind: context", "importance: 4", "tags: colour", "behavioral: False"} <= set(shown)


def test_a_forgotten_memory_cannot_be_corrected(old: str, mind: Mind, cli: Cli) -> None:
    cli("forget", old)
    before = mind.transcript()

    told = cli("correct", old, BETTER)

    sentence = f"tacit: {old} is forgotten. Use `tacit remember` for what is true now.\n"
    assert told == (6, "", sentence)
    assert mind.transcript() == before


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("mem-404", BETTER), 6),
        (("", BETTER), 6),
        (("mem-", ""), 9),
        (("mem-", " \n "), 9),
        (("mem-", "x" * 2001), 9),
        (("mem-", BETTER, "--kind", "rumour"), 9),
        (("mem-", BETTER, "--tag", ""), 9),
        (("mem-", BETTER, "--importance", "6"), 9),
        (("mem-", BETTER, "--importance", "-1"), 9),
        (("mem-",), 2),
    ],
    ids=[
        "unknown", "no id", "empty", "blank", "long", "kind", "tag", "important", "unimportant",
        "nothing",
    ],
)  # fmt: skip
def test_what_is_refused_changes_nothing(
    arguments: tuple[str, ...], code: int, old: str, mind: Mind, cli: Cli
) -> None:
    before = mind.transcript()

    told = cli("correct", *arguments)

    assert (told.code, told.out, told.err != "") == (code, "", True)
    assert (mind.transcript(), cli.json("list")[0]["id"]) == (before, old)


def test_a_beginning_of_more_than_one_id_is_refused(old: str, cli: Cli) -> None:
    cli.remember("The grass is green")

    told = cli("correct", old[:5], BETTER)

    assert told == (6, "", f"tacit: {old[:5]!r} begins more than one id: say more of it.\n")


def test_nothing_in_the_words_reaches_the_terminal_as_it_is(
    old: str, hostile: str, cli: Cli
) -> None:
    told = cli.at_terminal("correct", old, hostile)

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 1)


@pytest.mark.parametrize("pinned", [True, False])
def test_an_agent_does_not_replace_what_the_owner_said_but_asks(
    old: str, cli: Cli, monkeypatch: pytest.MonkeyPatch, *, pinned: bool
) -> None:
    if pinned:
        cli("pin", old)
    monkeypatch.setenv("CLAUDECODE", "1")

    told = cli("correct", old, BETTER)

    assert told.code == 0
    assert set(cli.contents()) == {OLD, BETTER}
    (action,) = cli.json("actions")
    assert (action["memory"], action["priority"], action["origin"]) == (old, 1, "agent")
    assert BETTER in action["content"]


def test_case_and_points_can_be_corrected(old: str, cli: Cli) -> None:
    told = cli("correct", old, "The SKY is blue!")

    assert (told.out, cli.contents()) == (
        f"Now it is [context] The SKY is blue! ({old})\n",
        ["The SKY is blue!"],
    )


@pytest.mark.parametrize("given", [(BETTER,), (OLD, "--kind", "tool"), (OLD.upper(),)])
def test_an_agent_is_told_that_what_the_owner_said_still_stands(
    given: tuple[str, ...], old: str, cli: Cli, agent: str
) -> None:
    told = cli("correct", old, *given)

    sentence = "It still stands: the owner was asked to correct it, see `tacit actions`.\n"
    assert (told, len(cli.json("actions")), agent) == ((0, "", sentence), 1, agent)


def test_what_was_not_known_then_is_said_so(old: str, cli: Cli) -> None:
    told = cli("show", old, "--as-of", "2020-01-01")

    sentence = f"tacit: {old} was not known then. `tacit why {old}` tells its time.\n"
    assert (told.out, told.err) == ("", sentence)
