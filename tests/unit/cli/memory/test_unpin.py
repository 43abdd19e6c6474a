"""`tacit unpin`: a pinned memory is one among others again, on the owner's word alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.cli.memory.conftest import Cli, Mind


@pytest.fixture
def pinned(cli: Cli) -> str:
    """Remember and pin something; return its id."""
    memory = cli.remember("The sky is blue")
    cli("pin", memory)
    return memory


def test_an_unpinned_memory_is_told_and_no_longer_marked(pinned: str, cli: Cli) -> None:
    told = cli("unpin", pinned)

    assert told == (0, f"No longer pinned: [fact] The sky is blue ({pinned})\n", "")
    assert (cli.contents("--pinned"), cli.contents()) == ([], ["The sky is blue"])


def test_a_memory_that_is_not_there_is_refused(pinned: str, cli: Cli) -> None:
    told = cli("unpin", "mem-404")

    assert told == (6, "", "tacit: There is no memory 'mem-404'. See `tacit list`.\n")
    assert cli.json("list")[0]["id"] == pinned


def test_an_agent_is_told_to_ask_the_user(
    pinned: str, mind: Mind, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = mind.transcript()
    monkeypatch.setenv("CLAUDECODE", "1")

    told = cli("unpin", pinned)

    sentence = "tacit: `unpin` needs the owner at a terminal. Ask the user to run it.\n"
    assert told == (7, "", sentence)
    assert (mind.transcript(), cli.contents("--pinned")) == (before, ["The sky is blue"])


def test_nothing_in_a_memory_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    memory = mind.plant(hostile)

    told = cli.at_terminal("unpin", memory.id)

    assert (told.code, told.strange, len(told.out.splitlines())) == (0, set(), 1)


def test_a_program_is_told_what_it_is_now(cli: Cli) -> None:
    memory = cli.remember("The sky is blue")

    assert cli.json("unpin", memory)["pinned"] is False
