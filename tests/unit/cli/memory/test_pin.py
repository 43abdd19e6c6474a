"""`tacit pin`: a memory is kept in sight, on the owner's word alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.cli.memory.conftest import Cli, Mind


def test_a_pinned_memory_is_told_and_marked(cli: Cli) -> None:
    memory = cli.remember("The sky is blue")

    told = cli("pin", memory[:13])

    assert told == (0, f"Pinned [fact] The sky is blue ({memory})\n", "")
    assert (cli.json("show", memory)["pinned"], " * " in cli("list").out) == (True, True)


def test_pinning_twice_is_pinning(cli: Cli) -> None:
    memory = cli.remember("The sky is blue")
    cli("pin", memory)

    told = cli("pin", memory)

    assert (told.code, cli.contents("--pinned")) == (0, ["The sky is blue"])


@pytest.mark.parametrize("name", ["mem-404", ""])
def test_a_memory_that_is_not_there_is_refused(name: str, mind: Mind, cli: Cli) -> None:
    cli.remember("The sky is blue")
    before = mind.transcript()

    told = cli("pin", name)

    assert told == (6, "", f"tacit: There is no memory {name!r}. See `tacit list`.\n")
    assert mind.transcript() == before


def test_a_forgotten_memory_cannot_be_kept_in_sight(cli: Cli) -> None:
    memory = cli.remember("The sky is blue")
    cli("forget", memory)

    told = cli("pin", memory)

    assert (told.code != 0, cli.json("show", memory)["pinned"]) == (True, False)


def test_nothing_in_a_memory_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    memory = mind.plant(hostile)

    told = cli.at_terminal("pin", memory.id)

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 1)


def test_an_agent_can_only_ask_for_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = cli.remember("The sky is blue")
    monkeypatch.setenv("CLAUDECODE", "1")

    cli("pin", memory)

    assert cli.json("show", memory)["pinned"] is False
    assert [each["memory"] for each in cli.json("actions")] == [memory]


def test_an_agent_is_not_told_that_it_was_done(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = cli.remember("The sky is blue")
    monkeypatch.setenv("CLAUDECODE", "1")

    told = cli("pin", memory)

    assert "Pinned" not in told.out


def test_a_program_is_told_what_it_is_now(cli: Cli) -> None:
    memory = cli.remember("The sky is blue")

    assert cli.json("pin", memory)["pinned"] is True
