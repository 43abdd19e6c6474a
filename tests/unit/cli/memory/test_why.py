"""`tacit why`: the words a memory was made of, its chain, and who decided; safe to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.cli.memory.conftest import Cli, Mind


@pytest.fixture
def taught(mind: Mind, cli: Cli) -> str:
    """Let the user teach something in the middle of a prompt; return the memory's id."""
    mind.talk("s-1", "It is late. Remember that the sky is blue. Then fix the importer")
    (memory,) = cli.json("list")
    return str(memory["id"])


def test_the_quote_stands_in_its_words_under_whose_they_are(taught: str, cli: Cli) -> None:
    content, head, source, quote, *rest = cli("why", taught).out.splitlines()

    assert (content, head) == (
        "The sky is blue",
        f"{taught} fact, active, importance 4, confidence 1.00",
    )
    assert source.startswith("user (live), ")
    assert source.endswith(", session s-1, turn turn-0-o, explicit-1:")
    assert quote == "  …It is late. Remember that «the sky is blue». Then fix the importer"
    assert rest == []


def test_what_was_said_by_hand_is_told_so(cli: Cli) -> None:
    memory = cli.remember("The sky is blue")

    shown = cli("why", memory).out.splitlines()

    assert shown[2].startswith("owner (cli), ")
    assert shown[2].endswith(", by hand, decision-1:")
    assert shown[3] == "  «The sky is blue»"
    assert shown[4].startswith("remember by owner, ")


def test_a_corrected_memory_is_shown_over_time(taught: str, cli: Cli) -> None:
    cli("correct", taught, "The sky is grey")

    shown = cli("why", taught).out.splitlines()

    at = shown.index("Over time:")
    assert [line.partition(": ")[2] for line in shown[at + 1 : at + 3]] == [
        "The sky is blue",
        "The sky is grey",
    ]
    assert [line[0] for line in shown[at + 1 : at + 3]] == ["→", " "]
    assert shown[at + 3].startswith("correct by owner, ")


def test_who_decided_is_told(taught: str, cli: Cli) -> None:
    cli("pin", taught)
    cli("forget", taught)

    shown = cli("why", taught).out.splitlines()

    assert shown[1].split(", ")[1] == "forgotten (forgotten by owner)"
    assert [line.partition(",")[0] for line in shown[-2:]] == ["pin by owner", "forget by owner"]


def test_the_one_that_contradicts_is_named(
    taught: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    other = cli.json("correct", taught, "The sky is green")["id"]

    shown = cli("why", taught).out.splitlines()

    assert f"contradicts: {other}" in shown


def test_programs_get_all_of_it(taught: str, cli: Cli) -> None:
    cli("show", taught)

    told = cli.json("why", taught)

    assert set(told) == {
        "memory", "cited", "chain", "links", "decisions", "accessed", "last_accessed", "told",
    }  # fmt: skip
    (cited,) = told["cited"]
    assert (cited["before"], cited["evidence"]["quote"], cited["after"]) == (
        "It is late. Remember that ",
        "the sky is blue",
        ". Then fix the importer",
    )
    assert (told["accessed"], told["memory"]["id"]) == (2, taught)


def test_the_beginning_of_an_id_is_enough(taught: str, cli: Cli) -> None:
    assert cli.json("why", taught[:12])["memory"]["id"] == taught


def test_nothing_around_a_quote_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    prompt = f"{hostile}. Remember that the sky \u202eis {hostile.splitlines()[0]} blue. {hostile}"
    mind.talk("s-1", prompt)
    (memory,) = cli.json("list")

    told = cli.at_terminal("why", memory["id"])

    assert (told.code, told.strange) == (0, set())
    assert len(told.out.splitlines()) == 4


def test_nothing_of_a_memory_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    held = mind.plant(hostile, hostile, origin=f"tool:{hostile}", session=hostile, turn=hostile)

    told = cli.at_terminal("why", held.id)

    assert (told.code, told.strange) == (0, set())
    assert len(told.out.splitlines()) == 4


@pytest.mark.parametrize("name", ["mem-404", "", "%", "'; DROP TABLE memories; --"])
def test_a_memory_that_is_not_there_is_refused(name: str, taught: str, cli: Cli) -> None:
    told = cli("why", name)

    assert told == (6, "", f"tacit: There is no memory {name!r}. See `tacit list`.\n")
    assert cli.json("list")[0]["id"] == taught


def test_what_was_said_and_is_no_memory_leads_to_where_it_is_shown(cli: Cli) -> None:
    told = cli("why", "evt-1f3a")

    next_step = "'evt-1f3a' was said, and is no memory: see `tacit show evt-1f3a`."
    assert told == (6, "", f"tacit: {next_step}\n")


def test_where_nothing_is_remembered_at_all_it_is_refused_too(cli: Cli) -> None:
    told = cli("why", "mem-404")

    assert told == (6, "", "tacit: There is no memory 'mem-404' in group main. See `tacit list`.\n")


def test_a_beginning_of_more_than_one_id_is_refused(taught: str, cli: Cli) -> None:
    cli.remember("The grass is green")

    told = cli("why", taught[:5])

    assert told == (6, "", f"tacit: {taught[:5]!r} begins more than one id: say more of it.\n")
