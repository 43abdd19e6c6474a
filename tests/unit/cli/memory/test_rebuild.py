"""`tacit rebuild`: all is made again from the transcript, and it is said whether it is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from rig import Home
    from unit.cli.memory.conftest import Cli, Mind


def test_what_is_made_again_is_the_same_and_told_so(mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Remember that the sky is blue.")
    cli.remember("I like tabs")
    before = cli.json("list")

    told = cli("rebuild")

    assert told == (0, "2 memories from 3 events: the same as before.\n", "")
    assert cli.json("list") == before


def test_one_memory_of_one_event_is_told_in_the_singular(cli: Cli) -> None:
    cli.remember("I like tabs")

    assert cli("rebuild").out == "1 memory from 1 event: the same as before.\n"


def test_what_no_event_stands_behind_is_gone_and_told_as_a_difference(mind: Mind, cli: Cli) -> None:
    mind.plant("The moon is made of cheese")

    told = cli("rebuild")

    assert told.out == "0 memories from 2 events: not the same as before.\n"
    assert cli.contents() == []


def test_a_decision_that_finds_nothing_any_more_is_listed(mind: Mind, cli: Cli) -> None:
    memory = mind.plant("The moon is made of cheese")
    cli("pin", memory.id)

    told = cli("rebuild")

    assert told.code == 0
    assert told.err.startswith(f"Found nothing for: pin {memory.id}, ")


def test_programs_get_both_digests_and_what_was_missed(mind: Mind, cli: Cli) -> None:
    memory = mind.plant("The moon is made of cheese")
    cli("pin", memory.id)

    told = cli.json("rebuild")

    assert set(told) == {"events", "turns", "memories", "before", "after", "missed"}
    assert told["before"] != told["after"]
    assert [each["decision"]["verb"] for each in told["missed"]] == ["pin"]


def test_a_lost_memory_is_made_again(home: Home, mind: Mind, cli: Cli) -> None:
    mind.talk("s-1", "Remember that the sky is blue.")
    (home.path / "groups" / "main" / "memory.db").unlink()

    told = cli("rebuild")

    assert (told.code, cli.contents()) == (0, ["The sky is blue"])


def test_nothing_is_left_lying_beside_it(home: Home, cli: Cli) -> None:
    cli.remember("I like tabs")

    cli("rebuild")

    left = [each.name for each in (home.path / "groups" / "main").glob("memory*")]
    assert left == ["memory.db"]


def test_where_there_is_nothing_it_is_refused(home: Home, cli: Cli) -> None:
    told = cli("rebuild")

    sentence = "Group main has no transcript yet: there is nothing to rebuild."
    assert told == (6, "", f"tacit: {sentence}\n")
    assert not (home.path / "groups").exists()


def test_an_agent_is_told_to_ask_the_user(
    cli: Cli, mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind.plant("The moon is made of cheese")
    monkeypatch.setenv("CLAUDECODE", "1")

    told = cli("rebuild", "--yes")

    sentence = "tacit: `rebuild` needs the owner at a terminal. Ask the user to run it.\n"
    assert told == (7, "", sentence)
    assert cli.contents() == ["The moon is made of cheese"]


def test_asking_the_extractor_again_needs_a_word_in_a_pipe(cli: Cli, mind: Mind) -> None:
    mind.plant("The moon is made of cheese")

    told = cli("rebuild", "--reextract")

    assert (told.code, told.out, "Say --yes" in told.err) == (7, "", True)
    assert cli.contents() == ["The moon is made of cheese"]


def test_asking_the_extractor_again_says_first_what_it_takes(cli: Cli, mind: Mind) -> None:
    mind.talk("s-1", "Remember that the sky is blue.")

    told = cli.at_terminal("rebuild", "--reextract", typed="n\n")

    assert (told.code, told.out) == (
        130,
        "Read 1 turn again? No model is asked: it costs nothing. [y/N]: ",
    )


def test_a_decision_is_no_turn_in_what_it_takes(cli: Cli, mind: Mind) -> None:
    mind.talk("s-1", "Remember that the sky is blue.")
    cli.remember("I like tabs")

    told = cli.at_terminal("rebuild", "--reextract", typed="n\n")

    assert told.out.startswith("Read 1 turn again?")


@pytest.mark.parametrize("way", ["--yes", "typed"])
def test_asked_again_the_extractor_says_the_same(way: str, cli: Cli, mind: Mind) -> None:
    mind.talk("s-1", "Remember that the sky is blue.")
    arguments = ["rebuild", "--reextract"]

    told = cli(*arguments, way) if way == "--yes" else cli.at_terminal(*arguments, typed="y\n")

    assert (told.code, told.out.endswith(": the same as before.\n")) == (0, True)


def test_nothing_that_was_missed_reaches_the_terminal_as_it_is(
    hostile: str, mind: Mind, cli: Cli
) -> None:
    memory = mind.plant("The moon is made of cheese", id=f"evi-{hostile}")
    cli("pin", memory.id)

    told = cli.at_terminal("rebuild")

    assert (told.code, told.strange, len(told.err.splitlines())) == (0, set(), 1)


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["people", "programs"])
def test_what_reading_again_costs_is_told_though_nobody_asks(
    options: tuple[str, ...], cli: Cli, mind: Mind
) -> None:
    mind.talk("s-one", "Good morning")

    told = cli("rebuild", "--reextract", "--yes", *options)

    sentence = "Read 1 turn again: No model is asked: it costs nothing."
    assert sentence in (told.err if options else told.out)


def test_a_program_is_told_how_many_turns_were_read(cli: Cli, mind: Mind) -> None:
    mind.talk("s-one", "Good morning")
    cli.remember("The sky is blue")

    assert cli.json("rebuild")["turns"] == 1
