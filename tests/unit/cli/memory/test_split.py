"""`tacit split`: what was merged stands by itself again, on the owner's word alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.compose import open_app
from unit.embedding import Blunt

if TYPE_CHECKING:
    from unit.cli.memory.conftest import Cli, Mind

OLD, NEW = "The staging database has port 5432", "The staging db has port 5432"

REFUSED = (
    "tacit: {} was not merged with another, nor replaced by one. See `tacit list --superseded`.\n"
)


def merge() -> None:
    """Let the night pass."""
    app = open_app(embedder=Blunt())
    app.understand("main")
    app.merge("main")
    app.close()


@pytest.fixture
def merged(cli: Cli) -> str:
    """Have two things that say the same become one; return the one that went."""
    memory = cli.remember(OLD)
    cli.remember(NEW)
    merge()
    assert cli.contents() == [NEW]
    return memory


def test_what_was_merged_stands_by_itself_again_and_is_told(merged: str, cli: Cli) -> None:
    told = cli("split", merged[:-2])

    assert told == (0, f"Stands by itself again: [fact] {OLD} ({merged})\n", "")
    assert cli.contents() == [NEW, OLD]


def test_it_is_for_good(merged: str, cli: Cli) -> None:
    cli("split", merged)

    merge()

    assert cli.contents() == [NEW, OLD]


def test_the_audit_tells_of_the_merge_and_the_split(merged: str, cli: Cli) -> None:
    cli("split", merged)

    told = cli.json("audit")

    verbs = [(each["origin"], each["decision"]["verb"]) for each in told][-2:]
    assert verbs == [("system", "merge"), ("owner", "split")]


@pytest.mark.usefixtures("merged")
def test_what_was_not_merged_is_refused(mind: Mind, cli: Cli) -> None:
    memory = cli.remember("The till sells tea")
    before = mind.transcript()

    told = cli("split", memory)

    assert told == (
        6,
        "",
        REFUSED.format(memory),
    )
    assert mind.transcript() == before


@pytest.mark.parametrize("name", ["mem-404", ""])
@pytest.mark.usefixtures("merged")
def test_a_memory_that_is_not_there_is_refused(name: str, cli: Cli) -> None:
    told = cli("split", name)

    assert told == (6, "", f"tacit: There is no memory {name!r}. See `tacit list`.\n")


def test_an_agent_is_told_to_ask_the_user(
    merged: str, mind: Mind, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = mind.transcript()
    monkeypatch.setenv("CLAUDECODE", "1")

    told = cli("split", merged)

    sentence = "tacit: `split` needs the owner at a terminal. Ask the user to run it.\n"
    assert told == (7, "", sentence)
    assert (mind.transcript(), cli.contents()) == (before, [NEW])


def test_an_agent_at_a_terminal_is_not_told_that_it_was_done(
    merged: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")

    told = cli.at_terminal("split", merged)

    assert told == (0, "The owner was asked to split it: `tacit actions`.\n", "")
    assert [each["memory"] for each in cli.json("actions")] == [merged]


def test_nothing_in_a_memory_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    memory = mind.plant(hostile)

    told = cli.at_terminal("split", memory.id)

    assert (told.code != 0, told.strange) == (True, set())
